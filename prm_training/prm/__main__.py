"""Trains, scores and evaluates on files alone: `python -m prm_training.prm train|score|evaluate --help`.

Files are all those that can be imported: JSON Lines, JSON documents, CSV, Parquet; plain or compressed. Labels: our own
labelled trees, PRM800K, TRL, Math-Shepherd, RLHFlow, OpenRLHF, PRMBench, ProcessBench, or, for an outcome reward model,
solutions with `correct`. Solutions: `{"id", "problem", "steps": [text, ...]}`, or a `text` that is split into steps.

A record that can't be read is left out, named and counted; with --strict, it ends the command.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from transformers.utils import logging

from labeling.data.formats.labels import ParsedLabelling
from prm_training.prm import loading, parallel
from prm_training.prm import train as training
from prm_training.prm.metrics import benchmarks, traces
from prm_training.prm.metrics import evaluate as metrics
from prm_training.prm.metrics.benchmarks import Subset
from prm_training.prm.metrics.traces import JudgedTrace
from prm_training.prm.model import StepClassifier
from prm_training.prm.progress import Progress, choices
from prm_training.prm.score import ScoreConfig, SolutionScore, score_solutions
from prm_training.prm.trees import readers
from prm_training.prm.trees.data import PrmError, Solution, Split
from prm_training.prm.trees.packing import build_examples
from prm_training.prm.trees.readers import Reading

Config = TypeVar("Config")
Records = Iterable[dict[str, Any]]


class NothingToEvaluate(PrmError):
    """No file was named, or none of them has anything to measure on."""


def main(arguments: list[str] | None = None, prog: str = "python -m prm_training.prm") -> None:
    """Parses and runs the command; the result goes to standard output as JSON lines, progress to standard error."""
    options = parser(prog).parse_args(arguments)
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        for record in options.run(options, _config(options.config, options)):
            if parallel.state().is_main_process:
                sys.stdout.write(json.dumps(record, default=str) + "\n")
    except (PrmError, ImportError, OSError, ValueError) as error:
        sys.exit(f"{type(error).__name__}: {error}")


def train(options: argparse.Namespace, config: training.TrainConfig) -> Records:
    """Train on labels; resumes from a checkpoint in OUTPUT. Without --base, a small model is made of --texts first."""
    files: list[tuple[Path, Split]] = [(options.labels, "train"), *((path, "test") for path in options.test)]
    reading = _reading(options)
    config = replace(config, origin=config.origin or ", ".join(path.name for path, _ in files))
    trees = chain.from_iterable(readers.read_labels(path, split=split, reading=reading) for path, split in files)
    solutions = chain.from_iterable(readers.read_solutions(path, reading=reading) for path in options.texts)
    texts = ((each.problem, each.steps) for each in solutions)
    report = training.train(trees, options.base, options.output, config, tell, base_texts=texts)
    yield asdict(report) | {"records_left_out": reading.left_out}


def score(options: argparse.Namespace, config: ScoreConfig) -> Records:
    """Score files of solutions, one JSON line each, as they come."""
    reading = _reading(options)
    solutions = chain.from_iterable(readers.read_solutions(path, reading=reading) for path in options.solutions)
    return map(asdict, score_solutions(options.model, solutions, config, tell))


def evaluate(options: argparse.Namespace, config: ScoreConfig) -> Records:
    """Step metrics on the labels of --split; the numbers of ProcessBench and PRMBench, with 95 % intervals."""
    if not (options.labels or options.processbench or options.prmbench or options.traces):
        raise NothingToEvaluate("name a file of labels, or of --processbench, --prmbench or --traces")
    model = loading.load_reward_model(options.model)
    for path in options.labels:
        reading = _reading(options)
        trees = readers.read_labels(path, split=options.split, reading=reading)
        trees = (tree for tree in trees if tree.split == options.split)
        pieces, counts = build_examples(trees, model.encoder, config.tokens)
        if not pieces:
            raise NothingToEvaluate(f"{path}: there is no label of split {options.split} in it")
        found = training.measure(model, pieces, config.tokens, tell)
        yield {"file": path, "metrics": found, "counts": asdict(counts), "records_left_out": reading.left_out}
    yield from _benchmarks(options, _Judge(model, config, options))


def _benchmarks(options: argparse.Namespace, judge: "_Judge") -> Records:
    threshold: float = options.threshold
    if path := options.fit_threshold_on:
        threshold = benchmarks.best_threshold(judge.first_errors(path)[0])
    read = [judge.first_errors(path) for path in options.processbench]
    subsets = [subset for subset, _ in read]
    whole = benchmarks.processbench(subsets, threshold)
    halves = (metrics.processbench_on_halves(each.rows, each.first_errors, each.problems) for each in subsets)
    numbers: Iterator[dict[str, Any]] = halves if options.halves else whole
    for (subset, about), number in zip(read, numbers, strict=False):
        yield about | {"metrics": number | {"decided_at_the_end": metrics.share_decided_at_the_end(subset.rows)}}
    if len(read) > 1 and not options.halves:
        yield {"file": "average", "metrics": next(whole)}
    for path in options.prmbench:
        kinds, about = judge.wrong_steps(path)
        yield about | {"metrics": benchmarks.prmbench(kinds, threshold)}
    for path in options.traces:
        judged, about = judge.traces(path)
        yield about | {"metrics": traces.of_traces(judged, threshold)}


@dataclass(frozen=True)
class _Judge:
    """Reads benchmarks with a model. Raises NothingToEvaluate, and NotARewardModel for an ORM."""

    model: StepClassifier
    config: ScoreConfig
    options: argparse.Namespace

    def first_errors(self, path: Path) -> tuple[Subset, dict[str, Any]]:
        reading = _reading(self.options)
        found = [(each, [first][: first + 1], "") for each, first in readers.read_first_errors(path, reading=reading)]
        kinds, about = self._read(path, reading, found)
        return kinds[""], about

    def wrong_steps(self, path: Path) -> tuple[dict[str, Subset], dict[str, Any]]:
        reading = _reading(self.options)
        return self._read(path, reading, list(readers.read_wrong_steps(path, reading=reading)))

    def traces(self, path: Path) -> tuple[list[JudgedTrace], dict[str, Any]]:
        reading = _reading(self.options)
        found = list(readers.read_judged_traces(path, reading=reading))
        rows, about = self._scored(path, reading, [readers.to_score(each, str(at)) for at, each in enumerate(found)])
        return [_judged_trace(each, row.probabilities) for each, row in zip(found, rows, strict=True)], about

    def _read(
        self, path: Path, reading: Reading, judged: Sequence[tuple[Solution, list[int], str]]
    ) -> tuple[dict[str, Subset], dict[str, Any]]:
        """Scores a benchmark's solutions. Returns them by kind of mistake, and the facts about the file."""
        kinds: defaultdict[str, Subset] = defaultdict(Subset)
        scores, about = self._scored(path, reading, [solution for solution, *_ in judged])
        for (solution, wrong, kind), score in zip(judged, scores, strict=True):
            kinds[kind].add(solution.problem, score.probabilities, wrong)
        return kinds, about

    def _scored(
        self, path: Path, reading: Reading, solutions: Sequence[Solution]
    ) -> tuple[list[SolutionScore], dict[str, Any]]:
        if self.model.supervision == "outcome":
            raise loading.NotARewardModel("An outcome reward model judges whole solutions: it finds no wrong steps.")
        if not solutions:
            raise NothingToEvaluate(f"{path}: there is no judged solution in it")
        scores = list(score_solutions(self.model, solutions, self.config, tell))
        truncated = sum(each.is_truncated for each in scores)
        return scores, {"file": path, "truncated": truncated, "records_left_out": reading.left_out}


