"""Counters of what a round needs and what has been submitted, kept so that no request counts rows.

Whoever stores, supersedes or deletes labellings, tasks or seats updates them here, in the same transaction. Changes are
relative (`F`), so that none is lost between two transactions. An UPDATE locks its row until the transaction ends: each
annotator has a tally of their own, so that submissions don't wait for one another. The round's row is locked by those
who change its tasks, and by a submission only where a seat of a withdrawn task goes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone

from labeling.models import Labelling, Round, Tally
from labeling.statements import Statement

Key = tuple[UUID, UUID | None]  # round, annotator


class ImportedLabelling(NamedTuple):
    """The facts of an imported labelling that are counted."""

    round_id: UUID
    annotator_id: UUID | None
    active_ms: int | None
    submitted_at: datetime | None


@dataclass(frozen=True)
class WorkDone:
    """The amount of one person's work; `mean_ms` is the mean over labellings whose time is known."""

    labellings: int = 0
    active_ms: int = 0
    mean_ms: float | None = None
    last_at: datetime | None = None


# The first submission in a round makes the row. `on_day` counts one day only: it starts again on the next.
SUBMITTED = Statement(
    """
    INSERT INTO labeling_tally AS tally (round_id, annotator_id, done, on_gold, active_ms, day, on_day, last_at)
    VALUES (%(round)s, %(annotator)s, %(done)s, %(on_gold)s, %(more_ms)s, %(today)s, %(new)s, %(at)s)
    ON CONFLICT (round_id, annotator_id) DO UPDATE SET
        done = tally.done + excluded.done,
        on_gold = tally.on_gold + excluded.on_gold,
        active_ms = tally.active_ms + excluded.active_ms,
        day = excluded.day,
        on_day = CASE WHEN tally.day = excluded.day THEN tally.on_day + excluded.on_day ELSE excluded.on_day END,
        last_at = excluded.last_at
    """
)

# The mean is over tallies with a time: imported labellings without one would pull it towards zero.
TIMED = Sum(F("done") + F("on_gold"), filter=Q(active_ms__gt=0), default=0)


def day_of(moment: datetime) -> date:
    """The day in the server's time zone."""
    return timezone.localtime(moment).date()


def submitted(*, labelling: Labelling, round_id: UUID, replaces: Labelling | None = None) -> None:
    """Counts a new labelling or a revision. The statement is the same for gold and for work, and so is its time."""
    days = [each and each.submitted_at and day_of(each.submitted_at) for each in (labelling, replaces)]
    is_more, is_gold = int(replaces is None), labelling.task.is_gold
    SUBMITTED.execute(
        round=round_id,
        annotator=labelling.annotator_id,
        done=is_more * (not is_gold),
        on_gold=is_more * is_gold,
        new=int(days[0] != days[1]),  # 0 if it revises one of the same day
        more_ms=(labelling.active_ms or 0) - ((replaces and replaces.active_ms) or 0),
        today=days[0],
        at=labelling.submitted_at,
    )


def imported(labellings: Sequence[ImportedLabelling]) -> None:
    """Counts labellings from a file, each on a task of its own."""
    for key, each in _by_key(labellings).items():
        _add_to_tally(key, _sums(each, 1) | _no_earlier_than(_last(each)))
    _count_all_published(labellings, 1)


def removed(labellings: Sequence[ImportedLabelling]) -> None:
    """Uncounts labellings from a file that were deleted, with their tasks."""
    for key, each in _by_key(labellings).items():
        of(key).update(**_sums(each, -1))
        # A maximum can't be subtracted from: it is looked up again if one of these may have been it.
        if last := _last(each):
            of(key).filter(last_at__lte=last).update(last_at=Subquery(_times(key)[:1]))
    _count_all_published(labellings, -1)


def _by_key(labellings: Sequence[ImportedLabelling]) -> dict[Key, list[ImportedLabelling]]:
    found: dict[Key, list[ImportedLabelling]] = {}
    for each in labellings:
        found.setdefault((each.round_id, each.annotator_id), []).append(each)
    return found


