"""Recounts the counters of rounds: by a worker, each round about once a day, or by a command.

Normally nothing is wrong. A wrong counter is corrected, and is a bug somewhere: the worker's log says so.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max, Q, Sum
from django.db.models.functions import TruncDate

from labeling.counts import rollups, tallies
from labeling.counts.tallies import Key
from labeling.models import Assignment, AssignmentKind, Labelling, Rollup, Round, Tally, Task

logger = logging.getLogger(__name__)
EVERY = timedelta(days=1)
COUNTS = {
    "done": Count("pk", filter=Q(task__is_gold=False)),
    "on_gold": Count("pk", filter=Q(task__is_gold=True)),
    "ms": Sum("active_ms", default=0),
    "last_at": Max("submitted_at"),
}
PUBLISHED = ("task_count", "seat_count", "gold_seats")
Day = dict[str, Any]  # counts of what was submitted `on` the day


def mend(round_id: UUID) -> int:
    """Recounts the round and corrects its counters. Returns how many were wrong.

    It may run at any time, and locks nothing while all is right. What differs, perhaps only because a submission came
    in between two queries, is counted again under its lock, so that a submission is in both or in neither.
    """
    kept = Round.objects.filter(pk=round_id).values_list(*PUBLISHED).first()
    wrong = kept not in {None, _published(round_id)} and _mend_round(round_id)
    return wrong + sum(mend_tally((round_id, annotator)) for annotator in _doubtful(round_id))


def _published(round_id: UUID) -> tuple[int, int, int]:
    tasks = Task.objects.filter(round=round_id, is_gold=False).count()
    kinds = Assignment.objects.filter(round=round_id).values_list("kind").annotate(Count("pk")).order_by()
    seats = dict(kinds)
    return tasks, seats.get(AssignmentKind.WORK, 0), seats.get(AssignmentKind.GOLD, 0)


@transaction.atomic
def _mend_round(round_id: UUID) -> bool:
    kept = Round.objects.locked().get(pk=round_id)
    found = dict(zip(PUBLISHED, _published(round_id), strict=True))
    Round.objects.filter(pk=round_id).update(**found)
    return any(getattr(kept, name) != number for name, number in found.items())


def _doubtful(round_id: UUID) -> list[UUID | None]:
    """The annotators whose tally differs from the rows. One query for all, however much they have labelled."""
    kept = {tally.annotator_id: tally for tally in Tally.objects.filter(round=round_id)}
    found = defaultdict[UUID | None, list[Day]](list)
    for day in _labellings_of(round_id).values("annotator", on=TruncDate("submitted_at")).annotate(**COUNTS):
        found[day["annotator"]].append(day)
    return [each for each in kept.keys() | found.keys() if not _fits(kept.get(each, Tally()), found[each])]


def _labellings_of(round_id: UUID) -> Any:
    return Labelling.objects.current().filter(task__round=round_id).order_by()


def _fits(kept: Tally, days: Sequence[Day]) -> bool:
    done, on_gold, active_ms = (sum(day[name] for day in days) for name in ("done", "on_gold", "ms"))
    last_at = max((day["last_at"] for day in days if day["last_at"]), default=None)
    # Of days before the tally's own, nothing is kept; on that day and later, it must be exactly what the rows say.
    later = [day for day in days if kept.day and day["on"] and day["on"] >= kept.day]
    since = {day["on"]: day["done"] + day["on_gold"] for day in later}
    on_day = {kept.day: kept.on_day} if kept.on_day else {}
    sums = (kept.done, kept.on_gold, kept.active_ms, kept.last_at)
    return sums == (done, on_gold, active_ms, last_at) and on_day == since


@transaction.atomic
def mend_tally(key: Key) -> bool:
    """Recounts what one annotator submitted in a round. Returns whether the tally was wrong."""
    tallies.open_(key)
    # The lock that each submission takes, too: what is counted below can't change until the counter is right.
    kept = tallies.of(key).select_for_update().get()
    labellings = _labellings_of(key[0]).filter(annotator=key[1])
    found: dict[str, Any] = labellings.aggregate(**COUNTS)
    found["active_ms"] = found.pop("ms")
    last = found["last_at"] and tallies.day_of(found["last_at"])
    found["day"] = max([day for day in (kept.day, last) if day], default=None)
    found["on_day"] = labellings.filter(submitted_at__gte=tallies.midnight(found["day"])).count() if found["day"] else 0
    tallies.of(key).update(**found)
    compared = found if kept.day else ("done", "on_gold", "active_ms", "last_at")  # imported labellings have no day
    return any(getattr(kept, name) != found[name] for name in compared)


def _recount(round_id: UUID) -> int:
    wrong = mend(round_id)
    if wrong:
        logger.warning("%d counters of round %s were wrong and are corrected; the cause is unknown.", wrong, round_id)
    return wrong


RECOUNT = rollups.Kind("recount", count=_recount, is_big=lambda _: True)


def request_recount(*, now: datetime) -> None:
    """Has a worker recount a round that was not counted for a day; one at a time."""
    recounts = Rollup.objects.filter(kind=RECOUNT.name)
    # A request older than LOST_AFTER was lost, and must not keep the others waiting.
    if recounts.filter(requested_at__gte=now - rollups.LOST_AFTER).exists():
        return
    fresh = recounts.filter(counted_at__gt=now - EVERY).values("subject")
    due = Round.objects.exclude(pk__in=fresh).order_by("pk").values_list("pk", flat=True).first()
    if due:
        rollups.request_count(RECOUNT, due, now)
