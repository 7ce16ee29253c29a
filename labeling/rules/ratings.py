"""The protocols' rules for ratings (pure): phase kinds `solutions` and `alternatives` (PRM800K phases 2 and 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from labeling.errors import DomainError
from labeling.rules.words import GIVEN_UP, FinishReason, PhaseKind, SolutionProgress, Verdict

RATINGS = (-1, 0, 1)
ERROR = ("error_kind", "error_start", "error_end", "root_cause")  # fields of a StepRating, and of the row it becomes


class InvalidLabelling(DomainError, code="invalid_labelling"):
    """The labelling breaks the protocol."""


def first_error(ratings: Sequence[int | None]) -> int:
    """The index of the first step rated negative, or -1 if there is none."""
    return list(ratings).index(-1) if -1 in ratings else -1


def contradicts(given: Sequence[int | None], truth: Sequence[int | None], *, rates_all_steps: bool) -> bool:
    """Returns whether ratings call other steps mistakes than the truth does: another first one or, where all steps are
    rated, any. A step that is unsure, or that one of them doesn't rate, contradicts nothing there.

    Great and Okay never contradict each other.
    """
    if not rates_all_steps:
        return first_error(given) != first_error(truth)
    both = zip(given, truth, strict=False)
    return any((one == -1) != (other == -1) for one, other in both if one is not None and other is not None)


@dataclass(frozen=True, slots=True)
class StepRating:
    """The rating of one completion of a step: -1, 0, 1, or None with `is_flagged` for unsure. `step` counts from 0.

    `text` is only given where the completion is not the solution's own step. A Bad one may have: the key of its kind of
    error; its words, from `error_start` to before `error_end`, in characters of the text; the earlier step to blame.
    """

    step: int
    rating: int | None
    is_flagged: bool = False
    note: str = ""
    active_ms: int = 0
    completion: int = 0
    text: str = ""
    is_chosen: bool = True
    is_human: bool = False
    error_kind: str = ""
    error_start: int | None = None
    error_end: int | None = None
    root_cause: int | None = None


@dataclass(frozen=True, slots=True)
class CritiqueRating:
    """A critique of the first negative step: an offered one with its rating, or one that the annotator wrote."""

    text: str
    rating: int | None = None
    is_human: bool = False


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules of a phase. `step_count` is the solution's; in kind `alternatives` it is ignored."""

    kind: str
    step_count: int
    asks_alternatives: bool = False
    asks_critiques: bool = False
    asks_progress: bool = False
    asks_why_unsure: bool = False
    rates_all_steps: bool = False
    finishes_by_hand: bool = False
    asks_result: bool = False
    error_kinds: Sequence[str] = ()  # keys
    asks_error_words: bool = False
    asks_root_cause: bool = False


@dataclass(frozen=True)
class Judgement:
    """Everything that an annotator submits about a task."""

    ratings: Sequence[StepRating]
    finish_reason: str
    finish_note: str = ""
    critiques: Sequence[CritiqueRating] = ()
    solution_progress: str = ""
    result: str = ""


def check_judgement(judgement: Judgement, protocol: Protocol, *, states_answer: bool = False) -> None:
    """Raises InvalidLabelling, with a message for the annotator, unless the judgement keeps the protocol.

    Kind `solutions`: steps are rated in order without gaps, and nothing after the first negative, unless the phase
    rates all steps. `found_error` has a negative, with which it ends, or rates every step; `solution` rates every step
    and has none. Beside the first negative there may be rated alternatives, critiques and how far the solution had got,
    and a step flagged as unsure has a note on why, where the phase asks for them.
    Kind `alternatives`: every completion of every step is rated, one goes on; `solution` ends with one that states
    a final answer (`states_answer`), or where the annotator says so. Both: whoever gives up says why; whoever doesn't
    says, where the phase asks for it, what kind of error each negative has, and whether the result is right.
    """
    for item in judgement.ratings:
        _check_rating(item)
        check_error(item, protocol)
    _check_texts(judgement.ratings)
    _check_critiques(judgement, protocol)
    _check_result(judgement, protocol)
    if judgement.finish_reason not in FinishReason.values:
        known = ", ".join(FinishReason.values)
        raise InvalidLabelling(f"“{judgement.finish_reason}” is not a finish reason; choose one of {known}.")
    if judgement.finish_reason in GIVEN_UP and not judgement.finish_note.strip():
        raise InvalidLabelling("Say in a few words why.")
    if protocol.kind not in FinishReason(judgement.finish_reason).traits.phase_kinds:
        raise InvalidLabelling("A trajectory ends with a solution, or by giving up.")
    if protocol.kind == PhaseKind.ALTERNATIVES:
        _check_trajectory(judgement, states_answer or protocol.finishes_by_hand)
    else:
        _check_solution(judgement, protocol)
    if protocol.error_kinds and judgement.finish_reason not in GIVEN_UP:
        _check_kinds(judgement.ratings, protocol.kind)


