"""Answers about a gold task are, byte for byte, those about a real one.

Both have the same texts here; ids and times are masked.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from labeling.models import Phase
from tests.attacking.noting import OF_ONE_ANSWER

ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
RATINGS = [{"step": 0, "rating": 1}, {"step": 1, "rating": -1}]
SENT = {"ratings": RATINGS, "finish_reason": "found_error", "active_ms": 0}


def received(client: Any, phase: Phase) -> Iterator[Any]:
    """Yields every response about one task: fetched, drafted, left, reported, submitted, revised, reopened."""
    first = client.post(f"/api/phases/{phase.pk}/claim/")
    left = f"/api/assignments/{first.json()['assignment']['id']}/"
    yield first
    yield client.put(f"{left}draft/", {"version": 1, "ratings": RATINGS})
    yield client.post(f"{left}release/")
    yield client.get(left)
    yield client.post(f"{left}renew/")
    yield client.post(f"{left}submit/", SENT)
    claimed = client.post(f"/api/phases/{phase.pk}/claim/")
    address = f"/api/assignments/{claimed.json()['assignment']['id']}/"
    yield client.post(f"/api/phases/{phase.pk}/claim/", {"ahead": 1})
    for body in ({}, {"kind": "gold"}, {"kind": "question", "note": "Why?"}):
        yield client.post(f"{address}report/", body)
    yield client.get(f"{address}questions/")
    yield client.post(f"{address}completions/", {"path": []})
    yield client.post(f"{address}renew/")
    yield from _submitted(client, phase, address)


def _submitted(client: Any, phase: Phase, address: str) -> Iterator[Any]:
    done = client.post(f"{address}submit/", SENT)
    yield done
    revised = {
        "ratings": RATINGS[:1],
        "finish_reason": "give_up",
        "finish_note": "Hm.",
        "revises": done.json()["labelling_id"],
    }
    yield client.post(f"{address}submit/", SENT | {"finish_note": "Other."})
    yield client.post(f"{address}submit/", revised)
    yield client.get(address)
    yield client.get(f"/api/phases/{phase.pk}/recent/")
    yield client.get(f"/api/phases/{phase.pk}/progress/")
    yield client.get(f"/api/phases/{phase.pk}/questions/")
    yield client.get("/api/phases/")


def told(answer: Any) -> tuple[int, bytes, list[tuple[str, str]]]:
    headers = sorted((name, value) for name, value in answer.headers.items() if name not in OF_ONE_ANSWER)
    return answer.status_code, TIME.sub(b"T", ID.sub(b"I", answer.content)), headers


@pytest.fixture
def day(make: Any, annotator: Any, annotator_client: Any) -> Any:
    """Returns an annotator's answers about the first task of a round."""

    def act(*, is_gold: bool) -> list[Any]:
        Phase.objects.update(name="Before", status="archived")
        phase = make.phase(annotator, name="Now", gold_set="hidden", gold_rate=is_gold and 0.4)
        plain = {"answer": "5", "verdict": "wrong"}
        for _ in range(3):
            make.gold(1, -1, solution=make.solution(make.problem(statement="2 + 3?"), **plain), gold_set="hidden")
        solutions = [make.solution(make.problem(statement="2 + 3?"), **plain) for _ in range(3 if is_gold else 5)]
        round_ = make.round(phase, solutions)
        answers = [told(answer) for answer in received(annotator_client, phase)]
        assert round_.gold_hidden == 2 * is_gold
        assert round_.assignments.filter(submitted_at__isnull=False).get().task.is_gold == is_gold
        phase.rounds.all().update(status="closed")
        return answers

    return act


def test_gold_is_served_like_a_real_task_byte_for_byte(day: Any, make: Any) -> None:
    real, gold = day(is_gold=False), day(is_gold=True)
    assert len(real) == 21
    assert gold == real
