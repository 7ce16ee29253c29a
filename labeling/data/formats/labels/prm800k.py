"""PRM800K's records, both phases: what a labeler said about one solution.

Source: github.com/openai/prm800k (Lightman et al. 2023, arXiv 2305.20050), whose README describes the fields. At each
step ``label.steps[i]`` has the ``completions`` that were shown with their ratings, the ``chosen_completion`` (an index
into them, or null), and a ``human_completion`` where the labeler wrote the step instead.

``parse`` reads a record; ``skeleton`` is what is left of it without the parts that our rows hold (texts, ratings and
flags of completions, the statement, the pre-generated steps), and ``restore`` puts the two together again, so that a
record comes back field for field. ``write`` gives the record of any labelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from typing import Annotated, Any

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.parsed import ParsedLabelling, chosen_texts
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.labelled import SCREENING, Labelled, LabelledCompletion
from labeling.rules.texts.answers import extract_answer
from labeling.rules.words import FinishReason, Verdict

# Stands in a skeleton where the row's value goes: {"text": "2", "rating": 1, "flagged": false} becomes "$held", and
# with a further key {"text": "$held", "rating": "$held", "flagged": "$held", "key": ...}.
HELD = "$held"
HELD_KEYS = {"text", "rating", "flagged"}
MOST_GENERATIONS = 2**31 - 1


class _Error(Struct, gc=False):
    kind: Annotated[str, Meta(max_length=1)] | None = None
    start: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    end: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    root_cause: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None


class _Completion(Struct, gc=False):
    text: str
    rating: Annotated[int, Meta(ge=-1, le=1)] | None = None
    flagged: fields.Flag = None
    error: _Error | None = None

    def at(self, step: int, number: int, *, is_chosen: bool, is_human: bool = False) -> LabelledCompletion:
        error = self.error or _Error()
        return LabelledCompletion(
            *(step, number, self.text, self.rating, bool(self.flagged), is_chosen, is_human),
            *(error.kind or "", error.start, error.end, error.root_cause),
        )


class _Step(Struct, gc=False):
    completions: list[_Completion] | None = None
    human_completion: _Completion | None = None
    chosen_completion: int | None = None

    def __post_init__(self) -> None:
        given = len(self.completions or ())
        if self.chosen_completion is not None and not 0 <= self.chosen_completion < given:
            raise ValueError(f"“chosen_completion” is {self.chosen_completion}, but there are {given} completions")


class _Label(Struct, gc=False):
    steps: list[_Step]
    total_time: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    finish_reason: Annotated[str, Meta(pattern=f"^({'|'.join(FinishReason)}|)$")] | None = None


class _Question(Struct, gc=False):
    problem: fields.NotBlank
    ground_truth_answer: fields.Answer = None
    ground_truth_solution: fields.Answer = None
    pre_generated_steps: Annotated[tuple[str, ...], Meta(min_length=1)] | None = None
    pre_generated_answer: fields.Answer = None


class _Record(Struct, gc=False):
    question: _Question
    label: _Label
    labeler: Annotated[str, Meta(max_length=120)] | fields.Whole | None = None
    timestamp: fields.Moment = None
    generation: int | fields.Digits | None = None
    is_quality_control_question: fields.Flag = None
    is_initial_screening_question: fields.Flag = None
    guidelines_version: fields.Version | None = None
    result: Annotated[str, Meta(pattern=f"^({'|'.join(Verdict)}|)$")] | None = None

    @property
    def round_number(self) -> int:
        number = fields.number(self.generation) or 0
        if not SCREENING <= number <= MOST_GENERATIONS:
            raise FormatError(f"generation: {number} is not a number from {SCREENING} on")
        return SCREENING if self.is_initial_screening_question else number


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    question, label = given.question, given.label
    completions = tuple(_completions(label.steps, question.pre_generated_steps or ()))
    if not question.pre_generated_steps and not completions:
        raise FormatError("there is no step")
    steps = question.pre_generated_steps or chosen_texts(completions)
    problem = ParsedProblem(
        statement=question.problem,
        reference_answer=fields.text(question.ground_truth_answer),
        reference_solution=fields.text(question.ground_truth_solution),
    )
    answer = fields.text(question.pre_generated_answer) or extract_answer(steps[-1])
    return ParsedLabelling(
        solution=ParsedSolution(problem, steps, answer, generator=""),
        completions=completions,
        is_trajectory=question.pre_generated_steps is None,
        finish_reason=label.finish_reason or "",
        labeler=fields.text(given.labeler),
        labelled_at=fields.time(given.timestamp, "timestamp"),
        active_ms=label.total_time,
        round_number=given.round_number,
        is_gold=bool(given.is_quality_control_question),
        guidelines_version=given.guidelines_version,
        result=given.result or "",
    )


def _completions(steps: Sequence[_Step], solution: Sequence[str]) -> Iterator[LabelledCompletion]:
    for number, step in enumerate(steps):
        given, chosen, human = step.completions or (), step.chosen_completion, step.human_completion
        if chosen is None and human is None and number < len(solution):
            # Nothing is chosen at a mistake; but it is the solution's own step that was looked at.
            chosen = next((index for index, item in enumerate(given) if item.text == solution[number]), None)
        for index, item in enumerate(given):
            yield item.at(number, index, is_chosen=index == chosen)
        # The path continues with the labeler's own step, unless one of those shown was chosen.
        if human is not None:
            yield human.at(number, len(given), is_chosen=chosen is None, is_human=True)


def skeleton(record: dict[str, Any]) -> dict[str, Any]:
    """Returns the record itself with ``HELD`` in place of what rows hold. ``parse`` must accept the record."""
    question = record["question"]
    question["problem"] = HELD
    if question.get("pre_generated_steps"):
        question["pre_generated_steps"] = HELD
    _replace_completions(record["label"], _held)
    return record


def restore(
    left: dict[str, Any], *, problem: str, solution_steps: list[str], completions: Sequence[LabelledCompletion]
) -> dict[str, Any]:
    """The inverse of ``skeleton``, likewise in place. ``completions``: in the order of step and number.

    Raises ValueError where they are not as many as the record has.
    """
    question, held = left["question"], iter(completions)
    if question["problem"] == HELD:  # else it is the same problem, spaced in another way than the stored one
        question["problem"] = problem
    if question.get("pre_generated_steps") == HELD:
        question["pre_generated_steps"] = solution_steps
    try:
        _replace_completions(left["label"], lambda raw: _restored(raw, next(held)))
    except StopIteration:
        raise ValueError("there are fewer rated completions than the record has") from None
    if next(held, None) is not None:
        raise ValueError("there are more rated completions than the record has")
    return left


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    """Yields PRM800K's records: an imported labelling as it was, one of our own in the same form."""
    if labelled.source_record is None:
        yield _native(labelled)
    else:
        yield restore(
            labelled.source_record,
            problem=labelled.problem,
            solution_steps=labelled.solution_steps,
            completions=labelled.completions,
        )


