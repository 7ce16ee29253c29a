"""What can be offered after a path of steps, and asking a generator for more.

Stored trees come first: the problem's solutions that begin with the same steps, and the alternatives in imported
records. What a generator writes is a row, written once however many tabs and annotators come to that place. No lock is
held while it writes: the row is taken by a conditional UPDATE, and its texts are stored by another.
"""

import hashlib
import json
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import ChannelError, OperationalError

from labeling.completions import generator
from labeling.models import (
    CompletionPurpose,
    CompletionSet,
    CompletionStatus,
    Phase,
    Problem,
    RatedCompletion,
    Solution,
)

logger = logging.getLogger(__name__)
WRITE_TASK = "prm_training.write_completions"
SOLUTIONS_LOOKED_AT = 2000
CALLS_AT_ONCE = 2
# A web process has few threads: a slow generator must not keep all of them from claims and submissions.
_calls = threading.BoundedSemaphore(CALLS_AT_ONCE)


@dataclass(frozen=True)
class Offer:
    """`ready` (all there is), `pending` (ask again soon), or `failed` (with the reason; there may still be `texts`)."""

    status: str
    texts: list[str]
    detail: str = ""


@dataclass(frozen=True)
class Place:
    """The end of a path of steps, and what is wanted there: the next step, or a critique of the last one."""

    problem: Problem
    path: Sequence[str]
    purpose: str = CompletionPurpose.STEP


def offer(  # noqa: PLR0913  the two ways of asking differ in the last three
    place: Place,
    *,
    phase: Phase,
    now: datetime,
    again: bool = False,
    first: Solution | None = None,
    leaving_out: str = "",
) -> Offer:
    """What to rate at the place, without the text `leaving_out`; the step of the solution `first` comes first, if it
    leads there.

    An HTTP generator is called right away, for about GENERATOR_TIMEOUT_SECONDS at most; a local model writes in the
    worker, and the offer is pending until then. `again` retries a generator that failed.
    """
    tree = _tree(place.problem, phase, first=first)
    stored = [text for text in _stored(place, tree, first) if text != leaving_out]
    wanted = phase.alternatives_per_step
    if len(stored) >= wanted or not phase.generator_model:
        return Offer("ready", _shuffled(stored[:wanted], place))
    asked, is_new = _asked(phase, place, wanted)
    if _may_start(asked, is_new=is_new, now=now, again=again):
        asked = _start(asked, now)
    written = [text for text in asked.texts if text != leaving_out]
    texts = _shuffled(list(dict.fromkeys([*stored, *written]))[:wanted], place)
    if asked.status == CompletionStatus.DONE:
        return Offer("ready", texts)
    if _failed(asked, now):
        return Offer("failed", texts, asked.error or "The generator stopped while writing.")
    waits = asked.status == CompletionStatus.QUEUED
    return Offer("pending", [], "Waiting for the generator." if waits else "The generator is writing.")


def never_offered(asked: Sequence[tuple[Place, Sequence[str]]]) -> Place | None:
    """The first of these places of one problem with a text that no stored tree or generator can have offered."""
    to_check = [(place, texts) for place, texts in asked if texts]
    tree = _tree(to_check[0][0].problem) if to_check else _Tree({}, [])
    for place, texts in to_check:
        unknown = set(texts) - set(_stored(place, tree))
        if unknown and unknown - _written(place):
            return place
    return None


def path_hash(path: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(list(path)).encode()).hexdigest()


@dataclass(frozen=True)
class _Tree:
    """What is stored for a problem: the steps of its solutions, and the imported alternatives to them."""

    solutions: dict[UUID, list[str]]
    imported: list[tuple[UUID, int, str]]  # solution, step, text


def _tree(problem: Problem, *phases: Phase, first: Solution | None = None) -> _Tree:
    """From the solutions of the phases' sources (no phase: all), and from the solution `first`."""
    drawn = problem.solutions.drawn_by(*phases).order_by("pk").values_list("pk", "steps")
    solutions = ({first.pk: first.steps} if first else {}) | dict(drawn[:SOLUTIONS_LOOKED_AT])
    rated = RatedCompletion.objects.filter(
        labelling__source_hash__isnull=False, labelling__task__solution__problem=problem, is_human=False
    )
    return _Tree(solutions, list(rated.order_by("pk").values_list("labelling__task__solution", "step", "text")))


def _stored(place: Place, tree: _Tree, first: Solution | None = None) -> list[str]:
    """The next steps of solutions that begin with the path, and imported alternatives to them."""
    if place.purpose != CompletionPurpose.STEP:
        return []
    path = list(place.path)
    begun = {pk: steps for pk, steps in tree.solutions.items() if len(steps) > len(path) and steps[: len(path)] == path}
    own = [first.pk] if first is not None and first.pk in begun else []
    nexts = [begun[pk][len(path)] for pk in [*own, *begun]]
    beside = [text for solution, step, text in tree.imported if solution in begun and step == len(path)]
    return list(dict.fromkeys([*nexts, *beside]))


