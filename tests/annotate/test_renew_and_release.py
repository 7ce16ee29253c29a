"""/api/assignments/{id}/renew/ and /release/: keep a task, or give it back."""

from datetime import datetime

import pytest
from django.utils import timezone

from labeling import rounds

ACTS = ["renew", "release"]


@pytest.fixture
def address(assignment):
    return lambda act: f"/api/assignments/{assignment.pk}/{act}/"


def test_renewing_puts_the_end_off(address, assignment, annotator_client):
    answer = annotator_client.post(address("renew"))
    assert answer.status_code == 200
    assert datetime.fromisoformat(answer.json()["lease_expires_at"]) > assignment.lease_expires_at
    assignment.refresh_from_db()
    assert datetime.fromisoformat(answer.json()["lease_expires_at"]) == assignment.lease_expires_at


def test_renewing_in_a_closed_round_is_refused(address, assignment, open_round, annotator_client, refused):
    rounds.close(round_id=open_round.pk, now=timezone.now())
    refused(annotator_client.post(address("renew")), 409, "round_closed")
    before = assignment.lease_expires_at
    assignment.refresh_from_db()
    assert assignment.lease_expires_at == before


def test_releasing_frees_the_task(address, assignment, annotator_client, refused):
    assert annotator_client.post(address("release")).status_code == 204
    assignment.refresh_from_db()
    assert (assignment.annotator, assignment.leased_at, assignment.lease_expires_at) == (None, None, None)
    refused(annotator_client.get(f"/api/assignments/{assignment.pk}/"), 404, "not_found")


def test_releasing_twice_is_not_found(address, annotator_client, refused):
    annotator_client.post(address("release"))
    refused(annotator_client.post(address("release")), 404, "not_found")


def test_a_submitted_task_stays_as_it_is(address, labelling, assignment, annotator, annotator_client):
    assert annotator_client.post(address("renew")).json() == {"lease_expires_at": None}
    assert annotator_client.post(address("release")).status_code == 204
    assignment.refresh_from_db()
    assert (assignment.annotator, assignment.submitted_at) == (annotator, labelling.submitted_at)


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_is_not_found(address, assignment, annotator, who, act, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).post(address(act)), 404, "not_found")
    before = assignment.lease_expires_at
    assignment.refresh_from_db()
    assert (assignment.annotator, assignment.lease_expires_at) == (annotator, before)


@pytest.mark.parametrize("act", ACTS)
def test_signed_out_is_refused(address, act, signed_out_client, refused):
    refused(signed_out_client.post(address(act)), 403, "not_authenticated")
