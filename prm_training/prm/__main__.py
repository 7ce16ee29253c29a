"""Train, score and evaluate on files alone: `python -m prm_training.prm train|score|evaluate --help`.

Files are JSONL, plain or .gz. Labels: our own labelled trees, PRM800K's records of either phase, or, for an outcome
reward model, solutions with `correct`. Solutions: `{"id", "problem", "steps": [text, ...]}`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields, is_dataclass
from itertools import chain
from pathlib import Path
from sqlite3 import Error as DatabaseError
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from prm_training.prm import data, examples, formats, parallel, ranking
from prm_training.prm import model as models
from prm_training.prm import train as training
from prm_training.prm.cache import ScoreCache
from prm_training.prm.progress import Progress
from prm_training.prm.score import ScoreConfig, score_solutions

Config = TypeVar("Config")
Records = Iterable[dict[str, Any]]


def main(arguments: list[str] | None = None) -> None:
    """Parse and run; the result goes to standard output as JSON lines, progress to standard error."""
    options = _parser().parse_args(arguments)
    try:
        for record in options.run(options):
            if parallel.is_main():
                sys.stdout.write(json.dumps(record, default=str) + "\n")
    except (data.PrmError, DatabaseError, ImportError, OSError, ValueError) as error:
        sys.exit(f"{type(error).__name__}: {error}")


def train(options: argparse.Namespace) -> Records:
    """Train on labels; goes on from the checkpoint that OUTPUT may hold. Without --base a small model is made first,
    from --texts."""
    files = [(options.labels, "train"), *((path, "test") for path in options.test)]
    trees = chain.from_iterable(formats.read_labels(path, split=split) for path, split in files)
    texts = ((each.problem, each.steps) for path in options.texts for each in data.read_solutions(path))
    config = _config(training.TrainConfig, options)
    yield asdict(training.train(trees, options.base, options.output, config, tell, base_texts=texts))


def score(options: argparse.Namespace) -> Records:
    """Score files of solutions, one JSON line each, as they come."""
    solutions = chain.from_iterable(map(data.read_solutions, options.solutions))
    cache = ScoreCache(options.cache) if options.cache else None
    config = _config(ScoreConfig, options)
    return map(asdict, score_solutions(options.model, solutions, config, tell, cache=cache))


def evaluate(options: argparse.Namespace) -> Records:
    """Step metrics on the labels of --split, and ProcessBench's F1."""
    config, model = _config(ScoreConfig, options), models.load(options.model)
    for path in options.labels:
        trees = (tree for tree in formats.read_labels(path, split=options.split) if tree.split == options.split)
        pieces, counts = examples.build_examples(trees, model.encoder, config.tokens_per_pass)
        with model.computing_in(config.precision):
            metrics = training.measure(model, pieces, config.tokens_per_pass, tell)
        yield {"file": path, "metrics": metrics, "counts": asdict(counts)}
    for path in options.processbench:
        pairs = list(formats.read_processbench(path))
        rows = [
            each.probabilities for each in score_solutions(model, (solution for solution, _ in pairs), config, tell)
        ]
        halves = ranking.processbench_on_halves(
            rows, [first for _, first in pairs], [each.problem for each, _ in pairs]
        )
        yield {"file": path, "metrics": halves | {"decided_at_the_end": ranking.share_decided_at_the_end(rows)}}


def tell(progress: Progress) -> None:
    """One line on standard error, overwritten where that is a terminal."""
    if parallel.is_main():
        numbers = "  ".join(f"{name} {value:.4g}" for name, value in progress.metrics.items())
        end = "\r" if sys.stderr.isatty() else "\n"
        sys.stderr.write(f"{progress.stage} {progress.done}/{progress.total or '?'}  {numbers}{end}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m prm_training.prm", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = _command(commands, train, training.TrainConfig)
    command.add_argument("labels", type=Path)
    command.add_argument("output", type=Path, help="directory of the run")
    command.add_argument("--test", type=Path, action="append", default=[], help="labels to measure on")
    command.add_argument("--base", help="model directory, hub name or GGUF file")
    command.add_argument("--texts", type=Path, action="append", default=[], help="solutions")
    command = _command(commands, score, ScoreConfig)
    command.add_argument("model", help="what `train` saved as OUTPUT/model")
    command.add_argument("solutions", type=Path, nargs="+")
    command.add_argument("--cache", type=Path, help="file of what was scored before; made where there is none")
    command = _command(commands, evaluate, ScoreConfig)
    command.add_argument("model", help="what `train` saved as OUTPUT/model")
    command.add_argument("labels", type=Path, nargs="*")
    command.add_argument("--split", choices=data.SPLITS, default="test", help="of labelled trees (%(default)s)")
    command.add_argument("--processbench", type=Path, action="append", default=[], help="ProcessBench's JSON document")
    return parser


def _command(commands: Any, run: Any, config: type) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(run.__name__, help=run.__doc__, description=run.__doc__)
    command.set_defaults(run=run)
    for name, kind, default in _settings(config):
        kinds = [each for each in get_args(kind) if each is not NoneType] or [kind]
        how = {"choices": kinds} if get_origin(kind) is Literal else {"type": kinds[0]}
        how = {"action": argparse.BooleanOptionalAction} if kind is bool else how
        shown = {"metavar": kinds[0].__name__.upper()} if "type" in how else {}
        command.add_argument(f"--{name}".replace("_", "-"), default=default, help="(%(default)s)", **how, **shown)
    command.epilog = " ".join((config.__doc__ or "").split())
    return command


def _settings(config: type, prefix: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Name, type and default of every field, those of a field that is itself a dataclass under its name."""
    for each in fields(config):
        kind = get_type_hints(config)[each.name]
        if is_dataclass(kind):
            yield from _settings(kind, f"{each.name}_")  # type: ignore[arg-type]
        else:
            yield prefix + each.name, kind, each.default


def _config(config: type[Config], options: argparse.Namespace, prefix: str = "") -> Config:
    """The dataclass of the flags that `_settings` named."""
    found = {}
    for name, kind in get_type_hints(config).items():
        is_nested = is_dataclass(kind)
        found[name] = _config(kind, options, f"{name}_") if is_nested else getattr(options, prefix + name)
    return config(**found)


if __name__ == "__main__":
    main()
