"""Writes the card of a data release: a README that a hub of data sets shows, and `datasets` reads (pure).

The block at its top names the files of each format and split, as the Hugging Face Hub's dataset cards do.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from labeling.data.formats.labels import NAMES
from labeling.data.formats.labels.losses import Loss
from labeling.rules.words import FinishReason

HUB_LICENCE = re.compile(r"[a-z0-9][a-z0-9.+-]*")
COUNTS = ("labellings", "rulings", "consensuses", "labels", "positive", "neutral", "negative", "unsure")
NEAR = {"benchmark": "on benchmarks", "near_benchmark": "near them"}
LEFT_OUT = {
    "withdrawn": "withdrawn",
    "screening": "from screening",
    "gold": "on solutions with gold",
    **{reason.value: f"that ended as “{reason.label}”" for reason in FinishReason if reason.traits.gives_up},
    "benchmark": "on problems of benchmarks",
    "near_benchmark": "on problems near those of benchmarks",
    "settled": "that a ruling or a consensus stands for",
}


def readme(card: Mapping[str, Any]) -> str:
    """The release's README.md: a block of YAML that programs read, then the card's text."""
    return f"{_front_matter(card)}\n\n{text(card)}"


def text(card: Mapping[str, Any]) -> str:
    """The card in Markdown."""
    return "\n\n".join(filter(None, [f"# {card['name']}", card["notes"].strip(), *_sections(card)])) + "\n"


def _front_matter(card: Mapping[str, Any]) -> str:
    # A JSON string is valid YAML.
    lines = ["---", f"pretty_name: {json.dumps(card['name'], ensure_ascii=False)}", *_licence(card["licence"])]
    lines += ["tags:", "- process-reward-model", "- step-labels", "- stepmark", "configs:"]
    for position, (file_format, files) in enumerate(_opened_by_name(card["files"]).items()):
        lines += [f"- config_name: {file_format}", *(["  default: true"] if position == 0 else []), "  data_files:"]
        for file in files:
            lines += [f"  - split: {file['split']}", f"    path: {file['path']}"]
    return "\n".join([*lines, "---"])


def _by_format(files: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """The files of each format that has any, in the order in which the formats were chosen."""
    written = filter(itemgetter("path"), files)
    return {name: list(some) for name, some in groupby(written, key=itemgetter("format"))}


def _opened_by_name(files: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """The formats that `datasets` opens by name: those with the first one's file type, since it allows just one."""
    kinds = {name: Path(some[0]["path"]).suffix for name, some in _by_format(files).items()}
    return {name: some for name, some in _by_format(files).items() if kinds[name] == next(iter(kinds.values()))}


def _licence(licence: str) -> Iterator[str]:
    if HUB_LICENCE.fullmatch(licence.lower()):
        yield f"license: {licence.lower()}"
    elif licence:
        yield "license: other"
        yield f"license_name: {json.dumps(licence, ensure_ascii=False)}"


def _sections(card: Mapping[str, Any]) -> Iterator[str]:
    yield _opening(card)
    yield "## Contents\n\n" + _contents(card)
    yield "## Files\n\n" + _files(card["files"]) + _images(card.get("images"))
    yield "## How it was labelled\n\n" + _phases(card)
    yield "## Where it comes from\n\n" + _origins(card["origins"])
    yield "## How good it is\n\n" + "\n\n".join(_quality(card))
    yield "## Overlap with benchmarks\n\n" + _overlap(card["overlap"], card["filter"]["include"])


def _opening(card: Mapping[str, Any]) -> str:
    licence = f"Licence of the labels: {card['licence']}." if card["licence"] else "No licence of the labels is stated."
    by_name = _opened_by_name(card["files"])
    opening = [f'labels = load_dataset("{card["name"]}", "{name}")' for name in by_name]
    for name, files in _by_format(card["files"]).items():
        if name not in by_name:
            paths = {file["split"]: f"{card['name']}/{file['path']}" for file in files}
            opening.append(f'labels = load_dataset("{name}", data_files={json.dumps(paths)})')
    return (
        f"Ratings of the steps of model-written solutions, as they stood on {card['frozen_at'][:10]}; this version "
        f"never changes. {licence} People appear as ids; those of imported "
        f"labels as in their files.\n\n"
        f"```python\nfrom datasets import load_dataset\n\n# Where the folder {card['name']} is; one of these:\n"
        + "\n".join(opening)
        + "\n```"
    )


