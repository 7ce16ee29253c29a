"""A small record of each format of traces: one question, a call, its result, an answer."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

ASKED, RESULT, ANSWER = "Two seats, please.", "booked", "Done."
ARGUMENTS = {"seats": 2}
CALL = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": json.dumps(ARGUMENTS)}}


def _span(span: str, start: int, given: list[Any], answered: list[Any]) -> dict[str, Any]:
    attributes = {"gen_ai.input.messages": json.dumps(given), "gen_ai.output.messages": json.dumps(answered)}
    attributes["gen_ai.request.model"] = "m"
    found = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    return {"traceId": "t1", "spanId": span, "startTimeUnixNano": str(start), "attributes": found}


def _parts(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


_GIVEN = [
    _parts("system", {"type": "text", "content": "Be polite."}),
    _parts("user", {"type": "text", "content": ASKED}),
]
_CALLED = _parts("assistant", {"type": "tool_call", "id": "c1", "name": "book", "arguments": ARGUMENTS})
_RESULT = _parts("tool", {"type": "tool_call_response", "id": "c1", "response": RESULT})
_ANSWER = _parts("assistant", {"type": "text", "content": ANSWER})

SESSION = [
    {"type": "summary", "summary": "Seats", "leafUuid": "u4"},
    {"type": "user", "sessionId": "s1", "uuid": "u1", "message": {"role": "user", "content": ASKED}},
    {
        "type": "assistant",
        "sessionId": "s1",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "m",
            "content": [{"type": "thinking", "thinking": "Hm."}],
        },
    },
    {
        "type": "assistant",
        "sessionId": "s1",
        "message": {
            "id": "m1",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c1", "name": "book", "input": ARGUMENTS}],
        },
    },
    {
        "type": "user",
        "sessionId": "s1",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": RESULT}]},
    },
    {
        "type": "assistant",
        "sessionId": "s1",
        "message": {"id": "m2", "role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    },
]

RECORDS: dict[str, dict[str, Any]] = {
    "messages": {
        "task_id": 7,
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be polite."},
            {"role": "user", "content": ASKED},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": RESULT},
            {"role": "assistant", "content": ANSWER},
        ],
    },
    "atif": {
        "schema_version": "ATIF-v1.7",
        "session_id": "s1",
        "agent": {"name": "clerk", "version": "1", "model_name": "m"},
        "steps": [
            {"step_id": 1, "source": "system", "message": "Be polite."},
            {"step_id": 2, "source": "user", "message": ASKED},
            {
                "step_id": 3,
                "source": "agent",
                "message": "",
                "tool_calls": [{"tool_call_id": "c1", "function_name": "book", "arguments": ARGUMENTS}],
                "observation": {"results": [{"source_call_id": "c1", "content": RESULT}]},
            },
            {"step_id": 4, "source": "agent", "message": ANSWER, "extra": {"note": "kept"}},
        ],
    },
    "sessions": {"session": SESSION},
    "inspect": {
        "id": 1,
        "epoch": 1,
        "input": ASKED,
        "target": "2",
        "messages": [
            {"role": "user", "content": "attachment://a1", "source": "input"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "c1", "type": "function", "function": "book", "arguments": ARGUMENTS}],
            },
            {"role": "tool", "tool_call_id": "c1", "function": "book", "content": RESULT},
            {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
        ],
        "output": {"model": "m"},
        "scores": {"match": {"value": "C"}},
        "attachments": {"a1": ASKED},
    },
    "swe_agent": {
        "environment": "main",
        "model": "m",
        "trajectory": [
            {"thought": "Hm.", "action": "book 2", "observation": RESULT, "response": "Hm.\n```\nbook 2\n```"}
        ],
        "history": [
            {"role": "system", "content": "Be polite.", "message_type": "system_prompt"},
            {"role": "user", "content": ASKED, "message_type": "observation"},
            {
                "role": "assistant",
                "content": "Hm.\n```\nbook 2\n```",
                "thought": "Hm.",
                "action": "book 2",
                "message_type": "action",
            },
            {"role": "user", "content": RESULT, "message_type": "observation"},
            {"role": "assistant", "content": ANSWER, "thought": ANSWER, "action": "", "message_type": "action"},
        ],
        "info": {"exit_status": "submitted"},
    },
    "multi_agent": {
        "trajectory_id": "t1",
        "model": "m",
        "messages": [
            {"role": "human", "content": ASKED},
            {"role": "Planner", "content": "Book them."},
            {"role": "ComputerTerminal", "content": RESULT},
            {"role": "Clerk (-> Planner)", "content": ANSWER},
        ],
    },
    "opentelemetry": {
        "resourceSpans": [
            {
                "scopeSpans": [
                    {
                        "spans": [
                            _span("b", 2, [*_GIVEN, _CALLED, _RESULT], [_ANSWER]),
                            _span("a", 1, _GIVEN, [_CALLED]),
                            {"traceId": "t1", "spanId": "c", "startTimeUnixNano": "3", "attributes": []},
                        ]
                    }
                ]
            }
        ]
    },
}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, each in children for found in _places(each, (*path, key)))]


def put_anywhere(data: st.DataObject, record: dict[str, Any]) -> None:
    """Puts any value in any place of the record."""
    *path, last = data.draw(st.sampled_from(_places(record)[1:]))
    inner: Any = record
    for key in path:
        inner = inner[key]
    inner[last] = data.draw(values)
