"""Makes messages to an annotator's browser from rows."""

from typing import Any, cast

import msgspec

from annotate.api.messages import (
    AssignedPhaseMessage,
    AssignedProblemMessage,
    AssignedSolutionMessage,
    AssignmentMessage,
    CritiqueMessage,
    MeaningsMessage,
    OwnLabellingMessage,
    RatingEventMessage,
    StepRatingMessage,
)
from labeling.api.traces import shown_parts, shown_turns
from labeling.models import Assignment, AssignmentKind, Labelling, Markup, Phase, PhaseKind


def draft(content: dict[str, Any], version: int) -> dict[str, Any]:
    return {"critiques": [], "solution_progress": "", "result": "", **content, "version": version}


def own_labelling(submitted: Any) -> OwnLabellingMessage:
    return OwnLabellingMessage(
        id=submitted.pk,
        ratings=[
            msgspec.convert(each, StepRatingMessage, from_attributes=True) for each in submitted.completions.all()
        ],
        critiques=[msgspec.convert(each, CritiqueMessage, from_attributes=True) for each in submitted.critiques.all()],
        history=msgspec.convert(submitted.history, list[RatingEventMessage]),
        solution_progress=submitted.solution_progress,
        result=submitted.result,
        finish_reason=submitted.finish_reason,
        finish_note=submitted.finish_note,
        active_ms=submitted.active_ms,
    )


def assigned_phase(phase: Phase) -> AssignedPhaseMessage:
    columns = {name: getattr(phase, name) for name in AssignedPhaseMessage.__struct_fields__}
    own = {"instruction": phase.shown_instruction, "meanings": MeaningsMessage(*phase.shown_meanings)}
    return msgspec.convert(columns | own, AssignedPhaseMessage)


def assignment(taken: Any, submitted: Labelling | None = None) -> AssignmentMessage:
    """Returns the message about an assignment, with its annotator's work so far, as `allocation.with_content` reads it,
    or with the submission.
    """
    held: Assignment = taken
    round_, solution = held.round, held.task.solution
    phase, problem = round_.phase, solution.problem
    return AssignmentMessage(
        id=held.pk,
        lease_expires_at=held.lease_expires_at,
        submitted_at=held.submitted_at,
        phase=assigned_phase(phase),
        round_number=round_.number,
        is_screening=held.kind == AssignmentKind.SCREENING,
        problem=AssignedProblemMessage(
            statement=problem.statement,
            markup=cast(Markup, problem.markup),
            reference_answer=problem.reference_answer if phase.shows_reference_answer else "",
            subject=problem.subject,
            conversation=shown_parts(problem.conversation),
        ),
        solution=AssignedSolutionMessage(
            [] if phase.kind == PhaseKind.ALTERNATIVES else solution.steps,
            cast(Markup, solution.markup),
            None if phase.kind == PhaseKind.ALTERNATIVES else shown_turns(solution.turns),
        ),
        draft=cast(Any, draft(taken.draft.content, taken.draft.version)) if taken.draft else None,
        labelling=own_labelling(submitted) if submitted else None,
        report=taken.report and taken.report.note,
        has_answer=taken.has_answer,
    )