def _native(labelled: Labelled) -> dict[str, Any]:
    at = labelled.submitted_at
    # Keys of our own: how a ruling or a consensus came about, the guidelines that somebody followed, their verdict on
    # the result, and the kinds of error.
    known = {
        "method": labelled.method,
        "guidelines_version": labelled.guidelines_version,
        "result": labelled.result,
        "error_kinds": labelled.error_kinds if any(item.has_error for item in labelled.completions) else (),
    }
    return {name: value for name, value in known.items() if value} | {
        "labeler": labelled.annotator_id or None,
        "timestamp": at.astimezone(UTC).replace(tzinfo=None).isoformat() if at else None,
        "generation": labelled.round_number if labelled.round_number >= SCREENING else None,
        "is_quality_control_question": labelled.is_gold,
        "is_initial_screening_question": labelled.is_screening,
        "question": _question(labelled),
        "label": {
            "steps": [_written_step(list(group)) for _, group in labelled.steps],
            "total_time": labelled.active_ms,
            "finish_reason": labelled.finish_reason,
        },
    }


def _question(labelled: Labelled) -> dict[str, Any]:
    question = {"problem": labelled.problem_text, "ground_truth_answer": labelled.reference_answer or None}
    if labelled.has_alternatives_only:
        return question
    return question | {
        "ground_truth_solution": labelled.reference_solution or None,
        "pre_generated_steps": labelled.solution_steps,
        "pre_generated_answer": labelled.answer or None,
        "pre_generated_verifier_score": None,
    }


def _written_step(group: Sequence[LabelledCompletion]) -> dict[str, Any]:
    """Writes a step. A negative completion counts as not chosen: the labelling ended with it."""
    given = [item for item in group if not item.is_human]
    human = [{**_written(item), "source": "human"} for item in group if item.is_human]
    chosen = [index for index, item in enumerate(given) if item.is_chosen and item.rating != -1]
    return {
        "completions": [_written(item) for item in given] or None,
        "human_completion": human[0] if human else None,
        "chosen_completion": chosen[0] if chosen else None,
    }


def _written(item: LabelledCompletion) -> dict[str, Any]:
    error = {
        "kind": item.error_kind or None,
        "start": item.error_start,
        "end": item.error_end,
        "words": item.error_words or None,
        "root_cause": item.root_cause,
    }
    written = {"text": item.text, "rating": item.rating, "flagged": item.is_flagged}
    # A key of our own, as are `result` and `error_kinds` of the record.
    return written | {"error": error} if item.has_error else written


def _replace_completions(label: dict[str, Any], new: Callable[[Any], Any]) -> None:
    """Replaces every completion of the label in order, a step's human one after its others."""
    for step in label["steps"]:
        if step.get("completions"):
            step["completions"] = [new(raw) for raw in step["completions"]]
        if step.get("human_completion") is not None:
            step["human_completion"] = new(step["human_completion"])


def _held(raw: dict[str, Any]) -> dict[str, Any] | str:
    """Returns the completion with ``HELD`` in place of what rows hold; ``HELD`` alone if they hold all of it."""
    # A `flagged` of null would come back from the column as false, a rating of 1.0 as 1: then they stay in the record.
    has_flag, has_rating = type(raw.get("flagged")) is bool, type(raw.get("rating")) is not float
    if has_flag and has_rating and raw.keys() == HELD_KEYS:
        return HELD
    held = {"text": True, "rating": has_rating, "flagged": has_flag}
    return raw | {key: HELD for key, is_held in held.items() if is_held and key in raw}


def _restored(raw: dict[str, Any] | str, item: LabelledCompletion) -> dict[str, Any]:
    values = {"text": item.text, "rating": item.rating, "flagged": item.is_flagged}
    if isinstance(raw, str):
        return values
    return {key: values[key] if value == HELD and key in values else value for key, value in raw.items()}