def _judged_trace(labelling: ParsedLabelling, row: Sequence[float]) -> JudgedTrace:
    """Joins a labelling with P(right) of its steps; the first wrong step is the blamed one."""
    solution, own = labelling.solution, {each.step: each.rating for each in labelling.completions if each.number == 0}
    ratings = [own.get(step) for step in range(len(solution.steps))]
    return JudgedTrace(
        problem=solution.problem.statement,
        row=row,
        ratings=ratings,
        lengths=[len(step) for step in solution.steps],
        agents=[turn.agent for turn in solution.turns or ()] or [""] * len(solution.steps),
        blamed=ratings.index(-1) if -1 in ratings else None,
        is_right=solution.is_correct,
    )


def _reading(options: argparse.Namespace) -> Reading:
    return Reading(is_strict=options.strict, tell=_say)


def _say(sentence: str) -> None:
    if parallel.state().is_main_process:
        sys.stderr.write(sentence + "\n")


def tell(progress: Progress) -> None:
    """Writes a line of progress to standard error; on a terminal, the next one overwrites it."""
    if parallel.state().is_main_process:
        numbers = "  ".join(f"{name} {value:.4g}" for name, value in progress.metrics.items())
        end = "\r" if sys.stderr.isatty() else "\n"
        sys.stderr.write(f"{progress.stage} {progress.done}/{progress.total or '?'}  {numbers}{end}")


