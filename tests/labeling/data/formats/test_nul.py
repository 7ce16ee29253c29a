"""Readers leave no NUL character, which PostgreSQL can't store, wherever a file has one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pyarrow
import pytest
from pyarrow import parquet

from labeling.data.formats.fields import FormatError
from labeling.data.formats.files import read_records
from labeling.data.formats.labels import READERS
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import READERS as TRACES

NUL = "NUL characters replaced by \ufffd"
ARGUMENTS = json.dumps({"seats\0": ["2\0", "\\u0000"]})
CALL = {"id": "c1", "function": {"name": "book", "arguments": ARGUMENTS}}
CHAT = [{"role": "user", "content": "Two\0 seats."}, {"role": "assistant", "content": "Done.", "tool_calls": [CALL]}]
SPAN = {
    "traceId": "t",
    "spanId": "s",
    "attributes": {"gen_ai.input.messages": json.dumps(CHAT[:1]), "gen_ai.output.messages": json.dumps(CHAT[1:])},
}
RECORDS = {
    "messages": ({"messages": [{"role": "user", "content": "Two seats."}, CHAT[1]]}, 2),
    "messages in a text": ({"messages": json.dumps(CHAT)}, 3),
    "opentelemetry": ({"spans": [SPAN]}, 3),
}


@pytest.mark.parametrize(("record", "many"), RECORDS.values(), ids=RECORDS)
def test_nul_characters_in_json_within_a_trace_are_replaced_and_counted(record: dict[str, Any], many: int) -> None:
    name = "opentelemetry" if "spans" in record else "messages"
    (solution,) = TRACES[name](record, notes := Notes())
    (call,) = (part for turn in solution.turns or () for part in turn.parts if part.call)
    assert call.arguments == {"seats\ufffd": ["2\ufffd", "\\u0000"]}
    assert "\0" not in str(msgspec.to_builtins(solution))
    assert [(what, count) for what, count, _ in notes] == [(NUL, many)]


def test_a_csv_row_with_a_nul_character_is_refused(tmp_path: Path) -> None:
    for cell in (json.dumps(["Two.\0"]), repr(["Two.\0"])):
        quoted = '"' + cell.replace('"', '""') + '"'
        (tmp_path / "t.csv").write_text(f'prompt,completions,labels\n1 + 1?,{quoted},"[true]"\n')
        ((_, record),) = read_records(tmp_path / "t.csv")
        with pytest.raises(FormatError, match="completions: it has a NUL character"):
            READERS["trl"](record)


def test_nul_characters_in_parquet_cells_are_replaced_and_counted(tmp_path: Path) -> None:
    rows = [{"a": "x\0", "b": ["\0y"], "c": b"z\0"}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "t.parquet")
    found = [*read_records(tmp_path / "t.parquet", notes=(notes := Notes()))]
    assert found == [(1, {"a": "x\ufffd", "b": ["\ufffdy"], "c": "z\ufffd"})]
    assert [*notes] == [(NUL, 3, [1])]


@pytest.mark.parametrize("column", ["turns", "conversation", "source_record"])
def test_nul_characters_in_json_within_a_parquet_cell_are_refused(column: str) -> None:
    plain = {"problem": "1 + 1?", "solution_steps": ["2"], "completions": [], "phase_kind": "solutions"}
    text = json.dumps({"a": "\0"} if column == "source_record" else [{"kind": "text", "text": "\0"}])
    turns = f'[{{"parts": {text}}}]'
    with pytest.raises(FormatError, match=f"{column}: it has a NUL character"):
        READERS["parquet"]({**plain, column: turns if column == "turns" else text})
