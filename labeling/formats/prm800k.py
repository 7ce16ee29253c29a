"""PRM800K's records, both phases: what a labeler said about one solution.

``parse`` reads a record; ``skeleton`` is what is left of it without the parts that our rows hold (texts, ratings and
flags of completions, the statement, the pre-generated steps), and ``restore`` puts the two together again, so that a
record comes back field for field. ``write`` gives the record of any labelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from labeling.formats import fields
from labeling.formats.fields import FormatError, Record
from labeling.formats.labelled import Completion, Labelled
from labeling.ratings import FINISH_REASONS, RATINGS

HELD = "$held"  # stands in a skeleton where the row's value goes
MAX_LABELER = 120


@dataclass(frozen=True)
class Record800K:
    """One labelling. ``pre_generated_steps`` is None in phase 1; ``finish_reason`` may be empty: some
    copies of the data do not say."""

    labeler: str
    labelled_at: datetime | None
    generation: int
    is_quality_control: bool
    is_screening: bool
    problem: str
    reference_answer: str
    reference_solution: str
    pre_generated_steps: tuple[str, ...] | None
    pre_generated_answer: str
    completions: tuple[Completion, ...]
    total_ms: int | None
    finish_reason: str

    @property
    def path(self) -> tuple[str, ...]:
        """The chosen texts in order; where nothing was chosen, the first text that was put up."""
        chosen = tuple(item.text for item in self.completions if item.is_chosen)
        return chosen or tuple(item.text for item in self.completions[:1])


def parse(record: Record) -> Record800K:
    """Raises FormatError, which names the field."""
    question, label = fields.mapping(record, "question"), fields.mapping(record, "label")
    finish_reason = fields.optional_text(label, "finish_reason")
    if finish_reason and finish_reason not in FINISH_REASONS:
        raise FormatError(f"“finish_reason” is “{finish_reason[:40]}”; there are {', '.join(FINISH_REASONS)}")
    parsed = Record800K(
        labeler=fields.optional_text(record, "labeler", limit=MAX_LABELER),
        labelled_at=_time(fields.optional_text(record, "timestamp")),
        generation=_whole_number(record, "generation") or 0,
        is_quality_control=bool(fields.optional_bool(record, "is_quality_control_question")),
        is_screening=bool(fields.optional_bool(record, "is_initial_screening_question")),
        problem=fields.text(question, "problem"),
        reference_answer=fields.optional_text(question, "ground_truth_answer"),
        reference_solution=fields.optional_text(question, "ground_truth_solution"),
        pre_generated_steps=_pre_generated(question),
        pre_generated_answer=fields.optional_text(question, "pre_generated_answer"),
        completions=tuple(_completions(label)),
        total_ms=_duration(label),
        finish_reason=finish_reason,
    )
    if not parsed.pre_generated_steps and not parsed.path:
        raise FormatError("there is no step")
    return parsed


def skeleton(record: dict[str, Any]) -> dict[str, Any]:
    """The record itself, changed: ``HELD`` in place of what rows hold. It must be one that ``parse`` takes."""
    question = record["question"]
    question["problem"] = HELD
    if question.get("pre_generated_steps"):
        question["pre_generated_steps"] = HELD
    for completion in _raw_completions(record["label"]):
        completion["text"] = HELD
        if "rating" in completion:
            completion["rating"] = HELD
        if isinstance(completion.get("flagged"), bool):
            completion["flagged"] = HELD
    return record


def restore(
    left: dict[str, Any], *, problem: str, solution_steps: list[str], completions: Sequence[Completion]
) -> dict[str, Any]:
    """The inverse of ``skeleton``, likewise in place. ``completions``: in the order of step and number."""
    question = left["question"]
    question["problem"] = problem
    if question.get("pre_generated_steps") == HELD:
        question["pre_generated_steps"] = solution_steps
    for raw, item in zip(_raw_completions(left["label"]), completions, strict=True):
        raw["text"] = item.text
        if raw.get("rating") == HELD:
            raw["rating"] = item.rating
        if raw.get("flagged") == HELD:
            raw["flagged"] = item.is_flagged
    return left


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    """What was imported comes back as it was; what was labelled here is told in the same words."""
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
    return {
        "labeler": labelled.annotator_id or None,
        "timestamp": at.astimezone(UTC).replace(tzinfo=None).isoformat() if at else None,
        "generation": labelled.round_number if labelled.round_number >= 0 else None,
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
    question = {"problem": labelled.problem, "ground_truth_answer": labelled.reference_answer or None}
    if labelled.has_alternatives_only:
        return question
    return question | {
        "ground_truth_solution": labelled.reference_solution or None,
        "pre_generated_steps": labelled.solution_steps,
        "pre_generated_answer": labelled.answer or None,
        "pre_generated_verifier_score": None,
    }


def _written_step(group: Sequence[Completion]) -> dict[str, Any]:
    """A negative completion was not chosen: the labelling ended with it."""
    given = [item for item in group if not item.is_human]
    human = [{**_written(item), "source": "human"} for item in group if item.is_human]
    chosen = [index for index, item in enumerate(given) if item.is_chosen and item.rating != -1]
    return {
        "completions": [_written(item) for item in given] or None,
        "human_completion": human[0] if human else None,
        "chosen_completion": chosen[0] if chosen else None,
    }


def _written(item: Completion) -> dict[str, Any]:
    return {"text": item.text, "rating": item.rating, "flagged": item.is_flagged}


def _raw_completions(label: dict[str, Any]) -> list[dict[str, Any]]:
    """Every completion of the label, a step's human one after its others."""
    found = list[dict[str, Any]]()
    for step in label["steps"]:
        found += step.get("completions") or []
        if step.get("human_completion") is not None:
            found.append(step["human_completion"])
    return found


