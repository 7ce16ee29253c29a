"""Runs, reward models and selections as the staff's pages see them."""

import math
import os
from typing import Any

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers

from labeling.api.fields import interval_field
from labeling.api.label_filter import LabelChoiceSerializer, label_filter_of
from labeling.api.settings import checked_generator_url
from labeling.models import Phase, Round, Snapshot
from prm_training import lifecycle, promotion
from prm_training.api.rounds import RoundSettingsSerializer, gold_set_field, overlap_field
from prm_training.models import (
    EvaluationRun,
    Generation,
    Policy,
    Promotion,
    Publication,
    RewardModel,
    Run,
    ScoringRun,
    Selection,
    SelectionItem,
    Supervision,
    TrainingRun,
)
from prm_training.round_settings import ROUND_SETTINGS

RUN_FIELDS = [
    *["kind", "id", "status", "stage", "done", "total", "expected_at", "error", "attempts", "owner"],
    *["created_at", "started_at", "finished_at", "elapsed_ms", "cancel_requested_at"],
]


class RunSerializer(serializers.ModelSerializer[Run]):
    kind = serializers.SerializerMethodField()
    owner = serializers.CharField(source="owner.username", read_only=True, allow_null=True, default=None)
    elapsed_ms = serializers.SerializerMethodField(help_text="Working time of all attempts so far.")

    class Meta:
        fields = RUN_FIELDS
        read_only_fields = RUN_FIELDS

    @extend_schema_field(serializers.ChoiceField(choices=lifecycle.KIND_CHOICES))
    def get_kind(self, run: Run) -> str:
        return lifecycle.kind_of(run)

    def get_elapsed_ms(self, run: Run) -> int:
        return round(run.elapsed.total_seconds() * 1000)


def resolved_field() -> serializers.DictField:
    """What a run works with; empty until it has begun."""
    told = "The settings it works with, chosen or automatic; code, versions, device. Empty until it has begun."
    return serializers.DictField(child=serializers.JSONField(), read_only=True, help_text=told)


def counts_so_far(name: str, *words: str, help_text: str) -> serializers.Serializer[Any]:
    """Whole numbers by these names; empty until the run has begun."""
    numbers: dict[str, Any] = {word: serializers.IntegerField(required=False) for word in words}
    return inline_serializer(name, numbers, read_only=True, help_text=help_text)


class SnapshotSerializer(serializers.ModelSerializer[Snapshot]):
    class Meta:
        model = Snapshot
        fields = ["id", "labels_hash", "counts", "created_at"]


class TrainingSettingsSerializer(serializers.Serializer[Any]):
    epochs = serializers.IntegerField(min_value=1, max_value=100, required=False)
    learning_rate = serializers.FloatField(min_value=1e-8, max_value=1.0, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    lora_rank = serializers.IntegerField(min_value=0, max_value=1024, required=False, help_text="0: all weights.")
    head_steps = serializers.IntegerField(
        min_value=0, max_value=1_000_000, required=False, help_text="Train only the head for this many steps first."
    )
    patience = serializers.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="Epochs without a better held-out AUC; 0: no end.",
    )
    precision = serializers.ChoiceField(
        choices=["fp32", "bf16"], required=False, help_text="Left out: bf16 on a GPU, fp32 elsewhere."
    )
    gradient_checkpointing = serializers.BooleanField(required=False, help_text="Computes twice, for memory.")


class TrainingMetricsSerializer(serializers.Serializer[Any]):
    """`epochs` are there while it trains: held-out figures, and the optimiser `step` that each epoch ended with."""

    train_loss = serializers.FloatField(required=False)
    held_out = serializers.DictField(child=serializers.FloatField(), required=False)
    epochs = serializers.ListField(child=serializers.DictField(child=serializers.FloatField()), required=False)
    train_counts = serializers.DictField(child=serializers.IntegerField(), required=False)
    held_out_counts = serializers.DictField(child=serializers.IntegerField(), required=False)


def validate_model_directory(path: str) -> None:
    wanted = path if path.endswith(".gguf") else f"{path}/config.json"
    if path.startswith(("/", ".", "~")) and not os.path.isfile(wanted):  # noqa: PTH113  Path's raises for a long name
        raise serializers.ValidationError(f"“{path}” is no Hugging Face model directory (no config.json).")


