"""Checks the history of a labelling, every rating as it was given, against the final ratings (pure)."""

from collections.abc import Iterable, Sequence
from typing import Any

from labeling.rules.ratings import InvalidLabelling, StepRating


def check_history(history: Iterable[dict[str, Any]], ratings: Iterable[StepRating], *, step_count: int) -> None:
    """Checks the history of the solution's own steps.

    Raises InvalidLabelling for a step that doesn't exist, and if the last rating of a step differs from the one sent. A
    step without a rating here may have been rated before, in the revised labelling.
    """
    last = {event["step"]: event["rating"] for event in history if event.get("completion", 0) == 0}
    if last and max(last) >= step_count:
        raise InvalidLabelling(f"The history rates step {max(last) + 1} of a solution with {step_count} steps.")
    for item in ratings:
        if item.completion == 0 and last.get(item.step, item.rating) != item.rating:
            raise InvalidLabelling(f"The last rating of step {item.step + 1} in the history is not the one sent.")


def in_time(history: Sequence[dict[str, Any]], *, longest_ms: int) -> list[dict[str, Any]]:
    """Returns the history with ascending times of at most `longest_ms`: a wrong clock costs nobody their work."""
    latest, timed = 0, []
    for event in history:
        latest = min(max(latest, event["at_ms"]), longest_ms)
        timed.append(event | {"at_ms": latest})
    return timed
