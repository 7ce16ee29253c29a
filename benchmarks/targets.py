"""Reports a benchmark's targets: a line for each, and exit status 1 if one is missed."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console


@dataclass(frozen=True)
class Target:
    """A target: `figure` is to be at least `least`, or at most `most`; None if it could not be measured."""

    name: str
    figure: float | None
    least: float | None = None
    most: float | None = None

    @property
    def is_met(self) -> bool:
        if self.figure is None:
            return False
        return self.figure >= self.least if self.least is not None else self.figure <= (self.most or 0)

    def __str__(self) -> str:
        figure = "not measured" if self.figure is None else f"{self.figure:,.4g}"
        bound = f"at least {self.least:,g}" if self.least is not None else f"at most {self.most:,g}"
        return f"{self.name}: {figure} ({bound}): {'met' if self.is_met else 'missed'}"


def tell(targets: Iterable[Target]) -> int:
    """Prints a line for each target. Returns the exit status."""
    status = 0
    for target in targets:
        Console(highlight=False).print(str(target), style="green" if target.is_met else "red", soft_wrap=True)
        status |= not target.is_met
    return int(status)
