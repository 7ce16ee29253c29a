"""The tables and the plot of experiment 2 with a frozen selector."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.lab import figures
from benchmarks.lab.frozen.selector import ARMS, UNIFORM
from benchmarks.lab.human_replay import F1
from benchmarks.lab.measured import Found
from benchmarks.lab.tables import cell, markdown


def table(found: Found) -> str:
    """Returns both measures by labels, then by minutes of labelling; the last column is paired with the uniform choice.

    States how much ActPRM's ensemble is unsure of: if that is the whole pool, its arm equals the uniform one.
    """
    labels = [f"{round(each):,} labels" for each in found["labels"][UNIFORM]]
    minutes = [f"{each:,.0f} min" for each in found["minutes"]]
    best = f"best of {found['N']}"
    tables = [
        _table(found, by, what, title, columns)
        for by, columns in (("by labels", labels), ("by time", minutes))
        for what, title in (("best of N", best), ("f1", F1))
    ]
    return "\n\n".join([*tables, f"ActPRM's ensemble is unsure of {found['unsure']:.0%} of the pool."])


def _table(found: Found, by: str, what: str, title: str, columns: Sequence[str]) -> str:
    seeds, rows = found["seeds"], []
    for arm in ARMS:
        each, above = found[by][what][arm]["each"], found[by][what][arm]["above uniform"]
        cells = [cell(each, at, seeds=seeds) for at in range(len(columns))]
        rows.append([arm, *cells, "" if arm == UNIFORM else cell(above, -1, seeds=seeds)])
    return markdown([f"{title}, {by}", *columns, "above uniform"], rows)


def plot(path: Path, found: Found) -> None:
    panels = {
        title: {arm: (found["labels"][arm], found["by labels"][what][arm]["each"]) for arm in ARMS}
        for what, title in (("best of N", f"share answered rightly, best of {found['N']}"), ("f1", F1))
    }
    ticks = [round(each) for each in found["labels"][UNIFORM]]
    figures.plot(path, panels, "step labels", ticks, has_bands=found["seeds"] > 1)
