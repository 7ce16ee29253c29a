"""Train, score and evaluate on files alone: `python -m prm_training.prm train|score|evaluate --help`."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from prm_training.prm import data, examples, formats, score
from prm_training.prm import model as models
from prm_training.prm import train as training
from prm_training.prm.progress import Progress


def main(arguments: list[str] | None = None) -> None:
    """Parse and run; the result goes to standard output as JSON lines, progress to standard error."""
    options = _parser().parse_args(arguments)
    try:
        for record in options.run(options):
            sys.stdout.write(json.dumps(record, default=str) + "\n")
    except data.PrmError as error:
        sys.exit(str(error))


def train(options: argparse.Namespace) -> Iterable[dict[str, Any]]:
    texts = [(each.problem, each.steps) for path in options.texts for each in data.read_solutions(path)]
    config = training.TrainConfig(epochs=options.epochs, learning_rate=options.learning_rate, seed=options.seed)
    held_out = (tree for path in options.test for tree in formats.read_labels(path, split="test"))
    trees = itertools.chain(formats.read_labels(options.trees, split="train"), held_out)
    report = training.train(trees, options.base, options.output, config, tell, base_texts=texts)
    yield asdict(report)


def score_file(options: argparse.Namespace) -> Iterable[dict[str, Any]]:
    config = score.ScoreConfig(options.aggregate, neutral_is_positive=not options.neutral_is_wrong)
    solutions = data.read_solutions(options.solutions)
    return map(asdict, score.score_solutions(options.model, solutions, config, tell))


def evaluate(options: argparse.Namespace) -> Iterable[dict[str, Any]]:
    model = models.load(options.model)
    labels = formats.read_labels(options.trees, split=options.split)
    trees = (tree for tree in labels if tree.split == options.split)
    pieces, counts = examples.build_examples(trees, model.encoder, options.tokens_per_pass)
    yield {"metrics": training.measure(model, pieces, options.tokens_per_pass, tell), "counts": asdict(counts)}


def tell(progress: Progress) -> None:
    """One line on standard error, overwritten where that is a terminal."""
    numbers = "  ".join(f"{name} {value:.4g}" for name, value in progress.metrics.items())
    end = "\r" if sys.stderr.isatty() else "\n"
    sys.stderr.write(f"{progress.stage} {progress.done}/{progress.total or '?'}  {numbers}{end}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m prm_training.prm", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("train", help="train on a file of labelled trees")
    command.add_argument("trees", type=Path, help="labelled trees, or PRM800K records")
    command.add_argument("--test", type=Path, action="append", default=[], help="PRM800K records to measure on")
    command.add_argument("output", type=Path, help="directory of the run; goes on from its checkpoint")
    command.add_argument("--base", help="model directory or hub name; without it a small one is made")
    command.add_argument("--texts", type=Path, action="append", default=[], help="solutions to make it from")
    command.add_argument("--epochs", type=int, default=training.TrainConfig.epochs)
    command.add_argument("--learning-rate", type=float)
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=train)
    command = commands.add_parser("score", help="score a file of solutions, one JSON line each")
    command.add_argument("model", type=Path)
    command.add_argument("solutions", type=Path)
    command.add_argument("--aggregate", choices=tuple(score.AGGREGATES), default="product")
    command.add_argument("--neutral-is-wrong", action="store_true")
    command.set_defaults(run=score_file)
    command = commands.add_parser("evaluate", help="step metrics on the labelled trees of a split")
    command.add_argument("model", type=Path)
    command.add_argument("trees", type=Path)
    command.add_argument("--split", choices=data.SPLITS, default="test")
    command.add_argument("--tokens-per-pass", type=int, default=8192)
    command.set_defaults(run=evaluate)
    return parser


if __name__ == "__main__":
    main()