class TrainingRunSerializer(RunSerializer):
    phases = serializers.PrimaryKeyRelatedField(many=True, queryset=Phase.objects.all(), required=False)
    labels = LabelChoiceSerializer(required=False)
    settings = TrainingSettingsSerializer(required=False)
    metrics = TrainingMetricsSerializer(read_only=True)
    snapshot = SnapshotSerializer(read_only=True, allow_null=True)
    reward_model = serializers.PrimaryKeyRelatedField[RewardModel](read_only=True, allow_null=True, default=None)
    loss_curve = serializers.SerializerMethodField()
    resolved = resolved_field()

    class Meta:
        model = TrainingRun
        fields = [
            *RUN_FIELDS,
            *["name", "base", "supervision", "phases", "labels", "settings"],
            *["snapshot", "loss_curve", "metrics", "reward_model", "resolved"],
        ]
        read_only_fields = [*RUN_FIELDS, "metrics"]
        extra_kwargs = {"base": {"validators": [validate_model_directory]}}

    @extend_schema_field(serializers.ListField(child=serializers.ListField(child=serializers.FloatField())))
    def get_loss_curve(self, run: TrainingRun) -> list[tuple[int, float]]:
        """The training loss of each optimiser step."""
        return sorted((point.step, point.loss) for point in run.loss_points.all())

    def validate_labels(self, labels: dict[str, Any]) -> dict[str, Any]:
        """As the row keeps them: JSON knows no ids."""
        kept = label_filter_of(labels).as_json()
        return {name: kept[name] for name in labels}


class CalibrationBinSerializer(serializers.Serializer[Any]):
    low = serializers.FloatField()
    high = serializers.FloatField()
    count = serializers.IntegerField()
    mean_probability = serializers.FloatField()
    frequency = serializers.FloatField()
    interval = interval_field(required=False)


class FirstErrorSerializer(serializers.Serializer[Any]):
    """Finding the first error, as ProcessBench asks for it; each threshold was chosen on the other half."""

    f1 = serializers.FloatField(required=False)
    erroneous = serializers.FloatField(required=False)
    correct = serializers.FloatField(required=False)
    thresholds = serializers.ListField(child=serializers.FloatField(), required=False)
    solutions_erroneous = serializers.IntegerField(required=False)
    solutions_correct = serializers.IntegerField(required=False)
    decided_at_the_end = serializers.FloatField(required=False)


class CurveSerializer(serializers.Serializer[Any]):
    """One value for each of `sizes`."""

    values = serializers.ListField(child=serializers.FloatField())
    errors = serializers.ListField(child=serializers.FloatField())  # type: ignore[assignment]


class BestOfNSerializer(serializers.Serializer[Any]):
    """`curves` by way of choosing, with standard errors, and of the `proxy`: the best score that the model expects.

    `quintiles` go from the easiest problems to the hardest.
    """

    problems = serializers.IntegerField(required=False)
    sizes = serializers.ListField(child=serializers.IntegerField(), required=False)
    curves = serializers.DictField(child=CurveSerializer(), required=False)
    falls_at = serializers.IntegerField(
        required=False, allow_null=True, help_text="From this N on the proxy rises while accuracy falls."
    )
    quintiles = serializers.ListField(child=serializers.DictField(child=serializers.FloatField()), required=False)


class DifferenceSerializer(serializers.Serializer[Any]):
    """New less old, paired by problem; no interval where the two say the same of every problem."""

    value = serializers.FloatField()
    low = serializers.FloatField(required=False)
    high = serializers.FloatField(required=False)


class EvaluationMetricsSerializer(serializers.Serializer[Any]):
    """`intervals` are of `held_out`'s figures and `first_error`'s, by name: 95 %, resampled by problem.

    `differences` are from the baseline, of the same figures.
    """

    held_out = serializers.DictField(child=serializers.FloatField(), required=False)
    intervals = serializers.DictField(child=interval_field(), required=False)
    differences = serializers.DictField(child=DifferenceSerializer(), required=False)
    problems = serializers.IntegerField(required=False, help_text="How many problems the held-out labels are on.")
    labels_left_out = serializers.IntegerField(
        required=False, help_text="Labels that one of the two models can't read to the end."
    )
    calibration = CalibrationBinSerializer(many=True, required=False)
    first_error = FirstErrorSerializer(required=False)
    best_of_n = BestOfNSerializer(required=False)


