"""labeling.rules.traces: parts become turns, and turns become one text."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.rules.traces import rendering
from labeling.rules.traces.parts import Part, Turn, traced
from labeling.rules.words import PartKind

ASKED = Part(kind=PartKind.MESSAGE, name="User", text="Two seats, please.", is_context=True, at=0)
THOUGHT = Part(kind=PartKind.REASONING, text="Cheap ones.", at=1)
CALLED = Part(kind=PartKind.TOOL_CALL, name="book", arguments={"seats": 2, "class": "é"}, call="c1", at=1)
SEEN = Part(kind=PartKind.OBSERVATION, name="book", text="booked", call="c1", is_context=True, at=2)
SAID = Part(kind=PartKind.TEXT, text="Done.", at=3)


def test_a_turn_is_a_message_of_the_model_and_what_comes_after_it() -> None:
    trace = traced([("", part) for part in (ASKED, THOUGHT, CALLED, SEEN, SAID)])
    assert trace.conversation == (ASKED,)
    assert [turn.parts for turn in trace.turns] == [(THOUGHT, CALLED, SEEN), (SAID,)]
    assert [turn.at for turn in trace.turns] == [1, 3]


def test_another_agent_and_another_message_begin_a_turn() -> None:
    texts = [Part(kind=PartKind.TEXT, text=text, at=at) for at, text in enumerate("abc")]
    turns = traced(zip(["Planner", "Planner", "Searcher"], texts, strict=True)).turns
    assert [(turn.agent, turn.at) for turn in turns] == [("Planner", 0), ("Planner", 1), ("Searcher", 2)]


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (THOUGHT, "<think>\nCheap ones.\n</think>"),
        (CALLED, 'book({"seats":2,"class":"é"})'),
        (Part(kind=PartKind.TOOL_CALL, name="book", text="{broken"), "book({broken)"),
        (Part(kind=PartKind.CODE, text="x = 1", language="python"), "```python\nx = 1\n```"),
        (Part(kind=PartKind.CODE, text="```\nx\n```"), "````\n```\nx\n```\n````"),
        (Part(kind=PartKind.DIFF, text="-a\n+b"), "```diff\n-a\n+b\n```"),
        (Part(kind=PartKind.IMAGE, image="a" * 64), "[image: aaaaaaaaaaaa]"),
        (Part(kind=PartKind.FILE, name="a.txt", text="hi"), "[file: a.txt]\nhi"),
    ],
)
def test_each_kind_of_part_has_a_text(part: Part, text: str) -> None:
    assert rendering.step_text(Turn((part,))) == text


@given(st.text("`a\n"))
def test_a_fence_does_not_occur_in_its_text(text: str) -> None:
    fence = rendering.fenced(text, "").split("\n")[0]
    assert fence not in text
    assert len(fence) >= 3


def test_context_names_its_tool_its_author_and_an_error() -> None:
    failed = Part(kind=PartKind.OBSERVATION, name="book", text="no seat", is_error=True, is_context=True)
    turn = Turn((SAID, SEEN, failed, ASKED), "Clerk")
    assert rendering.step_text(turn) == "Clerk: Done."
    expected = "Result of book: booked\n\nError of book: no seat\n\nUser: Two seats, please."
    assert rendering.context_text(turn) == expected
    assert rendering.problem_text("Two seats", [ASKED]) == "User: Two seats, please."
    assert rendering.problem_text("Two seats", []) == "Two seats"


def test_long_context_loses_its_middle_and_the_models_text_does_not() -> None:
    long = "a" * 3000 + "z" * 3000
    read = rendering.context_text(Turn((SAID, msgspec.structs.replace(SEEN, text=long))))
    assert read == f"Result of book: {'a' * 1200}\n[… 4,200 characters left out …]\n{'z' * 600}"
    assert rendering.step_text(Turn((Part(kind=PartKind.TEXT, text=long),))) == long


KINDS = st.sampled_from([SAID, CALLED, THOUGHT, SEEN, ASKED])


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b"]), KINDS)))
def test_no_part_is_lost_and_every_turn_says_something(parts: list[tuple[str, Part]]) -> None:
    trace = traced(parts)
    assert [*trace.conversation, *(part for turn in trace.turns for part in turn.parts)] == [part for _, part in parts]
    assert all(turn.own == list(turn.parts[: len(turn.own)]) and turn.own for turn in trace.turns)
    assert all(part.is_context for part in trace.conversation)
    rows = msgspec.to_builtins(trace.turns)
    assert rendering.contexts(rows) == [rendering.context_text(turn) for turn in trace.turns]
    assert msgspec.convert(rows, tuple[Turn, ...]) == trace.turns