def _written(place: Place) -> set[str]:
    rows = CompletionSet.objects.filter(problem=place.problem, path_hash=path_hash(place.path), purpose=place.purpose)
    return {text for texts in rows.values_list("texts", flat=True) for text in texts}


def _shuffled(texts: Sequence[str], place: Place) -> list[str]:
    """The same order for everybody; it doesn't give away where a text came from."""
    salt = path_hash(place.path)
    return sorted(texts, key=lambda text: hashlib.sha256((salt + text).encode()).digest())


def _asked(phase: Phase, place: Place, wanted: int) -> tuple[CompletionSet, bool]:
    return CompletionSet.objects.get_or_create(
        problem=place.problem,
        purpose=place.purpose,
        path_hash=path_hash(place.path),
        generator_url=phase.generator_url,
        generator_model=phase.generator_model,
        defaults={"path": list(place.path), "wanted": wanted},
    )


def _may_start(asked: CompletionSet, *, is_new: bool, now: datetime, again: bool) -> bool:
    """Not while another call is running. If it is queued for a local model, a worker will find it."""
    if asked.status == CompletionStatus.QUEUED:
        return is_new or again or bool(asked.generator_url)
    return again and _failed(asked, now)


def _failed(asked: CompletionSet, now: datetime) -> bool:
    """Includes those whose process must have died: a worker's heartbeat keeps `started_at` fresh."""
    patience = timedelta(seconds=settings.GENERATOR_TIMEOUT_SECONDS + settings.WORKER_SILENT_SECONDS)
    is_running = asked.status == CompletionStatus.RUNNING
    is_abandoned = is_running and asked.started_at is not None and asked.started_at < now - patience
    return asked.status == CompletionStatus.FAILED or is_abandoned


def _start(asked: CompletionSet, now: datetime) -> CompletionSet:
    if not asked.generator_url:
        _as_read(asked).update(status=CompletionStatus.QUEUED)
        transaction.on_commit(lambda: enqueue(asked))
    elif _calls.acquire(blocking=False):
        try:
            _write(asked, author=_http_author, now=now)
        finally:
            _calls.release()
    return CompletionSet.objects.get(pk=asked.pk)


def write_in_worker(set_id: UUID, *, author: Callable[[CompletionSet], list[str]], now: datetime) -> None:
    """Has a local model write what is queued for one; leaves everything else alone."""
    asked = CompletionSet.objects.filter(pk=set_id, status=CompletionStatus.QUEUED, generator_url="").first()
    if asked is not None:
        _write(asked, author=author, now=now)


def _write(asked: CompletionSet, *, author: Callable[[CompletionSet], list[str]], now: datetime) -> None:
    """Has the author write, unless somebody took the row since it was read. A GeneratorFailed is stored on the row."""
    if not _as_read(asked).update(status=CompletionStatus.RUNNING, started_at=now, error=""):
        return
    outcome: dict[str, Any] = {"status": CompletionStatus.DONE}
    try:
        outcome["texts"] = author(asked)
    except generator.GeneratorFailed as error:
        outcome = {"status": CompletionStatus.FAILED, "error": str(error)}
    # Only the first result counts: texts that were offered must not change.
    CompletionSet.objects.filter(pk=asked.pk, status=CompletionStatus.RUNNING).update(**outcome)


def _as_read(asked: CompletionSet) -> Any:
    return CompletionSet.objects.filter(pk=asked.pk, status=asked.status, started_at=asked.started_at)


def prompt_of(asked: CompletionSet) -> str:
    return generator.prompt_for(problem=asked.problem.statement, path=asked.path, purpose=asked.purpose)


def _http_author(asked: CompletionSet) -> list[str]:
    return generator.ask(
        url=asked.generator_url,
        model=asked.generator_model,
        prompt=prompt_of(asked),
        purpose=asked.purpose,
        wanted=asked.wanted,
    )


def waiting_for_a_worker() -> list[CompletionSet]:
    waiting = CompletionSet.objects.filter(status=CompletionStatus.QUEUED, generator_url="")
    return list(waiting.order_by("created_at"))


def still_writing(set_id: UUID, *, now: datetime) -> None:
    """A heartbeat of the worker that writes."""
    CompletionSet.objects.filter(pk=set_id, status=CompletionStatus.RUNNING).update(started_at=now)


def enqueue(asked: CompletionSet) -> None:
    """Tells the workers. If the message is lost, a worker's heartbeat sends another."""
    try:
        current_app.send_task(WRITE_TASK, args=[str(asked.pk)], retry=False)
    except (OperationalError, ChannelError, OSError):  # away, or a folder on a disk that is full
        logger.warning("The broker is away; %s waits for a worker's heartbeat.", asked)
