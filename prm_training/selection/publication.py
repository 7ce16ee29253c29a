"""The publication job: a selection becomes a phase's next round, batch by batch."""

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from labeling import clock
from labeling.campaign import publishing
from labeling.jobs.lifecycle import Interrupted, ReportProgress
from labeling.models import Round, RoundStatus, Status
from prm_training.models import Publication, Selection


class Picks(Sequence[UUID]):
    """A selection's picks, best first, read a slice at a time; their ranks have no gaps."""

    def __init__(self, selection: Selection) -> None:
        self._items = selection.items.picked()
        self._number = self._items.count()

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, part: Any) -> Any:
        first, end, _ = part.indices(self._number)
        found = self._items.filter(rank__gt=first, rank__lte=end)
        return list(found.values_list("solution", flat=True))


def publish(run: Publication, report: ReportProgress) -> None:
    """Publishes the selection as the next round. If the worker dies, the tasks stay; failing or cancelling removes
    them.
    """
    # An earlier attempt opened the round, and died before its end was recorded.
    if run.round is not None and run.round.status != RoundStatus.PUBLISHING:
        return
    picks = Picks(run.selection)
    report(stage="publishing", total=len(picks))
    try:
        _publish(run, picks, report)
    except Interrupted:
        raise
    except Exception:
        _take_back(Publication.objects.filter(pk=run.pk))
        raise


def _publish(run: Publication, picks: Picks, report: ReportProgress) -> None:
    phase, total = run.selection.phase, len(picks)
    if run.round is None:
        # A round left by a failed publication would take up the next number.
        _take_back(Publication.objects.filter(phase=phase, status__in=[Status.FAILED, Status.CANCELLED]))
        with transaction.atomic():
            size = run.selection.size
            run.round = publishing.begin(phase=phase, solution_ids=picks, requested=size, now=clock.now())
            report(stage="publishing", total=total, round=run.round)
    publishing.fill(
        round_=run.round,
        solution_ids=picks,
        overlap=run.overlap,
        seed=run.selection.seed,
        on_batch=lambda done: report(stage="publishing", done=done, total=total),
    )
    with transaction.atomic():
        # In the transaction of the report, which raises if the run was cancelled: then the round is not opened.
        publishing.open_(round_=run.round, gold_set=run.gold_set, by=run.owner)
        report(stage="published", done=total, total=total)


def _take_back(runs: QuerySet[Publication]) -> None:
    """Deletes the rounds that these publications had started but not opened."""
    for run in runs.filter(round__status=RoundStatus.PUBLISHING).select_related("round"):
        begun = cast(Round, run.round)
        publishing.empty(round_id=begun.pk)
        with transaction.atomic():
            Publication.objects.filter(pk=run.pk).update(round=None)
            begun.delete()