def _check_rating(item: StepRating) -> None:
    if item.rating is None and not item.is_flagged:
        raise InvalidLabelling(f"Step {item.step + 1} has no rating. Rate it or flag it as unsure.")
    if item.rating is not None and item.rating not in RATINGS:
        raise InvalidLabelling(f"Step {item.step + 1}: a rating is -1, 0 or 1, not {item.rating}.")


def check_error(item: StepRating, protocol: Protocol) -> None:
    """Raises InvalidLabelling unless the error's details are asked for, and fit the step and its text."""
    step, span = item.step + 1, (item.error_start, item.error_end)
    is_said = item.error_kind or span != (None, None) or item.root_cause is not None
    if is_said and item.rating != -1:
        raise InvalidLabelling(f"Step {step}: only a Bad step has a kind of error.")
    if item.error_kind and item.error_kind not in protocol.error_kinds:
        raise InvalidLabelling(f"Step {step}: “{item.error_kind}” is not one of this phase's kinds of error.")
    if span != (None, None):
        start, end = span
        if not protocol.asks_error_words:
            raise InvalidLabelling("This phase does not ask for the words of an error.")
        if start is None or end is None or not 0 <= start < end <= len(item.text):
            raise InvalidLabelling(f"Step {step}: the words of the error are not in its text.")
    if item.root_cause is not None and not (protocol.asks_root_cause and 0 <= item.root_cause < item.step):
        raise InvalidLabelling(f"Step {step}: only an earlier step can be to blame, in a phase that asks for it.")


def _check_kinds(ratings: Sequence[StepRating], kind: str) -> None:
    """Raises InvalidLabelling unless each negative has a kind of error. In whole solutions only their own steps
    need one, not the alternatives beside them.
    """
    is_tree = kind == PhaseKind.ALTERNATIVES
    for item in ratings:
        if item.rating == -1 and not item.error_kind and (is_tree or item.completion == 0):
            name = f"completion {item.completion + 1} of step" if is_tree else "step"
            raise InvalidLabelling(f"Say what kind of error {name} {item.step + 1} has.")


def _check_texts(ratings: Sequence[StepRating]) -> None:
    texts = [(item.step, item.text) for item in ratings if item.text]
    if len(set(texts)) != len(texts):
        raise InvalidLabelling("A completion is rated twice.")


def _check_critiques(judgement: Judgement, protocol: Protocol) -> None:
    found_error = judgement.finish_reason == FinishReason.FOUND_ERROR
    if judgement.critiques and not (protocol.asks_critiques and found_error):
        raise InvalidLabelling("Critiques belong to a Bad step, in a phase that asks for them.")
    for critique in judgement.critiques:
        if not critique.text.strip():
            raise InvalidLabelling("A critique has no text.")
        is_written = critique.is_human and critique.rating is None
        if not is_written and critique.rating not in RATINGS:
            raise InvalidLabelling("Every critique that was offered needs a rating.")
    if judgement.solution_progress and not (protocol.asks_progress and found_error):
        raise InvalidLabelling("How far the solution had got is asked only beside a Bad step.")
    if judgement.solution_progress not in ("", *SolutionProgress.values):
        raise InvalidLabelling(f"“{judgement.solution_progress}” is not one of {', '.join(SolutionProgress.values)}.")
    if protocol.asks_progress and found_error and not judgement.solution_progress:
        raise InvalidLabelling("Say how far the solution had got before the mistake.")


