"""Reports: an annotator says that a reference answer, gold or the cuts of steps look wrong, or asks a question.

adjudication.py resolves them; questions are answered here, each for its author alone.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack
from uuid import UUID

from django.db import transaction

from labeling import audit
from labeling.campaign import screening
from labeling.errors import DomainError
from labeling.models import Labelling, PhaseKind, Report, ReportKind, Task, User
from labeling.rules.audited import AuditAct
from labeling.rules.texts import by_hand
from labeling.rules.texts.by_hand import NoSuchStep


class AlreadyResolved(DomainError, code="already_resolved", status=409):
    """The report is resolved already."""


class NothingToDispute(DomainError, code="nothing_to_dispute", status=409):
    """Only a screening task that was submitted can be disputed."""


class NothingAsked(DomainError, code="nothing_asked"):
    """The question is empty."""


class Cut(TypedDict, total=False):
    """A step, counted from 0, and the character before which it should be cut; without it, it is one with the next."""

    step: int
    place: int


def file(
    *, task: Task, annotator: User, note: str, kind: str = ReportKind.REFERENCE_ANSWER, **cut: Unpack[Cut]
) -> Report:
    """Files a report to the admins. A second one changes the first; a question that follows an answer is a new one. In
    a report on steps, `cut` says how they should be.

    Raises AlreadyResolved once an admin has resolved it, NothingToDispute if the annotator was not shown gold,
    NothingAsked for a question without words, NoSuchStep.
    """
    said: dict[str, Any] = {"note": note}
    if kind == ReportKind.STEPS:
        said |= _cut(task, cut.get("step"), cut.get("place"))
    own = Labelling.objects.filter(task=task, annotator=annotator, task__round__number=screening.SCREENING)
    if kind == ReportKind.GOLD and not own.exists():
        raise NothingToDispute("Experts' labels can be disputed on a screening task that you have submitted.")
    key: dict[str, Any] = {"task": task, "annotator": annotator, "kind": kind}
    if kind == ReportKind.QUESTION:
        key["resolved_at"] = None
        if not note.strip():
            raise NothingAsked("Write your question.")
    report, is_new = Report.objects.get_or_create(**key, defaults=said)
    if not is_new and not Report.objects.filter(pk=report.pk, resolved_at=None).update(**said):
        raise AlreadyResolved("An admin has already resolved this report.")
    report.refresh_from_db()
    return report


def _cut(task: Task, step: int | None, place: int | None) -> dict[str, Any]:
    """Returns the columns of a report on steps. Raises NoSuchStep unless the solution that is shown has such a step."""
    steps = task.solution.steps if task.round.phase.kind == PhaseKind.SOLUTIONS else []
    if step is None or step >= len(steps):
        raise NoSuchStep("Say which step is cut wrongly.")
    if place is None:
        by_hand.merge([(0, 0)] * len(steps), step)
    else:
        by_hand.cut(steps[step], [(0, len(steps[step]))], 0, place)
    return {"step": step, "place": place}


@transaction.atomic
def answer(*, question: Report, text: str, now: datetime, by: User) -> None:
    """Answers the question; only its author reads the text, nobody else who asked. Raises AlreadyResolved."""
    resolved = {"resolved_at": now, "resolved_by": by, "resolution": text}
    if not Report.objects.filter(pk=question.pk, resolved_at=None).update(**resolved):
        raise AlreadyResolved("This question is closed already: somebody was faster.")
    audit.record(by=by, act=AuditAct.ANSWER, on=question, after={"resolution": text})


def mark_read(*, annotator: User, questions: Sequence[UUID], now: datetime) -> None:
    """Marks the answers to these of the annotator's questions as read."""
    Report.objects.unread().filter(annotator=annotator, pk__in=questions).update(read_at=now)
