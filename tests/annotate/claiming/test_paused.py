"""A paused annotator submits, revises and renews nothing; their work is kept, and their tasks go to others."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate import allocation
from labeling.models import Labelling, Membership

RATINGS = [{"step": 0, "rating": 1}, {"step": 1, "rating": -1}]
SENT = {"ratings": RATINGS, "finish_reason": "found_error"}


@pytest.fixture
def pause(phase, annotator, now):
    return lambda: Membership.objects.filter(phase=phase, user=annotator).update(paused_at=now)


@pytest.fixture
def held(phase, open_round, annotator):
    return allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now())


@pytest.fixture
def here(held):
    return f"/api/assignments/{held.pk}/"


@pytest.mark.parametrize("act", ["submit", "renew"])
def test_nothing_is_submitted_or_renewed(pause, held, here, annotator_client, refused, act):
    pause()
    body = refused(annotator_client.post(f"{here}{act}/", SENT if act == "submit" else None), 409, "paused")
    assert "is paused" in body["detail"]
    assert not Labelling.objects.exists()
    before = held.lease_expires_at
    held.refresh_from_db()
    assert held.lease_expires_at == before


def test_nothing_is_revised(pause, here, annotator_client, refused):
    stored = annotator_client.post(f"{here}submit/", SENT).json()["labelling_id"]
    pause()
    revised = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error", "revises": stored}
    refused(annotator_client.post(f"{here}submit/", revised), 409, "paused")
    assert str(Labelling.objects.get().pk) == stored


def test_a_submission_from_before_the_pause_is_confirmed(pause, here, annotator_client):
    """The answer to the first submission may have been lost."""
    stored = annotator_client.post(f"{here}submit/", SENT).json()
    pause()
    again = annotator_client.post(f"{here}submit/", SENT).json()
    assert (again["labelling_id"], again["next"]["reason"]) == (stored["labelling_id"], "paused")


def test_a_draft_is_kept_but_the_lease_runs_out(pause, held, here, phase, annotator_client, second_annotator):
    held.lease_expires_at = timezone.now() + timedelta(minutes=1)
    held.save()
    pause()
    assert annotator_client.put(f"{here}draft/", {"version": 1, "ratings": RATINGS}).status_code == 200
    assert annotator_client.get(here).json()["draft"]["version"] == 1
    later = timezone.now() + timedelta(minutes=2)
    assert allocation.claim_next(phase=phase, annotator=second_annotator, now=later) == held


def test_after_the_pause_the_work_goes_on(pause, phase, here, annotator_client):
    pause()
    phase.memberships.update(paused_at=None)
    assert annotator_client.post(f"{here}submit/", SENT).status_code == 200


def test_a_revision_changes_nothing_about_a_pause(phase, held, here, make, annotator_client):
    """Quality is judged by first submissions, so a revision neither causes nor ends a pause."""
    gold = [1, -1]
    make.gold(*gold, solution=held.task.solution)
    wrong = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error"}
    stored = annotator_client.post(f"{here}submit/", wrong).json()["labelling_id"]
    assert annotator_client.post(f"{here}submit/", SENT | {"revises": stored}).status_code == 200
    (judged,) = Labelling.objects.all().judged()
    assert (judged.pk, judged.first_error) == (Labelling.objects.get(superseded_at__isnull=False).pk, 0)
