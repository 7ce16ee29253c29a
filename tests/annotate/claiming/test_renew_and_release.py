"""/api/assignments/{id}/renew/ and /release/: keep a task, or give it back."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from annotate import allocation
from labeling.campaign import rounds
from labeling.models import Assignment

ACTS = ["renew", "release"]


@pytest.fixture
def address(assignment):
    return lambda act: f"/api/assignments/{assignment.pk}/{act}/"


def test_renewing_extends_the_lease(address, assignment, annotator_client):
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
    refused(signed_out_client.post(address(act)), 401, "not_authenticated")


# How often


@pytest.fixture
def give_back(make, phase, annotator, now):
    make.round(phase, 6)

    def act(minutes=0, who=annotator):
        at = now + timedelta(minutes=minutes)
        held = allocation.claim_next(phase=phase, annotator=who, now=at)
        allocation.release(assignment_id=held.pk, annotator=who, now=at)

    return act


def test_releases_are_limited_to_a_few_an_hour(give_back, annotator, settings):
    settings.RELEASES_PER_HOUR = 3
    for minutes in (0, 10, 20):
        give_back(minutes)
    with pytest.raises(allocation.TooManyReleases, match=r"gave 3 tasks back .* again in 15 minutes\."):
        give_back(45)
    with pytest.raises(allocation.TooManyReleases, match=r"again in 1 minute\."):
        give_back(59.5)
    assert Assignment.objects.filter(annotator=annotator).count() == 1, "it stays in hand"
    give_back(60)
    assert annotator.releases.count() == 3, "none is kept for longer than it counts"


def test_everybody_has_their_own_limit(give_back, annotator, second_annotator, settings):
    settings.RELEASES_PER_HOUR = 1
    give_back()
    give_back(who=second_annotator)
    with pytest.raises(allocation.TooManyReleases):
        give_back()


def test_too_often_is_a_clear_refusal(address, assignment, annotator, annotator_client, settings, refused):
    settings.RELEASES_PER_HOUR = 1
    annotator.releases.create(released_at=timezone.now())
    said = refused(annotator_client.post(address("release")), 429, "throttled")["detail"]
    assert said == "You gave 1 task back within an hour. Label this one, or try again in 60 minutes."
    assignment.refresh_from_db()
    assert assignment.annotator == annotator


def test_a_submission_does_not_count_as_a_release(address, labelling, annotator, annotator_client):
    annotator_client.post(address("release"))
    assert not annotator.releases.exists()
