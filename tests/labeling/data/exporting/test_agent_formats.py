"""labeling.data.formats.labels.agents: formats of labelled traces read what they wrote, and count what they lose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.data.formats.fields import FormatError
from labeling.data.formats.labels import READERS, REFERRING, WRITERS, Mistake
from labeling.data.formats.labels.agents import rebuilt
from labeling.data.formats.labels.agents.placing import ELSEWHERE
from labeling.data.formats.labels.losses import OF_TRACES, Loss, losses
from labeling.rules.labelled import Labelled, LabelledCompletion
from labeling.rules.traces import rendering
from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import PartKind
from tests.labeling.data.exporting.test_label_formats import labelled, stored, written
from tests.labeling.data.formats.traces.records import ANSWER, ASKED, RECORDS

SELF_CONTAINED = sorted(OF_TRACES & READERS.keys())
words = st.sampled_from(["a", "é\n", "```\nx\n```", "Step 1: b", "{}", '"', "User: c", "\\n"])
agents = st.sampled_from(["", "", "Planner", "Web Surfer (-> Planner)"])


def own_parts() -> st.SearchStrategy[list[Part]]:
    plain = st.builds(Part, kind=st.sampled_from([PartKind.TEXT, PartKind.REASONING, PartKind.CODE]), text=words)
    call = st.builds(
        Part,
        kind=st.just(PartKind.TOOL_CALL),
        name=st.sampled_from(["book", "search"]),
        arguments=st.sampled_from([None, {}, {"seats": 2, "é": [1]}]),
        call=st.just("c1"),
    )
    broken = call.map(
        lambda part: (
            part if part.arguments is not None else Part(kind=part.kind, name=part.name, call=part.call, text="{broken")
        )
    )
    return st.lists(plain | broken, min_size=1, max_size=3)


def context_parts() -> st.SearchStrategy[list[Part]]:
    seen = st.builds(
        Part,
        kind=st.just(PartKind.OBSERVATION),
        text=words | st.just(""),
        name=st.sampled_from(["", "book"]),
        is_context=st.just(True),
        is_error=st.booleans(),
    )
    said = st.builds(
        Part,
        kind=st.just(PartKind.MESSAGE),
        text=words,
        name=st.sampled_from(["User", "User", "System", "Example"]),
        is_context=st.just(True),
    )
    return st.lists(seen | said, max_size=2)


OWN_PARTS, CONTEXT_PARTS = own_parts(), context_parts()


@st.composite
def traces(draw: st.DrawFn) -> Labelled:
    """Draws a labelled trace whose message numbers have gaps, as empty messages leave in a file."""
    at = draw(st.integers(0, 2))
    conversation = [Part(kind=PartKind.MESSAGE, name="User", text=draw(words), is_context=True, at=at)]
    turns = list[Turn]()
    for _ in range(draw(st.integers(1, 4))):
        at += draw(st.integers(1, 2))
        own = [_at(part, at) for part in draw(OWN_PARTS)]
        context = list[Part]()
        for part in draw(CONTEXT_PARTS):
            at += 1
            context.append(_at(part, at))
        turns.append(Turn((*own, *context), draw(agents), own[0].at))
    ratings = draw(st.lists(st.sampled_from([1, 1, 0, -1, None]), min_size=1, max_size=len(turns)))
    if -1 in ratings:
        ratings = ratings[: ratings.index(-1) + 1]
    steps = [rendering.step_text(turn) for turn in turns]
    is_whole = len(ratings) == len(turns) and None not in ratings
    return labelled(
        phase_kind="solutions",
        problem=conversation[0].text,
        conversation=conversation,
        turns=turns,
        solution_steps=steps,
        external_id=draw(st.sampled_from(["", "t1"])),
        finish_reason="found_error" if -1 in ratings else "solution" if is_whole else "give_up",
        completions=[
            LabelledCompletion(step, 0, steps[step], rating, rating is None, rating not in {None, -1})
            for step, rating in enumerate(ratings)
        ],
    )


def _at(part: Part, at: int) -> Part:
    return Part(**{**{name: getattr(part, name) for name in Part.__struct_fields__}, "at": at})


def read(file_format: str, record: dict[str, Any]) -> Labelled:
    return stored(READERS[file_format](json.loads(json.dumps(record))))


@settings(max_examples=40, deadline=None)
@given(traces())
def test_writing_reading_and_writing_changes_nothing(trace: Labelled) -> None:
    for file_format in SELF_CONTAINED:
        for record in WRITERS[file_format](trace):
            again = read(file_format, record)
            (second,) = WRITERS[file_format](again)
            assert {**second, "record_id": 0, "traj_id": 0} == {**record, "record_id": 0, "traj_id": 0}, file_format


@settings(max_examples=40, deadline=None)
@given(traces())
def test_the_texts_and_the_path_survive(trace: Labelled) -> None:
    for file_format in SELF_CONTAINED:
        for record in WRITERS[file_format](trace):
            again = read(file_format, record)
            assert again.solution_steps == trace.solution_steps
            assert (again.contexts, again.problem_text) == (trace.contexts, trace.problem_text)
            holds_neutral = file_format != "who_and_when"
            found = [item.rating if holds_neutral else item.rating != -1 for item in trace.path]
            assert [item.rating if holds_neutral else item.rating != -1 for item in again.path] == found


@settings(max_examples=40, deadline=None)
@given(traces())
def test_every_label_is_in_a_record_or_counted_as_lost(trace: Labelled) -> None:
    total = sum(item.rating is not None for item in trace.completions)
    for file_format in (*sorted(OF_TRACES), "turn_rewards"):
        records, lost = [*WRITERS[file_format](trace)], losses(trace, file_format)
        without = lost[Loss.NO_TRACE] + lost[Loss.NO_MISTAKE] + lost[Loss.UNJUDGED] + lost[Loss.LABELLINGS]
        assert bool(records) != bool(without), file_format
        left = lost[Loss.LABELS] + lost[Loss.AFTER_PATH] + lost[Loss.ALTERNATIVES]
        assert left == (0 if records else total), file_format
        assert not lost[Loss.TURNS]


@settings(max_examples=30, deadline=None)
@given(traces())
def test_every_turn_has_a_reward(trace: Labelled) -> None:
    for record in WRITERS["turn_rewards"](trace):
        own = [message for message in record["messages"] if message["role"] == "assistant"]
        assert len(own) == len(record["turn_rewards"]) == len(trace.turns)


@settings(max_examples=30, deadline=None)
@given(traces())
def test_parquet_holds_turns_and_other_formats_their_text(trace: Labelled) -> None:
    (again,) = [stored(READERS["parquet"](record)) for record in written("parquet", trace)]
    assert ([*again.turns], [*again.conversation]) == (trace.turns, trace.conversation)
    assert not losses(trace, "parquet")
    assert losses(trace, "prm800k") == {Loss.TURNS: len(trace.turns)}
    for record in WRITERS["trl"](trace):
        assert record["prompt"] == trace.problem_text
        assert losses(trace, "trl")[Loss.TURNS] == len(trace.turns)


def test_a_plain_text_has_rewards_of_turns_but_is_no_trace() -> None:
    done = [LabelledCompletion(0, 0, "2", 1, False, True)]
    plain = labelled(phase_kind="solutions", problem="1 + 1?", solution_steps=["2"], completions=done)
    assert [*WRITERS["turn_rewards"](plain)] == [
        {
            "id": "1",
            "messages": [{"role": "user", "content": "1 + 1?"}, {"role": "assistant", "content": "2"}],
            "turn_rewards": [1],
            "reward": 0.0,
        }
    ]
    for file_format in OF_TRACES:
        assert [*WRITERS[file_format](plain)] == []
        assert losses(plain, file_format)[Loss.NO_TRACE] == 1


MESSAGES = RECORDS["messages"]["messages"]
HISTORY = [
    {"role": "human", "content": ASKED},
    {"role": "Planner", "content": "Book them."},
    {"role": "user", "name": "Computer_terminal", "content": "booked"},
    {"role": "assistant", "name": "Clerk", "content": ANSWER},
]
WHO = {"question": ASKED, "history": HISTORY, "mistake_agent": "Clerk", "mistake_step": "3", "mistake_reason": "No."}
BENCH = {
    "question": ASKED,
    "messages": MESSAGES,
    "step_labels": {"2": 1, "4": -1},
    "final_label": -1,
    "record_id": "r1",
}
CODE = {
    "traj_id": "t1",
    "solved": False,
    "step_count": 2,
    "incorrect_stages": [{"stage_id": 1, "incorrect_step_ids": [2], "unuseful_step_ids": [1]}],
    "messages": MESSAGES,
}


def ratings(file_format: str, record: dict[str, Any]) -> list[int | None]:
    return [item.rating for item in READERS[file_format](record).completions]


STEPS = [{"step_id": 1, "labels": ["unuseful"]}, {"step_id": 2, "labels": ["incorrect"]}, {"step_id": 3, "labels": []}]


@pytest.mark.parametrize(
    "stages",
    [
        CODE["incorrect_stages"],
        json.dumps(CODE["incorrect_stages"]),
        [{"stage_id": 1, "incorrect_step_ids": "[2]", "unuseful_step_ids": [1]}],
        [{"stage_id": 1, "steps": STEPS}],
        [{"stage_id": 1, "steps": json.dumps(STEPS)}],
    ],
)
def test_wrong_steps_are_found_however_their_stages_are_written(stages: Any) -> None:
    assert ratings("codetracebench", {**CODE, "incorrect_stages": stages}) == [0, -1]


def test_the_decisive_mistake_is_a_message_from_0() -> None:
    assert ratings("who_and_when", WHO) == [1, -1]
    assert ratings("who_and_when", {**WHO, "mistake_step": "1", "mistake_agent": "Planner"}) == [-1]


def test_a_mistake_in_a_result_belongs_to_the_turn_that_caused_it() -> None:
    parsed = READERS["who_and_when"]({**WHO, "mistake_step": 2, "mistake_agent": "Planner"})
    assert [item.rating for item in parsed.completions] == [-1]
    assert parsed.noted == {"mistakes at what a turn brought about, put at the turn": 1}


@pytest.mark.parametrize("step", ["0", "2", "4", "-1", "", None, "1e3", "9" * 20])
def test_a_mistake_outside_the_agents_messages_is_refused(step: Any) -> None:
    with pytest.raises(FormatError, match="mistake_step"):
        READERS["who_and_when"]({**WHO, "mistake_step": step})


def test_labels_by_message_are_ratings_of_turns() -> None:
    parsed = READERS["agent_process_bench"]({**BENCH, "step_labels": {"2": 0, "3": -1, "4": 1}})
    assert [item.rating for item in parsed.completions] == [0, 1]
    assert parsed.noted == {"labels on what is no turn of a model, left out": 1}
    assert (parsed.solution.is_correct, parsed.solution.external_id) == (False, "r1")
    assert ratings("agent_process_bench", {**BENCH, "step_labels": [None, None, 1, None, -1]}) == [1, -1]


@pytest.mark.parametrize("labels", [{}, None, {"2": 5}, {"two": 1}, {"0": 1}, {"2": True}, {"2": "1"}, 7])
def test_labels_that_do_not_rate_turns_are_refused(labels: Any) -> None:
    with pytest.raises(FormatError, match="step_labels"):
        READERS["agent_process_bench"]({**BENCH, "step_labels": labels})


def test_useless_steps_are_neutral_and_count_from_1() -> None:
    assert ratings("codetracebench", CODE) == [0, -1]
    plain = {**CODE, "task_name": ASKED, "steps": [{"action": "ls"}, {"action": "rm", "observation": "gone"}]}
    del plain["messages"]
    assert ratings("codetracebench", plain) == [0, -1]


def test_labels_of_another_file_name_their_trajectory() -> None:
    record = {"trajectory_id": 7, "failures": [{"step_number": 3}, {"step_number": "5"}]}
    reference = REFERRING["agentrx"](record)
    assert reference is not None
    assert reference.external_id == "7"
    assert reference.ratings([1, 2, 4]) == [1, -1, -1]
    assert (reference.ratings([2, 3]), reference.left_out([2, 3], 1)) == ([-1, 1], {ELSEWHERE: 1})
    without = {key: value for key, value in CODE.items() if key != "messages"}
    other = REFERRING["codetracebench"](without)
    assert other is not None
    assert (other.ratings([5, 9]), other.left_out([5, 9], 2)) == ([0, -1], {})
    with pytest.raises(FormatError, match="another file"):
        READERS["codetracebench"](without)


@pytest.mark.parametrize("number", [0, -1, "x", None, 1.5, True])
def test_an_invalid_message_number_is_refused(number: Any) -> None:
    with pytest.raises(FormatError, match="step_number"):
        REFERRING["agentrx"]({"trajectory_id": "t", "failures": [{"step_number": number}]})


def test_a_decisive_mistake_has_its_reason_and_is_its_own_root_cause() -> None:
    assert READERS["who_and_when"](WHO).mistakes == {1: Mistake(root_cause=1, why="No.")}


def test_failures_are_written_by_the_number_of_their_message() -> None:
    trace = stored(READERS["agent_process_bench"](BENCH))
    assert [*WRITERS["agentrx"](trace)] == [
        {
            "trajectory_id": "r1",
            "failures": [
                {"failure_id": 1, "step_number": 5, "step_reason": "", "failure_category": "", "failed_agent": ""}
            ],
            "root_cause": {"failure_id": 1},
        }
    ]
    assert rebuilt.messages(trace)[1] == [2, 4]