def _times(key: Key) -> QuerySet[Labelling, datetime | None]:
    """Submission times, latest first."""
    labellings = _labellings_of(key).filter(submitted_at__isnull=False)
    return labellings.order_by("-submitted_at").values_list("submitted_at", flat=True)


def _sums(labellings: Sequence[ImportedLabelling], sign: int) -> dict[str, Any]:
    known_ms = sum(each.active_ms or 0 for each in labellings)
    return {"done": F("done") + sign * len(labellings), "active_ms": F("active_ms") + sign * known_ms}


def _last(labellings: Sequence[ImportedLabelling]) -> datetime | None:
    return max((each.submitted_at for each in labellings if each.submitted_at), default=None)


def _no_earlier_than(last: datetime | None) -> dict[str, Any]:
    # The later of the two times; a null one loses.
    return {"last_at": Case(When(last_at__gt=last, then=F("last_at")), default=last)} if last else {}


def _count_all_published(labellings: Sequence[ImportedLabelling], sign: int) -> None:
    for round_id, number in Counter(each.round_id for each in labellings).items():
        count_published(round_id, tasks=sign * number)


def count_published(round_id: UUID, *, tasks: int = 0, seats: int = 0, gold_seats: int = 0) -> None:
    """Counts tasks other than gold, and seats, as published; or as withdrawn, if negative."""
    added = {"task_count": tasks, "seat_count": seats, "gold_seats": gold_seats}
    Round.objects.filter(pk=round_id).update(**{name: F(name) + number for name, number in added.items()})


def superseded(*, round_id: UUID, annotator_id: UUID) -> None:
    """Resets the annotator's tally in a screening, none of it on gold, for another attempt."""
    of((round_id, annotator_id)).update(done=0, on_gold=0, on_day=0, active_ms=0, last_at=None)


def work_of(people: Iterable[UUID], **rounds: Any) -> dict[UUID, WorkDone]:
    """The work of each person who has labelled anything in these rounds."""
    done = F("done") + F("on_gold")
    sums = {"number": Sum(done), "ms": Sum("active_ms"), "timed": TIMED, "last": Max("last_at")}
    rows = Tally.objects.filter(annotator__in=people, **rounds).order_by().values_list("annotator")
    return {
        person: WorkDone(number, ms, ms / timed if timed else None, last)
        for person, number, ms, timed, last in rows.annotate(**sums)
    }


def sorted_by(by: str, people: QuerySet[Any], *, person: str = "pk", **rounds: Any) -> QuerySet[Any]:
    """Sorts people by `labellings`, `active_ms`, `mean_ms` or `last_at` of their work; with a -, the largest first.

    People without a mean come last.
    """
    name = by.removeprefix("-")
    most, least = {
        "mean_ms": (Sum("active_ms") * 1.0 / NullIf(TIMED, 0), 0.0 if by != name else float(2**53)),
        "labellings": (Sum(F("done") + F("on_gold")), 0),
        "active_ms": (Sum("active_ms"), 0),
        "last_at": (Max("last_at"), datetime.fromtimestamp(0, UTC)),
    }[name]
    own = Tally.objects.filter(annotator=OuterRef(person), **rounds).order_by().values("annotator")
    work = Coalesce(Subquery(own.annotate(most=most).values("most")), Value(least))
    found: QuerySet[Any] = people.annotate(work_done=work)
    return found.order_by(by.replace(name, "work_done"), "pk")


def drop_empty(rows: QuerySet[Tally]) -> None:
    rows.filter(done=0, on_gold=0).delete()


def midnight(day: date) -> datetime:
    return timezone.make_aware(datetime(day.year, day.month, day.day))


def _add_to_tally(key: Key, changes: dict[str, Any]) -> None:
    if not of(key).update(**changes):
        open_(key)
        of(key).update(**changes)


def open_(key: Key) -> None:
    Tally.objects.bulk_create([Tally(round_id=key[0], annotator_id=key[1])], ignore_conflicts=True)


def _labellings_of(key: Key) -> QuerySet[Labelling]:
    return Labelling.objects.current().filter(task__round=key[0], annotator=key[1])


def of(key: Key) -> QuerySet[Tally]:
    return Tally.objects.filter(round_id=key[0], annotator_id=key[1])