class EvaluationRunSerializer(RunSerializer):
    """`metrics` are the model's, `baseline_metrics` those of the current model on the same held-out labels."""

    snapshot = serializers.PrimaryKeyRelatedField(queryset=Snapshot.objects.all(), required=False)
    metrics = EvaluationMetricsSerializer(read_only=True)
    baseline_metrics = EvaluationMetricsSerializer(read_only=True)

    class Meta:
        model = EvaluationRun
        fields = [*RUN_FIELDS, "reward_model", "snapshot", "baseline", "metrics", "baseline_metrics"]
        read_only_fields = [*RUN_FIELDS, "baseline", "metrics", "baseline_metrics"]


class ScoringRunSerializer(RunSerializer):
    summary = counts_so_far("ScoringSummary", "scored", "too_long", help_text="Empty until the run is done.")

    class Meta:
        model = ScoringRun
        fields = [*RUN_FIELDS, "reward_model", "phase", "summary"]
        read_only_fields = [*RUN_FIELDS, "summary"]


class HistogramBinSerializer(serializers.Serializer[Any]):
    """How many candidates have a solution score in this range: picked, and the rest."""

    picked = serializers.IntegerField()
    rest = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        ends = {name: serializers.FloatField() for name in ("from", "to")}  # `from` is a word of Python's
        return ends | super().get_fields()


class SelectionSummarySerializer(serializers.Serializer[Any]):
    """Counts and mean solution scores; empty until the selection is done."""

    candidates = serializers.IntegerField(required=False)
    set_aside = serializers.IntegerField(required=False)
    histogram = HistogramBinSerializer(many=True, required=False)
    picked = serializers.IntegerField(required=False)
    wrong = serializers.IntegerField(required=False)
    pool_wrong = serializers.IntegerField(required=False)
    mean_score = serializers.FloatField(required=False, allow_null=True)
    pool_mean_score = serializers.FloatField(required=False, allow_null=True)


class SelectionSerializer(RoundSettingsSerializer, RunSerializer):
    phase_name = serializers.CharField(source="phase.name", read_only=True)
    summary = SelectionSummarySerializer(read_only=True)
    publication = serializers.PrimaryKeyRelatedField[Publication](read_only=True, allow_null=True, default=None)
    reward_model_name = serializers.CharField(source="reward_model.name", read_only=True, default=None)

    class Meta:
        model = Selection
        fields = [
            *RUN_FIELDS,
            *["phase", "phase_name", *ROUND_SETTINGS, "reward_model_name", "summary", "publication", "discarded_at"],
        ]
        read_only_fields = [*RUN_FIELDS, "discarded_at"]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        is_modelless = attrs.get("policy") != Policy.UNIFORM and attrs.get("reward_model") is None
        if is_modelless and not RewardModel.objects.filter(is_current=True).exists():
            raise serializers.ValidationError({"reward_model": "This policy needs a model to select by."})
        return super().validate(attrs)


class PublishedRoundSerializer(serializers.ModelSerializer[Round]):
    class Meta:
        model = Round
        fields = ["id", "number", "phase"]


class PublicationSerializer(RunSerializer):
    round = PublishedRoundSerializer(read_only=True, allow_null=True)
    overlap = overlap_field()
    gold_set = gold_set_field()
    selection = serializers.PrimaryKeyRelatedField(queryset=Selection.objects.all())

    class Meta:
        model = Publication
        fields = [*RUN_FIELDS, "selection", "overlap", "gold_set", "round"]
        read_only_fields = RUN_FIELDS


