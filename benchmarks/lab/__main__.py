"""`make lab`: the paper's experiments, in small, on the laboratory's world. `make lab-quick` checks that they run.

A run that was stopped goes on: the full form keeps what each seed gave in benchmarks/results/lab/, and the models in
the work folder. It writes the plots and the tables of benchmarks/lab/README.md; `--redraw` does so again.
"""

import argparse
import json
import os
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

from benchmarks.lab.best_of_n import SEEDS
from benchmarks.lab.measured import DATA, Work
from benchmarks.lab.reports import (
    ABLATION,
    BEST_OF_N,
    BEST_OF_N_BY_PRM,
    FEW_SOLUTIONS,
    FEWER_MISTAKES,
    FEWEST_MISTAKES,
    HUMAN_REPLAY,
    HUMAN_REPLAY_PROCESSBENCH,
    HUMAN_REPLAY_SMOLLM2,
    LABEL_EFFICIENCY,
    NOISY_LABELS,
    OWN_SAMPLES,
    POLICIES_BY_PRM,
    Experiment,
)
from benchmarks.targets import tell

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results"
PAGE = HERE / "README.md"
SIMULATED = (
    BEST_OF_N,
    FEW_SOLUTIONS,
    OWN_SAMPLES,
    LABEL_EFFICIENCY,
    FEWER_MISTAKES,
    FEWEST_MISTAKES,
    ABLATION,
    NOISY_LABELS,
    BEST_OF_N_BY_PRM,
    POLICIES_BY_PRM,
)
REPLAYED = (HUMAN_REPLAY, HUMAN_REPLAY_PROCESSBENCH, HUMAN_REPLAY_SMOLLM2)
EXPERIMENTS = {each.name: each for each in (*SIMULATED, *REPLAYED)}


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads)
    chosen = [EXPERIMENTS[name] for name in options.experiments or EXPERIMENTS]
    status = 0
    for experiment in chosen:
        if not options.redraw and (reason := experiment.missing(options.data, experiment.full)):
            print(f"{experiment.name} is left out: {reason}")
            continue
        result = RESULTS / f"lab-{experiment.name}.json"
        if not options.redraw:
            found = run(experiment, options)
            if not options.quick:
                result.write_text(json.dumps(found, indent=1) + "\n")
        if not options.quick and result.exists():
            status |= write(experiment, json.loads(result.read_text()), HERE, PAGE)
    sys.exit(status)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make lab", description=__doc__)
    parser.add_argument(
        "experiments", nargs="*", metavar="experiment", help=f"of {', '.join(EXPERIMENTS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="in minutes, on a few problems; writes no results")
    parser.add_argument("--redraw", action="store_true", help="plots and tables, from the committed results")
    parser.add_argument(
        "--seeds", type=int, choices=range(1, SEEDS + 1), default=SEEDS, help="worlds (default: %(default)s)"
    )
    parser.add_argument("--work", type=Path, default=Path("var/lab"), help="for models (default %(default)s)")
    parser.add_argument("--data", type=Path, default=DATA, help="prm800k/ and processbench/ (default %(default)s)")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if unknown := set(options.experiments) - EXPERIMENTS.keys():
        parser.error(f"there is no experiment {', '.join(sorted(unknown))}; there are {', '.join(EXPERIMENTS)}")
    return options


def run(experiment: Experiment, options: argparse.Namespace) -> dict[str, Any]:
    """Every seed, and what they say together."""
    settings = experiment.quick if options.quick else experiment.full
    work = Work(options.work if options.quick else RESULTS / "lab", options.work, data=options.data)
    measured = [experiment.measure(seed, settings, work) for seed in range(1, options.seeds + 1)]
    found = {
        "settings": asdict(settings),
        "seeds": options.seeds,
        "cores": os.cpu_count(),
        "torch": torch.__version__,
        **experiment.summary(measured, settings),
    }
    Console(highlight=False, soft_wrap=True).print(experiment.table(found))
    return found


def write(experiment: Experiment, found: dict[str, Any], folder: Path, page: Path) -> int:
    """The plot, and the table in the page. Returns 1 where a target is missed."""
    experiment.plot(folder / f"{experiment.name}.svg", found)
    begin, end = f"<!-- {experiment.name} -->\n", "<!-- end -->"
    plot = f"![{experiment.name.replace('-', ' ')}]({experiment.name}.svg)"
    table = f"{begin}{plot}\n\nSeeds measured: {found['seeds']}.\n\n{experiment.table(found)}\n{end}"
    page.write_text(re.sub(f"(?s){begin}.*?{end}", lambda _: table, page.read_text()))
    return tell(experiment.targets(found))


if __name__ == "__main__":
    main()
