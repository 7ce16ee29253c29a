"""What long acts have in common: settings that are checked, and somebody who is told how far they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

Precision = Literal["fp32", "bf16"]


def choices(kind: Any) -> tuple[Any, ...]:
    """The values of a field of this type that is a literal, or one or None."""
    return next((get_args(each) for each in (kind, *get_args(kind)) if get_origin(each) is Literal), ())


def check(settings: Any, /, **least: float) -> None:
    """A dataclass whose literal fields hold one of their values and whose named ones are None or at least so much.
    Raises ValueError."""
    for name, kind in get_type_hints(type(settings)).items():
        value, low = getattr(settings, name), least.get(name)
        if (allowed := choices(kind)) and value not in (*allowed, None):
            raise ValueError(f"{name} is one of {', '.join(allowed)}, not {value!r}")
        if value is not None and low is not None and not value >= low:
            raise ValueError(f"{name} is at least {low}, not {value}")


@dataclass(frozen=True)
class Progress:
    """`done` of `total` units of `stage`: "pretraining", "training", "evaluating" or "scoring".

    `total` is 0 where it is not known beforehand.
    """

    stage: str
    done: int
    total: int
    metrics: Mapping[str, float] = field(default_factory=dict)


# May raise: the exception passes through to whoever called `train` or `score_solutions`, which cancels the work.
OnProgress = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """The default listener."""
