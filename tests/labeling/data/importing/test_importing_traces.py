"""Traces are imported as turns of typed parts; snapshots hold the context between their steps."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from labeling.data import snapshots
from labeling.data.importing.pool import import_solutions
from labeling.models import Problem, Solution
from labeling.rules.traces.parts import Part, Turn

pytestmark = pytest.mark.django_db

CALL = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"seats": 2}'}}
RECORD: dict[str, Any] = {
    "task_id": 7,
    "reward": 0.0,
    "messages": [
        {"role": "system", "content": "Be polite."},
        {"role": "user", "content": "Two seats, please."},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "booked"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Thanks."},
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps(RECORD))
    return path


def test_a_trace_is_kept_as_turns(file: Path) -> None:
    report = import_solutions(file, source="tau", file_format="messages")
    assert report.counts()["solutions"] == 1
    solution = Solution.objects.select_related("problem").get()
    assert solution.steps == ['book({"seats":2})', "Done."]
    assert solution.contexts == ["Result of book: booked", "User: Thanks."]
    assert (solution.verdict, solution.external_id) == ("wrong", "7")
    assert solution.problem.statement == "Two seats, please."
    assert solution.problem.text_read == "System: Be polite.\n\nUser: Two seats, please."
    turns = msgspec.convert(solution.turns, list[Turn])
    assert [turn.at for turn in turns] == [2, 4]
    assert turns[0].own[0].arguments == {"seats": 2}
    assert [part.name for part in msgspec.convert(solution.problem.conversation, list[Part])] == ["System", "User"]


def test_a_trace_is_imported_once_and_another_observation_makes_another(file: Path) -> None:
    import_solutions(file, source="tau", file_format="messages")
    assert import_solutions(file, source="tau", file_format="messages").duplicates == 1
    other = json.loads(json.dumps(RECORD))
    other["messages"][3]["content"] = "no seat left"
    file.write_text(json.dumps(other))
    import_solutions(file, source="tau", file_format="messages")
    assert (Solution.objects.count(), Problem.objects.count()) == (2, 1)


@pytest.mark.parametrize("at", [1, 3])
def test_another_image_makes_another_problem_or_solution(file: Path, at: int) -> None:
    def shown(address: str) -> str:
        record = json.loads(json.dumps(RECORD))
        blocks = [{"type": "text", "text": "See."}, {"type": "image_url", "image_url": {"url": address}}]
        record["messages"][at]["content"] = blocks
        return json.dumps(record)

    addresses = ["data:image/png;base64,AAAA", "data:image/png;base64,BBBB", "https://a.b/c.png", "https://a.b/d.png"]
    file.write_text("".join(shown(address) + "\n" for address in addresses))
    report = import_solutions(file, source="tau", file_format="messages")
    assert (report.solutions, report.problems) == (4, 4 if at == 1 else 1)


def moved(record: dict[str, Any]) -> None:
    """Moves the result after the second step."""
    record["messages"].insert(4, record["messages"].pop(3))


def failed(record: dict[str, Any]) -> None:
    record["messages"][3]["is_error"] = True


@pytest.mark.parametrize("change", [moved, failed])
def test_a_result_moved_or_made_an_error_makes_another_solution(file: Path, change: Any) -> None:
    other = json.loads(json.dumps(RECORD))
    change(other)
    file.write_text(f"{json.dumps(RECORD)}\n{json.dumps({**other, 'task_id': 8})}")
    import_solutions(file, source="tau", file_format="messages")
    first, second = Solution.objects.order_by("external_id")
    assert first.steps == second.steps
    assert first.contexts != second.contexts


def test_a_name_or_an_id_that_is_cut_is_counted(file: Path) -> None:
    file.write_text(json.dumps({**RECORD, "task_id": "x" * 201, "model": "y" * 101}))
    report = import_solutions(file, source="tau", file_format="messages")
    assert "“external_id” cut after 200 characters: 1" in str(report.notes)
    assert "“generator” cut after 100 characters: 1" in str(report.notes)
    assert len(Solution.objects.get().external_id) == 200


def test_a_plain_text_has_no_turns(tmp_path: Path) -> None:
    (tmp_path / "plain.jsonl").write_text('{"problem": "1 + 1?", "generator": "m", "steps": ["2"]}')
    import_solutions(tmp_path / "plain.jsonl")
    solution = Solution.objects.select_related("problem").get()
    assert (solution.turns, solution.problem.conversation, solution.contexts) == (None, None, [])


def test_a_snapshot_has_what_came_between_the_steps(file: Path) -> None:
    import_solutions(file, source="tau", file_format="messages")
    with snapshots.freeze_outcomes().file.open() as written, gzip.open(written) as lines:
        tree = json.loads(lines.readline())
    assert tree["problem"] == "System: Be polite.\n\nUser: Two seats, please."
    assert [step["context"] for step in tree["steps"]] == ["Result of book: booked", "User: Thanks."]
