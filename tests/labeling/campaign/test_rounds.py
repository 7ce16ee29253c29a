"""labeling.campaign.rounds: publishes and closes rounds."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from labeling.campaign import publishing, rounds
from labeling.models import Assignment, Change, Phase, Round, Task


def publish(phase, solutions, now, overlap=1):
    return rounds.publish(phase=phase, solution_ids=[row.pk for row in solutions], overlap=overlap, now=now)


def test_it_works(make, phase, now):
    solutions = make.solutions(3)
    published = publish(phase, solutions, now)
    assert (published.number, published.status, published.opened_at) == (0, "open", now)
    assert [task.solution for task in published.tasks.order_by("rank")] == solutions, "in the given order"
    seats = Assignment.objects.filter(round=published).order_by("position")
    assert {seat.task.solution for seat in seats} == set(solutions)
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


def rows_of(round_):
    """Returns the rows that a round's publication wrote, without ids, times and the order within a pass."""
    own = {"id", "phase_id", "round_id", "task_id", "number", "position", "at", "subject", "name"}
    tasks, seats = round_.tasks.order_by("rank"), round_.assignments.order_by("task__rank", "seat")
    written = [Round.objects.filter(pk=round_.pk), tasks, seats, Change.objects.filter(subject=round_.pk)]
    return [[{name: row[name] for name in row.keys() - own} for row in rows.values()] for rows in written]


@pytest.mark.parametrize("overlap", [1, 2])
def test_a_round_that_tests_make_is_like_a_published_one(make, phase, now, overlap):
    solutions = make.solutions(3)
    published = publish(phase, solutions, now, overlap)
    made = make.round(make.phase(), solutions, overlap)
    assert rows_of(made) == rows_of(published)
    assert served_in(made) == sorted(served_in(published)) == list(range(3 * overlap))
    rounds.close(round_id=made.pk, now=now)
    assert make.round(made.phase, solutions).number == 1


def served_in(round_):
    """Returns positions, sorted by seat, then rank."""
    return list(round_.assignments.order_by("seat", "task__rank").values_list("position", flat=True))


SERVED = 60


def served(make, phase, now, overlap=1, **asked):
    """Returns the ranks (1 to 60) of a round's tasks in serving order, once for each overlap."""
    ids = [make.solution(id=UUID(int=number)).pk for number in range(SERVED)]
    published = rounds.publish(phase=phase, solution_ids=ids, overlap=overlap, now=now, **asked)
    return list(published.assignments.order_by("position").values_list("task__rank", flat=True))


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_the_serving_order_is_independent_of_the_rank(make, phase, now, seed):
    """Say the first 48 are wrong, the rest right: served by rank, Spearman's correlation would be 1."""
    ranks = served(make, phase, now, seed=seed)
    assert sorted(ranks) == list(range(1, SERVED + 1))
    off = sum((rank - position) ** 2 for position, rank in enumerate(ranks, 1))
    assert abs(1 - 6 * off / (SERVED * (SERVED**2 - 1))) < 0.3
    early = sum(rank <= 48 for rank in ranks[: SERVED // 2])
    assert 21 <= early <= 27, "24 by chance"


def test_the_same_seed_serves_the_same_solutions_in_the_same_order(make, phase, now):
    ids = [row.pk for row in make.solutions(SERVED)]

    def order(seed):
        made = rounds.publish(phase=make.phase(), solution_ids=ids, seed=seed, now=now)
        return list(made.assignments.order_by("position").values_list("task__solution", flat=True))

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert order(1) != ids


def test_each_pass_over_the_tasks_is_shuffled_anew(make, phase, now):
    ranks = served(make, phase, now, overlap=2)
    first, second = ranks[:SERVED], ranks[SERVED:]
    assert sorted(first) == sorted(second) == list(range(1, SERVED + 1))
    assert first != second


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
    with pytest.raises(publishing.RoundStillOpen, match="Round 0 of “Arithmetic” is still open"):
        publish(phase, make.solutions(1), now)
    assert phase.rounds.count() == 1


def test_publishing_no_solutions_is_refused(phase, now):
    with pytest.raises(publishing.NothingToPublish):
        publish(phase, [], now)
    assert not phase.rounds.exists()


def test_a_closed_phase_gets_no_round(make, phase, now):
    Phase.objects.filter(pk=phase.pk).update(status="closed")
    with pytest.raises(publishing.RoundStillOpen, match="is closed"):
        publish(phase, make.solutions(1), now)


def test_an_overlap_of_0_is_refused(make, phase, now):
    with pytest.raises(IntegrityError), transaction.atomic():
        publish(phase, make.solutions(1), now, overlap=0)
    assert not Round.objects.exists()


def test_the_number_of_queries_does_not_grow_with_the_round(make, phase, now, django_assert_max_num_queries):
    solutions = make.solutions(60)
    with django_assert_max_num_queries(24):
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
