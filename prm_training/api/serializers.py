"""Serializers of runs, reward models and selections for the staff's pages."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers

from labeling.api.fields import RowSerializer, interval_field
from labeling.campaign.api.settings import checked_generator_url
from labeling.data.api.label_filter import LabelChoiceSerializer, label_filter_of
from labeling.models import Phase, Round, Run, Snapshot
from labeling.rules.words import RunKind
from prm_training.api.bases import validate_model_directory, validate_rule, with_rule
from prm_training.api.metrics import (
    EvaluatedSerializer,
    EvaluationMetricsSerializer,
    ReplayMetricsSerializer,
    TrainingMetricsSerializer,
)
from prm_training.api.rounds import RoundSettingsSerializer, gold_set_field, overlap_field
from prm_training.models import (
    ROUND_SETTINGS,
    EvaluationRun,
    Generation,
    PolicyReplay,
    Promotion,
    Publication,
    RankBy,
    RewardModel,
    ScoringRun,
    Selection,
    Supervision,
    TrainingRun,
)
from prm_training.reward_models import promotion

KIND_CHOICES = [(kind.value, kind.value) for kind in RunKind]
RUN_FIELDS = [
    "id",
    "phase",
    "is_automatic",
    "status",
    "stage",
    "done",
    "total",
    "expected_at",
    "heartbeat_at",
    "error",
    "attempts",
    "next_try_at",
    "created_at",
    "started_at",
    "finished_at",
    "cancel_requested_at",
]


class RunSerializer(RowSerializer[Run]):
    kind = serializers.ChoiceField(KIND_CHOICES, read_only=True)
    owner = serializers.CharField(source="owner.username", read_only=True, allow_null=True, default=None)
    phase_name = serializers.CharField(source="phase.name", read_only=True, allow_null=True, default=None)
    elapsed_ms = serializers.SerializerMethodField(help_text="Running time of all attempts so far.")

    class Meta:
        fields = RUN_FIELDS
        read_only_fields = RUN_FIELDS

    def get_elapsed_ms(self, run: Run) -> int:
        return round(run.elapsed.total_seconds() * 1000)


def resolved_field() -> serializers.DictField:
    """Returns a field for a run's settings; empty until it has started."""
    help_text = "Its settings, chosen or automatic; code, versions, device. Empty until it has started."
    return serializers.DictField(child=serializers.JSONField(), read_only=True, help_text=help_text)


def counts_so_far(name: str, *words: str, help_text: str) -> serializers.Serializer[Any]:
    """Returns a serializer of whole numbers by these names; empty until the run has started."""
    numbers: dict[str, Any] = {word: serializers.IntegerField(required=False) for word in words}
    return inline_serializer(name, numbers, read_only=True, help_text=help_text)


class SnapshotSerializer(RowSerializer[Snapshot]):
    class Meta:
        model = Snapshot
        fields = ["id", "labels_hash", "counts", "created_at"]


class TrainingSettingsSerializer(serializers.Serializer[Any]):
    epochs = serializers.IntegerField(min_value=1, max_value=100, required=False)
    learning_rate = serializers.FloatField(min_value=1e-8, max_value=1.0, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    lora_rank = serializers.IntegerField(min_value=0, max_value=1024, required=False, help_text="0: all weights.")
    patience = serializers.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="Stop after this many epochs without a better held-out AUC; 0: never.",
    )
    precision = serializers.ChoiceField(
        choices=["fp32", "bf16"], required=False, help_text="Default: bf16 on a GPU, fp32 elsewhere."
    )
    heads = serializers.ChoiceField(
        choices=[0, *range(2, 65)], required=False, help_text="Of an ensemble that says how sure the model is; 0: none."
    )
    gradient_checkpointing = serializers.BooleanField(required=False, help_text="Saves memory by computing twice.")
    reads_after = serializers.BooleanField(required=False, help_text="Judge a step of a trace with what it brought.")


class TrainingRunSerializer(RunSerializer):
    phase = serializers.PrimaryKeyRelatedField(queryset=Phase.objects.all())
    phases = serializers.PrimaryKeyRelatedField(
        many=True, queryset=Phase.objects.all(), required=False, help_text="Whose labels to use; default: the phase's."
    )
    labels = LabelChoiceSerializer(required=False)
    settings = TrainingSettingsSerializer(required=False)
    metrics = TrainingMetricsSerializer(read_only=True)
    snapshot = SnapshotSerializer(read_only=True, allow_null=True)
    reward_model = serializers.PrimaryKeyRelatedField[RewardModel](read_only=True, allow_null=True, default=None)
    loss_curve = serializers.SerializerMethodField()
    resolved = resolved_field()

    class Meta:
        model = TrainingRun
        fields = [*RUN_FIELDS, "name", "base", "supervision"]
        read_only_fields = RUN_FIELDS
        extra_kwargs = {"base": {"validators": [validate_model_directory]}}

    @extend_schema_field(serializers.ListField(child=serializers.ListField(child=serializers.FloatField())))
    def get_loss_curve(self, run: TrainingRun) -> list[tuple[int, float]]:
        """Returns the training loss of each optimiser step."""
        return sorted((point.step, point.loss) for point in run.loss_points.all())

    def validate_labels(self, labels: dict[str, Any]) -> dict[str, Any]:
        """Returns the labels as stored in the row: JSON has no UUIDs."""
        kept = label_filter_of(labels).as_json()
        return {name: kept[name] for name in labels}


