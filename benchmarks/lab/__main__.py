"""`make lab`: the paper's experiments, in small, on the laboratory's world. `make lab-quick` checks that they run.

What a seed gave is kept in the work folder, so a run that was stopped goes on from there. The full form writes the
results, the plots and the tables of benchmarks/lab/README.md; `--redraw` does so from the committed results.
"""

import argparse
import json
import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console

from benchmarks.lab import best_of_n, figures
from benchmarks.lab.best_of_n import PRM, QUICK, Settings
from benchmarks.lab.figures import Estimate
from benchmarks.targets import Target, tell

HERE = Path(__file__).parent
RESULT = HERE.parent / "results" / "lab-best-of-n.json"
PLOT = HERE / "best-of-n.svg"
PAGE = HERE / "README.md"
PRODUCT, MAJORITY = f"{PRM}, {best_of_n.PRODUCT}", "majority vote"
ORMS = ("ORM by final answer", "ORM by judge")
DRAWN = {PRODUCT: "PRM", **{orm: orm for orm in ORMS}, MAJORITY: "majority vote", "oracle": "oracle"}
SHOWN = (1, 4, 16, 64, 128)


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads)
    if options.redraw:
        write(json.loads(RESULT.read_text()))
        return
    settings = QUICK if options.quick else Settings()
    options.work.mkdir(parents=True, exist_ok=True)
    seeds = range(1, options.seeds + 1)
    measured = [best_of_n.measure(seed, settings, options.work, print) for seed in seeds]
    found = summary(measured, settings)
    show(found)
    if options.quick:
        return
    RESULT.write_text(json.dumps(found, indent=1) + "\n")
    write(found)
    sys.exit(tell(targets(found)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make lab", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="in minutes, on a few problems; writes no results")
    parser.add_argument("--redraw", action="store_true", help="plots and tables, from the committed results")
    parser.add_argument("--seeds", type=int, default=5, help="worlds (default %(default)s)")
    parser.add_argument("--work", type=Path, default=Path("var/lab"), help="where runs go on (default %(default)s)")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def summary(measured: Sequence[Mapping[str, Any]], settings: Settings) -> dict[str, Any]:
    """Over all seeds: each method's best-of-N, the gap that the PRM has, and means of what explains them."""
    curves = {name: np.array([each["curves"][name] for each in measured]) for name in measured[0]["curves"]}
    return {
        "settings": asdict(settings),
        "seeds": len(measured),
        "machine": {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()},
        "torch": torch.__version__,
        "seconds": sum(each["seconds"] for each in measured),
        "numbers": settings.numbers,
        "world": averaged([each["world"] for each in measured]),
        "models": {name: averaged([each["models"][name] for each in measured]) for name in measured[0]["models"]},
        "best of N": {name: rounded(figures.estimate(rows)) for name, rows in curves.items()},
        "PRM's lead": {name: rounded(figures.estimate(curves[PRODUCT] - curves[name])) for name in (*ORMS, MAJORITY)},
    }


def averaged(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}


def rounded(each: Estimate) -> dict[str, list[float]]:
    return {name: [round(figure, 4) for figure in each[name]] for name in ("mean", "low", "high")}


def targets(found: Mapping[str, Any]) -> list[Target]:
    """At the largest N the intervals must not overlap, and the lead over the vote must have grown."""
    best, lead = found["best of N"], found["PRM's lead"][MAJORITY]
    above = [
        Target(
            f"PRM's lower end above the upper end of {name}, at N = {found['numbers'][-1]}",
            least=0.0,
            figure=best[PRODUCT]["low"][-1] - best[name]["high"][-1],
        )
        for name in (*ORMS, MAJORITY)
    ]
    return [
        *above,
        Target("growth of the lead over majority vote, from N = 4", lead["mean"][-1] - lead["mean"][2], least=0.0),
    ]


def show(found: Mapping[str, Any]) -> None:
    Console(highlight=False, soft_wrap=True).print(table(found))


def table(found: Mapping[str, Any]) -> str:
    """Markdown: a row for each method, best first at the largest N."""
    numbers = [n for n in SHOWN if n in found["numbers"]]
    places = [found["numbers"].index(n) for n in numbers]
    rows = sorted(found["best of N"].items(), key=lambda row: -row[1]["mean"][-1])
    head = [
        "| solutions chosen by | " + " | ".join(f"N = {n}" for n in numbers) + " |",
        "|---" * (len(numbers) + 1) + "|",
    ]
    return "\n".join(
        [*head, *(f"| {name} | " + " | ".join(cell(each, at) for at in places) + " |" for name, each in rows)]
    )


def cell(each: Mapping[str, Sequence[float]], at: int) -> str:
    return f"{each['mean'][at]:.3f} ({each['low'][at]:.3f} to {each['high'][at]:.3f})"


def write(found: Mapping[str, Any]) -> None:
    """The plot, and the table in the page."""
    drawn = {title: found["best of N"][name] for name, title in DRAWN.items()}
    figures.plot(PLOT, found["numbers"], drawn, "share of problems answered rightly")
    begin, end = "<!-- best-of-n -->\n", "<!-- end -->"
    page = PAGE.read_text()
    PAGE.write_text(re.sub(f"(?s){begin}.*?{end}", lambda _: f"{begin}{table(found)}\n{end}", page))


if __name__ == "__main__":
    main()
