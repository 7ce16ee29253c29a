"""What goes to and from an annotator's browser: never gold, scores, verdicts or other people's labels."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.api.messages import DAY_MS, MAX_TEXT, PhaseMessage
from labeling.api.fields import RowSerializer
from labeling.models import (
    AHEAD,
    Assignment,
    CompletionPurpose,
    FinishReason,
    Labelling,
    Phase,
    Rating,
    ReportKind,
    SolutionProgress,
)
from labeling.rules.answers import extract_answer
from labeling.rules.checks import CODES

MAX_STEPS = 10_000
MAX_PATH = 200
MAX_MS = 2**53  # what every client can count to; a wrong clock is put right when the labelling is stored


class StepRatingSerializer(serializers.Serializer[Any]):
    """The rating of one completion of a step. `text` only where it isn't the solution's own step (completion 0)."""

    step = serializers.IntegerField(min_value=0, max_value=MAX_STEPS)
    completion = serializers.IntegerField(default=0, min_value=0, max_value=100)
    text = serializers.CharField(default="", allow_blank=True, max_length=MAX_TEXT, trim_whitespace=False)
    rating = serializers.ChoiceField(choices=Rating.choices, allow_null=True)
    is_flagged = serializers.BooleanField(default=False)
    is_chosen = serializers.BooleanField(default=True)
    is_human = serializers.BooleanField(default=False)
    note = serializers.CharField(default="", allow_blank=True, max_length=5000)
    active_ms = serializers.IntegerField(default=0, min_value=0, max_value=DAY_MS)


class CritiqueSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False)
    rating = serializers.ChoiceField(choices=Rating.choices, allow_null=True, default=None)
    is_human = serializers.BooleanField(default=False)


class RatingEventSerializer(serializers.Serializer[Any]):
    """One rating as it was given, `at_ms` after the task was opened; corrections come later in the list."""

    step = serializers.IntegerField(min_value=0, max_value=MAX_STEPS)
    completion = serializers.IntegerField(default=0, min_value=0, max_value=100)
    rating = serializers.ChoiceField(choices=Rating.choices, allow_null=True)
    at_ms = serializers.IntegerField(min_value=0, max_value=MAX_MS)


class WorkSerializer(serializers.Serializer[Any]):
    ratings = StepRatingSerializer(many=True)
    critiques = CritiqueSerializer(many=True, default=list)
    solution_progress = serializers.ChoiceField(choices=SolutionProgress.choices, allow_blank=True, default="")
    finish_note = serializers.CharField(default="", allow_blank=True, max_length=5000)
    history = RatingEventSerializer(many=True, default=list)
    active_ms = serializers.IntegerField(default=0, min_value=0, max_value=DAY_MS)


class DraftSerializer(WorkSerializer):
    version = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class SubmissionSerializer(WorkSerializer):
    ahead = serializers.BooleanField(required=False, help_text="Also fetch the two tasks after the next one.")
    finish_reason = serializers.ChoiceField(choices=FinishReason.choices)
    guidelines_version = serializers.IntegerField(default=None, allow_null=True, min_value=1, max_value=2**31 - 1)
    revises = serializers.UUIDField(
        default=None, allow_null=True, help_text="The annotator's own labelling that this one replaces."
    )


class OwnLabellingSerializer(RowSerializer[Labelling]):
    """What was submitted, in a form that may be sent again as a revision."""

    ratings = StepRatingSerializer(many=True, source="completions", read_only=True)
    critiques = CritiqueSerializer(many=True, read_only=True)
    history = RatingEventSerializer(many=True, read_only=True)

    class Meta:
        model = Labelling
        fields = ["id", "solution_progress", "finish_reason", "finish_note", "active_ms"]


class AssignedPhaseSerializer(RowSerializer[Phase]):
    class Meta:
        model = Phase
        fields = [*PhaseMessage.__struct_fields__]


class AssignedProblemSerializer(serializers.Serializer[Any]):
    statement = serializers.CharField()
    reference_answer = serializers.CharField(help_text="The “current guess”; it may be wrong. Empty if not shown.")
    subject = serializers.CharField()


class AssignedSolutionSerializer(serializers.Serializer[Any]):
    steps = serializers.ListField(child=serializers.CharField(), help_text="Empty in phase kind `alternatives`.")


class AssignmentSerializer(RowSerializer[Assignment]):
    phase = AssignedPhaseSerializer(read_only=True)
    round_number = serializers.IntegerField(read_only=True)
    is_screening = serializers.BooleanField(read_only=True)
    problem = AssignedProblemSerializer(read_only=True)
    solution = AssignedSolutionSerializer(read_only=True)
    draft = DraftSerializer(read_only=True, allow_null=True)
    labelling = OwnLabellingSerializer(read_only=True, allow_null=True)
    report = serializers.CharField(
        read_only=True,
        allow_null=True,
        help_text="The note of the annotator's own report on the reference answer, if any.",
    )
    has_answer = serializers.BooleanField(
        read_only=True, help_text="Whether a question of the annotator's about the task was answered."
    )

    class Meta:
        model = Assignment
        fields = ["id", "lease_expires_at", "submitted_at"]


class ClaimRequestSerializer(serializers.Serializer[Any]):
    ahead = serializers.IntegerField(
        default=0, min_value=0, max_value=AHEAD, help_text="The first or second task after the one in hand."
    )


class ClaimSerializer(serializers.Serializer[Any]):
    """The task, or why there is none."""

    assignment = AssignmentSerializer(allow_null=True)
    reason = serializers.ChoiceField(
        choices=["", "phase_not_running", "no_open_round", "nothing_left", "not_a_member", "screening_failed", "paused"]
    )


class LeaseSerializer(serializers.Serializer[Any]):
    lease_expires_at = serializers.DateTimeField(allow_null=True)


class FeedbackSerializer(serializers.Serializer[Any]):
    """After a screening task, if the phase gives feedback: your ratings beside the experts'."""

    gold = serializers.ListField(child=serializers.IntegerField())
    given = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    agreement = serializers.FloatField()
    rationale = serializers.CharField()