def _contents(card: Mapping[str, Any]) -> str:
    counts = card["counts"]
    rows = [(name.capitalize(), f"{counts[name]:,}") for name in COUNTS if counts[name] or name in COUNTS[3:]]
    rows.append(("People", f"{card['annotators']:,}" if card["annotators"] else "unknown"))
    rows += [(f"Of split {split}", f"{number:,}") for split, number in sorted(card["splits"].items())]
    left = [f"{card['left_out'][why]:,} {what}" for why, what in LEFT_OUT.items() if card["left_out"].get(why)]
    out = f"\n\nLeft out: {', '.join(left)}." if left else ""
    return _table(("What", "Number"), rows) + out


def _files(files: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for file in files:
        lost = [f"{loss.title}: {file['not_held'][loss.code]:,}" for loss in Loss if loss.code in file["not_held"]]
        name = NAMES.get(file["format"], file["format"])
        path = f"`{file['path']}`" if file["path"] else "no file"
        rows.append((path, name, file["split"], f"{file['records']:,}", "; ".join(lost) or "nothing"))
    header = ("File", "Format", "Split", "Records", "What the format can't hold")
    return _table(header, rows) + "\n\n`SHA256SUMS` has the checksum of each file: `sha256sum --check SHA256SUMS`."


def _images(counts: Mapping[str, int] | None) -> str:
    if not counts:
        return ""
    named = counts["copied"] + counts["missing"]
    missing = f"; {counts['missing']:,} of {named:,} are missing" if counts["missing"] else ""
    return f"\n\nImages of the traces are in `images/`, by the SHA-256 that a part names{missing}."


def _phases(card: Mapping[str, Any]) -> str:
    rows = [
        (
            phase["name"],
            phase["kind"],
            f"{phase['labellings']:,}",
            ", ".join(map(str, phase["guidelines"])) or "unknown",
        )
        for phase in card["phases"]
    ]
    table = _table(("Campaign", "Kind", "Labellings", "Versions of its guidelines"), rows)
    texts = "\n".join(f"- [{_cell(each['title'])}]({each['path']})" for each in card["guidelines"])
    return f"{table}\n\nThe guidelines that people had:\n\n{texts}" if texts else table


def _origins(origins: Sequence[Mapping[str, Any]]) -> str:
    if not origins:
        return "No row of it was imported or generated."
    rows = [
        (
            each["name"],
            each["licence"] or "not stated",
            each["provenance"] or "not stated",
            *(f"{each[kind]:,}" for kind in ("problems", "solutions", "labellings")),
        )
        for each in origins
    ]
    return _table(("Origin", "Licence", "Provenance", "Problems", "Solutions", "Labellings"), rows)


def _quality(card: Mapping[str, Any]) -> Iterator[str]:
    agreed, gold, rulings = card["agreement"], card["gold"], card["rulings"]
    if agreed["tasks"]:
        alpha = "undefined" if agreed["alpha"] is None else f"{agreed['alpha']:.2f}{_span(agreed['alpha_interval'])}"
        yield (
            f"**Agreement.** On the {_several(agreed['tasks'], 'solution')} that two people or more labelled, "
            f"Krippendorff's alpha of step ratings (ordinal) is {alpha}, and the first error is at the same step in "
            f"{_share_text(agreed['first_error'], agreed['first_error_interval'])} of pairs."
        )
    else:
        yield "**Agreement** is not known: no solution was labelled by two people."
    if gold["tasks"]:
        yield (
            f"**Label noise.** Of {_several(gold['tasks'], 'labelling')} of hidden gold, "
            f"{_share_text(gold['right'], gold['interval'])} see the first error where experts do."
        )
    else:
        yield "**Label noise** is not known: nobody labelled hidden gold."
    if rulings["labellings"]:
        yield (
            f"Experts ruled on {_several(rulings['tasks'], 'solution')}, mostly disputed ones. Their rulings stand for "
            f"{_several(rulings['labellings'], 'labelling')}, of which "
            f"{_share_text(rulings['right'], rulings['interval'])} had seen the first error there."
        )


def _overlap(overlap: Mapping[str, Any], include: Sequence[str]) -> str:
    held = ", ".join(f"{_cell(name)} ({number:,})" for name, number in sorted(overlap["benchmarks"].items()))
    on, near = (_several(overlap[name], "problem") for name in ("benchmark", "near_benchmark"))
    out = [where for name, where in NEAR.items() if name not in include]
    left = f" Labels {' and '.join(out)} are left out." if out else ""
    return f"Of the chosen labels, {on} on a registered benchmark{f': {held}' if held else ''}; {near} near one.{left}"


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _share_text(share: float, interval: Sequence[float] | None) -> str:
    return f"{share:.0%}" + (f" (95 % interval {interval[0]:.0%} to {interval[1]:.0%})" if interval else "")


def _span(interval: Sequence[float] | None) -> str:
    return f" (95 % interval {interval[0]:.2f} to {interval[1]:.2f})" if interval else ""


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *([_cell(each) for each in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """A text in a cell of a table: without line breaks, and with its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")
