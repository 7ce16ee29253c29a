"""`make bench-traces`: a small reward model trained on people's labels of agents' traces, compared with baselines.

Who&When's and AgentRx's failed traces. The sets share tasks, so folds go by the task that a file names: each trace is
judged by a model that saw none of its task, neither in training nor in the text that its base was made of. What is
beyond the length limit isn't read. Metrics are of what was read, for the model and the baselines alike, and the shares
that were read stand beside them. Some sets have many wrong steps, others few, so steps are ranked within each set: over
all of them, a model that only tells the sets apart would rank well.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

from benchmarks.reward_model.prm import said
from benchmarks.targets import Target, tell
from labeling.data.formats import files, guess
from labeling.data.formats.labels import READERS as LABELS
from labeling.data.formats.labels import REFERRING, ParsedLabelling
from labeling.data.formats.labels.agents.placing import judged
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import READERS as TRACES
from labeling.data.formats.traces.values import objects
from prm_training.prm import train as training
from prm_training.prm.metrics.traces import JudgedTrace, of_traces
from prm_training.prm.pretrain import PretrainConfig
from prm_training.prm.score import ScoreConfig, score_solutions
from prm_training.prm.train import TrainConfig
from prm_training.prm.trees.data import Completion, LabelledTree, Solution, Split, Step
from prm_training.prm.trees.readers import to_score

RESULT = Path(__file__).parents[1] / "results" / "traces.json"
WHO_AND_WHEN = ("who_and_when_algorithm_generated", "who_and_when_hand_crafted")
AGENTRX = ("agentrx_tau", "agentrx_magentic")
SETS = (*WHO_AND_WHEN, *AGENTRX)
WITHIN = "step_auc_within_sets"
ACCURACIES = (WITHIN, "step_auc", "step_accuracy", "first_error_accuracy", "mistake_accuracy", "agent_accuracy")
BASELINES = ("length", "position", "constant")


@dataclass(frozen=True)
class Trace:
    """A labelled trace of one set; `blamed` is the step of its decisive mistake, None if that is no model's turn."""

    origin: str
    labelling: ParsedLabelling
    blamed: int | None

    @property
    def task(self) -> str:
        """The task's name in the file: in these sets, the id of the trace."""
        return self.labelling.solution.external_id

    @property
    def solution(self) -> Solution:
        return to_score(self.labelling, self.task)

    @property
    def ratings(self) -> list[Any]:
        given = {each.step: each.rating for each in self.labelling.completions}
        return [given.get(step) for step in range(len(self.labelling.solution.steps))]

    def tree(self, split: Split) -> LabelledTree:
        read = self.solution
        texts = zip(read.steps, self.ratings, read.contexts, strict=True)
        steps = tuple(Step((Completion(text, rating),), 0, context) for text, rating, context in texts)
        return LabelledTree(read.id, self.task, split, read.problem, steps, rates_all_steps=True)

    def as_read(self, row: Sequence[float]) -> JudgedTrace:
        """The trace as far as it was read, with P(right) of each step."""
        solution, read = self.labelling.solution, len(row)
        return JudgedTrace(
            problem=self.task,
            row=row,
            ratings=self.ratings[:read],
            lengths=[len(step) for step in solution.steps[:read]],
            agents=[turn.agent for turn in (solution.turns or ())[:read]],
            blamed=self.blamed if self.blamed is not None and self.blamed < read else None,
        )


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads)
    found, started_at = traces(options.data / "agents"), monotonic()
    rows = judgements(found, options)
    said_by = ("folds", "epochs", "max_length", "vocabulary", "pretraining", "threads")
    result = {
        "what": {name: getattr(options, name) for name in said_by}
        | {"cores": os.cpu_count(), "torch": torch.__version__, "seconds": round(monotonic() - started_at)},
        "all": measured(found, rows),
        **{name: measured(found, rows, name) for name in SETS},
    }
    for side in ("", *BASELINES):
        of_side(result["all"], side)[WITHIN] = within_sets([of_side(result[name], side) for name in SETS], result)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    show(result)
    sys.exit(tell(targets(result["all"])))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-traces", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with agents/")
    parser.add_argument("--work", type=Path, default=Path("var/bench-traces"), help="where runs go on (%(default)s)")
    parser.add_argument("--folds", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--max-length", type=int, default=4096, help="tokens of a trace that are read")
    parser.add_argument("--vocabulary", type=int, default=2048)
    parser.add_argument("--pretraining", type=int, default=300, help="steps (%(default)s)")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def traces(folder: Path) -> list[Trace]:
    return [
        *(trace for name in WHO_AND_WHEN for trace in who_and_when(folder, name)),
        *(trace for name in AGENTRX for trace in agentrx(folder, name)),
    ]


def who_and_when(folder: Path, name: str) -> Iterator[Trace]:
    for record in records(folder, name):
        labelling = LABELS["who_and_when"](record)
        yield Trace(name, labelling, len(labelling.completions) - 1)


def agentrx(folder: Path, name: str) -> Iterator[Trace]:
    """AgentRx's trajectories with the labels of its other file, which hold for all of their turns."""
    labels = {str(each["trajectory_id"]): each for each in records(folder, f"{name}_labels")}
    for record in records(folder, name):
        (solution,) = TRACES[guess.trace_of(record)](record, Notes())
        given = labels[solution.external_id]
        reference = REFERRING["agentrx"](given)
        if reference is not None:
            ratings = reference.ratings([turn.at for turn in solution.turns or ()])
            yield Trace(name, judged(solution, ratings, Notes()), root_cause(given, solution.turns or ()))


def root_cause(given: dict[str, Any], turns: Sequence[Any]) -> int | None:
    """The step of the failure called the root cause; None if that is no model's turn."""
    numbers = {each["failure_id"]: each["step_number"] for each in objects(given["failures"])}
    at = int(numbers.get(given["root_cause"]["failure_id"], 0)) - 1
    return next((step for step, turn in enumerate(turns) if turn.at == at), None)


def records(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    for item in files.read_records(folder / f"{name}.jsonl.gz"):
        if not isinstance(item, tuple):
            raise ValueError(f"{name}: {item.reason}")
        yield item[1]


def judgements(found: Sequence[Trace], options: argparse.Namespace) -> list[Sequence[float]]:
    """P(right) of the steps that were read of each trace, by the model of the fold that holds out its task."""
    tasks = sorted({trace.task for trace in found})
    random.Random(0).shuffle(tasks)
    fold = {task: number % options.folds for number, task in enumerate(tasks)}
    rows: list[Sequence[float]] = [()] * len(found)
    for number in range(options.folds):
        held_out = [at for at, trace in enumerate(found) if fold[trace.task] == number]
        learned = [trace for trace in found if fold[trace.task] != number]
        model = trained(learned, options.work / str(number), options)
        solutions = [replace(found[at].solution, id=str(at)) for at in held_out]
        config = ScoreConfig(tokens_per_pass=options.max_length)
        for score in score_solutions(model, solutions, config):
            rows[int(score.id)] = score.probabilities
    return rows


def trained(learned: Sequence[Trace], folder: Path, options: argparse.Namespace) -> Path:
    config = TrainConfig(
        epochs=options.epochs,
        max_length=options.max_length,
        tokens_per_pass=options.max_length,
        pretraining=PretrainConfig(vocabulary=options.vocabulary, steps=options.pretraining),
    )
    trees = [trace.tree("train") for trace in learned]
    texts = [(each.problem, each.steps) for each in (trace.solution for trace in learned)]
    return training.train(trees, None, folder, config, said, base_texts=texts).model_dir


def measured(found: Sequence[Trace], rows: Sequence[Sequence[float]], origin: str = "") -> dict[str, Any]:
    """The metrics of the model and the baselines, and the shares of steps and of blamed steps that were read."""
    own = [(trace, row) for trace, row in zip(found, rows, strict=True) if origin in {"", trace.origin}]
    read = [trace.as_read(row) for trace, row in own]
    steps = sum(rating is not None for trace, _ in own for rating in trace.ratings)
    blamed = sum(trace.blamed is not None for trace, _ in own)
    metrics = of_traces(read)
    wrong = sum(rating == -1 for trace in read for rating in trace.ratings)
    shares = {"steps": metrics["steps"] / steps, "blamed": sum(each.blamed is not None for each in read) / blamed}
    return metrics | {"wrong_steps": wrong, "read": shares}


def of_side(metrics: dict[str, Any], side: str) -> dict[str, Any]:
    """The metrics of a baseline; of the model if none is named."""
    found: dict[str, Any] = metrics["baselines"][side] if side else metrics
    return found


def within_sets(own: Sequence[dict[str, Any]], result: dict[str, Any]) -> float:
    """The chance that a wrong step has a lower P(right) than another of its set, each set weighted by its pairs."""
    pairs: list[int] = [
        result[name]["wrong_steps"] * (result[name]["steps"] - result[name]["wrong_steps"]) for name in SETS
    ]
    aucs: list[float] = [each.get("step_auc", 0.0) for each in own]
    return sum(auc * many for auc, many in zip(aucs, pairs, strict=True)) / sum(pairs)


def targets(found: dict[str, Any]) -> Iterator[Target]:
    """Yields the targets: a better ranking of steps, and of blamed ones, than any baseline's."""
    for name in (WITHIN, "mistake_accuracy"):
        yield Target(name, found[name], least=max(found["baselines"][each][name] for each in BASELINES))


def show(result: dict[str, Any]) -> None:
    sides = result["all"]["baselines"] | {"reward model": result["all"]}
    table = Table("", *sides, title=f"{result['all']['traces']} traces, {result['all']['steps']} steps")
    for name in ACCURACIES:
        table.add_row(name, *(f"{side[name]:.3f}" for side in sides.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
