"""`make lab`: the paper's experiments in small, on simulated problems. `make lab-quick` checks that they run.

A stopped run resumes: the full form keeps each seed's results in benchmarks/results/lab/, and the models in the work
folder. It writes the plots and the tables of benchmarks/lab/README.md; `--redraw` does so again.
"""

import argparse
import json
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

import torch
from rich.console import Console

from benchmarks.lab.best_of_n import SEEDS
from benchmarks.lab.measured import DATA, Found, Work
from benchmarks.lab.reports import EXPERIMENTS, Experiment, measured
from benchmarks.targets import tell

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results"
PAGE = HERE / "README.md"


def main() -> None:
    options = parse()
    torch.set_num_threads(1)  # so that the bases, too, are reproducible
    chosen = [EXPERIMENTS[name] for name in options.experiments or EXPERIMENTS]
    results = {each.name: RESULTS / f"lab-{each.name}.json" for each in chosen}
    status = 0
    if options.quick:
        for _ in run(chosen, options):
            pass
    elif options.redraw:
        for experiment in chosen:
            if results[experiment.name].exists():
                status |= write(experiment, json.loads(results[experiment.name].read_text()), HERE, PAGE)
    else:
        for experiment, found in run(chosen, options):
            results[experiment.name].write_text(json.dumps(found, indent=1) + "\n")
            status |= write(experiment, found, HERE, PAGE)
    sys.exit(status)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make lab", description=__doc__)
    parser.add_argument(
        "experiments", nargs="*", metavar="experiment", help=f"of {', '.join(EXPERIMENTS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="in minutes, on a few problems; writes no results")
    parser.add_argument("--redraw", action="store_true", help="plots and tables, from the committed results")
    parser.add_argument(
        "--seeds", type=int, choices=range(1, SEEDS + 1), help="worlds (default: as many as the experiment has)"
    )
    parser.add_argument("--work", type=Path, default=Path("var/lab"), help="for models (default %(default)s)")
    parser.add_argument("--data", type=Path, default=DATA, help="prm800k/ and processbench/ (default %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="seeds at the same time (default %(default)s)")
    options = parser.parse_args()
    if unknown := set(options.experiments) - EXPERIMENTS.keys():
        parser.error(f"there is no experiment {', '.join(sorted(unknown))}; there are {', '.join(EXPERIMENTS)}")
    return options


def run(experiments: Sequence[Experiment], options: argparse.Namespace) -> Iterator[tuple[Experiment, Found]]:
    """Yields each experiment that can run, with its seeds' summary; seeds are measured in parallel."""
    work = Work(options.work if options.quick else RESULTS / "lab", options.work, data=options.data)
    end_at_once = (signal.SIGINT, signal.SIG_DFL)  # or Ctrl-C would only end a seed, and the next begin
    # torch does not survive a fork once it has run: the forks are of a process that has only loaded it
    context = get_context("forkserver")
    context.set_forkserver_preload([measured.__module__])
    pool = ProcessPoolExecutor(options.processes, context, signal.signal, end_at_once)
    begun = []
    try:
        for experiment in experiments:
            settings = experiment.quick if options.quick else experiment.full
            if reason := experiment.missing(options.data, settings):
                print(f"{experiment.name} is left out: {reason}")
                continue
            experiment.make_base(settings, work)
            seeds = range(1, (options.seeds or experiment.seeds) + 1)
            begun.append((experiment, [pool.submit(measured, experiment.name, settings, work, seed) for seed in seeds]))
        for experiment, rows in begun:
            found = summed_up(experiment, [row.result() for row in rows], is_quick=options.quick)
            Console(highlight=False, soft_wrap=True).print(experiment.table(found))
            yield experiment, found
    finally:
        pool.shutdown(cancel_futures=True)


def summed_up(experiment: Experiment, rows: Sequence[Found], *, is_quick: bool) -> Found:
    settings = experiment.quick if is_quick else experiment.full
    return {
        "settings": asdict(settings),
        "seeds": len(rows),
        "cores": os.cpu_count(),
        "torch": torch.__version__,
        **experiment.summary(rows, settings),
    }


def write(experiment: Experiment, found: Found, folder: Path, page: Path) -> int:
    """Writes the plot, and the table in the page. Returns 1 if a target is missed, else 0."""
    experiment.plot(folder / f"{experiment.name}.svg", found)
    begin, end = f"<!-- {experiment.name} -->\n", "<!-- end -->"
    plot = f"![{experiment.name.replace('-', ' ')}]({experiment.name}.svg)"
    table = f"{begin}{plot}\n\nSeeds measured: {found['seeds']}.\n\n{experiment.table(found)}\n{end}"
    page.write_text(re.sub(f"(?s){begin}.*?{end}", lambda _: table, page.read_text()))
    return tell(experiment.targets(found))


if __name__ == "__main__":
    main()
