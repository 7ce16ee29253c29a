"""What a long act tells its caller, and the one way a caller can stop it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


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
