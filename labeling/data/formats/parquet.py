"""Parquet: one row a labelling, its completions as a list of structs. Written only; it needs ``stepmark[parquet]``.

Our own layout, for data frames: the columns are the fields of ``labeling.rules.labelled.Labelled``, of the same names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labeling.errors import DomainError
from labeling.rules.labelled import Labelled

TEXTS = (
    "id",
    "method",
    "annotator_id",
    "finish_reason",
    "phase",
    "phase_kind",
    "generator",
    "verdict",
    "problem_id",
    "problem",
)
COLUMNS = {
    **dict.fromkeys((*TEXTS, "reference_answer", "problem_source", "split"), "string"),
    "round_number": "int32",
    "active_ms": "int64",
    "is_gold": "bool",
}


class ParquetIsMissing(DomainError, code="parquet_is_missing"):
    """The optional dependency is not installed."""


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    row = {name: getattr(labelled, name) for name in COLUMNS}
    completions = [item._asdict() for item in labelled.completions]
    yield {
        **row,
        "submitted_at": labelled.submitted_at,
        "solution_steps": labelled.solution_steps,
        "completions": completions,
    }


def schema() -> Any:
    """The columns' types. Raises ParquetIsMissing."""
    try:
        import pyarrow  # noqa: PLC0415  large, and an extra
    except ImportError:
        raise ParquetIsMissing("Parquet needs pyarrow: pip install 'stepmark[parquet]'.") from None
    text, flag, number = pyarrow.string(), pyarrow.bool_(), pyarrow.int32()
    kinds = {"step": number, "number": number, "text": text, "rating": pyarrow.int8()}
    completion = pyarrow.struct({**kinds, "is_flagged": flag, "is_chosen": flag, "is_human": flag})
    columns = {name: pyarrow.type_for_alias(kind) for name, kind in COLUMNS.items()}
    columns["submitted_at"] = pyarrow.timestamp("us", tz="UTC")
    return pyarrow.schema({**columns, "solution_steps": pyarrow.list_(text), "completions": pyarrow.list_(completion)})
