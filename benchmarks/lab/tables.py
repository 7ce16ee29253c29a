"""Formats cells of the README's tables."""

from collections.abc import Mapping, Sequence


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(each: Mapping[str, Sequence[float]], at: int, digits: int = 3, *, seeds: int) -> str:
    """Formats a mean with its interval, which is left out if there is one seed only."""
    mean, low, high = (each[name][at] for name in ("mean", "low", "high"))
    return f"{mean:.{digits}f}" + (f" ({low:.{digits}f} to {high:.{digits}f})" if seeds > 1 else "")
