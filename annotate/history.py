"""How a labelling came about: every rating as it was given, checked against what was sent in the end (pure)."""

from collections.abc import Iterable, Sequence
from typing import Any

from labeling.ratings import InvalidLabelling, StepRating


def check(history: Iterable[dict[str, Any]], ratings: Iterable[StepRating], *, step_count: int) -> None:
    """Of the solution's own steps. Raises InvalidLabelling for a step that it hasn't, and where the last rating of a
    step is another than the one sent. A step that was not rated on the way may have been before, in what is revised.
    """
    last = {event["step"]: event["rating"] for event in history if event.get("completion", 0) == 0}
    if last and max(last) >= step_count:
        raise InvalidLabelling(f"The history rates step {max(last) + 1} of a solution with {step_count} steps.")
    for item in ratings:
        if item.completion == 0 and last.get(item.step, item.rating) != item.rating:
            raise InvalidLabelling(f"The history ends with another rating of step {item.step + 1} than the one sent.")


def in_time(history: Sequence[dict[str, Any]], *, longest_ms: int) -> list[dict[str, Any]]:
    """In order, and none after the task had left the annotator's hands: a wrong clock loses nobody their work."""
    latest, timed = 0, []
    for event in history:
        latest = min(max(latest, event["at_ms"]), longest_ms)
        timed.append(event | {"at_ms": latest})
    return timed
