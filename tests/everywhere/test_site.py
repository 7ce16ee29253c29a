"""The documentation's site: its commands are accepted, its references are whole, and it builds without a warning."""

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs import generated, hooks
from labeling.data.formats.labels import WRITERS
from labeling.rules.words import FileFormat, FinishReason, Policy
from prm_training.prm.metrics.evaluate import step_metrics
from prm_training.prm.score import AGGREGATES

pytestmark = pytest.mark.any_database

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# Pages whose commands the reader runs: those that a person follows from top to bottom, and README.
FOLLOWED = [
    ROOT / "README.md",
    DOCS / "index.md",
    *sorted(DOCS.glob("tutorials/*.md")),
    *sorted(DOCS.glob("how-to/*.md")),
]
PAGES = sorted(path for path in DOCS.rglob("*.md") if not path.name.endswith(".head.md"))
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
PARSERS = generated.command_parsers()
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
# Programs of others, whose arguments are not ours to check.
OTHERS = {"export", "git", "head", "python", "python3.11", "source", "vllm"}
ELSEWHERE = {"TORCH_INDEX_URL", "WEB_CONCURRENCY", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "STEPMARK_GPU"}
OF_OTHERS = {"AWS_ACCESS_KEY_ID", "AWS_ENDPOINT_URL"}  # boto3's


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", page.read_text(), re.MULTILINE | re.DOTALL)
    return [text for _, text in found]


def commands(page: Path) -> Iterator[list[str]]:
    """Yields each command's words, without redirections."""
    for line in "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines():
        words = shlex.shlex(line, posix=True, punctuation_chars="|&<>;")
        words.whitespace_split, words.commenters = True, "#"
        command: list[str] = []
        for word in words:
            if set(word) <= set("|&;"):
                yield command
                command = []
            else:
                command.append(word)
        if command:
            yield command[: command.index(">")] if ">" in command else command


ALL = [pytest.param(each, id=f"{page.stem}: {shlex.join(each)}") for page in FOLLOWED for each in commands(page)]


def test_the_commands_of_the_pages_are_found() -> None:
    assert len(ALL) > 50


@pytest.mark.parametrize("command", ALL)
def test_a_command_is_accepted(command: list[str]) -> None:
    program, *words = command
    match program:
        case "stepmark":
            accept(words)
        case "make":
            assert {word for word in words if "=" not in word} <= TARGETS
        case "pip":
            extras = re.findall(r"stepmark\[(.+)\]", shlex.join(words))
            assert {extra for each in extras for extra in each.split(",")} <= EXTRAS.keys()
        case "accelerate":
            accept(["prm", *words[words.index("prm_training.prm") + 1 :]])
        case _:
            assert program in OTHERS


def accept(words: list[str]) -> None:
    """Gives the words to the command's own parser, which raises or exits on what it doesn't know."""
    if words == ["--version"]:
        return
    name, rest = (" ".join(words[:2]), words[2:]) if words[0] == "prm" else (words[0], words[1:])
    PARSERS[name].parse_args(rest)


def test_an_unknown_option_is_noticed() -> None:
    with pytest.raises(SystemExit, match="2"):
        accept(["prm", "train", "labels.jsonl", "run", "--no-such-option"])


@pytest.mark.parametrize("page", generated.PAGES, ids=lambda page: page.stem)
def test_written_pages_are_fresh(page: Path) -> None:
    assert page.read_text() == generated.PAGES[page](), "run `make reference`"


def test_every_option_is_on_the_page_of_commands() -> None:
    text = (DOCS / "reference" / "command-line.md").read_text()
    assert [name for name in PARSERS if f"## `stepmark {name}`" not in text] == []
    assert [option for parser in PARSERS.values() for option in options(parser) if f"`{option}" not in text] == []


def test_every_option_says_what_it_means() -> None:
    text = (DOCS / "reference" / "command-line.md").read_text()
    assert [line for line in text.splitlines() if line.startswith("| ") and line.endswith("|  |")] == []


def options(parser: ArgumentParser) -> list[str]:
    own = [action for action in parser._actions if action.dest not in {"help", *generated.SHARED}]
    return [name for action in own for name in action.option_strings]


def test_every_setting_is_on_its_page_and_nothing_else() -> None:
    read = re.findall(r'\benv\.\w+\(\s*["\'](\w+)', (ROOT / "stepmark" / "settings.py").read_text())
    text = (DOCS / "reference" / "settings.md").read_text()
    named = [name for line in text.splitlines() if line.startswith("| `") for name in names(line)]
    assert len(read) > 20
    assert sorted(named) == sorted({*read, *ELSEWHERE} - OF_OTHERS)


def names(row: str) -> list[str]:
    return re.findall(r"`([A-Z0-9_]+)`", row.split(" | ", 1)[0])


def test_variables_from_elsewhere_are_read_there() -> None:
    sources = [ROOT / "stepmark" / "supervisor.py", ROOT / "labeling" / "jobs" / "gpus.py", ROOT / "Makefile"]
    text = "".join(path.read_text() for path in sources)
    assert [name for name in ELSEWHERE if name not in text] == []


def test_every_format_is_on_its_page() -> None:
    text = (DOCS / "reference" / "formats.md").read_text()
    assert [each for each in [*FileFormat.values, *WRITERS] if f"| `{each}` |" not in text] == []


def test_every_metric_of_steps_is_on_its_page() -> None:
    some = step_metrics([(-2.0, -1.0, -0.7), (-0.1, -3.0, -4.0), (-1.0, -1.1, -1.2)], [2, 0, 1])
    text = (DOCS / "reference" / "metrics.md").read_text()
    assert [name for name in [*some, *AGGREGATES, "erroneous", "correct", "f1"] if f"`{name}`" not in text] == []


def test_policies_and_finish_reasons_are_explained() -> None:
    selection, protocol = ((DOCS / "explanation" / f"{name}.md").read_text() for name in ("selection", "protocol"))
    assert [each for each in Policy.values if f"| `{each}` |" not in selection] == []
    assert [each for each in FinishReason.values if f"| `{each}` |" not in protocol] == []


def in_navigation(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for each in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from in_navigation(each)


def test_every_page_is_in_the_navigation() -> None:
    config = hooks.on_config(type("Config", (), {"nav": json.loads(json.dumps(SITE["nav"]))}))
    named = list(in_navigation(config.nav))
    assert sorted(named) == sorted([*(str(page.relative_to(DOCS)) for page in PAGES), *hooks.ELSEWHERE])


def test_every_picture_is_there_shown_and_small() -> None:
    shown = {page.parent / path for page in PAGES for path in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page.read_text())}
    assert [path for path in shown if not path.exists()] == []
    pictures = set(DOCS.glob("*/*.png"))
    assert pictures <= {path.resolve() for path in shown}
    assert [path.name for path in pictures if path.stat().st_size > 100_000] == []


@pytest.mark.long("builds the whole site")
def test_it_builds_without_a_warning(tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None and os.environ.get("CI") != "true":
        pytest.skip("mkdocs is not installed: pip install 'stepmark[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    told = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 80
    outside = re.compile(r"<(?:script|link|img)[^>]+(?:src|href)=\"?(?:https?:)?//")
    assert [page for page in pages if outside.search(page.read_text())] == []
