"""The pool, for staff: its solutions, and one with everything known about it."""

from typing import Any
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, Q
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.fields import RowSerializer, markup_field
from labeling.api.filters import Flag
from labeling.api.permissions import IsStaff, signed_in
from labeling.api.requests import checked, visible
from labeling.api.traces import ConversationField, TurnsField
from labeling.models import Gold, Labelling, Phase, RoundStatus, Solution, Split, Task, Verdict
from labeling.review.api.labellings import RatedCompletionSerializer
from labeling.rules.words import StepRule
from prm_training.models import RewardModel, SelectionItem
from prm_training.pool import browsing


class LookSerializer(serializers.Serializer[Any]):
    """Filters of the pool; `search` finds words in the statement, the answer, the external id, or the row's own id."""

    search = serializers.CharField(required=False, max_length=200)
    source = serializers.CharField(required=False, max_length=100)  # type: ignore[assignment]
    generator = serializers.CharField(required=False, max_length=100)
    verdict = serializers.ChoiceField(choices=Verdict.choices, required=False)
    split = serializers.ChoiceField(choices=Split.choices, required=False)
    labelled = Flag(required=False)
    phase = serializers.PrimaryKeyRelatedField(
        queryset=Phase.objects.all(), required=False, help_text="Published in a round of this phase."
    )
    origin = serializers.UUIDField(required=False, help_text="The import or generation that added it.")
    model = serializers.PrimaryKeyRelatedField(
        queryset=RewardModel.objects.all(), required=False, help_text="Show and sort by this model's scores."
    )
    min_score = serializers.FloatField(required=False, min_value=0, max_value=1)
    max_score = serializers.FloatField(required=False, min_value=0, max_value=1)
    sort = serializers.ChoiceField(choices=[browsing.NEWEST, browsing.HIGHEST], required=False)
    cursor = serializers.CharField(required=False, max_length=100, help_text="Where the last page ended.")

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        by_score = {"min_score", "max_score"} & set(asked) or asked.get("sort") == browsing.HIGHEST
        if by_score and "model" not in asked:
            raise ValidationError({"model": "Name a model to sort or filter by score."})
        return asked


class PoolSolutionSerializer(RowSerializer[Solution]):
    """`score` is P(right) under the requested model; `labellings` are the current ones."""

    statement = serializers.CharField(source="problem.statement")
    statement_markup = markup_field("problem.markup")
    reference_answer = serializers.CharField(source="problem.reference_answer")
    split = serializers.ChoiceField(choices=Split.choices, source="problem.split")
    score = serializers.SerializerMethodField()
    labellings = serializers.SerializerMethodField()
    draws = serializers.SerializerMethodField()

    class Meta:
        model = Solution
        fields = ["id", "answer", "verdict", "generator", "source", "external_id", "created_at"]

    def get_draws(self, solution: Solution) -> int:
        """Returns the number of draws by all generators."""
        return sum(row["draws"] for row in self.context["draws"][solution.pk])

    def get_score(self, solution: Solution) -> float | None:
        score: float | None = self.context["scores"].get(solution.pk)
        return score

    def get_labellings(self, solution: Solution) -> int:
        return int(self.context["labellings"].get(solution.pk, 0))


class PoolPageSerializer(serializers.Serializer[Any]):
    """`next` is the cursor of the next page: empty at the pool's end. `looked_at`: how many at most were read."""

    results = PoolSolutionSerializer(many=True)
    next = serializers.CharField()
    looked_at = serializers.IntegerField()


class PoolSolutionsView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(operation_id="pool_solutions_list", parameters=[LookSerializer], responses=PoolPageSerializer)
    def get(self, request: Request) -> Response:
        """Solutions of the pool, newest or best first. A request reads at most 20,000 of them: if few match, `next`
        continues from there.
        """
        wanted = checked(LookSerializer(data=request.query_params))
        cursor = wanted.pop("cursor", "")
        asked = browsing.Search(**wanted)
        pool = Solution.objects.visible_to(signed_in(request)).filter(in_pool=True)  # also those withdrawn
        try:
            page = browsing.page(pool, asked, cursor)
        except ValueError:
            raise ValidationError({"cursor": "This cursor is not from an earlier page."}) from None
        about = {
            "scores": browsing.scores(asked.model, page.solutions),
            "labellings": browsing.labellings(page.solutions),
            "draws": browsing.draws(page.solutions),
        }
        rows = PoolSolutionSerializer(page.solutions, many=True, context=about).data
        return Response({"results": rows, "next": page.cursor, "looked_at": browsing.WINDOW})


class OriginSerializer(serializers.Serializer[Any]):
    """The run that added it, and the rule that cut its texts into steps; null if they were given."""

    kind = serializers.ChoiceField(choices=["import", "generate"])
    id = serializers.UUIDField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()
    split_by = serializers.ChoiceField(choices=StepRule.choices, allow_null=True)
    split_version = serializers.IntegerField(allow_null=True, help_text="Of the rules.")
    split_model = serializers.CharField(help_text="Empty unless a model split it.")


