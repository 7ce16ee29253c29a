"""What goes to and from an annotator's browser with every task: checked and written by msgspec.

Never gold, scores, verdicts or other people's labels.
"""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct, field, structs

from annotate.progress import OwnProgress
from annotate.submission import Submission
from labeling.models import AHEAD
from labeling.rules.ratings import CritiqueRating, Judgement, StepRating

MAX_TEXT = 20_000
MAX_EVENTS = 10_000
DAY_MS = 24 * 60 * 60 * 1000

StepNumber = Annotated[int, Meta(ge=0, le=10_000)]
CompletionNumber = Annotated[int, Meta(ge=0, le=100)]
Note = Annotated[str, Meta(max_length=5000)]
Milliseconds = Annotated[int, Meta(ge=0, le=DAY_MS)]
Moment = Annotated[int, Meta(ge=0, le=2**53)]  # what every client can count to; put right when the labelling is stored
Rated = Literal[-1, 0, 1] | None
HowFar = Literal["", "none", "some", "most", "almost"]
Reason = Literal["found_error", "solution", "bad_problem", "give_up"]
NoTask = Literal["", "phase_not_running", "no_open_round", "nothing_left", "not_a_member", "screening_failed", "paused"]


class RatingMessage(Struct, forbid_unknown_fields=True):
    """The rating of one completion of a step. `text` only where it isn't the solution's own step (completion 0)."""

    step: StepNumber
    rating: Rated
    completion: CompletionNumber = 0
    text: Annotated[str, Meta(max_length=MAX_TEXT)] = ""
    is_flagged: bool = False
    is_chosen: bool = True
    is_human: bool = False
    note: Note = ""
    active_ms: Milliseconds = 0


class CritiqueMessage(Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
    rating: Rated = None
    is_human: bool = False


class EventMessage(Struct, forbid_unknown_fields=True):
    """One rating as it was given, `at_ms` after the task was opened; corrections come later in the list."""

    step: StepNumber
    rating: Rated
    at_ms: Moment
    completion: CompletionNumber = 0


class WorkMessage(Struct, kw_only=True, forbid_unknown_fields=True):
    ratings: list[RatingMessage]
    critiques: list[CritiqueMessage] = field(default_factory=list)
    solution_progress: HowFar = ""
    finish_note: Note = ""
    history: Annotated[list[EventMessage], Meta(max_length=MAX_EVENTS)] = field(default_factory=list)
    active_ms: Milliseconds = 0


class DraftMessage(WorkMessage, kw_only=True, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=1, le=2**63 - 1)]


class SubmissionMessage(WorkMessage, kw_only=True, forbid_unknown_fields=True):
    finish_reason: Reason
    guidelines_version: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    revises: UUID | None = None
    ahead: bool = False

    def submission(self) -> Submission:
        judgement = Judgement(
            ratings=[StepRating(**structs.asdict(each)) for each in self.ratings],
            critiques=[CritiqueRating(**structs.asdict(each)) for each in self.critiques],
            finish_reason=self.finish_reason,
            finish_note=self.finish_note,
            solution_progress=self.solution_progress,
        )
        history = msgspec.to_builtins(self.history)
        return Submission(judgement, self.active_ms, history, self.guidelines_version, self.revises)


class ClaimRequest(Struct, forbid_unknown_fields=True):
    ahead: Annotated[int, Meta(ge=0, le=AHEAD)] = 0


class PhaseMessage(Struct):
    id: UUID
    name: str
    kind: str
    guidelines_version: int
    later_steps: str
    asks_alternatives: bool
    asks_critiques: bool
    asks_progress: bool
    asks_why_unsure: bool


class ProblemMessage(Struct):
    statement: str
    reference_answer: str
    subject: str


class SolutionMessage(Struct):
    steps: list[str]


class AssignmentMessage(Struct):
    id: UUID
    lease_expires_at: datetime | None
    submitted_at: datetime | None
    phase: PhaseMessage
    round_number: int
    is_screening: bool
    problem: ProblemMessage
    solution: SolutionMessage
    draft: Any
    labelling: Any
    report: str | None
    has_answer: bool


class ClaimMessage(Struct):
    assignment: AssignmentMessage | None
    reason: NoTask = ""


class FeedbackMessage(Struct):
    """After a screening task, where the phase gives feedback: your ratings beside the experts'."""

    gold: list[int]
    given: list[int | None]
    agreement: float
    rationale: str


class ScreeningMessage(Struct):
    done: int
    total: int
    agreement: float | None
    pass_mark: float
    state: Literal["pending", "passed", "failed"]


class SubmittedMessage(Struct):
    labelling_id: UUID
    checks: list[str]
    screening: ScreeningMessage | None
    feedback: FeedbackMessage | None
    next: ClaimMessage
    ahead: list[AssignmentMessage] | None
    progress: OwnProgress


class LeaseMessage(Struct):
    lease_expires_at: datetime | None
