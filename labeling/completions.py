"""Acts on completions: what can be offered at a place of a trajectory, and asking a generator for more.

Stored trees come first: the problem's solutions that begin with the same steps, and the alternatives that imported
records hold. What a generator writes is a row, asked for once however many tabs and annotators come to that place.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from kombu.exceptions import OperationalError

from labeling import generator
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


@dataclass(frozen=True)
class Offer:
    """`ready` (with all there is to be had), `pending` (ask again soon), or `failed` (with why; `texts` may help)."""

    status: str
    texts: list[str]
    detail: str = ""


@dataclass(frozen=True)
class Place:
    """The end of a path of steps, and what is wanted there: the next step, or a critique of the last one."""

    problem: Problem
    path: list[str]
    purpose: str


def offer(place: Place, *, phase: Phase, now: datetime, again: bool = False, solution: Solution | None = None) -> Offer:
    """What to rate there. `again` gives a generator that failed another try; steps of `solution` come first.

    The HTTP generator is called here and now, in at most GENERATOR_TIMEOUT_SECONDS or so; a local model writes in
    the worker, and the offer is pending until it has.
    """
    stored = _stored(place, solution) if place.purpose == CompletionPurpose.STEP else []
    wanted = phase.alternatives_per_step
    if len(stored) >= wanted or not phase.generator_model:
        return Offer("ready", _shuffled(stored[:wanted], place))
    asked, is_new = _asked(phase, place, wanted)
    if is_new or _may_start(asked, now=now, again=again):
        asked = _start(asked, now)
    texts = _shuffled(list(dict.fromkeys([*stored, *asked.texts]))[:wanted], place)
    if asked.status == CompletionStatus.DONE:
        return Offer("ready", texts)
    if asked.status == CompletionStatus.FAILED:
        return Offer("failed", texts, asked.error)
    return Offer("pending", [])


def were_offered(place: Place, texts: Iterable[str]) -> bool:
    """Whether every text may have been offered there, by a stored tree or by a generator."""
    sets = CompletionSet.objects.filter(problem=place.problem, path_hash=path_hash(place.path), purpose=place.purpose)
    known = {text for written in sets.values_list("texts", flat=True) for text in written}
    if place.purpose == CompletionPurpose.STEP:
        known |= set(_stored(place, None))
    return set(texts) <= known


def path_hash(path: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(list(path)).encode()).hexdigest()


def _stored(place: Place, solution: Solution | None) -> list[str]:
    """Next steps known from solutions that begin with the path; those of `solution`, the task's own, come first."""
    problem, path = place.problem, place.path
    begun = {
        pk: steps
        for pk, steps in problem.solutions.values_list("pk", "steps")[:SOLUTIONS_LOOKED_AT]
        if len(steps) > len(path) and steps[: len(path)] == path
    }
    own = [solution.pk] if solution is not None and solution.pk in begun else []
    nexts = [str(begun[pk][len(path)]) for pk in dict.fromkeys([*own, *sorted(begun)])]
    imported = RatedCompletion.objects.filter(
        labelling__source_hash__isnull=False, labelling__task__solution__in=begun, step=len(path), is_human=False
    )
    return list(dict.fromkeys([*nexts, *imported.order_by("pk").values_list("text", flat=True)]))


def _shuffled(texts: Sequence[str], place: Place) -> list[str]:
    """An order that says nothing about where a text came from, the same for everybody."""
    salt = path_hash(place.path)
    return sorted(texts, key=lambda text: hashlib.sha256((salt + text).encode()).digest())


def _asked(phase: Phase, place: Place, wanted: int) -> tuple[CompletionSet, bool]:
    return CompletionSet.objects.get_or_create(
        problem=place.problem,
        purpose=place.purpose,
        path_hash=path_hash(place.path),
        generator_url=phase.generator_url,
        generator_model=phase.generator_model,
        defaults={"path": place.path, "wanted": wanted},
    )


def _may_start(asked: CompletionSet, *, now: datetime, again: bool) -> bool:
    """Not while somebody else's call is on its way; one that takes far too long died with its process."""
    if asked.status == CompletionStatus.RUNNING:
        return asked.started_at is None or asked.started_at < now - abandoned_after()
    if asked.status == CompletionStatus.QUEUED:
        return bool(asked.generator_url)  # for a local model, a worker's pulse rings again
    return asked.status == CompletionStatus.FAILED and again


def abandoned_after() -> timedelta:
    return timedelta(seconds=settings.GENERATOR_TIMEOUT_SECONDS * (generator.ASK_AT_MOST + 1))


def _start(asked: CompletionSet, now: datetime) -> CompletionSet:
    if not asked.generator_url:
        CompletionSet.objects.filter(pk=asked.pk).update(status=CompletionStatus.QUEUED)
        transaction.on_commit(lambda: ring(asked))
        asked.status = CompletionStatus.QUEUED
        return asked
    return write(asked.pk, author=_http_author, now=now)


def write(set_id: UUID, *, author: Callable[[CompletionSet], list[str]], now: datetime) -> CompletionSet:
    """Lets the author write, unless somebody else is at it. A GeneratorFailed is told on the row."""
    waiting = Q(status__in=[CompletionStatus.QUEUED, CompletionStatus.FAILED])
    abandoned = Q(status=CompletionStatus.RUNNING, started_at__lt=now - abandoned_after())
    mine = CompletionSet.objects.filter(waiting | abandoned, pk=set_id)
    if mine.update(status=CompletionStatus.RUNNING, started_at=now, error=""):
        asked = CompletionSet.objects.select_related("problem").get(pk=set_id)
        try:
            outcome = {"status": CompletionStatus.DONE, "texts": author(asked)}
        except generator.GeneratorFailed as error:
            outcome = {"status": CompletionStatus.FAILED, "error": str(error)}
        CompletionSet.objects.filter(pk=set_id).update(**outcome)
    return CompletionSet.objects.get(pk=set_id)


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


def waiting_for_a_worker(*, now: datetime) -> list[CompletionSet]:
    """Sets for a local model that nobody writes: queued, or begun by a worker that is gone."""
    abandoned = Q(status=CompletionStatus.RUNNING, started_at__lt=now - abandoned_after())
    waiting = CompletionSet.objects.filter(Q(status=CompletionStatus.QUEUED) | abandoned, generator_url="")
    return list(waiting.order_by("created_at"))


def ring(asked: CompletionSet) -> None:
    """Tells the workers. A ring that is lost is no loss: a worker's pulse rings again."""
    try:
        current_app.send_task(WRITE_TASK, args=[str(asked.pk)], retry=False)
    except OperationalError:
        logger.warning("The broker is away; %s waits for a worker's pulse.", asked)
