"""Checked settings of long jobs, and a listener for their progress."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

Precision = Literal["fp32", "bf16"]


def choices(kind: Any) -> tuple[Any, ...]:
    """The values of a literal type or of an optional one, without None; empty for any other type."""
    return next((get_args(each) for each in (kind, *get_args(kind)) if get_origin(each) is Literal), ())


def check_settings(settings: Any, /, **least: float) -> None:
    """Raises ValueError unless each literal field of the dataclass holds an allowed value, and each field in `least` is
    None or at least that much.
    """
    for name, kind in get_type_hints(type(settings)).items():
        value, low = getattr(settings, name), least.get(name)
        if (allowed := choices(kind)) and value not in (*allowed, None):
            raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
        if value is not None and low is not None and not value >= low:
            raise ValueError(f"{name} must be at least {low}, not {value}")


@dataclass(frozen=True)
class Progress:
    """`done` of `total` units of `stage`: "pretraining", "training", "evaluating" or "scoring".

    `total` is 0 if it is not known beforehand.
    """

    stage: str
    done: int
    total: int
    metrics: Mapping[str, float] = field(default_factory=dict)


# May raise, which cancels the work: the exception passes through to the caller of `train` or `score_solutions`.
OnProgress = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """Ignores progress: the default listener."""
