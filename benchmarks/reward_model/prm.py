"""`make bench-prm`: a reward model trained on PRM800K's phase 1, compared with two baselines blind to the text.

The small default model, and any base given with --base (SmolLM2-135M, say), each train on whole trajectories of
`phase1_train`, drawn at random, and are measured on `phase1_test` and on ProcessBench, whose problems of an even hash
choose the threshold and whose others are measured. A stopped run resumes.
"""

import argparse
import json
import math
import os
import random
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

from benchmarks.targets import Target, tell
from prm_training.prm import train as training
from prm_training.prm.metrics.evaluate import LogProbabilities, processbench_on_halves, step_metrics
from prm_training.prm.score import ScoreConfig, score_solutions
from prm_training.prm.train import TrainConfig
from prm_training.prm.trees.data import LabelledTree, Solution, Split, counted_labels
from prm_training.prm.trees.readers import read_first_errors, read_labels

RESULT = Path(__file__).parents[1] / "results" / "prm.json"
SUBSETS = ("gsm8k", "math")
SHOWN = ("step_auc", "accuracy", "calibration_error", "loss")
Bench = dict[str, list[tuple[Solution, int]]]  # solutions and their first wrong step


def main() -> None:
    options = parse()
    torch.set_num_threads(options.threads)
    train = labelled(options, "train", options.trajectories)
    test = labelled(options, "test", options.test_trajectories)
    bench = {name: drawn(read_first_errors(processbench(options, name)), options.solutions) for name in SUBSETS}
    name = Path(options.base).name if options.base else "small"
    found = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    slices = {"trajectories": len(train), "test_trajectories": len(test), "solutions": options.solutions}
    found[name] = {
        "what": slices | {"threads": options.threads, "cores": os.cpu_count(), "torch": torch.__version__},
        "majority class": Lengths.learned(train, 1).measure(test, bench),
        "length only": Lengths.learned(train, 20).measure(test, bench),
        "reward model": reward_model([*train, *test], bench, options),
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n")
    show(name, found[name])
    sys.exit(tell(targets(found[name])))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-prm", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with prm800k/ and processbench/")
    parser.add_argument("--work", type=Path, default=Path("var/bench-prm"), help="where runs go on (%(default)s)")
    parser.add_argument("--base", help="a model directory, hub name or GGUF file; default: a small one, made here")
    parser.add_argument("--trajectories", type=int, default=300, help="to train on (default %(default)s)")
    parser.add_argument("--test-trajectories", type=int, default=106, help="to measure on (default %(default)s: all)")
    parser.add_argument("--solutions", type=int, default=1000, help="of each ProcessBench subset, at most")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-tokens", type=int)
    parser.add_argument("--learning-rate", type=float)
    parser.add_argument("--lora-rank", type=int, default=0)
    parser.add_argument("--precision", choices=("fp32", "bf16"))
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def labelled(options: argparse.Namespace, split: Split, at_most: int) -> list[LabelledTree]:
    return drawn(read_labels(options.data / "prm800k" / f"phase1_{split}.jsonl.gz", split=split), at_most)


def processbench(options: argparse.Namespace, name: str) -> Path:
    path: Path = options.data / "processbench" / f"{name}.json.gz"
    return path


def drawn(items: Any, at_most: int) -> list[Any]:
    found = list(items)
    return random.Random(0).sample(found, min(at_most, len(found)))


def reward_model(trees: list[LabelledTree], bench: Bench, options: argparse.Namespace) -> dict[str, Any]:
    config = TrainConfig(
        epochs=options.epochs,
        batch_tokens=options.batch_tokens,
        learning_rate=options.learning_rate,
        lora_rank=options.lora_rank,
        precision=options.precision,
        checkpoint_every=10,
        tokens_per_pass=2048,
    )
    texts = [(tree.problem, chosen_path(tree)) for tree in trees if tree.split == "train"]
    folder = options.work / (Path(options.base).name if options.base else "small")
    started_at = monotonic()
    report = training.train(trees, options.base, folder, config, said, base_texts=texts)
    seconds = monotonic() - started_at
    found = {name: first_errors(report.model_dir, rows) for name, rows in bench.items()}
    return {
        "settings": asdict(config),
        "train": asdict(report.train),
        "optimiser_steps": report.optimiser_steps,
        "seconds": round(seconds),
        "steps": report.metrics,
        "epochs": report.epochs,
        "processbench": found,
    }


