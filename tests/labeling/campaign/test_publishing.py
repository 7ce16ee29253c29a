"""labeling.campaign.publishing: a round's tasks, a batch at a time."""

from hashlib import sha256

import pytest
from django.db import connection

from labeling.campaign import publishing, rounds
from labeling.models import Assignment, Phase, Round, Task

BATCH = 4


class Killed(Exception):
    pass


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(publishing, "BATCH", BATCH)


@pytest.fixture
def ids(make):
    return [row.pk for row in make.solutions(10)]


@pytest.fixture
def begun(phase, ids, now):
    return publishing.begin(phase=phase, solution_ids=ids, now=now)


def order(ids, seed, seat):
    """Returns the serving order of a seat: by the hash of seed, seat and solution, independent of batches."""
    return sorted(ids, key=lambda pk: sha256(f"{seed}:{seat}:{pk}".encode()).digest())


def served(round_):
    return list(round_.assignments.order_by("position").values_list("task__solution", flat=True))


def test_it_works(begun, ids):
    publishing.fill(round_=begun, solution_ids=ids, overlap=2, seed=7)
    assert list(begun.tasks.order_by("rank").values_list("solution", "rank", "overlap")) == [
        (pk, rank, 2) for rank, pk in enumerate(ids, 1)
    ]
    assert served(begun) == order(ids, 7, 0) + order(ids, 7, 1)
    assert sorted(begun.assignments.values_list("position", flat=True)) == list(range(20))


def test_nobody_gets_a_task_before_it_is_open(begun, ids, phase, annotator_client):
    claim = f"/api/phases/{phase.pk}/claim/"
    publishing.fill(round_=begun, solution_ids=ids, overlap=1)
    assert annotator_client.post(claim).json()["reason"] == "no_open_round"
    publishing.open_(round_=begun)
    assert annotator_client.post(claim).json()["assignment"]


def test_it_reports_progress_after_each_batch(begun, ids):
    told = []
    publishing.fill(round_=begun, solution_ids=ids, overlap=1, on_batch=told.append)
    assert told == [4, 8, 10]


def test_resuming_publishes_the_remaining_tasks(begun, ids):
    def kill(done):
        if done > BATCH:
            raise Killed

    with pytest.raises(Killed):
        publishing.fill(round_=begun, solution_ids=ids, overlap=2, seed=3, on_batch=kill)
    assert (begun.tasks.count(), begun.assignments.count()) == (BATCH, 2 * BATCH), "a batch is there in full, or not"
    publishing.fill(round_=begun, solution_ids=ids, overlap=2, seed=3)
    assert served(begun) == order(ids, 3, 0) + order(ids, 3, 1)
    assert list(begun.tasks.order_by("rank").values_list("solution", flat=True)) == ids


def test_a_phase_that_closed_meanwhile_opens_nothing(begun, ids, phase):
    publishing.fill(round_=begun, solution_ids=ids, overlap=1)
    Phase.objects.filter(pk=phase.pk).update(status="closed")
    with pytest.raises(publishing.RoundStillOpen, match="is closed"):
        publishing.open_(round_=begun)
    assert Round.objects.get().status == "publishing"


@pytest.mark.parametrize("act", [rounds.close, rounds.reopen])
def test_a_round_being_published_is_neither_closed_nor_reopened(begun, now, act):
    with pytest.raises(rounds.NotThisRound, match="Round 0 is being published"):
        act(round_id=begun.pk, **({"now": now} if act is rounds.close else {}))


def test_emptying_takes_its_tasks_away(begun, ids):
    publishing.fill(round_=begun, solution_ids=ids, overlap=2)
    publishing.empty(round_id=begun.pk)
    assert not Task.objects.exists()
    assert not Assignment.objects.exists()


def test_an_open_round_is_never_emptied(open_round):
    publishing.empty(round_id=open_round.pk)
    assert open_round.tasks.count() == 3


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite plans without such counts")
def test_postgresql_counts_the_new_tasks_at_once(begun, ids):
    publishing.fill(round_=begun, solution_ids=ids, overlap=2)
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'labeling_assignment'")
        assert cursor.fetchone() == (20,)