def _check_result(judgement: Judgement, protocol: Protocol) -> None:
    """Raises InvalidLabelling unless a verdict on the result is given just when asked for; never on giving up."""
    is_asked = protocol.asks_result and judgement.finish_reason not in GIVEN_UP
    if judgement.result not in ("", *Verdict.values):
        raise InvalidLabelling(f"“{judgement.result}” is not one of {', '.join(Verdict.values)}.")
    if judgement.result and not is_asked:
        raise InvalidLabelling("Whether the result is right is not asked here.")
    if is_asked and not judgement.result:
        raise InvalidLabelling("Say whether the final result is right, wrong, or can't be told.")


def _check_solution(judgement: Judgement, protocol: Protocol) -> None:
    own = [item for item in judgement.ratings if item.completion == 0]
    if [item.step for item in own] != list(range(len(own))):
        raise InvalidLabelling("Rate the steps in order, from the first, each once.")
    if len(own) > protocol.step_count:
        raise InvalidLabelling(f"There are {len(own)} ratings for {protocol.step_count} steps.")
    if any(item.is_human or not item.is_chosen for item in own):
        raise InvalidLabelling("The solution's own steps must be the chosen ones, and nobody else wrote them.")
    negatives = [item.step for item in own if item.rating == -1]
    if negatives and negatives[0] != own[-1].step and not protocol.rates_all_steps:
        raise InvalidLabelling(f"Step {negatives[0] + 1} is Bad, so no later step may be rated.")
    _check_beside(judgement.ratings, protocol, negatives[:1])
    if judgement.finish_reason in GIVEN_UP:
        return
    if bool(negatives) != (judgement.finish_reason == FinishReason.FOUND_ERROR):
        raise InvalidLabelling("With a Bad step the finish reason is “found_error”, without one it can't be.")
    needs_all = protocol.rates_all_steps or judgement.finish_reason == FinishReason.SOLUTION
    if needs_all and len(own) != protocol.step_count:
        raise InvalidLabelling(f"{protocol.step_count - len(own)} steps have no rating yet.")
    unexplained = [item.step for item in own if item.rating is None and not item.note.strip()]
    if protocol.asks_why_unsure and unexplained:
        raise InvalidLabelling(f"Say in a note why you are unsure about step {unexplained[0] + 1}.")


def _check_beside(ratings: Sequence[StepRating], protocol: Protocol, negatives: list[int]) -> None:
    """Checks the rated texts that are not the solution's own: alternatives for the first negative, if the phase asks
    for them and there is one.

    Raises InvalidLabelling.
    """
    beside = [item for item in ratings if item.completion > 0]
    if beside and not protocol.asks_alternatives:
        raise InvalidLabelling("This phase does not ask for alternatives.")
    if any(item.is_chosen for item in beside):
        raise InvalidLabelling("An alternative beside the solution's own step can't be the chosen one.")
    if any(item.step not in negatives for item in beside):
        raise InvalidLabelling("Alternatives are rated for the Bad step only.")
    if len({item.completion for item in beside}) != len(beside):
        raise InvalidLabelling("An alternative is rated twice.")


def _check_trajectory(judgement: Judgement, may_end: bool) -> None:
    steps = [list(group) for _, group in groupby(judgement.ratings, key=lambda item: item.step)]
    if [group[0].step for group in steps] != list(range(len(steps))):
        raise InvalidLabelling("Rate the steps in order, from the first, without a gap.")
    is_finished = judgement.finish_reason == FinishReason.SOLUTION
    for number, group in enumerate(steps):
        _check_alternatives(number, group, needs_choice=is_finished or number < len(steps) - 1)
    if is_finished and not (steps and may_end):
        raise InvalidLabelling("The trajectory does not end with a final answer yet.")


def _check_alternatives(number: int, group: Sequence[StepRating], *, needs_choice: bool) -> None:
    if [item.completion for item in group] != list(range(len(group))):
        raise InvalidLabelling(f"Step {number + 1}: rate every completion, in order, each once.")
    chosen = [item for item in group if item.is_chosen]
    if len(chosen) > 1 or (needs_choice and not chosen):
        raise InvalidLabelling(f"Step {number + 1}: exactly one completion must be chosen, not {len(chosen)}.")
    if chosen and (chosen[0].rating == -1 or (chosen[0].rating != 1 and not chosen[0].is_human)):
        raise InvalidLabelling(f"Step {number + 1}: only a Great completion, or a step of your own, can go on.")
