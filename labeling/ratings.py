"""The protocol's rules for ratings, pure (design: phase kind `solutions`, PRM800K phase 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from labeling.errors import DomainError

RATINGS = (-1, 0, 1)
FINISH_REASONS = ("found_error", "solution", "bad_problem", "give_up")


class InvalidLabelling(DomainError):
    code = "invalid_labelling"


@dataclass(frozen=True, slots=True)
class StepRating:
    """One step's rating: -1, 0, 1, or None with `is_flagged` for unsure. `step` counts from 0."""

    step: int
    rating: int | None
    is_flagged: bool = False
    note: str = ""
    active_ms: int = 0


def check_labelling(*, step_count: int, ratings: Sequence[StepRating], finish_reason: str, finish_note: str) -> None:
    """Raises InvalidLabelling, with a message for the annotator, unless the ratings keep the protocol.

    Steps are rated in order without gaps, and nothing after the first negative. `found_error` ends with a
    negative; `solution` rates every step and has none; `bad_problem` and `give_up` come with a reason.
    """
    _check_order(step_count, ratings)
    for item in ratings:
        _check_rating(item)
    negatives = [item.step for item in ratings if item.rating == -1]
    if negatives and negatives[0] != ratings[-1].step:
        raise InvalidLabelling(f"Step {negatives[0] + 1} is Bad, so no later step may be rated.")
    _check_finish(step_count, ratings, bool(negatives), finish_reason, finish_note)


def _check_order(step_count: int, ratings: Sequence[StepRating]) -> None:
    if [item.step for item in ratings] != list(range(len(ratings))):
        raise InvalidLabelling("Rate the steps in order, from the first, each once.")
    if len(ratings) > step_count:
        raise InvalidLabelling(f"There are {len(ratings)} ratings for {step_count} steps.")


def _check_rating(item: StepRating) -> None:
    if item.rating is None and not item.is_flagged:
        raise InvalidLabelling(f"Step {item.step + 1} has no rating. Rate it or flag it as unsure.")
    if item.rating is not None and item.rating not in RATINGS:
        raise InvalidLabelling(f"Step {item.step + 1}: a rating is -1, 0 or 1, not {item.rating}.")


def _check_finish(step_count: int, ratings: Sequence[StepRating], has_negative: bool, reason: str, note: str) -> None:
    if reason not in FINISH_REASONS:
        raise InvalidLabelling(f"“{reason}” is no finish reason; there are {', '.join(FINISH_REASONS)}.")
    if reason in {"bad_problem", "give_up"}:
        if not note.strip():
            raise InvalidLabelling("Say in a few words why.")
        return
    if has_negative != (reason == "found_error"):
        raise InvalidLabelling("With a Bad step the finish reason is “found_error”, without one it can't be.")
    if reason == "solution" and len(ratings) != step_count:
        raise InvalidLabelling(f"{step_count - len(ratings)} steps have no rating yet.")
