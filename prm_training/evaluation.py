"""Evaluations, from rows through torch to rows: held-out labels, and the pool's problems that were not trained on."""

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import compress, groupby, islice
from operator import itemgetter
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet

from labeling.intervals import RESAMPLES
from labeling.models import Phase, Verdict
from labeling.models import Solution as PoolSolution
from labeling.notation import normalise
from prm_training import figures
from prm_training.execution import (
    Listener,
    network_of,
    resolved_reading,
    store_scores,
    trees_of,
    verifying_between,
)
from prm_training.lifecycle import Report
from prm_training.models import EvaluationRun, RewardModel, Score, Supervision
from prm_training.prm import model as models
from prm_training.prm.data import LabelledTree, Solution, counted_labels
from prm_training.prm.evaluate import Sample
from prm_training.prm.score import ScoreConfig, SolutionScore, score_solutions
from prm_training.readiness import unscored_by
from prm_training.uncertainty import HeldOut

MOST_PROBLEMS = 1000


def evaluate(run: EvaluationRun, report: Report) -> None:
    """The model and its baseline on the same labels, on problems that neither was trained on; then best-of-N."""
    report = verifying_between(run, report)
    report(stage="reading the labels")
    trained_on = _trained_on(run.reward_model) | (_trained_on(run.baseline) if run.baseline else set())
    rival = _rival(run.reward_model)
    trees = [tree for tree in trees_of(run.snapshot) if tree.split == "test" and tree.group not in trained_on]
    network, baseline = network_of(run.reward_model), run.baseline and network_of(run.baseline)
    report(stage="reading the labels", resolved=_resolved(run, network))
    *before, metrics = _on_labels([baseline, network] if baseline else [network], trees, Listener(run, report))
    contenders = {run.reward_model: network} | ({rival: network_of(rival)} if rival else {})
    seen = trained_on | (_trained_on(rival) if rival else set())
    metrics["best_of_n"] = _on_pool(contenders, seen, run.reward_model.training_run.phases.all(), report)
    report(stage="done", metrics=metrics, baseline_metrics=before[0] if before else {})


def _resolved(run: EvaluationRun, network: models.RewardModel) -> dict[str, Any]:
    found = resolved_reading(run, network, ScoreConfig())
    return found | {"snapshot": run.snapshot.labels_hash, "resamples": RESAMPLES}


def _rival(reward_model: RewardModel) -> RewardModel | None:
    """Who chooses on the same problems: for a PRM the newest ORM, for an ORM the current PRM."""
    if reward_model.is_orm:
        return RewardModel.objects.filter(is_current=True).first()
    orms = RewardModel.objects.filter(training_run__supervision=Supervision.OUTCOME)
    return orms.order_by("-created_at").first()


def _trained_on(reward_model: RewardModel) -> set[str]:
    snapshot = reward_model.training_run.snapshot
    return {tree.group for tree in trees_of(snapshot) if tree.split == "train"} if snapshot else set()


def _on_labels(
    networks: Sequence[models.RewardModel], trees: Sequence[LabelledTree], listener: Listener
) -> list[dict[str, Any]]:
    """What each says of the labels that all of them can read, with 95 % intervals; the last one beside the first."""
    number = {group: place for place, group in enumerate(dict.fromkeys(tree.group for tree in trees))}
    labels = [(tree, label) for tree in trees for label in counted_labels(tree)]
    paths = [(tree, *path) for tree in trees if (path := figures.chosen_path(tree))]
    asked = [(tree.problem, label.steps) for tree, label in labels] + [
        (tree.problem, steps) for tree, steps, _ in paths
    ]
    scores = [_scores(network, asked, listener) for network in networks]
    whole = [not any(score.steps_left_out for score in each) for each in zip(*scores, strict=True)]
    read, followed = list(compress(labels, whole)), list(compress(paths, whole[len(labels) :]))
    found = []
    for rows in (list(compress(each, whole)) for each in scores):
        held = HeldOut(
            rows=[score.log_probabilities[-1] for score in rows[: len(read)]],
            classes=[label.rating + 1 for _, label in read],
            of_label=[number[tree.group] for tree, _ in read],
            paths=[[math.exp(step) for step in score.steps] for score in rows[len(read) :]],
            first_errors=[first_error for _, _, first_error in followed],
            folds=[zlib.crc32(tree.problem.encode()) % 2 for tree, _, _ in followed],
            of_path=[number[tree.group] for tree, _, _ in followed],
        )
        found.append(held)
    return figures.of_held_out(found, problems=len(number), labels_left_out=len(labels) - len(read))


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
