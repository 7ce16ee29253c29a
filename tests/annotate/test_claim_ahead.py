"""annotate.allocation: the task after the one in hand, fetched ahead. Races are in test_claim_races.py."""

from datetime import timedelta

import pytest

from annotate import allocation, submission
from labeling.models import Assignment, Phase

LEASE = timedelta(minutes=30)


@pytest.fixture
def claim(phase, now):
    def act(annotator, *, ahead=False, after=timedelta(0)):
        return allocation.claim_next(phase=phase, annotator=annotator, now=now + after, ahead=ahead)

    return act


@pytest.fixture
def two(claim, open_round, annotator):
    """The task in hand, and the one fetched ahead."""
    return claim(annotator), claim(annotator, ahead=True)


def test_it_is_the_next_one(two, annotator, now):
    in_hand, ahead = two
    assert (in_hand.position, in_hand.is_ahead) == (0, False)
    assert (ahead.position, ahead.is_ahead, ahead.annotator) == (1, True, annotator)
    assert ahead.lease_expires_at == now + LEASE


def test_again_is_the_same(two, claim, annotator):
    assert claim(annotator, ahead=True) == two[1]
    assert claim(annotator) == two[0]


def test_with_empty_hands_it_is_the_one_in_hand(claim, open_round, annotator):
    taken = claim(annotator, ahead=True)
    assert not taken.is_ahead
    assert claim(annotator) == taken


def test_after_submitting_it_is_in_hand(two, claim, annotator, all_great, now):
    in_hand, ahead = two
    submission.submit(assignment_id=in_hand.pk, annotator=annotator, submission=all_great, now=now)
    taken = claim(annotator)
    assert (taken, taken.is_ahead) == (ahead, False)
    assert claim(annotator, ahead=True).position == 2


def test_asked_for_ahead_it_comes_in_hand_when_hands_are_empty(two, claim, annotator, all_great, now):
    """The reply to the submission got lost, and the client goes on asking ahead."""
    submission.submit(assignment_id=two[0].pk, annotator=annotator, submission=all_great, now=now)
    taken = claim(annotator, ahead=True)
    assert (taken, taken.is_ahead) == (two[1], False)


def test_it_may_be_submitted_first(two, annotator, all_great, now, claim):
    submission.submit(assignment_id=two[1].pk, annotator=annotator, submission=all_great, now=now)
    assert claim(annotator) == two[0]


def test_when_it_runs_out_anybody_may_take_it(two, claim, annotator, second_annotator):
    """Nothing is stranded with an annotator who closed the browser."""
    late = LEASE + timedelta(seconds=1)
    assert claim(second_annotator, after=late) == two[0]
    assert claim(second_annotator, after=late, ahead=True) == two[1]
    taken = Assignment.objects.get(pk=two[1].pk)
    assert (taken.annotator, taken.is_ahead) == (second_annotator, True)


def test_taken_over_ahead_it_is_in_the_others_hands(claim, two, second_annotator, all_great, now):
    late = LEASE + timedelta(seconds=1)
    claim(second_annotator, after=late)
    taken = claim(second_annotator, after=late, ahead=True)
    assert taken == two[1]
    submission.submit(assignment_id=two[0].pk, annotator=second_annotator, submission=all_great, now=now + late)
    assert not claim(second_annotator, after=late).is_ahead


def test_renewing_the_one_in_hand_renews_it(two, annotator, now):
    later = now + timedelta(minutes=20)
    allocation.renew(assignment_id=two[0].pk, annotator=annotator, now=later)
    assert set(Assignment.objects.filter(annotator=annotator).values_list("lease_expires_at", flat=True)) == {
        later + LEASE
    }


def test_renewing_leaves_other_rounds_and_people_alone(two, make, annotator, second_annotator, claim, now):
    theirs = claim(second_annotator)
    allocation.renew(assignment_id=two[0].pk, annotator=annotator, now=now + timedelta(minutes=20))
    theirs.refresh_from_db()
    assert theirs.lease_expires_at == now + LEASE


def test_releasing_it_gives_it_back(two, claim, annotator, second_annotator, now):
    allocation.release(assignment_id=two[1].pk, annotator=annotator, now=now)
    freed = Assignment.objects.get(pk=two[1].pk)
    assert (freed.annotator, freed.is_ahead) == (None, False)
    assert claim(annotator) == two[0]


def test_releasing_the_one_in_hand_puts_it_in_its_place(two, claim, annotator, now):
    allocation.release(assignment_id=two[0].pk, annotator=annotator, now=now)
    assert claim(annotator) == two[1]


def test_nothing_ahead_of_the_last_task(make, phase, claim, annotator):
    make.round(phase, 1)
    claim(annotator)
    with pytest.raises(allocation.NothingToClaim) as refusal:
        claim(annotator, ahead=True)
    assert refusal.value.code == "nothing_left"


def test_never_a_second_seat_of_the_task_in_hand(make, phase, claim, annotator):
    make.round(phase, 1, overlap=2)
    claim(annotator)
    with pytest.raises(allocation.NothingToClaim):
        claim(annotator, ahead=True)


def test_not_in_a_paused_phase(two, phase, annotator, now):
    Phase.objects.filter(pk=phase.pk).update(status="paused")
    with pytest.raises(allocation.NothingToClaim) as refusal:
        allocation.claim_next(phase=Phase.objects.get(pk=phase.pk), annotator=annotator, now=now, ahead=True)
    assert refusal.value.code == "phase_not_running"


def test_over_the_api(open_round, phase, annotator_client, refused):
    address = f"/api/phases/{phase.pk}/claim/"
    first, second = (annotator_client.post(address, body).json()["assignment"] for body in ({}, {"ahead": True}))
    assert first["id"] != second["id"]
    assert "is_ahead" not in second
    sent = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error"}
    body = annotator_client.post(f"/api/assignments/{first['id']}/submit/", sent).json()
    assert body["next"]["assignment"]["id"] == second["id"]
    refused(annotator_client.post(address, {"ahead": "far"}), 400, "invalid")