class DrawsSerializer(serializers.Serializer[Any]):
    source = serializers.CharField()  # type: ignore[assignment]  # Field has an attribute of this name
    generator = serializers.CharField()
    draws = serializers.IntegerField()


class PublishedInSerializer(RowSerializer[Task]):
    """A round that it is in; `rank` is its place in the selection."""

    phase = serializers.UUIDField(source="round.phase_id")
    phase_name = serializers.CharField(source="round.phase.name")
    round_number = serializers.IntegerField(source="round.number")
    round_status = serializers.ChoiceField(choices=RoundStatus.choices, source="round.status")

    class Meta:
        model = Task
        fields = ["id", "round", "rank", "is_gold", "withdrawn_at"]


class GivenLabellingSerializer(RowSerializer[Labelling]):
    annotator = serializers.CharField(source="annotator.username", allow_null=True, default=None)
    phase_name = serializers.CharField(source="task.round.phase.name")
    round_number = serializers.IntegerField(source="task.round.number")
    is_overruled = serializers.BooleanField()
    completions = RatedCompletionSerializer(many=True)

    class Meta:
        model = Labelling
        fields = ["id", "finish_reason", "finish_note", "submitted_at"]


class GoldVersionSerializer(RowSerializer[Gold]):
    author = serializers.CharField(source="author.username", allow_null=True, default=None)
    ratings = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = Gold
        fields = ["id", "version", "rationale", "gold_set", "created_at"]


class PickedSerializer(RowSerializer[SelectionItem]):
    phase_name = serializers.CharField(source="selection.phase.name")
    created_at = serializers.DateTimeField(source="selection.created_at")

    class Meta:
        model = SelectionItem
        fields = ["selection", "rank", "is_set_aside", "reason"]


class PoolSolutionDetailSerializer(RowSerializer[Solution]):
    statement = serializers.CharField(source="problem.statement")
    statement_markup = markup_field("problem.markup")
    reference_answer = serializers.CharField(source="problem.reference_answer")
    reference_solution = serializers.CharField(source="problem.reference_solution")
    subject = serializers.CharField(source="problem.subject")
    level = serializers.CharField(source="problem.level")
    split = serializers.ChoiceField(choices=Split.choices, source="problem.split")
    steps = serializers.ListField(child=serializers.CharField())
    turns = TurnsField("*")
    conversation = ConversationField("problem")
    origin = serializers.SerializerMethodField()
    draws = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()
    labellings = serializers.SerializerMethodField()
    golds = serializers.SerializerMethodField()
    selections = serializers.SerializerMethodField()

    class Meta:
        model = Solution
        fields = [
            "id",
            "problem",
            "markup",
            "answer",
            "verdict",
            "grader_version",
            "generator",
            "source",
            "external_id",
            "in_pool",
            "created_at",
        ]

    @extend_schema_field(OriginSerializer(allow_null=True))
    def get_origin(self, solution: Solution) -> Any:
        found = browsing.origin(solution)
        return found and OriginSerializer(found).data

    @extend_schema_field(DrawsSerializer(many=True))
    def get_draws(self, solution: Solution) -> Any:
        """Returns the draws by source and generator."""
        return DrawsSerializer(browsing.draws([solution])[solution.pk], many=True).data

    @extend_schema_field(PublishedInSerializer(many=True))
    def get_rounds(self, solution: Solution) -> Any:
        tasks = solution.tasks.select_related("round__phase").order_by("-round__opened_at")
        return PublishedInSerializer(tasks, many=True).data

    @extend_schema_field(GivenLabellingSerializer(many=True))
    def get_labellings(self, solution: Solution) -> Any:
        """Returns the current labellings, as submitted, including overruled ones."""
        given = Labelling.objects.current().in_full().filter(task__solution=solution)
        is_overruled = ExpressionWrapper(Q(overruled_by__isnull=False), output_field=BooleanField())
        shown = given.annotate(is_overruled=is_overruled)
        named = shown.select_related("annotator", "task__round__phase")
        return GivenLabellingSerializer(named.order_by("submitted_at", "pk"), many=True).data

    @extend_schema_field(GoldVersionSerializer(many=True))
    def get_golds(self, solution: Solution) -> Any:
        return GoldVersionSerializer(solution.golds.select_related("author").order_by("-version"), many=True).data

    @extend_schema_field(PickedSerializer(many=True))
    def get_selections(self, solution: Solution) -> Any:
        items = solution.selection_items.select_related("selection__phase").order_by("-selection__created_at")
        return PickedSerializer(items, many=True).data


class PoolSolutionView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=PoolSolutionDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One solution: its problem and steps, its origin and rounds, and its labels."""
        solution = visible(Solution.objects.select_related("problem"), request, pk)
        return Response(PoolSolutionDetailSerializer(solution).data)