def _completions(label: Record) -> list[Completion]:
    found = list[Completion]()
    for number, step in enumerate(fields.sequence(label, "steps")):
        try:
            found += _step(number, step)
        except FormatError as error:
            raise FormatError(f"step {number + 1}: {error}") from None
    return found


def _step(number: int, step: Any) -> list[Completion]:
    if not isinstance(step, dict):
        raise FormatError(f"must be an object, not {fields.kind_of(step)}")
    given = fields.sequence(step, "completions") if step.get("completions") is not None else []
    chosen = _whole_number(step, "chosen_completion")
    if chosen is not None and not 0 <= chosen < len(given):
        raise FormatError(f"“chosen_completion” is {chosen}, but there are {len(given)} completions")
    found = [_completion(number, index, item, is_chosen=index == chosen) for index, item in enumerate(given)]
    human = step.get("human_completion")
    if human is not None:
        found.append(_completion(number, len(given), human, is_chosen=chosen is None, is_human=True))
    return found


def _completion(step: int, number: int, item: Any, *, is_chosen: bool, is_human: bool = False) -> Completion:
    if not isinstance(item, dict):
        raise FormatError(f"a completion must be an object, not {fields.kind_of(item)}")
    if not isinstance(item.get("text"), str):
        raise FormatError("a completion has no “text”")
    rating = item.get("rating")
    if rating is not None and (type(rating) is not int or rating not in RATINGS):
        raise FormatError(f"“rating” must be -1, 0, 1 or null, not {str(rating)[:40]}")
    flagged = bool(fields.optional_bool(item, "flagged"))
    return Completion(step, number, item["text"], rating, flagged, is_chosen, is_human)


def _pre_generated(question: Record) -> tuple[str, ...] | None:
    if question.get("pre_generated_steps") is None:
        return None
    steps = fields.sequence(question, "pre_generated_steps")
    if not steps or not all(isinstance(step, str) for step in steps):
        raise FormatError("“pre_generated_steps” must be a list of texts, at least one")
    return tuple(steps)


def _whole_number(record: Record, key: str) -> int | None:
    value = record.get(key)
    if value is not None and type(value) is not int:
        raise FormatError(f"“{key}” must be a whole number or null, not {fields.kind_of(value)}")
    return value


def _duration(label: Record) -> int | None:
    value = _whole_number(label, "total_time")
    if value is not None and value < 0:
        raise FormatError(f"“total_time” is negative: {value}")
    return value


def _time(value: str) -> datetime | None:
    """PRM800K's times carry no zone; they are taken as UTC."""
    if not value:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise FormatError(f"“timestamp” is no ISO time: “{value[:40]}”") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