class OfModelSerializer(RunSerializer):
    """A run in a phase: its model's, if no other is given."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {"phase": attrs["reward_model"].phase} | attrs


class EvaluationRunSerializer(OfModelSerializer):
    """`metrics` are the model's, `baseline_metrics` those of the phase's current model on the same held-out labels."""

    phase = serializers.PrimaryKeyRelatedField(
        queryset=Phase.objects.all(), required=False, help_text="Default: the model's own."
    )
    snapshot = serializers.PrimaryKeyRelatedField(queryset=Snapshot.objects.all(), required=False)
    metrics = EvaluationMetricsSerializer(read_only=True)
    baseline_metrics = EvaluationMetricsSerializer(read_only=True)
    shortage = serializers.SerializerMethodField(help_text="Why its labels decide nothing; empty: they do.")

    class Meta:
        model = EvaluationRun
        fields = [*RUN_FIELDS, "reward_model", "baseline"]
        read_only_fields = [*RUN_FIELDS, "baseline"]

    def get_shortage(self, run: EvaluationRun) -> str:
        return promotion.shortage(run.metrics)


class PolicyReplaySerializer(OfModelSerializer):
    """`metrics` fill up while it runs."""

    seeds = serializers.IntegerField(min_value=1, max_value=10, default=2)
    metrics = ReplayMetricsSerializer(read_only=True)

    class Meta:
        model = PolicyReplay
        fields = [*RUN_FIELDS, "reward_model"]
        read_only_fields = RUN_FIELDS


class ScoringRunSerializer(RunSerializer):
    phase = serializers.PrimaryKeyRelatedField(
        queryset=Phase.objects.all(),
        required=False,
        allow_null=True,
        default=None,
        help_text="Only what it draws from; null: the whole pool.",
    )
    summary = counts_so_far("ScoringSummary", "scored", "too_long", help_text="Empty until the run is done.")

    class Meta:
        model = ScoringRun
        fields = [*RUN_FIELDS, "reward_model"]
        read_only_fields = RUN_FIELDS


class GroupSerializer(serializers.Serializer[Any]):
    """Some solutions in numbers. `wrong` is a share; `steps`, `score` and `labels` are means: the step labels that one
    labelling is expected to give. Null of none.
    """

    number = serializers.IntegerField()
    problems = serializers.IntegerField()
    wrong = serializers.FloatField(allow_null=True)
    steps = serializers.FloatField(allow_null=True)
    labels = serializers.FloatField(allow_null=True)
    score = serializers.FloatField(allow_null=True)


class ShareSerializer(serializers.Serializer[Any]):
    """The shares of the pool and of the picks that have a value."""

    value = serializers.CharField()
    pool = serializers.FloatField()
    picked = serializers.FloatField()


class BesideSerializer(serializers.Serializer[Any]):
    name = serializers.ChoiceField(choices=["steps", "score", "generator", "subject", "level"])
    rows = ShareSerializer(many=True)


class RankingSerializer(serializers.Serializer[Any]):
    """The quality of a ranking by a score, or by length: right answers above wrong ones, with a 95 % interval by
    problem; its rank correlation with the number of steps; and its picks within problems (of up to 200).
    """

    by = serializers.ChoiceField(choices=[*RankBy.values, "shortest", "longest"])
    auc = serializers.FloatField(allow_null=True)
    interval = interval_field(allow_null=True)
    with_length = serializers.FloatField(allow_null=True)
    solutions = serializers.IntegerField()
    problems = serializers.IntegerField()
    picks = GroupSerializer(allow_null=True)


class SelectionSummarySerializer(serializers.Serializer[Any]):
    """Counts and mean solution scores; empty until the selection is done.

    `groups` has the policy's picks, the random arm and the pool, of which a sample of `sampled` solutions is read.
    """

    candidates = serializers.IntegerField(required=False)
    set_aside = serializers.IntegerField(required=False)
    unfinished = serializers.IntegerField(required=False, help_text="Left out: without a final answer.")
    too_long = serializers.IntegerField(required=False, help_text="Left out: too long for the model to read.")
    picked = serializers.IntegerField(required=False)
    random = serializers.IntegerField(required=False, help_text="Of the picks: drawn uniformly from all candidates.")
    wrong = serializers.IntegerField(required=False)
    pool_wrong = serializers.IntegerField(required=False)
    mean_score = serializers.FloatField(required=False, allow_null=True)
    pool_mean_score = serializers.FloatField(required=False, allow_null=True)
    sampled = serializers.IntegerField(required=False)
    groups = serializers.DictField(child=GroupSerializer(), required=False)
    beside = BesideSerializer(many=True, required=False)
    rankings = RankingSerializer(many=True, required=False)


class SelectionSerializer(RoundSettingsSerializer, RunSerializer):
    phase = serializers.PrimaryKeyRelatedField(queryset=Phase.objects.all())
    summary = SelectionSummarySerializer(read_only=True)
    publication = serializers.PrimaryKeyRelatedField[Publication](read_only=True, allow_null=True, default=None)
    reward_model_name = serializers.CharField(source="reward_model.name", read_only=True, default=None)

    class Meta:
        model = Selection
        fields = [*RUN_FIELDS, *ROUND_SETTINGS, "discarded_at"]
        read_only_fields = [*RUN_FIELDS, "discarded_at"]


class PublishedRoundSerializer(RowSerializer[Round]):
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
        fields = RUN_FIELDS
        read_only_fields = RUN_FIELDS


class GenerationSerializer(RunSerializer):
    summary = counts_so_far(
        "GenerationSummary",
        "problems",
        "written",
        "new",
        "known",
        "unusable",
        "right",
        "wrong",
        "unsure",
        help_text="New: texts; known: further draws of known texts; unusable: without a single step.",
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
        fields = [*RUN_FIELDS, "name", "generator_model", "problem_source", "split", "markup", "is_markup_guessed"]
        fields += ["split_by", "mark", "split_version"]
        read_only_fields = [*RUN_FIELDS, "is_markup_guessed", "split_version"]
        extra_kwargs: ClassVar[dict[str, Any]] = {
            "mark": {"trim_whitespace": False},
            "split_by": {"validators": [validate_rule]},
        }

    def validate_generator_url(self, url: str) -> str:
        return checked_generator_url(url)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["generator_url"]:
            validate_model_directory(attrs["generator_model"])
        return with_rule(attrs)


class CurrentInSerializer(RowSerializer[Promotion]):
    """A phase whose current model it is; `rolls_back_to` names the one that a rollback would make current there."""

    phase_name = serializers.CharField(source="phase.name", read_only=True)
    rolls_back_to = serializers.CharField(read_only=True, allow_null=True)

    class Meta:
        model = Promotion
        fields = ["phase"]


class RewardModelSerializer(RowSerializer[RewardModel]):
    """`phase`: the one that it was trained for."""

    phase = serializers.PrimaryKeyRelatedField[Phase](source="training_run.phase", read_only=True)
    phase_name = serializers.CharField(source="training_run.phase.name", read_only=True)
    current_in = CurrentInSerializer(source="newest_promotions", many=True, read_only=True)
    base = serializers.CharField(source="training_run.base", read_only=True)
    supervision = serializers.ChoiceField(Supervision.choices, source="training_run.supervision", read_only=True)
    labels = serializers.IntegerField(source="training_run.snapshot.counts.labels", read_only=True, default=None)
    evaluated = EvaluatedSerializer(read_only=True, allow_null=True, default=None)

    class Meta:
        model = RewardModel
        fields = ["id", "name", "created_at", "training_run", "metrics"]


class RollBackSerializer(serializers.Serializer[Any]):
    phase = serializers.PrimaryKeyRelatedField(queryset=Phase.objects.all())
    reason = serializers.CharField(max_length=1000, required=False, default="", allow_blank=True)


class PromoteSerializer(RollBackSerializer):
    phase = serializers.PrimaryKeyRelatedField(
        queryset=Phase.objects.all(), required=False, help_text="Where; default: the model's own."
    )
    is_override = serializers.BooleanField(default=False, help_text="Promote although metrics fell; needs a reason.")


class PromotionSerializer(RowSerializer[Promotion]):
    name = serializers.CharField(source="reward_model.name", read_only=True)
    phase_name = serializers.CharField(source="phase.name", read_only=True)
    previous_name = serializers.CharField(source="previous.name", read_only=True, allow_null=True, default=None)
    by = serializers.CharField(source="by.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Promotion
        fields = ["at", "phase", "reward_model", "previous", "is_rollback", "reason", "overrode"]
