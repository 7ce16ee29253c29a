"""/api/assignments/{id}/: one task as its holder sees it."""

import pytest

from annotate import drafts


@pytest.fixture
def address(assignment):
    return f"/api/assignments/{assignment.pk}/"


def test_it_works(address, assignment, annotator_client):
    body = annotator_client.get(address).json()
    assert body["id"] == str(assignment.pk)
    assert body["solution"] == {"steps": assignment.task.solution.steps, "markup": "mathematics"}
    assert body["lease_expires_at"] == "2026-03-02T12:30:00Z"
    assert body["draft"] is None


def test_with_its_draft(address, assignment, annotator, annotator_client, now):
    content = {"ratings": [], "finish_note": "hm", "history": [], "active_ms": 5}
    beside = {"critiques": [], "solution_progress": "", "result": ""}
    drafts.save(assignment_id=assignment.pk, annotator=annotator, version=2, content=content, now=now)
    assert annotator_client.get(address).json()["draft"] == content | beside | {"version": 2}


def test_another_holders_draft_on_the_same_task_is_not_shown(
    make, phase, annotator, second_annotator, annotator_client, second_annotator_client
):
    make.round(phase, 1, overlap=2)
    claim = f"/api/phases/{phase.pk}/claim/"
    mine = annotator_client.post(claim).json()["assignment"]["id"]
    theirs = second_annotator_client.post(claim).json()["assignment"]["id"]
    second_annotator_client.put(f"/api/assignments/{theirs}/draft/", {"version": 1, "ratings": []})
    assert annotator_client.get(f"/api/assignments/{mine}/").json()["draft"] is None


def test_it_stays_readable_once_submitted(address, labelling, annotator_client):
    assert annotator_client.get(address).json()["submitted_at"] == "2026-03-02T12:10:00Z"


@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_is_not_found(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(address), 404, "not_found")


def test_a_free_seat_is_not_found(open_round, annotator_client, refused):
    free = open_round.assignments.first()
    refused(annotator_client.get(f"/api/assignments/{free.pk}/"), 404, "not_found")


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.get(address), 401, "not_authenticated")


def test_it_takes_few_queries(address, annotator_client, django_assert_num_queries):
    with django_assert_num_queries(5):  # session, user, the task, its content, the labelling
        annotator_client.get(address)
