"""Messages to and from an annotator's browser with every task: checked, written and described by msgspec.

Never gold, scores, verdicts or other people's labels.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct, field, structs

from annotate.allocation import NoTask
from annotate.progress import OwnProgress
from annotate.submission import Submission
from labeling.api.traces import PartMessage, TurnMessage
from labeling.campaign.screening import Feedback, Standing
from labeling.models import AHEAD
from labeling.rules.profiles import Profile
from labeling.rules.ratings import CritiqueRating, Judgement, StepRating
from labeling.rules.words import Check, FinishReason, LaterSteps, Markup, PhaseKind

MAX_TEXT = 20_000
MAX_EVENTS = 10_000
DAY_MS = 24 * 60 * 60 * 1000

StepNumber = Annotated[int, Meta(ge=0, le=10_000)]
CompletionNumber = Annotated[int, Meta(ge=0, le=100)]
TextPlace = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Note = Annotated[str, Meta(max_length=5000)]
Milliseconds = Annotated[int, Meta(ge=0, le=DAY_MS)]
Moment = Annotated[int, Meta(ge=0, le=2**53)]  # every client can represent it; corrected when the labelling is stored
Rated = Literal[-1, 0, 1] | None
HowFar = Literal["", "none", "some", "most", "almost"]
Result = Literal["", "right", "wrong", "unsure"]


class StepRatingMessage(Struct, forbid_unknown_fields=True):
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
    error_kind: Annotated[str, Meta(max_length=1, description="Its key in the phase's list.")] = ""
    error_start: Annotated[TextPlace | None, Meta(description="Where its words begin, in characters.")] = None
    error_end: Annotated[TextPlace | None, Meta(description="Where they end.")] = None
    root_cause: Annotated[StepNumber | None, Meta(description="The earlier step that is to blame.")] = None


class CritiqueMessage(Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
    rating: Rated = None
    is_human: bool = False


class RatingEventMessage(Struct, forbid_unknown_fields=True):
    """One rating as it was given, `at_ms` after the task was opened; corrections come later in the list."""

    step: StepNumber
    rating: Rated
    at_ms: Moment
    completion: CompletionNumber = 0


class WorkMessage(Struct, kw_only=True, forbid_unknown_fields=True):
    ratings: list[StepRatingMessage]
    critiques: list[CritiqueMessage] = field(default_factory=list)
    solution_progress: HowFar = ""
    result: Result = ""
    finish_note: Note = ""
    history: Annotated[list[RatingEventMessage], Meta(max_length=MAX_EVENTS)] = field(default_factory=list)
    active_ms: Milliseconds = 0


class DraftMessage(WorkMessage, kw_only=True, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=1, le=2**63 - 1)]


class SubmissionMessage(WorkMessage, kw_only=True, forbid_unknown_fields=True):
    finish_reason: FinishReason
    guidelines_version: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    revises: Annotated[UUID | None, Meta(description="The annotator's own labelling that this one replaces.")] = None
    ahead: Annotated[bool, Meta(description="Also fetch the two tasks after the next one.")] = False

    def submission(self) -> Submission:
        judgement = Judgement(
            ratings=[StepRating(**structs.asdict(each)) for each in self.ratings],
            critiques=[CritiqueRating(**structs.asdict(each)) for each in self.critiques],
            finish_reason=self.finish_reason.value,
            finish_note=self.finish_note,
            solution_progress=self.solution_progress,
            result=self.result,
        )
        history = msgspec.to_builtins(self.history)
        return Submission(judgement, self.active_ms, history, self.guidelines_version, self.revises)


class OwnLabellingMessage(Struct):
    """The submission, in a form that may be sent again as a revision."""

    id: UUID
    ratings: list[StepRatingMessage]
    critiques: list[CritiqueMessage]
    history: list[RatingEventMessage]
    solution_progress: HowFar
    result: Result
    finish_reason: FinishReason
    finish_note: str
    active_ms: int | None


class ClaimRequest(Struct, forbid_unknown_fields=True):
    ahead: Annotated[int, Meta(ge=0, le=AHEAD, description="The first or second task after the one in hand.")] = 0


class MeaningsMessage(Struct):
    great: str
    okay: str
    bad: str


class KindOfErrorMessage(Struct):
    key: str
    name: str
    parent: str = ""
    help: str = ""


class AssignedPhaseMessage(Struct):
    id: UUID
    name: str
    kind: PhaseKind
    profile: Profile
    instruction: Annotated[str, Meta(description="What to judge the steps by.")]
    meanings: Annotated[MeaningsMessage, Meta(description="What the ratings mean.")]
    guidelines_version: int
    rates_all_steps: Annotated[bool, Meta(description="A Bad step doesn't end the labelling.")]
    carries_errors: Annotated[bool, Meta(description="What builds on a mistake is Bad, too.")]
    finishes_by_hand: Annotated[bool, Meta(description="The annotator says when a trajectory is finished.")]
    later_steps: LaterSteps
    asks_alternatives: bool
    asks_critiques: bool
    asks_progress: bool
    asks_why_unsure: bool
    error_kinds: Annotated[list[KindOfErrorMessage], Meta(description="Asked for after Bad; empty: not asked.")]
    asks_error_words: bool
    asks_root_cause: bool
    asks_result: Annotated[bool, Meta(description="At the end, whether the final result is right.")]


class AssignedProblemMessage(Struct, omit_defaults=True):
    statement: str
    markup: Markup
    reference_answer: Annotated[str, Meta(description="The “current guess”; it may be wrong. Empty if not shown.")]
    subject: str
    conversation: Annotated[
        list[PartMessage] | None, Meta(description="Of a trace: what was said before its first step.")
    ] = None


class AssignedSolutionMessage(Struct, omit_defaults=True):
    steps: Annotated[list[str], Meta(description="Empty in phase kind `alternatives`.")]
    markup: Annotated[Markup, Meta(description="Of the steps, and of whatever is offered for one.")]
    turns: Annotated[list[TurnMessage] | None, Meta(description="Of a trace: the parts of each step.")] = None


class AssignmentMessage(Struct):
    id: UUID
    lease_expires_at: datetime | None
    submitted_at: datetime | None
    phase: AssignedPhaseMessage
    round_number: int
    is_screening: bool
    problem: AssignedProblemMessage
    solution: AssignedSolutionMessage
    draft: DraftMessage | None
    labelling: OwnLabellingMessage | None
    report: Annotated[str | None, Meta(description="The note of your own report on the reference answer, if any.")]
    has_answer: Annotated[bool, Meta(description="Whether a question of yours about the task was answered.")]


class ClaimMessage(Struct):
    """The task, or why there is none."""

    assignment: AssignmentMessage | None
    reason: Literal[NoTask, ""] = ""


class SubmittedMessage(Struct):
    labelling_id: UUID
    checks: Annotated[list[Check], Meta(description="Soft checks that suggest a second look.")]
    screening: Standing | None
    feedback: Feedback | None
    next: ClaimMessage
    ahead: Annotated[
        list[AssignmentMessage] | None, Meta(description="Up to two tasks after that; never in screening.")
    ]
    progress: OwnProgress


class LeaseMessage(Struct):
    lease_expires_at: datetime | None
