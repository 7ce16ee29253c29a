"""labeling.data.formats.traces: reads each format as turns of typed parts, and lists the fields not kept."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from base64 import b64encode
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError
from labeling.data.formats.files import LineError, read_records
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import READERS, UNREAD
from labeling.rules.words import FileFormat, PartKind
from tests.labeling.data.formats.traces.records import ANSWER, ARGUMENTS, ASKED, RECORDS, RESULT, SESSION, put_anywhere

EVERY = [*RECORDS]
CALLED = {"messages", "atif", "sessions", "inspect", "opentelemetry"}


def read(file_format: str, record: dict[str, Any], notes: Notes | None = None) -> Any:
    return READERS[file_format](record, notes or Notes())[0]


def test_there_is_a_record_of_every_format() -> None:
    assert {*EVERY} == READERS.keys() == UNREAD.keys()
    assert READERS.keys() <= {*FileFormat}


@pytest.mark.parametrize("file_format", EVERY)
def test_a_record_is_known_by_its_keys(file_format: str) -> None:
    assert guess.trace_of(RECORDS[file_format]) == file_format
    assert guess.format_of(RECORDS[file_format]) == FileFormat(file_format).label


@pytest.mark.parametrize("file_format", EVERY)
def test_turns_are_the_models_and_what_came_between_is_context(file_format: str) -> None:
    solution = read(file_format, RECORDS[file_format])
    assert solution.problem.statement == ASKED
    assert solution.generator == "m"
    first, last = solution.turns
    assert [part.text for part in first.context] == [RESULT]
    assert last.own[0].text == ANSWER
    assert not last.context
    assert solution.problem.conversation[-1].text == ASKED
    if file_format in CALLED:
        call = first.own[-1]
        assert (call.kind, call.name, call.arguments) == (PartKind.TOOL_CALL, "book", ARGUMENTS)
        assert (first.context[0].kind, first.context[0].name) == (PartKind.OBSERVATION, "book")


@pytest.mark.parametrize("file_format", EVERY)
def test_the_same_record_with_other_fields_is_read_the_same_and_they_are_listed(file_format: str) -> None:
    record = RECORDS[file_format]
    more = {**record, "zeal": {"a": 1}}
    assert read(file_format, more) == read(file_format, record)
    found = {path for path, _ in UNREAD[file_format](more)}
    assert "zeal" in found or file_format in {"sessions", "opentelemetry"}


@pytest.mark.parametrize(
    ("file_format", "bad"),
    [
        ("messages", {"messages": []}),
        ("messages", {"messages": ["hi"]}),
        ("messages", {"messages": [{"role": "user", "content": "hi"}]}),
        ("messages", {"messages": [{"role": "assistant", "content": "hi"}]}),
        ("atif", {"schema_version": "ATIF-v1.7"}),
        ("atif", {"steps": [{"message": "hi"}]}),
        ("sessions", {"session": "hi"}),
        ("sessions", {"session": [{"type": "summary"}]}),
        ("inspect", {"epoch": 1, "messages": []}),
        ("swe_agent", {"history": []}),
        ("swe_agent", {"history": ["hi"]}),
        ("multi_agent", {"history": [{"content": "hi"}]}),
        ("opentelemetry", {"spans": []}),
        ("opentelemetry", {}),
    ],
)
def test_a_record_that_is_not_a_trace_is_refused(file_format: str, bad: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        READERS[file_format](bad, Notes())


@given(st.data())
def test_any_value_in_any_place_is_read_or_refused(data: st.DataObject) -> None:
    """A record with any value in any field is read, or refused with a FormatError."""
    file_format = data.draw(st.sampled_from(EVERY))
    record = deepcopy(RECORDS[file_format])
    put_anywhere(data, record)
    try:
        solutions = READERS[file_format](record, Notes())
        found = [*UNREAD[file_format](record)]
    except FormatError:
        return
    assert all(solution.turns and solution.steps for solution in solutions)
    assert isinstance(found, list)


PNG, SVG = b"\x89PNG\r\n\x1a\n...", b64encode(b"<svg/>").decode()


def test_blocks_of_all_providers_are_typed_parts() -> None:
    image = b64encode(PNG).decode()
    sha = hashlib.sha256(PNG).hexdigest()
    content = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "Look."},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": image}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{image}"}},
        {"type": "image_url", "image_url": {"url": "https://a.b/c.png"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": SVG}},
        {"type": "document", "source": {"path": "a.pdf", "media_type": "application/pdf"}},
        {"type": "hologram"},
        {"type": "tool_use", "id": "c1", "name": "book", "input": {"seats": 2}},
    ]
    notes, kept = Notes(), list[tuple[str, bytes]]()
    notes.keep_image = lambda *image: kept.append(image)
    asked = {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "input_image", "image_url": "d.png"}]}
    solution = read("messages", {"messages": [asked, {"role": "assistant", "content": content}]}, notes)
    assert [(part.kind.value, part.text, part.image, part.name) for part in solution.turns[0].own] == [
        ("reasoning", "Hm.", "", ""),
        ("text", "Look.", "", ""),
        ("image", "", sha, ""),
        ("image", "", sha, ""),
        ("image", "", "", "https://a.b/c.png"),
        ("image", "", hashlib.sha256(b"<svg/>").hexdigest(), ""),
        ("file", "", "", "a.pdf"),
        ("tool_call", "", "", "book"),
    ]
    assert [part.kind.value for part in solution.problem.conversation] == ["message", "image"]
    assert {what: many for what, many, _ in notes} == {
        "reasoning that its provider hides, left out": 1,
        "content of type “hologram”, left out": 1,
        "images elsewhere, of which only the address is kept": 2,
        "images that are too large or no PNG, JPEG, GIF or WebP, of which only the hash is kept": 1,
        "files, of which only the name is kept": 1,
    }
    assert kept == [(sha, PNG)] * 2


def test_arguments_that_are_not_an_object_are_kept_as_text() -> None:
    call = {"id": "c", "function": {"name": "book", "arguments": "{broken"}}
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [call]}]
    (part,) = read("messages", {"messages": messages}).turns[0].own
    assert (part.arguments, part.text) == (None, "{broken")


def test_items_of_one_response_are_one_turn() -> None:
    items = [
        {"role": "user", "content": "Hi"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "function_call", "call_id": "c", "name": "book", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "booked"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
    ]
    solution = read("messages", {"messages": items})
    assert [turn.at for turn in solution.turns] == [1, 4]
    assert [part.kind.value for part in solution.turns[0].parts] == ["reasoning", "tool_call", "observation"]


def test_copied_steps_of_atif_are_context_and_subagents_solutions_of_their_own() -> None:
    record = deepcopy(RECORDS["atif"])
    old = {"step_id": 3, "source": "agent", "message": "Earlier.", "is_copied_context": True}
    record["steps"].insert(2, old)
    sub = {**deepcopy(RECORDS["atif"]), "trajectory_id": "sub"}
    record["subagent_trajectories"] = [sub, {"steps": []}]
    notes = Notes()
    main, other = READERS["atif"](record, notes)
    assert [part.text for part in main.problem.conversation] == ["Be polite.", ASKED, "Earlier."]
    assert [turn.at for turn in main.turns] == [3, 4]
    assert (main.external_id, other.external_id) == ("s1", "sub")
    assert {what for what, _, _ in notes} == {
        "copied steps of the agent's, kept as context",
        "subagents' trajectories without a turn, left out",
    }


def test_an_examples_answer_in_an_inspect_sample_is_context() -> None:
    record = deepcopy(RECORDS["inspect"])
    record["messages"].insert(0, {"role": "assistant", "content": "So.", "source": "input"})
    solution = read("inspect", record)
    assert [part.text for part in solution.problem.conversation] == ["So.", ASKED]
    assert (solution.is_correct, solution.problem.reference_answer, solution.external_id) == (True, "2", "1")
    record["scores"]["other"] = {"value": 0}
    assert read("inspect", record).is_correct is None


def test_subagents_of_a_session_are_solutions_of_their_own() -> None:
    side = [{**line, "isSidechain": True, "agentId": "a1"} for line in deepcopy(SESSION[1:])]
    for line in side:
        line["message"].pop("id", None)
    main, other = READERS["sessions"]({"session": [*SESSION, *side]}, Notes())
    assert (main.external_id, other.external_id) == ("s1", "s1/a1")
    assert [turn.at for turn in main.turns] == [2, 5]


def test_codex_rollouts_are_sessions() -> None:
    def item(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload}

    lines = [
        {"type": "session_meta", "payload": {"id": "s1", "cwd": "/a"}},
        {"type": "turn_context", "payload": {"model": "m"}},
        item(type="message", role="user", content=[{"type": "input_text", "text": ASKED}]),
        {"type": "event_msg", "payload": {"type": "user_message", "message": ASKED}},
        item(type="reasoning", summary=[{"type": "summary_text", "text": "Hm."}]),
        item(type="function_call", call_id="c1", name="book", arguments=json.dumps(ARGUMENTS)),
        item(type="function_call_output", call_id="c1", output=RESULT),
        item(type="message", role="assistant", content=[{"type": "output_text", "text": ANSWER}]),
    ]
    solution = read("sessions", {"session": lines})
    assert (solution.external_id, solution.generator) == ("s1", "m")
    assert [turn.at for turn in solution.turns] == [4, 7]
    assert [part.text for part in solution.turns[0].context] == [RESULT]


def test_a_traces_agents_get_each_message_once() -> None:
    def span(agent: str, start: int, given: list[str], answered: str) -> dict[str, Any]:
        said = [{"role": "user", "parts": [{"type": "text", "content": text}]} for text in given]
        answer = [{"role": "assistant", "parts": [{"type": "text", "content": answered}]}]
        attributes = {"gen_ai.input.messages": said, "gen_ai.output.messages": answer, "gen_ai.agent.name": agent}
        return {"context": {"trace_id": "t", "span_id": str(start)}, "start_time": str(start), "attributes": attributes}

    spans = [span("A", 1, ["Go."], "One."), span("B", 2, ["Check."], "Two."), span("A", 3, ["Go.", "On."], "Three.")]
    solution = read("opentelemetry", {"spans": spans})
    assert [(turn.agent, turn.own[0].text) for turn in solution.turns] == [
        ("A", "One."),
        ("B", "Two."),
        ("A", "Three."),
    ]
    assert [part.text for turn in solution.turns for part in turn.context] == ["Check.", "On."]


def test_flat_attributes_of_spans_are_read() -> None:
    attributes = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": ASKED,
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.tool_calls.0.name": "book",
        "gen_ai.completion.0.tool_calls.0.arguments": json.dumps(ARGUMENTS),
    }
    solution = read("opentelemetry", {"spans": [{"trace_id": "t", "span_id": "s", "attributes": attributes}]})
    assert solution.turns[0].own[0].arguments == ARGUMENTS


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("as_list", [False, True])
def test_all_lines_of_a_session_are_one_record(tmp_path: Path, *, as_list: bool) -> None:
    path = write(tmp_path / "s.jsonl", SESSION)
    if as_list:
        path.write_text(json.dumps(SESSION, indent=1))
    assert [*read_records(path)] == [(1 if not as_list else 2, {"session": SESSION})]


@pytest.mark.parametrize(
    "record",
    [
        {**RECORDS["messages"], "type": "chat", "session_id": "s1"},
        {**RECORDS["atif"], "type": "run", "parentUuid": None},
        {"role": "user", "content": "Hi", "problem": "1 + 1?"},
        {"type": "problem", "question": "1 + 1?", "sessionId": "s1"},
        {"message": "Hi", "type": "note"},
        {"role": "expert"},
        {"trace_id": "t", "span_id": "s"},
    ],
)
def test_a_record_of_its_own_is_no_line_of_a_session(tmp_path: Path, record: dict[str, Any]) -> None:
    assert [found for _, found in read_records(write(tmp_path / "r.jsonl", [record, record]))] == [record, record]


def test_a_file_of_messages_is_one_session(tmp_path: Path) -> None:
    messages = RECORDS["messages"]["messages"]
    ((_, record),) = read_records(write(tmp_path / "m.jsonl", messages))
    assert guess.trace_of(record) == "sessions"
    assert read("sessions", record).turns == read("messages", RECORDS["messages"]).turns


def test_a_bad_line_of_a_session_stays_one_and_the_limit_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", SESSION)
    path.write_text(path.read_text() + "{broken\n")
    error, (line, record) = read_records(path)
    assert isinstance(error, LineError)
    assert (error.line, line, len(record["session"])) == (7, 1, 6)
    (error,) = read_records(write(path, SESSION), max_line_bytes=500)
    assert "longer than 500 bytes" in str(error)


def test_spans_one_after_another_are_one_record(tmp_path: Path) -> None:
    spans = RECORDS["opentelemetry"]["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ((_, record),) = read_records(write(tmp_path / "spans.jsonl", spans))
    assert read("opentelemetry", record) == read("opentelemetry", RECORDS["opentelemetry"])


@pytest.mark.parametrize("file_format", ["atif", "swe_agent", "messages", "opentelemetry"])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_with_one_trace_is_one_record(tmp_path: Path, file_format: str, indent: int | None) -> None:
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(json.dumps(RECORDS[file_format], indent=indent).encode()))
    assert [record for _, record in read_records(path)] == [RECORDS[file_format]]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("steps", [1, 5000])
def test_the_samples_of_an_inspect_log_are_its_records(tmp_path: Path, indent: int | None, steps: int) -> None:
    sample = RECORDS["inspect"]
    plan = {"name": "plan", "steps": [{"solver": "generate", "params": {"samples": [{"a": 1}]}}] * steps}
    log = {"version": 2, "status": "success", "eval": {"model": "m"}, "plan": plan, "samples": [sample, sample]}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**log, "reductions": [{"scorer": "s"}]}, indent=indent))
    assert [record for _, record in read_records(path)] == [sample, sample]


PAGE = Path(__file__).resolve().parents[5] / "docs" / "reference" / "formats.md"


def rows(title: str) -> dict[str, list[set[str]]]:
    """Returns the table under a heading: for each format, the fields named in each other column."""
    lines = PAGE.read_text().partition(f"### {title}\n")[2].split("\n### ")[0].splitlines()
    cells = [[set(re.findall(r"`([^`]+)`", cell)) for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    return {name: others for names, *others in cells for name in names if name != "--format"}


def test_the_page_of_formats_lists_kept_and_lost_fields_rightly() -> None:
    table = rows("Traces")
    assert table.keys() == READERS.keys()
    for file_format, (kept, lost) in table.items():
        record = RECORDS[file_format]
        more = {**dict.fromkeys({each for each in kept | lost if "." not in each}, "a"), **record}
        unread = {path.split(".")[0] for path, _ in UNREAD[file_format]({**more, **dict.fromkeys(lost, "a")})}
        assert lost <= unread, file_format
        assert not kept & unread, file_format


@pytest.mark.parametrize("file_format", ["atif", "swe_agent", "messages", "opentelemetry", "inspect"])
def test_a_document_that_is_long_before_its_turns_is_still_one_record(tmp_path: Path, file_format: str) -> None:
    record = deepcopy(RECORDS[file_format])
    tools = [{"name": "book", "description": "x" * 1000}] * 400
    if file_format == "messages":
        record = {"info": {"model_stats": {}, "config": {"tools": tools}}, **record}
    elif file_format == "atif":
        record["agent"]["tool_definitions"] = tools
    else:
        record["extra"] = tools
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(record, indent=1))
    assert path.stat().st_size > 1 << 18
    assert [found for _, found in read_records(path)] == [record]
