"""Acts on counters: what a round was to have and what has been submitted, kept so that no request counts rows.

Whoever stores, supersedes or deletes labellings, tasks or seats says so here, in the same transaction.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, F, Max, Q, QuerySet, Subquery, Sum, When
from django.utils import timezone

from labeling.models import Labelling, Round, Tally
from labeling.prepared import Changes, Prepared

Key = tuple[UUID, UUID | None]  # round, annotator


class Imported(NamedTuple):
    """What is counted of a labelling that came with a file."""

    round_id: UUID
    annotator_id: UUID | None
    active_ms: int | None
    submitted_at: datetime | None


@dataclass(frozen=True)
class Work:
    """What one person has submitted; `mean_ms` is of what the time is known of."""

    labellings: int = 0
    active_ms: int = 0
    mean_ms: float | None = None
    last_at: datetime | None = None


def day_of(moment: datetime) -> date:
    """Days are those of the server's time zone."""
    return timezone.localtime(moment).date()


def submitted(*, labelling: Labelling, round_id: UUID, replaces: Labelling | None = None) -> None:
    """A labelling has come in, perhaps as a revision. On gold or not: the statement is the same."""
    days = [each and each.submitted_at and day_of(each.submitted_at) for each in (labelling, replaces)]
    is_more, is_gold = int(replaces is None), labelling.task.is_gold
    said = {
        "round_id": round_id,
        "annotator_id": labelling.annotator_id,
        "done": is_more * (not is_gold),
        "on_gold": is_more * is_gold,
        "new": int(days[0] != days[1]),
        "more_ms": (labelling.active_ms or 0) - ((replaces and replaces.active_ms) or 0),
        "today": days[0],
        "at": labelling.submitted_at,
    }
    if not SUBMITTED.rows(**said):
        open_((round_id, labelling.annotator_id))
        SUBMITTED.rows(**said)


def _submitted(  # noqa: PLR0913, PLR0917  each one of the statement
    round_id: UUID, annotator_id: UUID, done: int, on_gold: int, new: int, more_ms: int, today: date, at: datetime
) -> tuple[QuerySet[Any, Any], Changes]:
    """`new` is one more on that day, if the labelling is not a revision of the same day's."""
    counts = {"done": F("done") + done, "on_gold": F("on_gold") + on_gold, "active_ms": F("active_ms") + more_ms}
    on_day = Case(When(day=today, then=F("on_day") + new), default=new)
    changes = counts | {"day": today, "on_day": on_day, "last_at": at}
    return of((round_id, annotator_id)).values_list("id"), changes


def imported(labellings: Sequence[Imported]) -> None:
    """They have come with a file, each on a task of its own."""
    for key, each in _by_key(labellings).items():
        _add(key, _sums(each, 1) | _no_earlier_than(_last(each)))
    _put_up_all(labellings, 1)


def removed(labellings: Sequence[Imported]) -> None:
    """They had come with a file, and are gone again, with their tasks."""
    for key, each in _by_key(labellings).items():
        of(key).update(**_sums(each, -1))
        if last := _last(each):
            of(key).filter(last_at__lte=last).update(last_at=Subquery(_times(key)[:1]))
    _put_up_all(labellings, -1)


def _by_key(labellings: Sequence[Imported]) -> dict[Key, list[Imported]]:
    found: dict[Key, list[Imported]] = {}
    for each in labellings:
        found.setdefault((each.round_id, each.annotator_id), []).append(each)
    return found


def _times(key: Key) -> QuerySet[Labelling, datetime | None]:
    """When each was submitted, the last one first."""
    said = _said(key).filter(submitted_at__isnull=False)
    return said.order_by("-submitted_at").values_list("submitted_at", flat=True)


def _sums(labellings: Sequence[Imported], sign: int) -> dict[str, Any]:
    known_ms = sum(each.active_ms or 0 for each in labellings)
    return {"done": F("done") + sign * len(labellings), "active_ms": F("active_ms") + sign * known_ms}


def _last(labellings: Sequence[Imported]) -> datetime | None:
    return max((each.submitted_at for each in labellings if each.submitted_at), default=None)


def _no_earlier_than(last: datetime | None) -> dict[str, Any]:
    return {"last_at": Case(When(last_at__gt=last, then=F("last_at")), default=last)} if last else {}


def _put_up_all(labellings: Sequence[Imported], sign: int) -> None:
    for round_id, number in Counter(each.round_id for each in labellings).items():
        put_up(round_id, tasks=sign * number)


def put_up(round_id: UUID, *, tasks: int = 0, seats: int = 0) -> None:
    """Tasks that are no gold, and their seats, have been put up; or taken away, where negative."""
    Round.objects.filter(pk=round_id).update(task_count=F("task_count") + tasks, seat_count=F("seat_count") + seats)


def superseded(*, round_id: UUID, annotator_id: UUID) -> None:
    """All that the annotator had submitted in the round, none of it gold's: another attempt at the screening."""
    of((round_id, annotator_id)).update(done=0, on_gold=0, on_day=0, active_ms=0, last_at=None)


def work_of(people: Iterable[UUID], **rounds: Any) -> dict[UUID, Work]:
    """Of each of them that has done any, in the rounds."""
    done = F("done") + F("on_gold")
    timed = Sum(done, filter=Q(active_ms__gt=0), default=0)
    sums = {"number": Sum(done), "ms": Sum("active_ms"), "timed": timed, "last": Max("last_at")}
    rows = Tally.objects.filter(annotator__in=people, **rounds).order_by().values_list("annotator")
    return {
        person: Work(number, ms, ms / timed if timed else None, last)
        for person, number, ms, timed, last in rows.annotate(**sums)
    }


def drop_empty(rows: QuerySet[Tally]) -> None:
    rows.filter(done=0, on_gold=0).delete()


def midnight(day: date) -> datetime:
    return timezone.make_aware(datetime(day.year, day.month, day.day))


def _add(key: Key, changes: dict[str, Any]) -> None:
    if not of(key).update(**changes):
        open_(key)
        of(key).update(**changes)


def open_(key: Key) -> None:
    Tally.objects.bulk_create([Tally(round_id=key[0], annotator_id=key[1])], ignore_conflicts=True)


def _said(key: Key) -> QuerySet[Labelling]:
    return Labelling.objects.current().filter(task__round=key[0], annotator=key[1])


def of(key: Key) -> QuerySet[Tally]:
    return Tally.objects.filter(round_id=key[0], annotator_id=key[1])


SUBMITTED = Prepared(_submitted)
