"""One reward model: its inputs, its uses, and its files as an archive."""

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db.models import Count, Q, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from labeling.api.fields import RowSerializer
from labeling.models import Labelling, Round, Status
from prm_training.api.serializers import (
    EvaluationRunSerializer,
    RewardModelSerializer,
    ScoringRunSerializer,
    TrainingRunSerializer,
)
from prm_training.models import EvaluationRun, PolicyReplay, RewardModel, ScoringRun, Selection
from prm_training.starting import acts, readiness

CHUNK = 1 << 20


class LineageRoundSerializer(RowSerializer[Round]):
    """`labellings`: how many labellings of the round it learned from, or that its selections led to."""

    phase_name = serializers.CharField(source="phase.name")
    labellings = serializers.IntegerField()

    class Meta:
        model = Round
        fields = ["id", "number", "phase"]


class LineageSelectionSerializer(RowSerializer[Selection]):
    phase_name = serializers.CharField(source="phase.name")
    picked = serializers.IntegerField()

    class Meta:
        model = Selection
        fields = ["id", "policy", "status", "created_at"]


class RewardModelDetailSerializer(RewardModelSerializer):
    """`evaluation`, `obstacle` and `compared` are of the phase asked for. `rounds_before` hold the labels that it
    learned from, `rounds_after` were published from its selections.
    """

    run = TrainingRunSerializer(source="training_run", read_only=True)
    evaluation = serializers.SerializerMethodField(help_text="The newest finished one.")
    evaluating = serializers.SerializerMethodField(help_text="The one in progress.")
    obstacle = serializers.SerializerMethodField(help_text="What prevents its promotion; empty: nothing.")
    shortage = serializers.SerializerMethodField(help_text="Why its comparison decides nothing; empty: it does.")
    compared = serializers.SerializerMethodField(
        help_text="How it compares with the phase's current model: a sentence for each metric that must not fall."
    )
    scoring_obstacle = serializers.SerializerMethodField(help_text="Why no scoring can start; empty: it can.")
    evaluation_obstacle = serializers.SerializerMethodField(help_text="Why no evaluation can start; empty: it can.")
    replay_obstacle = serializers.SerializerMethodField(help_text="Why policies can't be compared; empty: they can.")
    rounds_before = serializers.SerializerMethodField()
    rounds_after = serializers.SerializerMethodField()
    selections = serializers.SerializerMethodField()
    scorings = ScoringRunSerializer(source="scoring_runs", many=True, read_only=True)
    solutions_scored = serializers.IntegerField(source="scores.count", read_only=True)

    @extend_schema_field(EvaluationRunSerializer(allow_null=True))
    def get_evaluation(self, model: RewardModel) -> Any:
        return _newest(self._evaluations(model).filter(status=Status.DONE))

    @extend_schema_field(EvaluationRunSerializer(allow_null=True))
    def get_evaluating(self, model: RewardModel) -> Any:
        return _newest(self._evaluations(model).unfinished())

    def _evaluations(self, model: RewardModel) -> Any:
        return model.evaluation_runs.filter(phase=self.context["phase"])

    def get_obstacle(self, model: RewardModel) -> str:
        return str(self.context["gate"].obstacle)

    def get_shortage(self, model: RewardModel) -> str:
        return str(self.context["gate"].shortage)

    def get_compared(self, model: RewardModel) -> list[str]:
        return list(map(str, self.context["gate"].compared))

    def get_scoring_obstacle(self, model: RewardModel) -> str:
        return readiness.obstacle(ScoringRun(reward_model=model))

    def get_evaluation_obstacle(self, model: RewardModel) -> str:
        """Returns why the model cannot be evaluated in the phase; empty if it can."""
        phase = self.context["phase"]
        known = acts.snapshot_for(model, phase)
        return "" if known else f"“{phase}” has no snapshot of labels to measure it on."

    def get_replay_obstacle(self, model: RewardModel) -> str:
        return readiness.obstacle(PolicyReplay(reward_model=model))

    @extend_schema_field(LineageRoundSerializer(many=True))
    def get_rounds_before(self, model: RewardModel) -> Any:
        learned = Q(tasks__labellings__snapshots=model.training_run.snapshot_id)
        rounds = Round.objects.filter(learned) if model.training_run.snapshot_id else Round.objects.none()
        return _rounds(rounds.annotate(labellings=Count("tasks__labellings", filter=learned, distinct=True)))

    @extend_schema_field(LineageRoundSerializer(many=True))
    def get_rounds_after(self, model: RewardModel) -> Any:
        current = Labelling.objects.current().values("pk")
        rounds = Round.objects.filter(publication__selection__reward_model=model)
        return _rounds(rounds.annotate(labellings=Count("tasks__labellings", filter=Q(tasks__labellings__in=current))))

    @extend_schema_field(LineageSelectionSerializer(many=True))
    def get_selections(self, model: RewardModel) -> Any:
        picked = Count("items", filter=Q(items__is_set_aside=False))
        rows = model.selections.select_related("phase").annotate(picked=picked).order_by("-created_at")
        return LineageSelectionSerializer(rows, many=True).data


def _newest(runs: QuerySet[EvaluationRun]) -> Any:
    newest = runs.select_related("owner").order_by("-created_at").first()
    return newest and EvaluationRunSerializer(newest).data


def _rounds(rounds: QuerySet[Round]) -> Any:
    return LineageRoundSerializer(rounds.select_related("phase").order_by("opened_at"), many=True).data


def tar_of(folder: Path, name: str) -> Iterator[bytes]:
    """Yields a tar archive of the folder's files under `name`, a megabyte at a time."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        info = tarfile.TarInfo(f"{name}/{path.relative_to(folder)}")
        info.size, info.mtime = path.stat().st_size, int(path.stat().st_mtime)
        yield info.tobuf()
        with path.open("rb") as file:
            yield from iter(lambda: file.read(CHUNK), b"")
        yield b"\0" * (-info.size % tarfile.BLOCKSIZE)
    yield b"\0" * 2 * tarfile.BLOCKSIZE
