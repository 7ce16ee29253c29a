"""The verifier: judges each step of given solutions, and finds the best of them."""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict, TypeVar

from stepmark.client.calls import Pause, Steps
from stepmark.client.errors import StepmarkError

Solution = str | Sequence[str]
S = TypeVar("S", bound=Solution)
MOST_SOLUTIONS = 64  # that the verifier takes at once


class VerifiedStep(TypedDict):
    """`p_right` is P(positive) + P(neutral); all are None where the model did not read so far."""

    text: str
    p_right: float | None
    p_negative: float | None
    p_neutral: float | None
    p_positive: float | None


class VerifiedSolution(TypedDict):
    """`rank` 1 is the best by the product of its steps; `first_suspect` counts from 0."""

    rank: int
    product: float | None
    minimum: float | None
    first_suspect: int | None
    is_truncated: bool
    steps: list[VerifiedStep]


def scored(
    ask: Callable[..., Steps[Any]], problem: str, solutions: Sequence[Solution], **by: str | None
) -> Steps[list[VerifiedSolution]]:
    """Returns the solutions judged `by` a reward_model or a phase's current one, all ranked together."""
    judged: list[VerifiedSolution] = []
    named = {name: value for name, value in by.items() if value}
    for first in range(0, len(solutions), MOST_SOLUTIONS):
        some = [_given(each) for each in solutions[first : first + MOST_SOLUTIONS]]
        answer = yield from ask("POST", "verifier/", json={"problem": problem, "solutions": some, **named})
        while answer["status"] in {"queued", "running"}:
            yield Pause(1)
            answer = yield from ask("GET", f"verifier/{answer['id']}/")
        if answer["status"] != "done":
            raise StepmarkError(f"The verifier gave no answer: {answer['error'] or answer['status']}.")
        judged += answer["solutions"]
    for rank, each in enumerate(sorted(judged, key=_product, reverse=True), start=1):
        each["rank"] = rank
    return judged


def best(judged: Sequence[VerifiedSolution]) -> int:
    """Returns the index of the best. Raises StepmarkError if the model could read none to its end."""
    found = min(range(len(judged)), key=lambda index: judged[index]["rank"], default=None)
    if found is None or judged[found]["product"] is None:
        raise StepmarkError("The model can read none of the solutions to its end.")
    return found


def _product(judged: VerifiedSolution) -> float:
    return -1 if judged["product"] is None else judged["product"]


def _given(solution: Solution) -> dict[str, Any]:
    return {"text": solution} if isinstance(solution, str) else {"steps": list(solution)}