class SelectionItemSerializer(serializers.ModelSerializer[SelectionItem]):
    score = serializers.SerializerMethodField()
    problem_statement = serializers.CharField(source="solution.problem.statement")
    reference_answer = serializers.CharField(source="solution.problem.reference_answer")
    steps = serializers.ListField(source="solution.steps", child=serializers.CharField())
    answer = serializers.CharField(source="solution.answer")
    verdict = serializers.CharField(source="solution.verdict")
    generator = serializers.CharField(source="solution.generator")
    grader_version = serializers.CharField(source="solution.grader_version")

    class Meta:
        model = SelectionItem
        fields = [
            *["rank", "solution", "log_score", "score", "reason", "problem_statement"],
            *["reference_answer", "steps", "answer", "verdict", "grader_version", "generator", "is_set_aside"],
        ]

    @extend_schema_field(serializers.FloatField(allow_null=True))
    def get_score(self, item: SelectionItem) -> float | None:
        return None if item.log_score is None else math.exp(item.log_score)


class ReplaySerializer(serializers.Serializer[Any]):
    is_same = serializers.BooleanField()
    picked = serializers.IntegerField()
    differing = serializers.IntegerField(help_text="Solutions that one of the two picked, and the other did not.")


class GenerationSerializer(RunSerializer):
    summary = counts_so_far(
        "GenerationSummary",
        *["problems", "written", "new", "duplicates", "unusable", "right", "wrong", "unsure"],
        help_text="Duplicates: texts that the pool had already; unusable: without a single step.",
    )
    generator_url = serializers.URLField(max_length=200, allow_blank=True, default="")
    most_problems = serializers.IntegerField(min_value=1, max_value=2**31 - 1, allow_null=True, default=None)
    samples = serializers.IntegerField(min_value=1, max_value=256, default=8)
    temperature = serializers.FloatField(min_value=0, max_value=2, default=0.8)
    max_tokens = serializers.IntegerField(min_value=1, max_value=100_000, default=1024)
    stop = serializers.ListField(
        child=serializers.CharField(max_length=100, trim_whitespace=False), max_length=4, default=list
    )

    class Meta:
        model = Generation
        fields = [
            *[*RUN_FIELDS, "name", "generator_url", "generator_model", "problem_source", "split", "most_problems"],
            *["samples", "temperature", "max_tokens", "stop", "summary"],
        ]
        read_only_fields = RUN_FIELDS

    def validate_generator_url(self, url: str) -> str:
        return checked_generator_url(url)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["generator_url"]:
            validate_model_directory(attrs["generator_model"])
        return attrs


class EvaluatedSerializer(serializers.Serializer[Any]):
    """The figures of a newest evaluation; see EvaluationMetrics."""

    held_out = serializers.DictField(child=serializers.FloatField(), default=dict)
    intervals = serializers.DictField(child=interval_field(), default=dict)
    problems = serializers.IntegerField(allow_null=True, default=None)


class RewardModelSerializer(serializers.ModelSerializer[RewardModel]):
    base = serializers.CharField(source="training_run.base", read_only=True)
    supervision = serializers.ChoiceField(Supervision.choices, source="training_run.supervision", read_only=True)
    labels = serializers.IntegerField(source="training_run.snapshot.counts.labels", read_only=True, default=None)
    evaluated = EvaluatedSerializer(read_only=True, allow_null=True, default=None)
    rolls_back_to = serializers.SerializerMethodField(
        help_text="Of the current model: the name of the one that a roll back makes current again, if there is one."
    )

    class Meta:
        model = RewardModel
        fields = [
            *["id", "name", "is_current", "created_at", "training_run", "base", "supervision", "labels", "metrics"],
            *["evaluated", "rolls_back_to"],
        ]

    def get_rolls_back_to(self, model: RewardModel) -> str | None:
        earlier = promotion.before(model) if model.is_current else None
        return earlier.name if earlier else None


class RollBackSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=1000, required=False, default="", allow_blank=True)


class PromoteSerializer(RollBackSerializer):
    is_override = serializers.BooleanField(default=False, help_text="Although figures fell; needs a reason.")


class PromotionSerializer(serializers.ModelSerializer[Promotion]):
    name = serializers.CharField(source="reward_model.name", read_only=True)
    previous_name = serializers.CharField(source="previous.name", read_only=True, allow_null=True, default=None)
    by = serializers.CharField(source="by.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Promotion
        fields = ["at", "by", "reward_model", "name", "previous", "previous_name", "is_rollback", "reason", "overrode"]
