"""labeling.data.formats.traces.dialects.events: OpenHands' events, of both versions, as messages or as a session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError
from labeling.data.formats.files import read_records
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import READERS
from labeling.rules.words import PartKind
from tests.labeling.data.formats.traces.records import ANSWER, ARGUMENTS, ASKED, CALL, RESULT, put_anywhere

RESPONSE = {"id": "m1", "model": "m", "choices": [{"message": {"content": "Hm.", "tool_calls": [CALL]}}]}
CALLED = {"tool_call_id": "c1", "function_name": "book", "model_response": RESPONSE}
VERSIONS: dict[str, list[dict[str, Any]]] = {
    "0": [
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "Be polite."}},
        {"id": 1, "source": "user", "action": "message", "message": ASKED, "args": {"content": ASKED}},
        {"id": 2, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
        {
            **{"id": 3, "source": "agent", "action": "run", "tool_call_metadata": CALLED},
            "args": {"command": "book 2", "thought": "Hm.", "hidden": False},
        },
        {**{"id": 4, "source": "agent", "observation": "run", "content": RESULT}, "tool_call_metadata": CALLED},
        {"id": 5, "source": "agent", "action": "message", "args": {"content": ANSWER}},
    ],
    "1": [
        {"kind": "SystemPromptEvent", "source": "agent", "system_prompt": {"type": "text", "text": "Be polite."}},
        {"kind": "MessageEvent", "source": "user", "llm_message": {"content": [{"type": "text", "text": ASKED}]}},
        {"kind": "ConversationStateUpdateEvent", "source": "environment", "key": "stats", "value": {}},
        {
            **{"kind": "ActionEvent", "source": "agent", "thought": [{"type": "text", "text": "Hm."}]},
            **{"tool_name": "book", "tool_call_id": "c1", "llm_response_id": "m1", "action": {"kind": "BookAction"}},
            "tool_call": {"id": "c1", "name": "book", "arguments": json.dumps(ARGUMENTS), "origin": "completion"},
        },
        {
            **{"kind": "ObservationEvent", "source": "environment", "tool_name": "book", "tool_call_id": "c1"},
            "observation": {"kind": "BookObservation", "content": [{"type": "text", "text": RESULT}]},
        },
        {
            **{"kind": "MessageEvent", "source": "agent"},
            "llm_message": {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
        },
    ],
}


def records(tmp_path: Path, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the records read from the events as a result's history, as JSON Lines, and as a list."""
    found = list[dict[str, Any]]()
    history = {"instance_id": "t1", "instruction": ASKED, "metadata": {"llm_config": {"model": "m"}}}
    lines = "".join(json.dumps(event) + "\n" for event in events)
    for text in (json.dumps({**history, "history": events}), lines, json.dumps(events, indent=1)):
        path = tmp_path / "events"
        path.write_text(text)
        found += [record for _, record in read_records(path)]
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_events_are_read_as_messages(tmp_path: Path, version: str) -> None:
    found = records(tmp_path, VERSIONS[version])
    assert [guess.trace_of(record) for record in found] == ["messages", "sessions", "sessions"]
    for record in found:
        notes = Notes()
        (solution,) = READERS[guess.trace_of(record)](record, notes)
        assert [part.text for part in solution.problem.conversation or ()] == ["Be polite.", ASKED]
        first, last = solution.turns or ()
        assert [(part.kind, part.name, part.text) for part in first.own] == [
            (PartKind.TEXT, "", "Hm."),
            (PartKind.TOOL_CALL, "book", ""),
        ]
        assert first.own[1].arguments == ARGUMENTS
        assert [(part.kind, part.name, part.text) for part in first.context] == [(PartKind.OBSERVATION, "book", RESULT)]
        assert [part.text for part in last.own] == [ANSWER]
        assert (first.at, last.at) == (3, 5)
        assert sum(many for _, many, _ in notes) == 1  # the change of state


def test_an_action_without_its_response_is_a_call_with_its_arguments() -> None:
    action = {"source": "agent", "action": "run", "args": {"command": "ls", "thought": ""}}
    history = [VERSIONS["0"][1], action, {"observation": "run", "content": "a.py", "extras": {}}]
    (solution,) = READERS["messages"]({"history": history}, Notes())
    (call,) = solution.turns[0].own if solution.turns else ()
    assert (call.name, call.arguments) == ("run", {"command": "ls"})


@given(st.data())
def test_any_value_in_any_place_is_read_or_refused(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(["history", "session"]))
    record = json.loads(json.dumps({key: VERSIONS[data.draw(st.sampled_from([*VERSIONS]))]}))
    put_anywhere(data, record)
    try:
        solutions = READERS["sessions" if key == "session" else "messages"](record, Notes())
    except FormatError:
        return
    assert all(solution.turns for solution in solutions)


def test_without_a_question_among_events_the_instruction_is_used() -> None:
    record = {
        "instance_id": "t1",
        "instruction": ASKED,
        "history": VERSIONS["1"][3:],
        "metadata": {"llm": {"model": "m"}},
    }
    (solution,) = READERS["messages"](record, Notes())
    assert (solution.problem.statement, solution.generator, len(solution.turns or ())) == (ASKED, "m", 2)
    with pytest.raises(FormatError, match="nothing is asked"):
        READERS["messages"]({"history": VERSIONS["1"][3:]}, Notes())
