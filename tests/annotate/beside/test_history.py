"""annotate.history: the history of ratings, checked against the final ones. The rule, and the endpoint."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate import allocation, history
from annotate.api.messages import MAX_EVENTS
from labeling.campaign import phases
from labeling.models import Guidelines, Labelling, Phase
from labeling.rules.ratings import InvalidLabelling, StepRating


def event(step, rating, at_ms=0, completion=0):
    return {"step": step, "completion": completion, "rating": rating, "at_ms": at_ms}


def check(events, *ratings):
    history.check_history(events, [StepRating(step, rating) for step, rating in enumerate(ratings)], step_count=3)


@pytest.mark.parametrize(
    "events",
    [
        [],
        [event(0, 1), event(1, 0)],
        [event(0, -1), event(0, 1), event(1, 0)],
        [event(1, 0)],
        [event(0, 1), event(1, 0), event(2, -1)],
        [event(0, 1, completion=2), event(0, -1, completion=1), event(1, 0)],
    ],
    ids=["none given", "as sent", "corrected", "some from before", "behind the end", "beside the step"],
)
def test_histories_of_honest_clients_are_accepted(events):
    check(events, 1, 0)


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([event(0, 1), event(0, -1)], "last rating of step 1"),
        ([event(0, 1), event(1, None)], "last rating of step 2"),
        ([event(3, 1)], "rates step 4 of a solution with 3 steps"),
    ],
)
def test_a_history_that_contradicts_the_ratings_is_refused(events, why):
    with pytest.raises(InvalidLabelling, match=why):
        check(events, 1, 0)


def test_unsure_is_a_rating():
    check([event(0, 1), event(0, None)], None)


def test_times_are_made_ascending_and_capped():
    events = [event(0, 1, 5), event(1, 1, 3), event(2, 0, 9_000), event(2, 1, 2**53)]
    timed = history.in_time(events, longest_ms=10_000)
    assert [each["at_ms"] for each in timed] == [5, 5, 9_000, 10_000]
    assert [{**each, "at_ms": 0} for each in timed] == [{**each, "at_ms": 0} for each in events]


# The endpoint

GREAT = {"ratings": [{"step": step, "rating": 1} for step in range(3)], "finish_reason": "solution"}


@pytest.fixture
def held(open_round, annotator):
    """An assignment that the annotator has held for a minute."""
    return allocation.claim_next(phase=open_round.phase, annotator=annotator, now=timezone.now() - timedelta(minutes=1))


@pytest.fixture
def submit(held, annotator_client):
    return lambda **sent: annotator_client.post(f"/api/assignments/{held.pk}/submit/", GREAT | sent)


def test_times_are_within_the_lease(submit):
    assert submit(history=[event(0, 1, 7), event(1, 1, 10**12), event(2, 1, 4)]).status_code == 200
    first, second, third = (each["at_ms"] for each in Labelling.objects.get().history)
    assert first == 7
    assert 60_000 <= second == third < 3_600_000


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ([event(0, 7)], "invalid"),
        ([event(-1, 1)], "invalid"),
        ([event(0, 1, -1)], "invalid"),
        ([event(0, 1, "soon")], "invalid"),
        ([{"step": 0}], "invalid"),
        ("all of it", "invalid"),
        ([event(0, 1)] * (MAX_EVENTS + 1), "invalid"),
        ([event(0, -1)], "invalid_labelling"),
        ([event(9, 1)], "invalid_labelling"),
    ],
)
def test_a_submission_with_a_bad_history_is_refused_and_can_be_sent_again(submit, refused, sent, code):
    refused(submit(history=sent), 400, code)
    assert not Labelling.objects.exists()
    assert submit(history=[]).status_code == 200


def test_a_draft_keeps_no_endless_history(held, annotator_client, refused):
    draft = {"version": 1, "ratings": [], "history": [event(0, 1)] * (MAX_EVENTS + 1)}
    refused(annotator_client.put(f"/api/assignments/{held.pk}/draft/", draft), 400, "invalid")


# The guidelines


@pytest.fixture
def change_guidelines(admin):
    def act(text):
        phases.change_settings(phase=Phase.objects.get(), settings={"instructions": text}, now=timezone.now(), by=admin)

    return act


def given():
    return Labelling.objects.current().get().guidelines_version


@pytest.mark.parametrize("version", [None, 1])
def test_the_guidelines_in_force_are_stored_whether_named_or_not(submit, version):
    assert submit(guidelines_version=version).status_code == 200
    assert given() == 1


def test_without_a_version_the_claims_guidelines_are_stored(open_round, annotator, annotator_client, held, submit):
    for text in ("Second.", "Third."):
        phases.change_settings(phase=Phase.objects.get(), settings={"instructions": text}, now=timezone.now())
    assert submit().status_code == 200
    assert given() == 1
    held = allocation.claim_next(phase=Phase.objects.get(), annotator=annotator, now=timezone.now())
    assert annotator_client.post(f"/api/assignments/{held.pk}/submit/", GREAT).status_code == 200
    assert Labelling.objects.latest("submitted_at").guidelines_version == 3


def test_a_revision_stores_the_guidelines_of_its_own_time(submit, change_guidelines):
    first = submit().json()["labelling_id"]
    change_guidelines("Second.")
    revised = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error", "revises": first}
    assert submit(**revised).status_code == 200
    assert given() == 2
    assert Labelling.objects.get(pk=first).guidelines_version == 1


def test_the_version_is_stored_even_without_rows_of_versions(submit):
    Guidelines.objects.all().delete()
    assert submit().status_code == 200
    assert given() == 1


@pytest.mark.parametrize("version", [1, 2, 3])
def test_any_version_in_force_during_the_lease_is_accepted(submit, change_guidelines, version):
    for text in ("Second.", "Third."):
        change_guidelines(text)
    assert submit(guidelines_version=version).status_code == 200


@pytest.mark.parametrize("version", [1, 4])
def test_other_versions_are_refused(open_round, annotator, annotator_client, change_guidelines, refused, version):
    change_guidelines("Second.")
    held = allocation.claim_next(phase=Phase.objects.get(), annotator=annotator, now=timezone.now())
    change_guidelines("Third.")
    address = f"/api/assignments/{held.pk}/submit/"
    problem = refused(annotator_client.post(address, GREAT | {"guidelines_version": version}), 400, "invalid_labelling")
    assert f"version {version} of the guidelines" in problem["detail"]
    assert annotator_client.post(address, GREAT | {"guidelines_version": 2}).status_code == 200


@pytest.mark.parametrize("version", [0, -1, "one"])
def test_a_version_is_a_number_from_1(submit, refused, version):
    refused(submit(guidelines_version=version), 400, "invalid")
