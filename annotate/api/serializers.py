"""What goes to and from an annotator's browser: never gold, scores, verdicts or other people's labels."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.models import Draft
from annotate.submission import Submission
from labeling.models import Assignment, FinishReason, Phase, Rating
from labeling.ratings import StepRating

MAX_STEPS = 10_000
DAY_MS = 24 * 60 * 60 * 1000


class StepRatingSerializer(serializers.Serializer[Any]):
    step = serializers.IntegerField(min_value=0, max_value=MAX_STEPS)
    rating = serializers.ChoiceField(choices=Rating.choices, allow_null=True)
    is_flagged = serializers.BooleanField(default=False)
    note = serializers.CharField(default="", allow_blank=True, max_length=5000)
    active_ms = serializers.IntegerField(default=0, min_value=0, max_value=DAY_MS)


class RatingEventSerializer(serializers.Serializer[Any]):
    """One rating as it was given, `at_ms` after the task was opened; corrections come later in the list."""

    step = serializers.IntegerField(min_value=0, max_value=MAX_STEPS)
    rating = serializers.ChoiceField(choices=Rating.choices, allow_null=True)
    at_ms = serializers.IntegerField(min_value=0)


class WorkSerializer(serializers.Serializer[Any]):
    ratings = StepRatingSerializer(many=True)
    finish_note = serializers.CharField(default="", allow_blank=True, max_length=5000)
    history = RatingEventSerializer(many=True, default=list)
    active_ms = serializers.IntegerField(default=0, min_value=0, max_value=DAY_MS)


class DraftSerializer(WorkSerializer):
    version = serializers.IntegerField(min_value=1, max_value=2**63 - 1)

    def to_representation(self, instance: Draft) -> dict[str, Any]:
        return {**instance.content, "version": instance.version}


class SubmissionSerializer(WorkSerializer):
    finish_reason = serializers.ChoiceField(choices=FinishReason.choices)

    def submission(self) -> Submission:
        data = dict(self.validated_data)
        return Submission(**data | {"ratings": [StepRating(**item) for item in data["ratings"]]})


class AssignedPhaseSerializer(serializers.ModelSerializer[Phase]):
    class Meta:
        model = Phase
        fields = ["id", "name", "kind", "instructions"]


class AssignedProblemSerializer(serializers.Serializer[Any]):
    statement = serializers.CharField()
    reference_answer = serializers.CharField(help_text="The “current guess”; it may be wrong.")
    subject = serializers.CharField()


class AssignedSolutionSerializer(serializers.Serializer[Any]):
    steps = serializers.ListField(child=serializers.CharField())


class AssignmentSerializer(serializers.ModelSerializer[Assignment]):
    phase = AssignedPhaseSerializer(source="round.phase", read_only=True)
    round_number = serializers.IntegerField(source="round.number", read_only=True)
    problem = AssignedProblemSerializer(source="task.solution.problem", read_only=True)
    solution = AssignedSolutionSerializer(source="task.solution", read_only=True)
    draft = serializers.SerializerMethodField()

    class Meta:
        model = Assignment
        fields = [
            *["id", "lease_expires_at", "submitted_at", "phase", "round_number"],
            *["problem", "solution", "draft"],
        ]

    @extend_schema_field(DraftSerializer(allow_null=True))
    def get_draft(self, assignment: Assignment) -> Any:
        draft = Draft.objects.filter(task=assignment.task_id, annotator=assignment.annotator_id).first()
        return DraftSerializer(draft).data if draft else None


class ClaimSerializer(serializers.Serializer[Any]):
    """The task, or why there is none."""

    assignment = AssignmentSerializer(allow_null=True)
    reason = serializers.ChoiceField(choices=["", "phase_not_running", "no_open_round", "nothing_left", "not_a_member"])


class LeaseSerializer(serializers.Serializer[Any]):
    lease_expires_at = serializers.DateTimeField(allow_null=True)


class SubmittedSerializer(serializers.Serializer[Any]):
    labelling_id = serializers.UUIDField()
    next = ClaimSerializer()