def parser(prog: str) -> argparse.ArgumentParser:
    """Returns the parser of the whole command line, for the program of this name."""
    whole = argparse.ArgumentParser(prog=prog, description=__doc__)
    commands = whole.add_subparsers(required=True)
    command = _command(commands, train, training.TrainConfig())
    command.add_argument("labels", type=Path, help="a file of labels, in any format that can be imported")
    command.add_argument("output", type=Path, help="directory of the run")
    command.add_argument("--test", type=Path, action="append", default=[], help="labels to measure on; may be repeated")
    command.add_argument("--base", help="model directory, hub name or GGUF file")
    command.add_argument(
        "--texts",
        type=Path,
        action="append",
        default=[],
        help="solutions to make a base from, if none is named; may be repeated",
    )
    command = _command(commands, score, ScoreConfig())
    command.add_argument("model", help="what `train` saved as OUTPUT/model")
    command.add_argument("solutions", type=Path, nargs="+", help="files of solutions, in any format")
    command = _command(commands, evaluate, ScoreConfig())
    command.add_argument("model", help="what `train` saved as OUTPUT/model")
    command.add_argument("labels", type=Path, nargs="*", help="files of labels to measure on")
    command.add_argument("--split", choices=get_args(Split), default="test", help="of labelled trees (%(default)s)")
    command.add_argument(
        "--processbench",
        type=Path,
        action="append",
        default=[],
        help="ProcessBench's or other labels of the first wrong step; several files are averaged",
    )
    command.add_argument(
        "--prmbench", type=Path, action="append", default=[], help="PRMBench's or other labels of every step"
    )
    command.add_argument(
        "--traces", type=Path, action="append", default=[], help="labels of agents' traces, such as Who&When's"
    )
    how = command.add_mutually_exclusive_group()
    how.add_argument("--threshold", type=float, default=benchmarks.HALF, help="a step with less is wrong (%(default)s)")
    how.add_argument("--fit-threshold-on", type=Path, help="the file that chooses it for all, such as GSM8K's")
    how.add_argument("--halves", action="store_true", help="ProcessBench: one half of the problems chooses it")
    return whole


def _command(commands: Any, run: Any, config: Any) -> argparse.ArgumentParser:
    epilog = " ".join((config.__doc__ or "").split())
    what = run.__doc__ or ""
    line = what.replace("%", "%%")  # argparse expands % in `help`, not in a description
    command: argparse.ArgumentParser = commands.add_parser(run.__name__, help=line, description=what, epilog=epilog)
    command.set_defaults(run=run, config=config)
    command.add_argument("--strict", action="store_true", help="end at the first record that can't be read")
    _add_flags(command, config)
    return command


def _add_flags(command: argparse.ArgumentParser, config: Any, prefix: str = "") -> None:
    """Adds a flag for each field of a dataclass, its value as the default; the flags of a nested dataclass have a
    prefix.
    """
    for name, kind in get_type_hints(type(config)).items():
        default = getattr(config, name)
        if is_dataclass(default):
            _add_flags(command, default, f"{name}_")
            continue
        kinds = [each for each in get_args(kind) if each is not NoneType] or [kind]
        how: dict[str, Any] = {"type": kinds[0], "metavar": getattr(kinds[0], "__name__", "").upper()}
        if allowed := choices(kind):
            how = {"choices": allowed}
        elif kind is bool:
            how = {"action": argparse.BooleanOptionalAction}
        command.add_argument(f"--{prefix}{name}".replace("_", "-"), default=default, help="(%(default)s)", **how)


def _config(config: Config, options: argparse.Namespace, prefix: str = "") -> Config:
    """Returns the dataclass with the values of its flags."""
    values = {
        name: _config(default, options, f"{name}_") if is_dataclass(default) else getattr(options, prefix + name)
        for name, default in vars(config).items()
    }
    return replace(config, **values)  # type: ignore[type-var]


if __name__ == "__main__":
    main()
