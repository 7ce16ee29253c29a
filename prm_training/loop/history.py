"""The results of each round of a phase: its labels, how it was picked, and the model trained after it (pure)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from prm_training.reward_models import promotion

Interval = Sequence[float]


@dataclass(frozen=True)
class Brought:
    """A round's results; None if unknown or not measured. `differences` compare the model with its predecessor in the
    phase, on the same labels (`steps` of `problems`); `is_enough`: these labels can decide anything.
    """

    round: Any
    labellings: int
    wrong_share: float | None
    pool_wrong_share: float | None = None
    mean_score: float | None = None
    pool_mean_score: float | None = None
    model: Any = None
    step_auc: float | None = None
    step_auc_interval: Interval | None = None
    step_auc_by_place: float | None = None
    f1: float | None = None
    f1_interval: Interval | None = None
    differences: Mapping[str, Any] = field(default_factory=dict)
    steps: int | None = None
    problems: int | None = None
    is_enough: bool = False
    n: int | None = None
    choices: int | None = None
    best_of_n: float | None = None
    best_of_n_interval: Interval | None = None
    majority: float | None = None
    majority_interval: Interval | None = None


def of(
    rounds: Sequence[Any],
    verdicts: Mapping[UUID, tuple[int, int]],
    selections: Mapping[UUID, Any],
    models: Sequence[Any],
    evaluations: Sequence[Any],
) -> list[Brought]:
    """Returns the results of each round, in the order of `rounds`.

    By round: `verdicts`, the numbers of tasks and of tasks graded wrong; `selections`, the one behind the round.
    `models` in order of training, each with its run, predecessor and `was_current`; finished `evaluations`, oldest
    first.
    """
    after = _models_after(rounds, models)
    return [
        Brought(
            round=round_,
            labellings=round_.labellings_done,
            wrong_share=_share_of(*reversed(verdicts.get(round_.pk, (0, 0)))),
            **_picked(selections.get(round_.pk)),
            **_learned(after.get(round_.pk), evaluations),
        )
        for round_ in rounds
    ]


def _models_after(rounds: Sequence[Any], models: Iterable[Any]) -> dict[UUID, Any]:
    """The model trained between each round's opening and the next one's, by round; preferably one that became
    current.
    """
    found: dict[UUID, Any] = {}
    for model in models:
        before = [round_ for round_ in rounds if round_.opened_at <= model.training_run.created_at]
        # A later model replaces an earlier one, unless only the earlier one became current.
        if before and (model.was_current or not getattr(found.get(before[-1].pk), "was_current", False)):
            found[before[-1].pk] = model
    return found


def _picked(selection: Any) -> dict[str, Any]:
    summary = selection.summary if selection else {}
    return {
        "pool_wrong_share": _share_of(summary.get("pool_wrong", 0), summary.get("candidates", 0)),
        "mean_score": summary.get("mean_score"),
        "pool_mean_score": summary.get("pool_mean_score"),
    }


def _learned(model: Any, evaluations: Sequence[Any]) -> dict[str, Any]:
    """The model's metrics, and its gain by the newest evaluation against its predecessor.

    Without such an evaluation no gain is shown, whatever else it was compared with. Metrics from its training are left
    out, since their labels may come from other phases too.
    """
    if model is None:
        return {}
    own = [run for run in evaluations if run.reward_model_id == model.pk]
    paired = [run for run in own if run.baseline_id == model.predecessor_id]
    measured = (paired or own)[-1].metrics if own else {}
    held_out, intervals = measured.get("held_out", {}), measured.get("intervals", {})
    return {
        "model": model,
        "steps": held_out.get("steps"),
        "problems": measured.get("problems"),
        "is_enough": not promotion.shortage(measured),
        **{name: held_out.get(name) for name in ("step_auc", "step_auc_by_place", "f1")},
        **{f"{name}_interval": intervals.get(name) for name in ("step_auc", "f1")},
        "differences": measured.get("differences", {}) if paired else {},
        **_chosen(measured.get("best_of_n", {})),
    }


def _chosen(best_of_n: Mapping[str, Any]) -> dict[str, Any]:
    """Best-of-N at the largest N; empty without curves."""
    curves, sizes = best_of_n.get("curves", {}), best_of_n.get("sizes", [])
    if not sizes or "prm" not in curves:
        return {}
    names = {"best_of_n": "prm", "majority": "majority"}
    ways = {name: curves[way] for name, way in names.items() if way in curves}
    values = {name: way["values"][-1] for name, way in ways.items()}
    intervals = {f"{name}_interval": way["intervals"][-1] for name, way in ways.items()}
    return {"n": sizes[-1], "choices": best_of_n["problems"], **values, **intervals}


def _share_of(part: int, whole: int) -> float | None:
    return part / whole if whole else None
