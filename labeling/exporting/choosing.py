"""Which labellings: one filter for exports and for the snapshots that models are trained on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from labeling.models import Labelling
from labeling.querysets import LabellingQuerySet


@dataclass(frozen=True)
class LabelFilter:
    """Of the current labellings: those of the phases and rounds (none: of all) and the split.

    ``without``: LEFT_OUT_REASONS.
    """

    phase_ids: tuple[UUID, ...] = ()
    split: str = ""
    without: tuple[str, ...] = ()
    without_annotators: tuple[str, ...] = ()
    round_ids: tuple[UUID, ...] = ()
    annotators: tuple[str, ...] = ()

    def chosen(self) -> LabellingQuerySet:
        return self._everything().without(self.without)

    def left_out(self) -> dict[str, int]:
        """How many labellings each reason leaves out, each counted once."""
        rows, counts = self._everything(), dict[str, int]()
        for reason in self.without:
            counts[reason] = rows.left_out_as(reason).count()
            rows = rows.without([reason])
        return counts

    def as_json(self) -> dict[str, Any]:
        lists = {name: [*map(str, value)] for name, value in asdict(self).items() if isinstance(value, tuple)}
        return {"split": self.split, **lists}

    def _everything(self) -> LabellingQuerySet:
        rows: LabellingQuerySet = Labelling.objects.current()
        if self.phase_ids:
            rows = rows.filter(task__round__phase__in=self.phase_ids)
        if self.round_ids:
            rows = rows.filter(task__round__in=self.round_ids)
        if self.annotators:
            rows = rows.filter(annotator__username__in=self.annotators)
        if self.split:
            rows = rows.filter(task__solution__problem__split=self.split)
        return rows.exclude(annotator__username__in=self.without_annotators) if self.without_annotators else rows
