"""Asks the model that SPLITTER_MODEL names where the steps of texts begin, and keeps its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from itertools import islice
from time import sleep

from django.conf import settings

from labeling.completions import generator
from labeling.completions.generator import GeneratorFailed, QuestionRefused
from labeling.data.formats.cutter import text_hash
from labeling.errors import DomainError
from labeling.models import StepAnswer
from labeling.rules.texts import by_model
from labeling.rules.texts.cutting import VERSION, Cutting, Told, cut_into_parts

AT_ONCE = 64  # texts, whose answers are kept together
LOOK_EVERY_SECONDS = 0.5
PAUSES_SECONDS = (2, 8)  # before an endpoint that has failed is called again
LONGEST_ANSWER = 2000  # characters of a useless answer that are sent back
TOKENS, TOKENS_A_PART = 2048, 8  # a model may think before it answers
KEPT = timedelta(days=30)


class NoSplitter(DomainError, code="no_splitter"):
    """No model is set up."""


def model() -> str:
    """The name of the model that splits texts; empty if none is set up."""
    return settings.SPLITTER_MODEL if settings.SPLITTER_URL else ""


def check_model() -> None:
    """Raises NoSplitter unless a model is set up."""
    if not model():
        raise NoSplitter("No model is set up to split texts: the settings SPLITTER_URL and SPLITTER_MODEL name one.")


def recall(how: Cutting, texts: Iterable[str]) -> Told:
    """Returns the model's stored answers on those of the texts that it was asked about."""
    by_key = {_key(how, text): text_hash(text) for text in texts}
    rows = StepAnswer.objects.filter(pk__in=by_key).values_list("pk", "numbers")
    return {by_key[key]: numbers for key, numbers in rows}


def ask(how: Cutting, texts: Iterable[str], waiting: Callable[[], None]) -> Told:
    """Returns the model's answers on all these texts; it is asked about each only once. While it answers, `waiting` is
    called twice a second; what that raises ends the asking.

    Raises NoSplitter, and GeneratorFailed if the endpoint fails three times in a row on one text. Earlier answers are
    kept.
    """
    told = dict[str, Sequence[int] | None]()
    coming = iter(texts)
    while batch := list(islice(coming, AT_ONCE)):
        new = {text_hash(text): text for text in batch}
        told |= recall(how, [text for name, text in new.items() if name not in told])
        if fresh := [text for name, text in new.items() if name not in told]:
            check_model()
            _ask(how, fresh, waiting)
            told |= recall(how, fresh)  # of two that ask at the same time, the first one's answer counts
    return told


def forget_old(*, now: datetime) -> None:
    StepAnswer.objects.filter(created_at__lt=now - KEPT).delete()


def _key(how: Cutting, text: str) -> str:
    return text_hash(f"{VERSION}\n{how.model}\n{text}")


def _ask(how: Cutting, texts: Iterable[str], waiting: Callable[[], None]) -> None:
    """Asks about each text, and keeps the answers: None for a text that is refused.

    Raises GeneratorFailed if a call failed, once the other answers are kept, or if several texts were all refused.
    """
    threads = ThreadPoolExecutor(settings.GENERATION_CALLS_AT_ONCE)
    try:
        calls = {text: threads.submit(_numbers, how.model, text) for text in texts}
        waiting()
        while not _is_over(calls.values()):
            waiting()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
    answers = {text: call.result() for text, call in calls.items() if _is_answered(call)}
    refusals = [answer for answer in answers.values() if isinstance(answer, QuestionRefused)]
    if 1 < len(calls) == len(refusals):  # the texts themselves can't be the cause
        said = f" It says: {refusals[0].words}" if refusals[0].words else ""
        raise GeneratorFailed(f"All {len(calls)} texts were refused. {refusals[0]}{said}")
    rows = [
        StepAnswer(key=_key(how, text), numbers=None if isinstance(answer, QuestionRefused) else answer)
        for text, answer in answers.items()
    ]
    StepAnswer.objects.bulk_create(rows, ignore_conflicts=True)
    for call in calls.values():
        if call.done() and not call.cancelled():
            call.result()


def _is_over(calls: Iterable[Future[list[int] | QuestionRefused | None]]) -> bool:
    """Waits for a moment. True once all are answered, or one has failed."""
    done, not_done = wait(calls, LOOK_EVERY_SECONDS, FIRST_EXCEPTION)
    return not not_done or any(call.exception() for call in done)


def _is_answered(call: Future[list[int] | QuestionRefused | None]) -> bool:
    return call.done() and not call.cancelled() and call.exception() is None


def _numbers(name: str, text: str) -> list[int] | QuestionRefused | None:
    """The numbers of the parts that begin a step; None if two answers were no use; or the model's refusal."""
    parts = [generator.storable(text[start:end]) for start, end in cut_into_parts(text)]
    if len(parts) < 2:
        return [1] if parts else None
    messages = [{"role": "user", "content": by_model.question(parts)}]
    try:
        answer = _answer(name, messages, len(parts))
        numbers = by_model.read_answer(answer, len(parts))
        if numbers is None:
            again = by_model.AGAIN.format(last=len(parts))
            messages += [{"role": "assistant", "content": answer[:LONGEST_ANSWER]}, {"role": "user", "content": again}]
            numbers = by_model.read_answer(_answer(name, messages, len(parts)), len(parts))
    except QuestionRefused as refused:  # such as a text that is longer than the model can read
        return refused
    return numbers


def _answer(name: str, messages: Sequence[Mapping[str, str]], parts: int) -> str:
    def call() -> str:
        most = TOKENS + TOKENS_A_PART * parts
        return generator.ask_chat(url=settings.SPLITTER_URL, model=name, messages=messages, max_tokens=most)

    for pause in PAUSES_SECONDS:
        try:
            return call()
        except QuestionRefused:
            raise
        except generator.GeneratorFailed:
            sleep(pause)
    return call()
