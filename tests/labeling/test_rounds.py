"""labeling.rounds: publish one, close it."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from labeling import rounds
from labeling.models import Assignment, Phase, Round, Task


def publish(phase, solutions, now, overlap=1):
    return rounds.publish(phase=phase, solution_ids=[row.pk for row in solutions], overlap=overlap, now=now)


def test_it_works(make, phase, now):
    solutions = make.solutions(3)
    published = publish(phase, solutions, now)
    assert (published.number, published.status, published.opened_at) == (0, "open", now)
    seats = Assignment.objects.filter(round=published).order_by("position")
    assert [seat.task.solution for seat in seats] == solutions, "in the given order"
    assert {(seat.annotator, seat.lease_expires_at, seat.submitted_at) for seat in seats} == {(None, None, None)}


def test_every_task_has_as_many_seats_as_its_overlap(make, phase, now):
    published = publish(phase, make.solutions(2), now, overlap=3)
    for task in published.tasks.all():
        assert task.overlap == 3
        assert sorted(task.assignments.values_list("seat", flat=True)) == [0, 1, 2]


def test_every_first_seat_comes_before_any_second(make, phase, now):
    published = publish(phase, make.solutions(3), now, overlap=2)
    seats = published.assignments.order_by("position").values_list("position", "seat")
    assert list(seats) == [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1)]


def test_the_next_round_has_the_next_number(make, phase, now):
    for number in range(3):
        published = publish(phase, make.solutions(1), now)
        assert published.number == number
        rounds.close(round_id=published.pk, now=now)


def test_numbers_start_at_0_after_screening(make, phase, now):
    make.screening(phase)
    assert publish(phase, make.solutions(1), now).number == 0


def test_phases_number_on_their_own(make, phase, open_round, now):
    assert publish(make.phase(), make.solutions(1), now).number == 0


def test_while_a_round_is_open_there_is_no_other(make, phase, open_round, now):
    with pytest.raises(rounds.RoundStillOpen, match="Round 0 of “Arithmetic” is still open"):
        publish(phase, make.solutions(1), now)
    assert phase.rounds.count() == 1


def test_nothing_is_no_round(phase, now):
    with pytest.raises(rounds.NothingToPublish):
        publish(phase, [], now)
    assert not phase.rounds.exists()


def test_a_closed_phase_gets_no_round(make, phase, now):
    Phase.objects.filter(pk=phase.pk).update(status="closed")
    with pytest.raises(rounds.RoundStillOpen, match="is closed"):
        publish(phase, make.solutions(1), now)


def test_an_overlap_of_0_leaves_nothing_behind(make, phase, now):
    with pytest.raises(IntegrityError), transaction.atomic():
        publish(phase, make.solutions(1), now, overlap=0)
    assert not Round.objects.exists()


def test_the_number_of_queries_does_not_grow_with_the_round(make, phase, now, django_assert_max_num_queries):
    solutions = make.solutions(60)
    with django_assert_max_num_queries(12):
        publish(phase, solutions, now, overlap=3)
    assert Task.objects.count() == 60


def test_closing(open_round, now):
    closed = rounds.close(round_id=open_round.pk, now=now)
    assert (closed.status, closed.closed_at) == ("closed", now)


def test_closing_twice_keeps_the_first_time(open_round, now):
    rounds.close(round_id=open_round.pk, now=now)
    again = rounds.close(round_id=open_round.pk, now=now + timedelta(days=1))
    assert again.closed_at == now


def test_closing_an_unknown_round(phase, now):
    with pytest.raises(Round.DoesNotExist):
        rounds.close(round_id=phase.pk, now=now)
