"""labeling.data.formats.traces.dialects: messages of other programs are read like OpenAI's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labeling.data.formats import guess
from labeling.data.formats.files import read_records
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import UNREAD, messages, sessions
from labeling.rules.words import PartKind
from tests.labeling.data.formats.traces.records import ANSWER, ARGUMENTS, ASKED, CALL, RECORDS, RESULT

PLAIN = [("user", ASKED), ("assistant", "For whom?"), ("user", "Me."), ("assistant", ANSWER)]


def _lang_chain(role: str, text: str) -> dict[str, Any]:
    name = {"user": "HumanMessage", "assistant": "AIMessageChunk"}[role]
    path = ["langchain", "schema", "messages", name]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": text}}


DIALECTS: dict[str, Any] = {
    "share_gpt": [{"from": {"user": "human"}.get(role, "gpt"), "value": text} for role, text in PLAIN],
    "lang_chain": [_lang_chain(*each) for each in PLAIN],
    "lang_chain_data": [{"type": {"user": "human"}.get(role, "ai"), "data": {"content": text}} for role, text in PLAIN],
    "nebius": [{"role": {"assistant": "ai"}.get(role, role), "text": text, "mask": False} for role, text in PLAIN],
    "open_inference": [
        {"message": {"role": role, "contents": [{"message_content": {"type": "text", "text": text}}]}}
        for role, text in PLAIN
    ],
    "open_code": [
        {"info": {"role": role, "id": "1"}, "parts": [{"type": "text", "text": text}]} for role, text in PLAIN
    ],
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("key", messages.KEYS)
@pytest.mark.parametrize("as_text", [False, True])
def test_every_dialect_reads_like_openais(dialect: str, key: str, *, as_text: bool) -> None:
    said = DIALECTS[dialect]
    record = {key: json.dumps(said) if as_text else said}
    assert guess.trace_of(record) == "messages"
    expected = messages.parse({"messages": [{"role": role, "content": text} for role, text in PLAIN]}, Notes())
    assert messages.parse(record, Notes()) == expected


@pytest.mark.parametrize(
    "call",
    [
        {"type": "local_shell_call", "call_id": "c", "action": ARGUMENTS, "name": "book"},
        {"type": "mcp_call", "id": "c", "name": "book", "arguments": json.dumps(ARGUMENTS)},
        {"type": "book_call", "id": "c", "action": ARGUMENTS},
        {"type": "tool", "callID": "c", "tool": "book", "state": {"input": ARGUMENTS, "output": RESULT}},
    ],
)
def test_calls_of_any_type_are_calls(call: dict[str, Any]) -> None:
    answer = {"role": "assistant", "content": [call]}
    items = [{"role": "user", "content": ASKED}, call if call["type"] != "tool" else answer]
    result = {"type": f"{call['type']}_output", "call_id": "c", "output": RESULT}
    (turn,) = messages.parse({"messages": [*items, *([result] if call["type"] != "tool" else [])]}, Notes())[0].turns
    assert [(part.kind, part.name, part.arguments) for part in turn.own] == [(PartKind.TOOL_CALL, "book", ARGUMENTS)]
    assert [(part.kind, part.name, part.text) for part in turn.context] == [(PartKind.OBSERVATION, "book", RESULT)]


@pytest.mark.parametrize(
    ("verdict", "is_correct"),
    [({"resolved": True}, True), ({"resolved": 0}, False), ({"reward_info": {"reward": 1.0}}, True), ({}, None)],
)
def test_a_verdict_is_taken_under_each_name_that_is_usual(verdict: dict[str, Any], *, is_correct: bool | None) -> None:
    record = {**RECORDS["messages"], **verdict}
    assert messages.parse(record, Notes())[0].is_correct is is_correct
    assert not [*UNREAD["messages"](record)]


SIMULATION = {
    "id": "s1",
    "task_id": "7",
    "reward_info": {"reward": 1.0},
    "messages": [
        {"role": "assistant", "content": "Hello! How can I help?"},
        {"role": "user", "content": ASKED},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "name": "book", "arguments": ARGUMENTS}]},
        {"role": "tool", "id": "c1", "content": RESULT, "error": False},
        {"role": "user", "content": None, "tool_calls": [{"id": "c2", "name": "look", "arguments": {}}]},
        {"role": "tool", "id": "c2", "content": "A seat."},
        {"role": "assistant", "content": ANSWER},
    ],
}


def test_a_greeting_is_context_and_so_are_calls_of_the_simulated_user() -> None:
    notes = Notes()
    (solution,) = messages.parse(SIMULATION, notes)
    assert (solution.problem.statement, solution.is_correct) == (ASKED, True)
    assert [part.name for part in solution.problem.conversation or ()] == ["Agent", "User"]
    assert [turn.at for turn in solution.turns] == [2, 6]
    context = [(part.kind.value, part.name) for part in solution.turns[0].context]
    assert context == [("observation", "book"), ("tool_call", "look"), ("observation", "look")]
    assert [what for what, _, _ in notes] == ["greetings before anybody asked, kept as context"]


def test_a_call_before_the_first_question_is_a_turn() -> None:
    asked = {"role": "user", "content": ASKED}
    said = [{"role": "system", "content": "Go."}, {"role": "assistant", "tool_calls": [CALL]}, asked]
    (solution,) = messages.parse({"messages": said}, Notes())
    assert (solution.problem.statement, len(solution.turns)) == ("Go.", 1)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("tasks", [1, 3000])
def test_the_simulations_of_tau2_bench_are_its_records(tmp_path: Path, indent: int | None, tasks: int) -> None:
    task = {"id": "7", "description": {"purpose": "x" * 100}, "user_scenario": {"instructions": {"task": "Book."}}}
    log = {"timestamp": "2026-01-01", "info": {"git_commit": "a", "agent_info": {}}, "tasks": [task] * tasks}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**log, "simulations": [SIMULATION] * 2}, indent=indent))
    assert [record for _, record in read_records(path)] == [SIMULATION] * 2


def test_a_session_of_gemini_cli_is_read_with_thoughts_and_results() -> None:
    given = {"functionResponse": {"id": "c1", "name": "book", "response": {"output": RESULT}}}
    call = {"id": "c1", "name": "book", "args": ARGUMENTS, "result": [given], "status": "success"}
    said = [
        {"id": "1", "type": "user", "content": [{"text": ASKED}]},
        {"id": "2", "type": "info", "content": "Signed in."},
        {"id": "3", "type": "gemini", "model": "m", "content": "", "toolCalls": [call]},
        {"id": "4", "type": "gemini", "content": ANSWER, "thoughts": [{"subject": "So", "description": "Booked."}]},
    ]
    record, notes = {"sessionId": "s1", "projectHash": "a", "messages": said}, Notes()
    assert guess.trace_of(record) == "messages"
    (solution,) = messages.parse(record, notes)
    assert (solution.problem.statement, solution.generator, solution.external_id) == (ASKED, "m", "s1")
    first, last = solution.turns or ()
    assert [part.kind.value for part in first.parts] == ["tool_call", "observation"]
    assert RESULT in first.context[0].text
    assert [part.text for part in last.own] == ["So\nBooked.", ANSWER]
    assert [what for what, _, _ in notes] == ["events that say nothing, left out"]


def test_without_a_user_message_a_rollouts_event_is_the_question() -> None:
    lines = [
        {"type": "event_msg", "payload": {"type": "user_message", "message": ASKED}},
        {"type": "response_item", "payload": {"type": "function_call", "call_id": "c", "name": "book"}},
    ]
    (solution,) = sessions.parse({"session": lines}, Notes())
    assert (solution.problem.statement, len(solution.turns or ())) == (ASKED, 1)


def test_rollouts_of_codexs_first_versions_are_sessions(tmp_path: Path) -> None:
    lines = [
        {"id": "s1", "timestamp": "2025-05-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": ASKED}]},
        {"type": "local_shell_call", "call_id": "c1", "status": "completed", "action": {"command": ["ls"]}},
        {"type": "function_call_output", "call_id": "c1", "output": RESULT},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]},
    ]
    path = tmp_path / "rollout.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ((_, record),) = read_records(path)
    (solution,) = sessions.parse(record, Notes())
    assert (solution.external_id, solution.problem.statement, len(solution.turns or ())) == ("s1", ASKED, 2)


GEMINI = [
    {"role": "user", "parts": [{"text": ASKED}]},
    {
        "role": "model",
        "parts": [{"text": "Hm.", "thought": True}, {"functionCall": {"name": "book", "args": ARGUMENTS}}],
    },
    {"role": "user", "parts": [{"functionResponse": {"name": "book", "response": {"output": RESULT}}}]},
    {"role": "model", "parts": [{"executableCode": {"language": "PYTHON", "code": "1"}}, {"text": ANSWER}]},
]
BEDROCK = [
    {"role": "user", "content": [{"text": ASKED}]},
    {
        "role": "assistant",
        "content": [
            {"reasoningContent": {"reasoningText": {"text": "Hm."}}},
            {"toolUse": {"toolUseId": "c1", "name": "book", "input": ARGUMENTS}},
        ],
    },
    {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [{"json": {"output": RESULT}}]}}]},
    {"role": "assistant", "content": [{"text": ANSWER}]},
]


@pytest.mark.parametrize("said", [GEMINI, BEDROCK])
def test_blocks_whose_key_is_their_type_are_read(tmp_path: Path, said: list[dict[str, Any]]) -> None:
    path = tmp_path / "history.json"
    path.write_text(json.dumps(said, indent=2))
    ((_, record),) = read_records(path)
    for solution in (*sessions.parse(record, Notes()), *messages.parse({"messages": said}, Notes())):
        assert solution.problem.statement == ASKED
        first, last = solution.turns or ()
        assert [part.kind.value for part in first.own] == ["reasoning", "tool_call"]
        assert (first.own[1].name, first.own[1].arguments) == ("book", ARGUMENTS)
        assert [(part.kind, part.name) for part in first.context] == [(PartKind.OBSERVATION, "book")]
        assert RESULT in first.context[0].text
        assert last.own[-1].text == ANSWER


@pytest.mark.parametrize(
    "answer",
    [
        {"type": "gemini", "content": "", "toolCalls": [{"name": "book", "args": {}}]},
        {"role": "model", "parts": [{"functionCall": {"name": "book", "args": {}}}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1", "name": "book", "input": {}}}]},
    ],
)
def test_one_answer_that_calls_a_tool_is_a_trace(answer: dict[str, Any]) -> None:
    said = [{"role": "user", "content": ASKED}, answer]
    assert guess.trace_of({"messages": said}) == "messages"
    assert guess.trace_of({"messages": [said[0], {"role": "assistant", "content": ANSWER}]}) == ""


def test_a_lines_type_is_its_messages_role() -> None:
    lines = [{"type": "user", "message": {"content": ASKED}}, {"type": "assistant", "message": {"content": ANSWER}}]
    (solution,) = sessions.parse({"session": lines}, Notes())
    assert (solution.problem.statement, len(solution.turns or ())) == (ASKED, 1)


def test_client_messages_and_repeated_lines_are_no_turns() -> None:
    asked = {"type": "user", "uuid": "1", "message": {"role": "user", "content": ASKED}}
    error = [{"type": "text", "text": "API Error: 529"}]
    lines = [
        asked,
        {"type": "assistant", "uuid": "2", "message": {"role": "assistant", "model": "<synthetic>", "content": error}},
        asked,
        {"type": "assistant", "uuid": "3", "message": {"role": "assistant", "model": "m", "content": ANSWER}},
    ]
    notes = Notes()
    (solution,) = sessions.parse({"session": lines}, notes)
    assert [part.text for part in solution.problem.conversation or ()] == [ASKED, "API Error: 529"]
    assert (solution.problem.statement, solution.generator, len(solution.turns or ())) == (ASKED, "m", 1)
    assert [what for what, _, _ in notes] == ["lines that repeat one before, left out"]
