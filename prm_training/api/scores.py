"""The models' scores of one solution, step by step."""

import math
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import generics, serializers

from labeling.api.permissions import IsStaff
from labeling.api.requests import visible
from labeling.models import Solution
from prm_training.models import Score


class SolutionScoreSerializer(serializers.ModelSerializer[Score]):
    model_name = serializers.CharField(source="reward_model.name")
    is_current = serializers.BooleanField(source="reward_model.is_current")
    steps = serializers.SerializerMethodField(help_text="P(right) of each step that was read.")

    class Meta:
        model = Score
        fields = ["reward_model", "model_name", "is_current", "steps"]

    @extend_schema_field(serializers.ListField(child=serializers.FloatField()))
    def get_steps(self, score: Score) -> list[float]:
        return [math.exp(value) for value in score.step_log_probabilities]


class SolutionScoresView(generics.ListAPIView[Score]):
    """One row for each model that has scored the solution: the current one first, then the newest."""

    permission_classes = [IsStaff]
    serializer_class = SolutionScoreSerializer
    pagination_class = None

    def get_queryset(self) -> Any:
        solution = visible(Solution.objects, self.request, self.kwargs["pk"])
        order = ("-reward_model__is_current", "-reward_model__created_at")
        return solution.scores.select_related("reward_model").order_by(*order)
