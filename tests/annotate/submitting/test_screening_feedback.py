"""/api/assignments/{id}/submit/ in screening: the result so far, and the experts' ratings."""

import pytest

from annotate import allocation
from labeling.models import Gold, Phase

GREAT = {"ratings": [{"step": step, "rating": 1} for step in range(3)], "finish_reason": "solution"}
FOUND = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error"}
FEEDBACK = {"gold": [1, 1, 1], "rationale": "It adds up.", "gold_mistakes": [], "given_mistakes": []}


@pytest.fixture
def submit(make, phase, annotator_client):
    """Returns the replies to a screening of two tasks, before a round of real work."""
    make.round(phase)
    make.screening(phase, 2)

    def act(*bodies):
        claimed = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()
        replies = []
        for body in bodies:
            assert claimed["assignment"]["is_screening"]
            answer = annotator_client.post(f"/api/assignments/{claimed['assignment']['id']}/submit/", body)
            assert answer.status_code == 200
            replies.append(answer.json())
            claimed = answer.json()["next"]
        return replies

    return act


@pytest.mark.any_database
def test_passing(submit):
    first, last = submit(GREAT, GREAT)
    stands = {"total": 2, "agreement": 1, "pass_mark": 0.75}
    assert first["screening"] == stands | {"done": 1, "state": "pending"}
    assert first["feedback"] == FEEDBACK | {"given": [1, 1, 1], "agreement": 1}
    assert last["screening"] == stands | {"done": 2, "state": "passed"}
    assert last["next"]["assignment"]["round_number"] == 0


@pytest.mark.any_database
def test_failing(submit, phase, annotator_client):
    first, last = submit(FOUND, FOUND)
    assert first["feedback"] == FEEDBACK | {"given": [-1], "agreement": 0}
    assert last["screening"]["state"] == "failed"
    assert last["next"] == {"assignment": None, "reason": "screening_failed"}
    (row,) = annotator_client.get("/api/phases/").json()["results"]
    assert (row["screening"], row["tasks_available"]) == ("failed", False)


def test_feedback_shows_both_sides_mistakes(submit, phase):
    kinds = [
        {"key": "c", "name": "Calculation", "parent": "", "help": ""},
        {"key": "1", "name": "Signs", "parent": "c"},
    ]
    Phase.objects.filter(pk=phase.pk).update(error_kinds=kinds)
    mistakes = [{"step": 1, "kind": "Reading", "root_cause": 1}]
    Gold.objects.update(ratings=[1, -1], mistakes=mistakes)
    found = {"ratings": [{"step": 0, "rating": -1, "error_kind": "1"}], "finish_reason": "found_error"}
    (answer,) = submit(found)
    assert answer["feedback"]["gold_mistakes"] == mistakes
    assert answer["feedback"]["given_mistakes"] == [{"step": 0, "kind": "Calculation: Signs", "root_cause": None}]


def test_without_feedback_nobody_sees_gold(submit, phase):
    Phase.objects.filter(pk=phase.pk).update(gives_feedback=False)
    first, last = submit(FOUND, GREAT)
    assert (first["feedback"], last["feedback"]) == (None, None)
    stands = {"total": 2, "pass_mark": 0.75}
    assert first["screening"] == stands | {"done": 1, "agreement": None, "state": "pending"}
    assert last["screening"] == stands | {"done": 2, "agreement": 0.5, "state": "failed"}


def test_soft_checks_are_left_out(submit, monkeypatch):
    monkeypatch.setattr(allocation.DICE, "random", lambda: 0.0)
    first, _ = submit(GREAT, GREAT)
    assert first["checks"] == []


def test_sent_again_it_says_the_same(submit, phase, annotator, annotator_client):
    first, _ = submit(GREAT, FOUND)
    address = f"/api/assignments/{annotator.labellings.get(pk=first['labelling_id']).assignment_id}/submit/"
    again = annotator_client.post(address, GREAT).json()
    assert (again["feedback"], again["screening"]["state"]) == (first["feedback"], "failed")


def test_real_work_has_neither_verdict_nor_feedback(assignment, annotator_client, monkeypatch):
    monkeypatch.setattr(allocation.DICE, "random", lambda: 0.0)
    body = annotator_client.post(f"/api/assignments/{assignment.pk}/submit/", GREAT).json()
    assert (body["screening"], body["feedback"]) == (None, None)
    assert body["checks"] == ["no_error", "too_fast"]