class ScreeningSerializer(serializers.Serializer[Any]):
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    agreement = serializers.FloatField(
        allow_null=True, help_text="So far; without feedback, only once all tasks are done."
    )
    pass_mark = serializers.FloatField()
    state = serializers.ChoiceField(choices=["pending", "passed", "failed"])


class OwnProgressSerializer(serializers.Serializer[Any]):
    today = serializers.IntegerField()
    this_round = serializers.IntegerField()
    total = serializers.IntegerField()
    round_number = serializers.IntegerField(allow_null=True)
    round_done = serializers.IntegerField()
    round_wanted = serializers.IntegerField()
    median_ms = serializers.IntegerField(allow_null=True)
    quality = serializers.FloatField(allow_null=True)
    answers = serializers.IntegerField(help_text="To questions, not read yet.")


class SubmittedSerializer(serializers.Serializer[Any]):
    labelling_id = serializers.UUIDField()
    checks = serializers.ListField(child=serializers.CharField(), help_text="Soft checks that suggest a second look.")
    screening = ScreeningSerializer(allow_null=True)
    feedback = FeedbackSerializer(allow_null=True)
    next = ClaimSerializer()
    ahead = AssignmentSerializer(
        many=True, allow_null=True, help_text="At most two tasks after that, if requested; never in screening."
    )
    progress = OwnProgressSerializer()


class RecentSerializer(RowSerializer[Labelling]):
    """One of the annotator's own last submissions, for a list to reopen one from."""

    statement = serializers.SerializerMethodField()
    ratings = serializers.SerializerMethodField()
    checks = serializers.SerializerMethodField()
    has_answer = serializers.BooleanField(read_only=True, help_text="To a question about it.")

    class Meta:
        model = Labelling
        fields = ["id", "assignment", "submitted_at", "finish_reason", "active_ms"]

    def get_checks(self, labelling: Labelling) -> list[str]:
        """Without those of earlier versions, which gave verdicts away."""
        return [code for code in labelling.checks if code in CODES]

    def get_statement(self, labelling: Labelling) -> str:
        return labelling.task.solution.problem.statement[:300]

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(allow_null=True)))
    def get_ratings(self, labelling: Labelling) -> list[int | None]:
        return [item.rating for item in labelling.completions.all() if item.is_chosen]


class OfferRequestSerializer(serializers.Serializer[Any]):
    purpose = serializers.ChoiceField(choices=CompletionPurpose.choices, default=CompletionPurpose.STEP)
    path = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False), max_length=MAX_PATH
    )
    again = serializers.BooleanField(default=False, help_text="Retry a generator that failed.")


class OfferedSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(source="*")
    states_answer = serializers.SerializerMethodField(
        help_text="It states a final answer, so the trajectory may end with it."
    )

    def get_states_answer(self, text: str) -> bool:
        return bool(extract_answer(text))


class OfferSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=["ready", "pending", "failed"])
    completions = OfferedSerializer(source="texts", many=True)
    detail = serializers.CharField()


class ReportRequestSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        choices=ReportKind.choices,
        required=False,
        help_text="Normally the reference answer; experts' labels may be disputed once a screening task is submitted; "
        "a question needs a note.",
    )
    note = serializers.CharField(default="", allow_blank=True, max_length=5000)
