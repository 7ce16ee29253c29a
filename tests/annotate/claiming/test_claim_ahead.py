"""annotate.allocation: tasks fetched ahead of the one in hand. Races are in test_claim_races.py."""

from datetime import timedelta

import pytest

from annotate import allocation, submission, workplaces
from labeling.models import Assignment, Phase

LEASE = timedelta(minutes=30)


@pytest.fixture
def claim(phase, now):
    def act(annotator, *, ahead=0, after=timedelta(0)):
        return allocation.claim_next(phase=phase, annotator=annotator, now=now + after, ahead=ahead)

    return act


@pytest.fixture
def two(claim, open_round, annotator):
    """The task in hand, and one fetched ahead."""
    return claim(annotator), claim(annotator, ahead=1)


def test_the_next_task_is_fetched_ahead(two, annotator, now):
    in_hand, ahead = two
    assert (in_hand.position, in_hand.place) == (0, 0)
    assert (ahead.position, ahead.place, ahead.annotator) == (1, 1, annotator)
    assert ahead.lease_expires_at == now + LEASE


def test_at_most_two_tasks_are_fetched_ahead(two, claim, annotator):
    third = claim(annotator, ahead=2)
    assert (third.position, third.place) == (2, 2)
    assert [claim(annotator, ahead=ahead) for ahead in (0, 1, 2)] == [*two, third]


def test_tasks_come_in_the_order_in_which_they_were_fetched(make, phase, claim, annotator, all_great, now):
    """The page shows tasks in this order, whichever place becomes free."""
    make.round(phase, 9)
    queue = [claim(annotator, ahead=ahead) for ahead in range(3)]
    for seconds in range(2, 5):
        done = queue.pop(0)
        submission.submit(assignment_id=done.pk, annotator=annotator, submission=all_great, now=now)
        workplace = workplaces.of(phase_id=done.round.phase_id, annotator=annotator)
        claims = allocation.claims(workplace=workplace, now=now + timedelta(seconds=seconds), ahead=True)
        assert [claims.in_hand, *claims.ahead][:2] == queue
        queue = [claims.in_hand, *claims.ahead]
        assert queue[0].place == 0
        assert {seat.place for seat in queue} == {0, 1, 2}


def test_a_lease_that_is_half_over_is_renewed_with_the_next_submission(two, claim, annotator, all_great, now):
    last = claim(annotator, ahead=2)
    for minutes, end in ((14, now + LEASE), (16, now + timedelta(minutes=16) + LEASE)):
        workplace = workplaces.of(phase_id=last.round.phase_id, annotator=annotator)
        claims = allocation.claims(workplace=workplace, now=now + timedelta(minutes=minutes), ahead=True)
        assert [seat.lease_expires_at for seat in claims.ahead] == [end, end]


def test_fetching_again_gives_the_same_task(two, claim, annotator):
    assert claim(annotator, ahead=1) == two[1]
    assert claim(annotator) == two[0]


def test_without_a_task_in_hand_the_fetched_one_becomes_it(claim, open_round, annotator):
    taken = claim(annotator, ahead=1)
    assert taken.place == 0
    assert claim(annotator) == taken


def test_after_a_submission_the_fetched_task_is_in_hand(two, claim, annotator, all_great, now):
    in_hand, ahead = two
    submission.submit(assignment_id=in_hand.pk, annotator=annotator, submission=all_great, now=now)
    taken = claim(annotator)
    assert (taken, taken.place) == (ahead, 0)
    assert claim(annotator, ahead=1).position == 2


def test_fetching_ahead_with_no_task_in_hand_gives_the_task_in_hand(two, claim, annotator, all_great, now):
    """The reply to the submission got lost, and the client still fetches ahead."""
    submission.submit(assignment_id=two[0].pk, annotator=annotator, submission=all_great, now=now)
    taken = claim(annotator, ahead=1)
    assert (taken, taken.place) == (two[1], 0)


def test_a_task_fetched_ahead_may_be_submitted_first(two, annotator, all_great, now, claim):
    submission.submit(assignment_id=two[1].pk, annotator=annotator, submission=all_great, now=now)
    assert claim(annotator) == two[0]


def test_tasks_fetched_ahead_go_to_others_once_their_leases_end(two, claim, annotator, second_annotator):
    """No task stays with an annotator who closed the browser."""
    late = LEASE + timedelta(seconds=1)
    assert claim(second_annotator, after=late) == two[0]
    assert claim(second_annotator, after=late, ahead=1) == two[1]
    taken = Assignment.objects.get(pk=two[1].pk)
    assert (taken.annotator, taken.place) == (second_annotator, 1)


def test_a_task_fetched_ahead_can_be_taken_over(claim, two, second_annotator, all_great, now):
    late = LEASE + timedelta(seconds=1)
    claim(second_annotator, after=late)
    taken = claim(second_annotator, after=late, ahead=1)
    assert taken == two[1]
    submission.submit(assignment_id=two[0].pk, annotator=second_annotator, submission=all_great, now=now + late)
    assert claim(second_annotator, after=late).place == 0


def test_renewing_the_task_in_hand_renews_those_fetched_ahead(two, annotator, now):
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
    assert (freed.annotator, freed.place) == (None, 0)
    assert claim(annotator) == two[0]


def test_releasing_the_task_in_hand_moves_up_the_next(two, claim, annotator, now):
    allocation.release(assignment_id=two[0].pk, annotator=annotator, now=now)
    assert claim(annotator) == two[1]


def test_nothing_ahead_of_the_last_task(make, phase, claim, annotator):
    make.round(phase, 1)
    claim(annotator)
    with pytest.raises(allocation.NothingToClaim) as refusal:
        claim(annotator, ahead=1)
    assert refusal.value.code == "nothing_left"


def test_no_second_seat_of_the_task_in_hand_is_fetched(make, phase, claim, annotator):
    make.round(phase, 1, overlap=2)
    claim(annotator)
    with pytest.raises(allocation.NothingToClaim):
        claim(annotator, ahead=1)


def test_nothing_is_fetched_ahead_in_a_paused_phase(two, phase, annotator, now):
    Phase.objects.filter(pk=phase.pk).update(status="paused")
    with pytest.raises(allocation.NothingToClaim) as refusal:
        allocation.claim_next(phase=Phase.objects.get(pk=phase.pk), annotator=annotator, now=now, ahead=1)
    assert refusal.value.code == "phase_not_running"


def test_over_the_api(open_round, phase, annotator_client, refused):
    address = f"/api/phases/{phase.pk}/claim/"
    first, second = (annotator_client.post(address, body).json()["assignment"] for body in ({}, {"ahead": 1}))
    assert first["id"] != second["id"]
    assert "place" not in second
    sent = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error"}
    body = annotator_client.post(f"/api/assignments/{first['id']}/submit/", sent).json()
    assert body["next"]["assignment"]["id"] == second["id"]
    for wrong in ("far", 3, -1, True):
        refused(annotator_client.post(address, {"ahead": wrong}), 400, "invalid")
