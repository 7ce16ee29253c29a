"""Replays how fast each selection policy would have learned, had it picked among the existing labellings.

Every policy begins with the same uniform batch. After each budget a PRM is trained from the base on all that the policy
has picked, and measured on the held-out labels; that PRM picks the next batch.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

from django.conf import settings

from labeling.jobs.lifecycle import ReportProgress
from labeling.models import Labelling, Task
from labeling.rules.traces import rendering
from prm_training.models import WITHOUT_MODEL, Policy, PolicyReplay
from prm_training.prm.launch import train as train_on_trees
from prm_training.prm.progress import OnProgress, Progress
from prm_training.prm.score import SolutionScore, score_solutions
from prm_training.prm.train import TrainConfig, TrainReport
from prm_training.prm.trees.data import LabelledTree, Solution, counted_labels
from prm_training.selection.rules import Candidate, Rule, is_uncertain
from prm_training.work.labelled import Pickable, next_batch
from prm_training.work.training import WRITE_EVERY_SECONDS, base_of, trees_of, verifying_between

BUDGETS = (0.1, 0.2, 0.35, 0.5, 0.7)  # of all step labels: with all of them, all policies are the same
IDS_AT_ONCE = 500
Point = dict[str, Any]


def replay(run: PolicyReplay, report: ReportProgress) -> None:
    """Tries each policy with each seed. After an interruption, it continues where it was.

    The models of a cancelled or failed run are deleted by the heartbeat of the machine that it ran on.
    """
    report = verifying_between(run, report)
    report(stage="reading the labels")
    training_run = run.reward_model.training_run
    assert training_run.snapshot is not None, "no run starts without it"
    trees = list(trees_of(training_run.snapshot))
    held_out = [tree for tree in trees if tree.split == "test"]
    pool = list(_labelled([tree for tree in trees if tree.split == "train"]))
    config = TrainConfig(**training_run.settings)
    points: list[Point] = run.metrics.get("points", [])
    # All policies train alike, so an ensemble can only be asked if all models have one.
    policies = [name for name in Policy.values if config.heads or not Policy(name).traits.asks_ensemble]
    total = len(policies) * run.seeds * len(BUDGETS)
    tell = _telling(report, lambda: len(points), total)
    base = base_of(training_run, trees, config.pretraining, tell)
    folder = settings.MODELS_ROOT / str(run.pk)
    for seed in range(config.seed, config.seed + run.seeds):
        contest = _Contest(replace(config, seed=seed), base, pool, held_out, folder, tell)
        for policy in policies:
            measured = sum((each["policy"], each["seed"]) == (policy, seed) for each in points)
            if measured == len(BUDGETS):
                continue
            for number, point in enumerate(contest.follow(policy)):
                if number >= measured:
                    points.append(point)
                report(stage=f"{policy}, seed {seed}", done=len(points), total=total, metrics={"points": points})
    shutil.rmtree(folder, ignore_errors=True)
    report(stage="done", done=total, total=total)


@dataclass(frozen=True)
class _Contest:
    """The part of a replay that all policies of one seed share: the setting, and the beginning."""

    config: TrainConfig
    base: str
    pool: Sequence[Pickable]
    held_out: Sequence[LabelledTree]
    folder: Path
    tell: OnProgress

    def follow(self, policy: str) -> Iterator[Point]:
        """Yields the result at each budget."""
        picked, done = self.beginning
        scores = self.unscored
        for number, share in enumerate(BUDGETS):
            if number:
                picked = [*picked, *self._next(policy, picked, scores, share)]
                done = self._train(picked, f"{policy}-{self.config.seed}/{number}")
            yield {
                "policy": policy,
                "seed": self.config.seed,
                "labels": sum(each.labels for each in picked),
                "labellings": len(picked),
                "step_auc": done.metrics["step_auc"],
            }
            if policy not in WITHOUT_MODEL and number + 1 < len(BUDGETS):
                said = self._score(done) if number else self.said_at_first
                scores = {UUID(each.id): each.score or 0.0 for each in said if _may_pick(policy, each)}

    @cached_property
    def beginning(self) -> tuple[list[Pickable], TrainReport]:
        """The uniform batch that every policy begins with, and the training on it."""
        picked = self._next(Policy.UNIFORM.value, [], self.unscored, BUDGETS[0])
        return picked, self._train(picked, f"beginning-{self.config.seed}")

    @cached_property
    def said_at_first(self) -> list[SolutionScore]:
        return self._score(self.beginning[1])

    @property
    def unscored(self) -> dict[UUID, float]:
        return dict.fromkeys((each.candidate.solution_id for each in self.pool), 0.0)

    def _next(self, policy: str, picked: Sequence[Pickable], scores: dict[UUID, float], share: float) -> list[Pickable]:
        budget = round(share * sum(each.labels for each in self.pool))
        return next_batch(self.pool, picked, scores, Rule(policy, 1, seed=self.config.seed), budget)

    def _train(self, picked: Sequence[Pickable], name: str) -> TrainReport:
        trees = [*(each.tree for each in picked), *self.held_out]
        return train_on_trees(trees, self.base, self.folder / name, self.config, self.tell, on_start=lambda start: None)

    def _score(self, done: TrainReport) -> list[SolutionScore]:
        return list(score_solutions(done.model_dir, (each.solution for each in self.pool), on_progress=self.tell))


def _may_pick(policy: str, score: SolutionScore) -> bool:
    if not Policy(policy).traits.asks_ensemble:
        return True
    return score.certainty is None or is_uncertain(*astuple(score.certainty))


def _labelled(trees: Sequence[LabelledTree]) -> Iterator[Pickable]:
    """Yields the trees with their solutions; of several labellings of a solution, the first."""
    solutions = dict(_solutions([tree.id for tree in trees]))
    seen: set[UUID] = set()
    for tree in trees:
        pk, problem, steps, turns, verdict, text_hash, problem_hash = solutions[tree.id]
        labels = sum(1 for _ in counted_labels(tree))
        if pk not in seen and labels:
            seen.add(pk)
            contexts = tuple(rendering.contexts(turns))
            candidate = Candidate(pk, problem, verdict, None, text_hash=text_hash, problem_hash=problem_hash)
            yield Pickable(tree, candidate, Solution(str(pk), tree.problem, tuple(steps), contexts), labels)


def _solutions(ids: Sequence[str]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yields (tree id, solution's columns); the id is a labelling's, or its task's for a ruling or a consensus."""
    columns = ("", "problem", "steps", "turns", "verdict", "text_hash", "problem__text_hash")
    for start in range(0, len(ids), IDS_AT_ONCE):
        asked = ids[start : start + IDS_AT_ONCE]
        for model, path in ((Labelling, "task__solution"), (Task, "solution")):
            names = [f"{path}__{name}".removesuffix("__") for name in columns]
            for pk, *row in model.objects.filter(pk__in=asked).values_list("pk", *names):
                yield str(pk), tuple(row)


def _telling(report: ReportProgress, done: Callable[[], int], total: int) -> OnProgress:
    """Returns a listener that reports a training's or scoring's stage to the run, at most twice a second."""
    wrote_at = 0.0

    def tell(progress: Progress) -> None:
        nonlocal wrote_at
        if monotonic() - wrote_at >= WRITE_EVERY_SECONDS:
            wrote_at = monotonic()
            report(stage=progress.stage, done=done(), total=total)

    return tell
