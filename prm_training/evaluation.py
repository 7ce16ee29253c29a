"""Evaluations, from rows through torch to rows: held-out labels, and the pool's problems that were not trained on."""

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet

from labeling.models import Phase, Verdict
from labeling.models import Solution as PoolSolution
from labeling.notation import normalise
from prm_training import figures
from prm_training.execution import Listener, network_of, store_scores, trees_of, verifying_between
from prm_training.lifecycle import Report
from prm_training.models import EvaluationRun, RewardModel, Score, Supervision
from prm_training.prm import model as models
from prm_training.prm.data import LabelledTree, Solution, counted_labels
from prm_training.prm.evaluate import Sample
from prm_training.prm.score import SolutionScore, score_solutions
from prm_training.readiness import unscored_by

MOST_PROBLEMS = 1000


def evaluate(run: EvaluationRun, report: Report) -> None:
    """The model and its baseline on the same labels, on problems that neither was trained on; then best-of-N."""
    report = verifying_between(run, report)
    report(stage="reading the labels")
    trained_on = _trained_on(run.reward_model) | (_trained_on(run.baseline) if run.baseline else set())
    rival = _rival(run.reward_model)
    trees = [tree for tree in trees_of(run.snapshot) if tree.split == "test" and tree.group not in trained_on]
    listener = Listener(report)
    if run.baseline is not None:
        run.baseline_metrics = _on_labels(network_of(run.baseline), trees, listener)
    network = network_of(run.reward_model)
    metrics = _on_labels(network, trees, listener)
    contenders = {run.reward_model: network} | ({rival: network_of(rival)} if rival else {})
    metrics["best_of_n"] = _on_pool(
        contenders,
        trained_on | (_trained_on(rival) if rival else set()),
        run.reward_model.training_run.phases.all(),
        report,
    )
    report(stage="done", metrics=metrics, baseline_metrics=run.baseline_metrics)


def _rival(reward_model: RewardModel) -> RewardModel | None:
    """Who chooses on the same problems: for a PRM the newest ORM, for an ORM the current PRM."""
    if reward_model.is_orm:
        return RewardModel.objects.filter(is_current=True).first()
    orms = RewardModel.objects.filter(training_run__supervision=Supervision.OUTCOME)
    return orms.order_by("-created_at").first()


def _trained_on(reward_model: RewardModel) -> set[str]:
    snapshot = reward_model.training_run.snapshot
    return {tree.group for tree in trees_of(snapshot) if tree.split == "train"} if snapshot else set()


def _on_labels(network: models.RewardModel, trees: Sequence[LabelledTree], listener: Listener) -> dict[str, Any]:
    labels = [(tree.problem, label) for tree in trees for label in counted_labels(tree)]
    scores = _scores(network, [(problem, label.steps) for problem, label in labels], listener)
    read = [
        (score.log_probabilities[-1], label.rating + 1)
        for score, (_, label) in zip(scores, labels, strict=True)
        if not score.steps_left_out
    ]
    found = figures.of_steps([row for row, _ in read], [actual for _, actual in read])
    found["first_error"] = _on_paths(network, trees, listener)
    found["held_out"] |= {name: found["first_error"][name] for name in ("f1",) if name in found["first_error"]}
    return found


def _on_paths(network: models.RewardModel, trees: Sequence[LabelledTree], listener: Listener) -> dict[str, Any]:
    paths = [(tree.problem, *path) for tree in trees if (path := figures.chosen_path(tree))]
    scores = _scores(network, [(problem, steps) for problem, steps, _ in paths], listener)
    whole = [(score, path) for score, path in zip(scores, paths, strict=True) if not score.steps_left_out]
    rows = [[math.exp(step) for step in score.steps] for score, _ in whole]
    folds = [zlib.crc32(problem.encode()) % 2 for _, (problem, *_) in whole]
    return figures.of_first_errors(rows, [first_error for _, (_, _, first_error) in whole], folds)


def _scores(
    network: models.RewardModel, asked: Sequence[tuple[str, tuple[str, ...]]], listener: Listener
) -> list[SolutionScore]:
    solutions = (Solution(str(number), problem, steps) for number, (problem, steps) in enumerate(asked))
    return list(score_solutions(network, solutions, on_progress=listener, total=len(asked)))


def _on_pool(
    contenders: Mapping[RewardModel, models.RewardModel], trained_on: set[str], phases: Iterable[Phase], report: Report
) -> dict[str, Any]:
    """What choosing among the graded solutions of a problem brings; a score that is missing is made and kept.

    The first of the contenders is measured, the other one beside it; on what the phases of its labels draw from.
    """
    graded = PoolSolution.objects.in_pool().drawn_by(*phases).filter(verdict__in=[Verdict.RIGHT, Verdict.WRONG])
    ids = graded.order_by("problem").values_list("problem", flat=True).distinct()
    with closing(cast(Any, ids.iterator())) as known:  # left open, it would keep SQLite from writing
        problems = list(islice((pk for pk in known if str(pk) not in trained_on), MOST_PROBLEMS))
    samples = {}
    for reward_model, network in contenders.items():
        unscored = unscored_by(reward_model, *phases).filter(problem__in=problems)
        total, done = unscored.count(), 0
        for scores in store_scores(reward_model, network, unscored):
            done += len(scores)
            report(stage="scoring the pool", done=done, total=total)
        found = _samples(reward_model, graded.filter(problem__in=problems))
        samples["orm" if reward_model.is_orm else "prm"] = [found.get(pk, []) for pk in problems]
    name, *_ = samples
    return figures.of_choosing(samples.pop(name), name=name, others=samples)


def _samples(reward_model: RewardModel, graded: QuerySet[PoolSolution]) -> dict[UUID, list[Sample]]:
    """The scored ones of the solutions by problem, by log score.

    Ties fall by the hash of the text, which says nothing about the solution.
    """
    rows = Score.objects.filter(reward_model=reward_model, log_score__isnull=False, solution__in=graded)
    rows = rows.order_by("solution__problem", "solution__text_hash")
    columns = ("solution__problem", "log_score", "solution__answer", "solution__verdict")
    return {
        problem: [Sample(score, normalise(answer), verdict == Verdict.RIGHT) for _, score, answer, verdict in samples]
        for problem, samples in groupby(rows.values_list(*columns).iterator(), key=itemgetter(0))
    }
