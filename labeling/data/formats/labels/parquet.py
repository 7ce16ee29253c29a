"""Our own layout of labels for data frames, as Parquet: one row a labelling, its completions as a list of structs.

The columns are the fields of ``labeling.rules.labelled.Labelled``, of the same names; ``error_kinds``, the phase's list
of kinds of error, is JSON. They hold all that PRM800K's records do. A ruling or a consensus is told by its ``method``
alone: read again, it is a labelling by nobody. Writing needs ``stepmark[parquet]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.parsed import ParsedLabelling, chosen_texts
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.errors import DomainError
from labeling.rules.labelled import SCREENING, Labelled, LabelledCompletion
from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import FinishReason, Verdict

TEXTS = (
    *("id", "method", "annotator_id", "finish_reason", "phase", "phase_kind", "generator", "answer", "verdict"),
    *("problem_id", "problem", "reference_answer", "reference_solution", "problem_source", "split", "result"),
    "error_kinds",
)
COLUMNS = {
    **dict.fromkeys(TEXTS, "string"),
    "round_number": "int32",
    "active_ms": "int64",
    "guidelines_version": "int32",
    "is_gold": "bool",
    "rates_all_steps": "bool",
}
PARTS = ("turns", "conversation")  # of a trace, as JSON
Decoded = TypeVar("Decoded")
VERDICTS = {"right": True, "wrong": False}


class ParquetIsMissing(DomainError, code="parquet_is_missing"):
    """The optional dependency is not installed."""


class _Completion(Struct, gc=False):
    step: Annotated[int, Meta(ge=0)]
    number: Annotated[int, Meta(ge=0)]
    text: str
    rating: Annotated[int, Meta(ge=-1, le=1)] | None = None
    is_flagged: bool = False
    is_chosen: bool = False
    is_human: bool = False
    error_kind: str = ""
    error_start: Annotated[int, Meta(ge=0)] | None = None
    error_end: Annotated[int, Meta(ge=0)] | None = None
    root_cause: Annotated[int, Meta(ge=0)] | None = None


class _Record(Struct, gc=False):
    problem: fields.NotBlank
    solution_steps: tuple[str, ...]
    completions: list[_Completion]
    phase_kind: Annotated[str, Meta(pattern="^(solutions|alternatives)$")]
    finish_reason: Annotated[str, Meta(pattern=f"^({'|'.join(FinishReason)}|)$")] | None = None
    annotator_id: str | None = None
    submitted_at: datetime | None = None
    active_ms: Annotated[int, Meta(ge=0)] | None = None
    round_number: Annotated[int, Meta(ge=SCREENING - 1)] | None = None
    guidelines_version: fields.Version | None = None
    is_gold: bool | None = None
    generator: Annotated[str, Meta(max_length=100)] | None = None
    answer: str | None = None
    verdict: str | None = None
    reference_answer: str | None = None
    reference_solution: str | None = None
    split: Annotated[str, Meta(pattern="^(train|test|)$")] | None = None
    result: Annotated[str, Meta(pattern=f"^({'|'.join(Verdict)}|)$")] | None = None
    source_record: str | None = None
    external_id: str | None = None
    turns: str | None = None
    conversation: str | None = None


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    problem = ParsedProblem(
        statement=given.problem,
        reference_answer=given.reference_answer or "",
        reference_solution=given.reference_solution or "",
        split=given.split or "",
        conversation=_decoded(given.conversation, tuple[Part, ...], "conversation"),
    )
    completions = tuple(LabelledCompletion(*msgspec.structs.astuple(each)) for each in given.completions)
    steps = given.solution_steps or chosen_texts(completions)
    if not steps:
        raise FormatError("there is no step")
    verdict = VERDICTS.get(given.verdict or "")
    return ParsedLabelling(
        solution=ParsedSolution(
            problem,
            steps,
            given.answer or "",
            given.generator or "",
            verdict,
            external_id=given.external_id or "",
            turns=_turns(given, steps),
        ),
        completions=completions,
        is_trajectory=given.phase_kind == "alternatives",
        finish_reason=given.finish_reason or "",
        labeler=given.annotator_id or "",
        labelled_at=given.submitted_at,
        active_ms=given.active_ms,
        round_number=given.round_number or 0,
        guidelines_version=given.guidelines_version,
        is_gold=bool(given.is_gold),
        result=given.result or "",
        source_record=_decoded(given.source_record, dict[str, Any], "source_record"),
    )


def _turns(given: _Record, steps: Sequence[str]) -> tuple[Turn, ...] | None:
    turns = _decoded(given.turns, tuple[Turn, ...], "turns")
    if turns is not None and len(turns) != len(steps):
        raise FormatError(f"there are {len(turns)} turns for {len(steps)} steps")
    return turns


def _decoded(text: str | None, kind: type[Decoded], name: str) -> Decoded | None:
    try:
        return fields.without_nul(msgspec.json.decode(text, type=kind), name) if text else None
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise FormatError(f"{name}: {error}") from None


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    left = labelled.source_record
    yield {
        **{name: getattr(labelled, name) for name in COLUMNS},
        "error_kinds": msgspec.json.encode(labelled.error_kinds).decode(),
        "submitted_at": labelled.submitted_at,
        "solution_steps": labelled.solution_steps,
        "completions": [item._asdict() for item in labelled.completions],
        "source_record": None if left is None else msgspec.json.encode(left).decode(),
        "external_id": labelled.external_id,
        **{name: _encoded(getattr(labelled, name)) for name in PARTS},
    }


def _encoded(parts: Sequence[Struct]) -> str | None:
    return msgspec.json.encode(parts).decode() if parts else None


def read_json(line: bytes) -> dict[str, Any]:
    """Reads a record of `write` back from JSON, in which its time is a text."""
    record: dict[str, Any] = msgspec.json.decode(line)
    record["submitted_at"] = record["submitted_at"] and datetime.fromisoformat(record["submitted_at"])
    return record


def schema() -> Any:
    """The columns' types. Raises ParquetIsMissing."""
    try:
        import pyarrow  # noqa: PLC0415  large, and an extra
    except ImportError:
        raise ParquetIsMissing("Parquet needs pyarrow: pip install 'stepmark[parquet]'.") from None
    text, flag, number = pyarrow.string(), pyarrow.bool_(), pyarrow.int32()
    kinds = {"step": number, "number": number, "text": text, "rating": pyarrow.int8()}
    error = {"error_kind": text, "error_start": number, "error_end": number, "root_cause": number}
    completion = pyarrow.struct({**kinds, "is_flagged": flag, "is_chosen": flag, "is_human": flag, **error})
    columns = {name: pyarrow.type_for_alias(kind) for name, kind in COLUMNS.items()}
    columns["submitted_at"] = pyarrow.timestamp("us", tz="UTC")
    lists = {"solution_steps": pyarrow.list_(text), "completions": pyarrow.list_(completion)}
    return pyarrow.schema({**columns, **lists, **dict.fromkeys(("source_record", "external_id", *PARTS), text)})
