"""annotate.allocation: leases on tasks, one act at a time. Races are in test_claim_races.py."""

from datetime import timedelta

import pytest

from annotate import allocation, drafts
from labeling.campaign import rounds
from labeling.models import Assignment, Phase

LEASE = timedelta(minutes=30)


@pytest.fixture
def claim(phase, now):
    def act(annotator, after=timedelta(0), where=phase):
        return allocation.claim_next(phase=Phase.objects.get(pk=where.pk), annotator=annotator, now=now + after)

    return act


@pytest.fixture
def nothing(claim):
    """Returns the code that says why there is nothing to claim."""

    def act(*arguments, **named):
        with pytest.raises(allocation.NothingToClaim) as refusal:
            claim(*arguments, **named)
        return refusal.value.code

    return act


def test_a_claim_leases_the_first_task(claim, open_round, annotator, now):
    taken = claim(annotator)
    assert taken.position == 0
    assert (taken.annotator, taken.leased_at, taken.lease_expires_at) == (annotator, now, now + LEASE)


def test_people_get_different_tasks_in_order(make, claim, phase, now):
    people = [make.user() for _ in range(3)]
    phase.memberships.bulk_create(type(phase.memberships.first())(phase=phase, user=person) for person in people)
    make.round(phase, 3)
    assert [claim(person).position for person in people] == [0, 1, 2]


def test_a_reload_gives_the_same_task_and_renews_it(claim, open_round, annotator, now):
    first = claim(annotator)
    again = claim(annotator, after=timedelta(minutes=20))
    assert again == first
    assert (again.leased_at, again.lease_expires_at) == (now, now + timedelta(minutes=20) + LEASE)


def test_a_lease_lasts_as_long_as_the_phase_says(make, claim, phase, annotator, now):
    Phase.objects.filter(pk=phase.pk).update(lease_minutes=7)
    make.round(phase)
    assert claim(annotator).lease_expires_at == now + timedelta(minutes=7)


def test_a_task_whose_lease_ran_out_is_taken_over(make, claim, nothing, phase, annotator, second_annotator):
    make.round(phase, 1)
    first = claim(annotator)
    assert nothing(second_annotator, after=LEASE) == "nothing_left", "not before it ran out"
    taken = claim(second_annotator, after=LEASE + timedelta(seconds=1))
    assert (taken, taken.annotator) == (first, second_annotator)
    assert taken.leased_at == first.leased_at + LEASE + timedelta(seconds=1)
    assert nothing(annotator, after=LEASE + timedelta(seconds=2)) == "nothing_left"


def test_a_holder_gets_back_an_expired_lease(make, claim, phase, annotator, now):
    make.round(phase, 2)
    first = claim(annotator)
    assert claim(annotator, after=timedelta(days=2)) == first


def test_stuck_leases_do_not_hold_up_the_queue(make, claim, phase, now):
    """Six people claim three tasks, and no holder comes back."""
    make.round(phase, 3)
    for day in range(6):
        person = make.user()
        phase.memberships.create(user=person)
        assert claim(person, after=timedelta(days=day)).annotator == person


def test_overlap_gives_a_task_to_that_many_people(make, claim, nothing, phase, annotator, second_annotator):
    make.round(phase, 1, overlap=2)
    third = make.user()
    phase.memberships.create(user=third)
    first, second = claim(annotator), claim(second_annotator)
    assert first.task == second.task
    assert first != second
    assert nothing(third) == "nothing_left"


def test_nobody_gets_a_second_seat_of_own_task(make, claim, nothing, phase, annotator, now):
    make.round(phase, 1, overlap=3)
    taken = claim(annotator)
    Assignment.objects.filter(pk=taken.pk).update(submitted_at=now, lease_expires_at=None)
    assert nothing(annotator) == "nothing_left"


def test_a_submitted_seat_is_never_taken_over(claim, labelling, second_annotator):
    assert claim(second_annotator, after=timedelta(days=30)).pk != labelling.assignment_id


def test_without_an_open_round(claim, nothing, phase, annotator, now, make):
    assert nothing(annotator) == "no_open_round"
    rounds.close(round_id=make.round(phase).pk, now=now)
    assert nothing(annotator) == "no_open_round"


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_in_a_phase_that_is_not_running(nothing, phase, open_round, annotator, status):
    Phase.objects.filter(pk=phase.pk).update(status=status)
    assert nothing(annotator) == "phase_not_running"


def test_a_task_in_hand_is_kept_while_the_phase_is_paused(claim, nothing, phase, open_round, annotator):
    taken = claim(annotator)
    Phase.objects.filter(pk=phase.pk).update(status="paused")
    assert nothing(annotator) == "phase_not_running"
    Phase.objects.filter(pk=phase.pk).update(status="running")
    assert claim(annotator) == taken


def test_only_members_claim(claim, open_round, outsider, admin, superuser):
    for person in (outsider, admin, superuser):
        with pytest.raises(allocation.NotAMember):
            claim(person)
    assert not Assignment.objects.filter(annotator__isnull=False).exists()


def test_a_member_of_two_phases_holds_a_task_in_each(make, claim, open_round, annotator):
    other = make.phase(annotator)
    make.round(other)
    first, second = claim(annotator), claim(annotator, where=other)
    assert first.round != second.round
    assert claim(annotator) == first


def test_renewing(claim, open_round, annotator, now):
    taken = claim(annotator)
    later = now + timedelta(minutes=29)
    renewed = allocation.renew(assignment_id=taken.pk, annotator=annotator, now=later)
    assert renewed.lease_expires_at == later + LEASE
    assert renewed.leased_at == now


def test_releasing_gives_the_task_to_the_next(make, claim, phase, annotator, second_annotator, now):
    make.round(phase, 1)
    taken = claim(annotator)
    allocation.release(assignment_id=taken.pk, annotator=annotator, now=now)
    assert claim(second_annotator).pk == taken.pk


def test_a_released_task_comes_back_with_its_draft(claim, open_round, annotator, now):
    taken = claim(annotator)
    drafts.save(assignment_id=taken.pk, annotator=annotator, version=1, content={"x": 1}, now=now)
    allocation.release(assignment_id=taken.pk, annotator=annotator, now=now)
    assert claim(annotator) != taken
    others = Assignment.objects.filter(round=open_round).exclude(pk=taken.pk)
    others.update(submitted_at=now)
    assert claim(annotator) == taken
    assert annotator.drafts.get().content == {"x": 1}


def test_a_task_that_was_never_ones_own_is_not_found(assignment, second_annotator, now):
    for act in (allocation.renew, allocation.release):
        with pytest.raises(allocation.NoSuchAssignment):
            act(assignment_id=assignment.pk, annotator=second_annotator, now=now)


def test_a_lease_taken_over_is_reported_as_lost(claim, assignment, annotator, second_annotator, now):
    drafts.save(assignment_id=assignment.pk, annotator=annotator, version=1, content={}, now=now)
    claim(second_annotator, after=timedelta(hours=1))
    with pytest.raises(allocation.LeaseLost):
        allocation.renew(assignment_id=assignment.pk, annotator=annotator, now=now)
