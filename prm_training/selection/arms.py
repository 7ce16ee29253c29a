"""Counts what people found in each arm of a phase's rounds; in a large phase, a worker counts."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from labeling.counts import rollups
from labeling.models import Labelling, Phase, RatedCompletion, Sample
from labeling.models.pool import not_withdrawn
from labeling.rules.words import COMPLETE, FinishReason
from prm_training.models import Publication, Score, SelectionItem
from prm_training.selection import arm_metrics
from prm_training.selection.arm_metrics import JudgedStep, Worked


def count_arms(phase_id: UUID) -> dict[str, Any]:
    phase = Phase.objects.get(pk=phase_id)
    worked, judged = list[Worked](), list[JudgedStep]()
    for run in Publication.objects.filter(selection__phase=phase, round__isnull=False).select_related("selection"):
        is_random = dict(run.selection.items.picked().values_list("solution", "is_random"))
        worked += _worked(phase, run, is_random)
        if run.selection.reward_model_id and any(is_random.values()):
            judged += _judged(run)
    return {
        "policies": arm_metrics.of_policies(worked),
        "generators": arm_metrics.of_generators(worked),
        "annotators": arm_metrics.of_annotators(worked),
        "models": arm_metrics.of_models(judged),
    }


ROLLED = rollups.Kind("arms", count_arms, rollups.has_many_tasks)


def _of(run: Publication) -> Any:
    """Selects the current labellings of the round's tasks, other than gold, by known people."""
    real = Labelling.objects.current().filter(task__round=run.round_id, task__is_gold=False, annotator__isnull=False)
    return real.filter(not_withdrawn("task__solution", "task"))


def _worked(phase: Phase, run: Publication, is_random: dict[UUID, bool]) -> Iterator[Worked]:
    """Yields the labellings of selected tasks; tasks that were added by hand belong to neither arm."""
    rated = Count("completions", filter=Q(completions__rating__isnull=False))
    columns = ("task__solution", "task__solution__problem", "task__solution__generator", "annotator__username")
    rows = _of(run).annotate(rated=rated).values_list(*columns, "rated", "finish_reason", "active_ms").order_by("pk")
    samples = Sample.objects.drawn_by(phase).filter(solution__in=_arm(run)).numbers()
    for solution, problem, generator, annotator, labels, reason, ms in rows:
        if solution in is_random:
            yield Worked(
                round=run.pk,
                policy=run.selection.policy,
                is_random=is_random[solution],
                problem=problem,
                generator=generator,
                samples=samples.get(solution, 1),
                annotator=annotator,
                labels=labels,
                is_complete=reason in COMPLETE,
                has_error=reason == FinishReason.FOUND_ERROR,
                ms=ms,
            )


def _judged(run: Publication) -> Iterator[JudgedStep]:
    """Yields the rated steps of the random arm that the round's own model had scored."""
    arm = _of(run).filter(task__solution__in=_arm(run))
    steps = RatedCompletion.objects.filter(labelling__in=arm, completion=0, rating__isnull=False)
    columns = ("labelling__task__solution", "labelling__task__solution__problem", "step", "rating")
    by_solution = defaultdict[UUID, list[tuple[UUID, int, int]]](list)
    for solution, *row in steps.order_by("labelling", "step").values_list(*columns):
        by_solution[solution].append((row[0], row[1], row[2]))
    scores = Score.objects.filter(reward_model=run.selection.reward_model_id, solution__in=_arm(run))
    for solution, logs in scores.values_list("solution", "step_log_probabilities").iterator():
        for problem, step, rating in by_solution[solution]:
            # The model may have left out the last steps of a long solution.
            if step < len(logs):
                yield JudgedStep(str(run.selection.reward_model), problem, step, logs[step], rating == -1)


def _arm(run: Publication) -> Any:
    chosen: Any = SelectionItem.objects.filter(selection=run.selection_id, is_random=True).values("solution")
    return chosen
