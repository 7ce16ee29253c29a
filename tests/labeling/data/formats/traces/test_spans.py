"""labeling.data.formats.traces.spans: two calls of a model, as each program exports them."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError, Row
from labeling.data.formats.files import LineError, read_records
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import UNREAD
from labeling.data.formats.traces.beside import Judgement, put
from labeling.data.formats.traces.spans import opentelemetry
from labeling.data.formats.traces.taken import has_labels, take
from tests.labeling.data.formats.traces.records import (
    ANSWER,
    ARGUMENTS,
    ASKED,
    CALL,
    RECORDS,
    RESULT,
    put_anywhere,
)

SYSTEM = {"role": "system", "content": "Be polite."}
GIVEN: list[dict[str, Any]] = [SYSTEM, {"role": "user", "content": ASKED}]
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RETURNED = {"role": "tool", "tool_call_id": "c1", "content": RESULT}
ANSWERED = {"role": "assistant", "content": ANSWER}
CALLS = [("a", GIVEN, CALLED), ("b", [*GIVEN, {**CALLED, "refusal": None}, RETURNED], {**ANSWERED, "id": "m2"})]


def wrapped(message: dict[str, Any]) -> dict[str, Any]:
    """Returns the message nested as in OpenInference."""
    calls = [{"tool_call": each} for each in message.get("tool_calls", ())]
    return {"message": {**message, **({"tool_calls": calls} if calls else {})}}


def flat(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict | list):
        return {path: value}
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return {name: leaf for key, each in items for name, leaf in flat(each, f"{path}.{key}").items()}


def lang_chain(message: dict[str, Any]) -> dict[str, Any]:
    name = {"system": "System", "user": "Human", "assistant": "AI", "tool": "Tool"}[message["role"]]
    calls = [{"name": "book", "args": ARGUMENTS, "id": "c1"}] if "tool_calls" in message else []
    said = {"content": message["content"] or "", "tool_calls": calls, "tool_call_id": message.get("tool_call_id")}
    return {"lc": 1, "type": "constructor", "id": ["messages", f"{name}Message"], "kwargs": said}


def spans(**others: Any) -> list[dict[str, Any]]:
    """Returns a span of each call, latest first, and one of a tool."""
    tool = {"trace_id": "t1", "span_id": "c", "parent_span_id": "r", "start_time": "3", "attributes": {}}
    return [*(others["make"](name, asked, answer) for name, asked, answer in CALLS[::-1]), tool]


def ids(name: str) -> dict[str, Any]:
    return {"trace_id": "t1", "span_id": name, "start_time": {"a": "1", "b": "2"}[name]}


def open_inference(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    llm = {"input_messages": [*map(wrapped, asked)], "output_messages": [wrapped(answer)], "model_name": "m"}
    return {**ids(name), "attributes": {"openinference.span.kind": "LLM", **flat(llm, "llm")}}


def phoenix(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    llm = {"input_messages": [*map(wrapped, asked)], "output_messages": [wrapped(answer)], "model_name": "m"}
    named = ids(name)
    context = {key: named.pop(key) for key in ("trace_id", "span_id")}
    return {**named, "context": context, "attributes": {"llm": llm}}


def phoenix_row(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    def flattened(message: dict[str, Any]) -> dict[str, Any]:
        inner = wrapped(message)["message"]
        return {f"message.{key}": value for key, value in inner.items()}

    llm = {"input_messages": [*map(flattened, asked)], "output_messages": [flattened(answer)], "model_name": "m"}
    found = {"context.trace_id": "t1", "context.span_id": name, "start_time": ids(name)["start_time"]}
    return {**found, **{f"attributes.llm.{key}": value for key, value in llm.items()}}


def mlflow(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    sent, back = {"model": "m", "messages": asked}, {"choices": [{"message": answer}, {"message": ANSWERED}]}
    own = {"spanType": '"CHAT_MODEL"', "spanInputs": json.dumps(sent), "spanOutputs": json.dumps(back)}
    return {**ids(name), "attributes": {"mlflow.llm.model": "m", **{f"mlflow.{key}": own[key] for key in own}}}


def langfuse(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    times = {"startTime": f"2026-01-01T00:00:0{ids(name)['start_time']}Z", "model": "m"}
    return {"id": name, "traceId": "t1", "type": "GENERATION", **times, "input": {"messages": asked}, "output": answer}


def langsmith(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    said = {"messages": [[*map(lang_chain, asked)]]}
    back = {"generations": [[{"text": "", "message": lang_chain(answer)}]]}
    found = {"id": name, "trace_id": "t1", "run_type": "llm", "start_time": ids(name)["start_time"]}
    return {**found, "inputs": said, "outputs": back, "extra": {"metadata": {"ls_model_name": "m"}}}


def trail(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    span = open_inference(name, asked, answer)
    attributes = span.pop("attributes")
    return {**span, "timestamp": span.pop("start_time"), "span_attributes": attributes, "child_spans": []}


def events(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    told = [{"name": f"gen_ai.{each['role']}.message", "attributes": {**each}} for each in asked]
    told.append({"name": "gen_ai.choice", "attributes": {"index": 0, "message": json.dumps(answer)}})
    return {**ids(name), "attributes": {"gen_ai.request.model": "m"}, "events": told}


def logfire(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    told = [{**each, "event.name": f"gen_ai.{each['role']}.message"} for each in asked]
    told.append({"index": 0, "message": answer, "event.name": "gen_ai.choice"})
    return {**ids(name), "attributes": {"gen_ai.request.model": "m", "events": json.dumps(told)}}


def logfire_request(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    sent, back = {"model": "m", "messages": asked}, {"message": answer, "usage": {"total_tokens": 1}}
    attributes = {"request_data": json.dumps(sent), "response_data": json.dumps(back), "gen_ai.request.model": "m"}
    return {**ids(name), "attributes": attributes}


def ai_sdk(name: str, asked: Any, answer: Any) -> dict[str, Any]:
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "book", "input": ARGUMENTS}
    given = {"toolCallId": "c1", "toolName": "book", "output": {"type": "text", "value": RESULT}}
    said = [
        {"role": "assistant", "content": [call]}
        if "tool_calls" in each
        else {"role": "tool", "content": [{"type": "tool-result", **given}]}
        if each["role"] == "tool"
        else each
        for each in asked
    ]
    calls = {"ai.response.toolCalls": json.dumps([call])} if "tool_calls" in answer else {}
    response = {"ai.response.text": answer["content"] or "", "ai.response.finishReason": "stop", **calls}
    attributes = {"ai.prompt.messages": json.dumps(said), "gen_ai.request.model": "m", **response}
    return {**ids(name), "attributes": attributes}


MAKERS = [
    events,
    logfire,
    logfire_request,
    ai_sdk,
    open_inference,
    phoenix,
    phoenix_row,
    mlflow,
    langfuse,
    langsmith,
    trail,
]
ROOT = {"trace_id": "t1", "span_id": "r", "span_name": "run", "span_attributes": {"pat.app": "x"}}
DOCUMENTS: dict[str, dict[str, Any]] = {
    "mlflow": {"info": {"request_id": "t1"}, "data": {"spans": spans(make=mlflow)}},
    "langfuse": {"id": "t1", "name": "run", "input": ASKED, "observations": spans(make=langfuse)},
    "langsmith": {
        **{"id": "r", "trace_id": "t1", "run_type": "chain", "inputs": {"messages": GIVEN}, "outputs": {"a": ANSWER}},
        "child_runs": spans(make=langsmith),
    },
    "trail": {"trace_id": "t1", "spans": [{**ROOT, "child_spans": spans(make=trail)}]},
}
EXPECTED = opentelemetry.parse(RECORDS["opentelemetry"], Notes())[0]


def check(record: dict[str, Any]) -> None:
    (solution,) = opentelemetry.parse(record, Notes())
    assert (solution.problem.statement, solution.generator, solution.external_id) == (ASKED, "m", "t1")
    assert solution.steps == EXPECTED.steps
    assert [part.text for part in solution.turns[0].context] == [RESULT]


@pytest.mark.parametrize("make", MAKERS)
def test_a_file_of_any_programs_spans_is_one_trace(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "spans.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in spans(make=make)))
    ((_, record),) = read_records(path)
    assert guess.trace_of(record) == "opentelemetry"
    check(record)
    path.write_text(json.dumps({"data": spans(make=make), "meta": {"pages": [{"n": 1}]}}, indent=1))
    (_, found), error = read_records(path)
    assert found == record
    assert isinstance(error, LineError)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("indent", [None, 2])
def test_any_programs_trace_is_read_and_its_labels_come_back(tmp_path: Path, name: str, indent: int | None) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(DOCUMENTS[name], indent=indent))
    ((_, record),) = read_records(path)
    assert record in (DOCUMENTS[name], {"spans": [DOCUMENTS[name]]})  # a run is a span, and a trace
    assert guess.trace_of(record) == "opentelemetry"
    check(record)
    judged = [[Judgement({"labelling": "l1"}, {0: 1, 1: -1})]]
    changed = put("opentelemetry", deepcopy(record), judged)
    assert has_labels("opentelemetry", changed)
    assert take("opentelemetry", changed, opentelemetry.parse(changed, Notes())) == judged
    check(changed)


@settings(max_examples=200)
@given(st.data())
def test_any_value_in_any_place_is_read_or_refused(data: st.DataObject) -> None:
    record = deepcopy(DOCUMENTS[data.draw(st.sampled_from([*DOCUMENTS]))])
    put_anywhere(data, record)
    try:
        solutions = opentelemetry.parse(record, Notes())
    except FormatError:
        return
    assert all(solution.turns for solution in solutions)
    assert isinstance([*UNREAD["opentelemetry"](record)], list)


def test_a_tables_trace_is_json_in_a_cell() -> None:
    row = Row({"trace": json.dumps(DOCUMENTS["trail"]), "labels": "[]"})
    check(row)
    assert "labels" in dict(UNREAD["opentelemetry"](row))


def test_exports_of_one_trace_in_several_lines_are_one_trace(tmp_path: Path) -> None:
    (first, second, _), path = RECORDS["opentelemetry"]["resourceSpans"][0]["scopeSpans"][0]["spans"], tmp_path / "o"
    lines = [{"resourceSpans": [{"scopeSpans": [{"spans": [each]}]}]} for each in (first, second)]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    ((_, record),) = read_records(path)
    assert opentelemetry.parse(record, Notes()) == [EXPECTED]


def test_an_agents_spans_are_those_within_its_own() -> None:
    def agent(name: str, above: str) -> dict[str, Any]:
        return {
            "trace_id": "t1",
            "span_id": name,
            "parent_id": above,
            "name": name,
            "attributes": {"span_kind": "AGENT"},
        }

    main, sub = (open_inference(*each) for each in CALLS)
    found = {"spans": [agent("Boss", ""), agent("Clerk", "Boss"), {**main, "parent_id": "Boss"}]}
    found["spans"].append({**sub, "parent_id": "Clerk"})
    (solution,) = opentelemetry.parse(found, Notes())
    assert [turn.agent for turn in solution.turns] == ["Boss", "Clerk", "Clerk"]


@pytest.mark.parametrize("record", [{"observations": [1]}, {"observations": [{"x": 1}]}, {"runs": 3}, {"runs": []}])
def test_other_lists_of_such_a_name_are_no_spans(record: dict[str, Any]) -> None:
    assert guess.trace_of(record) == ""


def test_spans_without_contents_say_so() -> None:
    with pytest.raises(FormatError, match="were not recorded"):
        opentelemetry.parse({"spans": [{**ids("a"), "attributes": {"llm.model_name": "m"}}]}, Notes())
