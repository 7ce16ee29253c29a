"""A trace as its annotator sees it: in parts, long ones cut to their beginning, with the rest on request."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from labeling.api.traces import CONTEXT_SHOWN
from labeling.models import Assignment, Problem, Solution
from labeling.rules.traces import rest

LONG = "line\n" * 30_000
CONVERSATION = [{"kind": "message", "name": "User", "text": "Two seats, please.", "is_context": True, "at": 0}]
CALL = {"kind": "tool_call", "name": "book", "arguments": {"seats": 2}, "call": "c1", "at": 1}
SEEN = {
    "kind": "observation",
    "name": "book",
    "text": LONG,
    "call": "c1",
    "is_context": True,
    "is_error": True,
    "at": 2,
}
TURNS: list[dict[str, Any]] = [
    {"parts": [CALL, SEEN], "agent": "Clerk", "at": 1},
    {"parts": [{"kind": "text", "text": "Done.", "at": 3}], "at": 3},
]


@pytest.fixture
def address(assignment: Assignment) -> str:
    solution = assignment.task.solution
    Solution.objects.filter(pk=solution.pk).update(turns=TURNS, steps=["Clerk: book({})", "Done."])
    Problem.objects.filter(pk=solution.problem_id).update(conversation=CONVERSATION)
    return f"/api/assignments/{assignment.pk}/"


def test_its_parts_come_with_the_task(address: str, annotator_client: APIClient) -> None:
    task = annotator_client.get(address).json()
    assert task["problem"]["conversation"] == [
        {"kind": "message", "name": "User", "text": "Two seats, please.", "is_context": True}
    ]
    (first, second) = task["solution"]["turns"]
    assert first["agent"] == "Clerk"
    call = {"kind": "tool_call", "text": "", "is_context": False, "name": "book", "arguments": {"seats": 2}}
    assert first["parts"][0] == call
    assert second == {"parts": [{"kind": "text", "text": "Done.", "is_context": False}], "agent": ""}


def test_a_long_text_is_cut_to_its_beginning(address: str, annotator_client: APIClient) -> None:
    seen = annotator_client.get(address).json()["solution"]["turns"][0]["parts"][1]
    assert (seen["text"], seen["length"], seen["is_error"]) == (LONG[:CONTEXT_SHOWN], len(LONG), True)


def test_the_rest_comes_in_pieces(address: str, annotator_client: APIClient) -> None:
    found, text = annotator_client.get(f"{address}part/?step=0&part=1").json(), ""
    while len(text) < found["length"]:
        text += annotator_client.get(f"{address}part/?step=0&part=1&start={len(text)}").json()["text"]
    assert (found["text"], text) == (LONG[: rest.AT_ONCE], LONG)
    said = annotator_client.get(f"{address}part/?step=-1&part=0").json()
    assert said == {"text": "Two seats, please.", "length": 18}


@pytest.mark.parametrize("place", ["step=9&part=0", "step=0&part=2", "step=-1&part=1"])
def test_there_is_no_other_part(address: str, place: str, annotator_client: APIClient, refused: Any) -> None:
    refused(annotator_client.get(f"{address}part/?{place}"), 404, "not_found")


def test_a_plain_text_has_no_parts(assignment: Assignment, annotator_client: APIClient, refused: Any) -> None:
    refused(annotator_client.get(f"/api/assignments/{assignment.pk}/part/?step=0&part=0"), 404, "not_found")


@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_is_not_found(
    address: str, who: str, request: pytest.FixtureRequest, signed_in: Any, refused: Any
) -> None:
    refused(signed_in(request.getfixturevalue(who)).get(f"{address}part/?step=0&part=0"), 404, "not_found")
