"""Offers texts after a path of steps, and asks a generator for more.

Stored trees come first: the problem's solutions that begin with the same steps, and the alternatives in imported
records. A generator's texts are a run, written once however many tabs and annotators come to that place: the request
that asks first calls an HTTP generator, a worker runs a local model. No lock is held while it writes.
"""

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast
from uuid import UUID, uuid4

from django.conf import settings

from labeling.completions import generator
from labeling.jobs import lifecycle, queueing
from labeling.models import (
    CompletionPurpose,
    CompletionSet,
    Phase,
    Problem,
    RatedCompletion,
    Solution,
    Status,
)
from labeling.models.pool import not_withdrawn

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
    """The end of a path of steps, and what is wanted there: the next step, or a critique of the last one.

    `round_id`: the round in which it is offered.
    """

    problem: Problem
    path: Sequence[str]
    purpose: str = CompletionPurpose.STEP
    round_id: UUID | None = None


def offer(  # noqa: PLR0913  the two ways of asking differ in the last three
    place: Place,
    *,
    phase: Phase,
    now: datetime,
    again: bool = False,
    first: Solution | None = None,
    leaving_out: str = "",
) -> Offer:
    """Offers texts to rate at the place, without the text `leaving_out`; the step of the solution `first` comes
    first, if it leads there.

    An HTTP generator is called right away, for about GENERATOR_TIMEOUT_SECONDS at most; a local model writes in the
    worker, and the offer is pending until then. `again` retries a generator that failed.
    """
    tree = _tree(place.problem, phase, first=first)
    stored = [text for text in _stored(place, tree, first) if text != leaving_out]
    wanted = phase.alternatives_per_step
    if len(stored) >= wanted or not phase.generator_model:
        return Offer("ready", _shuffled(stored[:wanted], place))
    asked, is_new = _set_asked_for(phase, place, wanted)
    if _may_start(asked, is_new=is_new, now=now, again=again):
        asked = _start_asking(asked, now)
    written = [text for text in asked.texts if text != leaving_out]
    # Cut before it is shuffled: what is stored comes before what a generator wrote.
    texts = _shuffled(list(dict.fromkeys([*stored, *written]))[:wanted], place)
    if asked.status == Status.DONE:
        return Offer("ready", texts)
    if _failed(asked, now):
        return Offer("failed", texts, asked.error or "The generator stopped while writing.")
    waits = asked.status == Status.QUEUED
    return Offer("pending", [], "Waiting for the generator." if waits else "The generator is writing.")


def never_offered(asked: Sequence[tuple[Place, Sequence[str]]]) -> Place | None:
    """Returns the first of these places, all of one problem, with a text that nothing stored can have offered."""
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
    """The stored texts of a problem: the steps of its solutions, and the imported alternatives to them."""

    solutions: dict[UUID, list[str]]
    imported: list[tuple[UUID, int, str]]  # solution, step, text


def _tree(problem: Problem, *phases: Phase, first: Solution | None = None) -> _Tree:
    """Builds the tree from the solutions of the phases' sources (no phase: all) and from the solution `first`."""
    # Without phases, in the check of submissions, withdrawn solutions count: their texts may have been offered before.
    offered = problem.solutions.filter(not_withdrawn()) if phases else problem.solutions.all()
    drawn = offered.drawn_by(*phases).order_by("pk").values_list("pk", "steps")
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
    # Of solutions [a, b], [a, c] and [d], the path [a] has the next steps b and c.
    begun = {pk: steps for pk, steps in tree.solutions.items() if len(steps) > len(path) and steps[: len(path)] == path}
    own = [first.pk] if first is not None and first.pk in begun else []
    nexts = [begun[pk][len(path)] for pk in [*own, *begun]]
    beside = [text for solution, step, text in tree.imported if solution in begun and step == len(path)]
    return list(dict.fromkeys([*nexts, *beside]))


def _written(place: Place) -> set[str]:
    rows = CompletionSet.objects.filter(problem=place.problem, path_hash=path_hash(place.path), purpose=place.purpose)
    return {text for texts in rows.values_list("texts", flat=True) for text in texts}


def _shuffled(texts: Sequence[str], place: Place) -> list[str]:
    """Returns the texts in one order for everybody, which doesn't give away where a text came from."""
    salt = path_hash(place.path)
    return sorted(texts, key=lambda text: hashlib.sha256((salt + text).encode()).digest())


def _set_asked_for(phase: Phase, place: Place, wanted: int) -> tuple[CompletionSet, bool]:
    return CompletionSet.objects.get_or_create(
        problem=place.problem,
        purpose=place.purpose,
        path_hash=path_hash(place.path),
        round_id=cast(UUID, place.round_id),
        generator_url=phase.generator_url,
        generator_model=phase.generator_model,
        defaults={"path": list(place.path), "wanted": wanted},
    )


def _may_start(asked: CompletionSet, *, is_new: bool, now: datetime, again: bool) -> bool:
    """Returns whether a call may start: not while another one is running."""
    # For a local model the message that was sent when the row was made is enough; an HTTP generator is called by
    # whoever comes by.
    if asked.status == Status.QUEUED:
        return is_new or again or bool(asked.generator_url)
    return again and _failed(asked, now)


def _failed(asked: CompletionSet, now: datetime) -> bool:
    """Returns whether it failed, was cancelled, or its process presumably died: a retry need not wait for a worker."""
    is_abandoned = asked.status == Status.RUNNING and (asked.heartbeat_at or now) < lifecycle.stale_before(now)
    return is_abandoned or asked.status in {Status.FAILED, Status.CANCELLED}


def _start_asking(asked: CompletionSet, now: datetime) -> CompletionSet:
    if asked.status != Status.QUEUED:
        lifecycle.retry(asked)
    if not asked.generator_url:
        queueing.enqueue_on_commit(asked)
    # Without a free place the row stays queued: the browser asks again, and so does the worker's heartbeat.
    elif _calls.acquire(blocking=False):
        try:
            _call(asked, now)
        finally:
            _calls.release()
    return CompletionSet.objects.get(pk=asked.pk)


def _call(asked: CompletionSet, now: datetime) -> None:
    """Calls the HTTP generator, unless somebody else does. A GeneratorFailed is stored on the row."""
    # A web process sends no further heartbeats: this one lasts as long as the call may take.
    silent_until = now + timedelta(seconds=settings.GENERATOR_TIMEOUT_SECONDS)
    run = lifecycle.begin(asked.pk, worker=f"web-{uuid4().hex[:12]}", now=now, heartbeat_at=silent_until)
    if run is None:
        return
    try:
        # Only the result of whoever holds the run counts: texts that were offered must not change.
        lifecycle.end(run, Status.DONE, texts=call_endpoint(run))
    except generator.GeneratorFailed as error:
        lifecycle.end(run, Status.FAILED, error=str(error))


def prompt_of(asked: CompletionSet) -> str:
    return generator.prompt_for(problem=asked.problem.statement, path=asked.path, purpose=asked.purpose)


def call_endpoint(asked: CompletionSet) -> list[str]:
    """Returns the texts of the set's endpoint. Raises GeneratorFailed."""
    return generator.request_texts(
        url=asked.generator_url,
        model=asked.generator_model,
        prompt=prompt_of(asked),
        purpose=asked.purpose,
        wanted=asked.wanted,
    )
