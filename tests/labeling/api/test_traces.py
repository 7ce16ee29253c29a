"""Experts see a trace's parts when they rule and make gold, and the rest of long parts on request."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from labeling.api.traces import CONTEXT_SHOWN
from labeling.models import Solution

pytestmark = pytest.mark.django_db

SEEN = {"kind": "observation", "text": "x" * 9000, "is_context": True}
TURNS = [{"parts": [{"kind": "text", "text": "Done."}, SEEN], "agent": "Clerk"}]
ASKED = [{"kind": "message", "name": "User", "text": "Two seats?", "is_context": True}]
SHOWN = [
    {
        "agent": "Clerk",
        "parts": [
            {"kind": "text", "text": "Done.", "is_context": False},
            {"kind": "observation", "text": "x" * CONTEXT_SHOWN, "is_context": True, "length": 9000},
        ],
    }
]


@pytest.fixture
def trace(make: Any, phase: Any) -> Any:
    solution = make.solution(make.problem(conversation=ASKED), steps=["Clerk: Done."], turns=TURNS)
    return make.round(phase, [solution]).tasks.get()


def test_a_case_shows_its_parts(trace: Any, make: Any, superuser_client: APIClient) -> None:
    make.labelling(trace, -1)
    trace.reports.create(annotator=make.user(), note="?", kind="question")
    found = superuser_client.get(f"/api/adjudication/question/{trace.pk}/").json()
    assert found["solution"]["turns"] == SHOWN
    assert found["problem"]["conversation"] == ASKED


def test_gold_is_made_of_its_parts(trace: Any, make: Any, superuser_client: APIClient) -> None:
    make.gold(-1, solution=trace.solution)
    (found,) = superuser_client.get("/api/gold/").json()["results"]
    assert (found["turns"], found["conversation"]) == (SHOWN, ASKED)


def test_a_plain_text_has_none(make: Any, superuser_client: APIClient) -> None:
    make.gold(1, 1, 1, solution=make.solution())
    (found,) = superuser_client.get("/api/gold/").json()["results"]
    assert (found["turns"], found["conversation"]) == (None, None)
    assert Solution.objects.get().turns is None


def test_the_rest_of_a_part_comes_to_whoever_may_judge_it(trace: Any, make: Any, signed_in: Any) -> None:
    expert = make.user()
    trace.round.phase.memberships.create(user=expert, role="expert")
    make.labelling(trace, -1, annotator=(elsewhere := make.user()))
    make.phase().memberships.create(user=elsewhere, role="expert")
    address = f"/api/solutions/{trace.solution_id}/part/?step=0&part=1&start={CONTEXT_SHOWN}"
    assert signed_in(expert).get(address).json() == {"text": "x" * (9000 - CONTEXT_SHOWN), "length": 9000}
    assert signed_in(elsewhere).get(address).status_code == 404


def test_a_part_after_the_last_is_not_found(trace: Any, superuser_client: APIClient, refused: Any) -> None:
    refused(superuser_client.get(f"/api/solutions/{trace.solution_id}/part/?step=1&part=0"), 404, "not_found")