def chosen_path(tree: LabelledTree) -> list[str]:
    return [step.completions[step.chosen or 0].text for step in tree.steps if step.completions]


def said(progress: Any) -> None:
    if progress.done % 10 == 0 or progress.done == progress.total:
        Console(stderr=True).print(progress.stage, progress.done, progress.total, dict(progress.metrics), style="dim")


def first_errors(directory: Path, rows: list[tuple[Solution, int]]) -> dict[str, float]:
    config = ScoreConfig(tokens_per_pass=2048)
    found = [each.probabilities for each in score_solutions(directory, [solution for solution, _ in rows], config)]
    return judged(rows, found)


def judged(rows: list[tuple[Solution, int]], found: list[list[float]]) -> dict[str, float]:
    return processbench_on_halves(found, [first for _, first in rows], [solution.problem for solution, _ in rows])


@dataclass(frozen=True)
class Lengths:
    """A baseline: the frequency of each class among steps of about the same length; one bin is the majority class."""

    bounds: list[int]
    rows: list[LogProbabilities]

    @classmethod
    def learned(cls, trees: Sequence[LabelledTree], bins: int) -> "Lengths":
        labels = [(len(label.steps[-1]), label.rating + 1) for tree in trees for label in counted_labels(tree)]
        ordered = sorted(length for length, _ in labels)
        bounds = sorted({ordered[len(ordered) * number // bins] for number in range(1, bins)})
        counts = [[1.0, 1.0, 1.0] for _ in range(len(bounds) + 1)]
        for length, actual in labels:
            counts[bisect_right(bounds, length)][actual] += 1
        logs = [[math.log(count / sum(row)) for count in row] for row in counts]
        return cls(bounds, [(negative, neutral, positive) for negative, neutral, positive in logs])

    def row(self, step: str) -> LogProbabilities:
        return self.rows[bisect_right(self.bounds, len(step))]

    def measure(self, test: Sequence[LabelledTree], bench: Bench) -> dict[str, Any]:
        labels = [label for tree in test for label in counted_labels(tree)]
        metrics = step_metrics([self.row(label.steps[-1]) for label in labels], [label.rating + 1 for label in labels])
        return {"steps": metrics, "processbench": {name: self._judged(rows) for name, rows in bench.items()}}

    def _judged(self, rows: list[tuple[Solution, int]]) -> dict[str, float]:
        right = [[-math.expm1(self.row(step)[0]) for step in solution.steps] for solution, _ in rows]
        return judged(rows, right)


def targets(found: dict[str, Any]) -> Iterator[Target]:
    """Yields the targets: better than the baseline by length."""
    own, length = found["reward model"], found["length only"]
    yield Target("step AUC", own["steps"]["step_auc"], least=length["steps"]["step_auc"])
    for subset in SUBSETS:
        known = length["processbench"][subset]["f1"]
        yield Target(f"ProcessBench {subset}, F1", own["processbench"][subset]["f1"], least=known)


def show(name: str, found: dict[str, Any]) -> None:
    what = found["what"]
    sides = ("majority class", "length only", "reward model")
    table = Table("", *sides, title=f"{name}: {what['trajectories']} trajectories of phase1_train")
    for metric in SHOWN:
        table.add_row(f"steps: {metric}", *(f"{found[side]['steps'][metric]:.3f}" for side in sides))
    for subset in SUBSETS:
        table.add_row(
            f"ProcessBench {subset}: F1", *(f"{found[side]['processbench'][subset]['f1']:.3f}" for side in sides)
        )
    Console().print(table)


if __name__ == "__main__":
    main()
