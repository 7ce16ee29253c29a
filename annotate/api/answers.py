"""Rows as the messages sent to an annotator's browser."""

from typing import Any

import msgspec

from annotate.api.messages import (
    AssignmentMessage,
    FeedbackMessage,
    PhaseMessage,
    ProblemMessage,
    ScreeningMessage,
    SolutionMessage,
)
from labeling.campaign.screening import Feedback
from labeling.models import Assignment, AssignmentKind, PhaseKind


def draft(content: dict[str, Any], version: int) -> dict[str, Any]:
    return {"critiques": [], "solution_progress": "", **content, "version": version}


def feedback(compared: Feedback) -> FeedbackMessage:
    return msgspec.convert(compared, FeedbackMessage, from_attributes=True)


def screening(compared: Feedback) -> ScreeningMessage:
    return msgspec.convert(compared.standing, ScreeningMessage, from_attributes=True)


def assignment(taken: Any, labelling: Any = None) -> AssignmentMessage:
    """With its annotator's work so far, as `queries.CONTENT_OF` reads it, or with what they submitted."""
    held: Assignment = taken
    round_, solution = held.round, held.shown_task.solution
    phase, problem = round_.phase, solution.problem
    return AssignmentMessage(
        id=held.pk,
        lease_expires_at=held.lease_expires_at,
        submitted_at=held.submitted_at,
        phase=msgspec.convert(phase, PhaseMessage, from_attributes=True),
        round_number=round_.number,
        is_screening=held.kind == AssignmentKind.SCREENING,
        problem=ProblemMessage(
            statement=problem.statement,
            reference_answer=problem.reference_answer if phase.shows_reference_answer else "",
            subject=problem.subject,
        ),
        solution=SolutionMessage([] if phase.kind == PhaseKind.ALTERNATIVES else solution.steps),
        draft=draft(taken.draft_content, taken.draft_version) if taken.draft_version else None,
        labelling=labelling,
        report=taken.note,
        has_answer=taken.has_answer,
    )
