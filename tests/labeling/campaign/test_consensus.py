"""labeling.campaign.consensus, /api/rounds/{id}/consensus/, and further labellings of disputed tasks."""

import pytest

from annotate import allocation
from labeling.campaign import consensus
from labeling.models import Consensus, Labelling, Phase, RatedCompletion, Task

# The stored consensus


@pytest.fixture
def shared(make, phase):
    """A round with three people on one task, and one on another."""
    task = make.task(phase, overlap=3)
    for ratings in ([1, -1], [1, -1], [1, 1, 1]):
        make.labelling(task, *ratings, annotator=make.user())
    make.labelling(make.task(phase), 1, annotator=make.user())
    return task


@pytest.fixture
def address(shared):
    return f"/api/rounds/{shared.round_id}/consensus/"


def test_it_works(address, shared, admin_client, ml_staff_client):
    before = list(RatedCompletion.objects.order_by("pk").values())
    assert admin_client.post(address).json() == {"tasks": 1}
    assert list(RatedCompletion.objects.order_by("pk").values()) == before, "labels stay as they are"
    rows = ml_staff_client.get(address).json()["results"]
    assert {row["method"]: row["ratings"] for row in rows} == {"majority": [1, -1], "dawid_skene": [1, -1]}
    (row,) = ml_staff_client.get(address, {"method": "majority"}).json()["results"]
    assert (row["task"], row["labellings"], row["confidence"]) == (str(shared.pk), 3, [1, 0.6667])
    assert row["statement"] == shared.solution.problem.statement


def test_computing_again_replaces_the_consensus(address, shared, make, admin_client):
    admin_client.post(address)
    for _ in range(2):
        make.labelling(shared, 1, 1, 1, annotator=make.user())
    admin_client.post(address)
    row = Consensus.objects.get(method="majority")
    assert (row.ratings, row.labellings) == ([1, 1, 1], 5)


def test_trajectories_have_no_consensus(address, admin_client):
    Phase.objects.update(kind="alternatives")
    assert admin_client.post(address).json() == {"tasks": 0}


# One more where people disagree


@pytest.fixture
def ask(phase):
    def act(cap=3):
        Phase.objects.update(overlap_cap=cap)
        return consensus.ask_again(round_=phase.rounds.select_related("phase").get())

    return act


@pytest.fixture
def label(make, now):
    """Labels all seats of the task with these ratings."""

    def act(task, *opinions):
        for seat, ratings in zip(task.assignments.order_by("seat"), opinions, strict=True):
            person = make.user()
            task.round.assignments.filter(pk=seat.pk).update(annotator=person, submitted_at=now)
            make.labelling(task, *ratings, annotator=person, assignment=seat)

    return act


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [([1, -1], [1, 1, 1], 1), ([-1], [1, -1], 1), ([1, -1], [0, -1], 0), ([1, 1, 1], [0, 1, 1], 0)],
)
def test_a_disputed_task_gets_a_seat(make, phase, ask, label, one, other, asked):
    task = make.round(phase, 1, overlap=2).tasks.get()
    label(task, one, other)
    assert ask() == asked
    task.refresh_from_db()
    assert (task.overlap, task.assignments.count()) == (2 + asked, 2 + asked)
    assert ask() == 0, "it waits for that one first"


def test_seats_are_added_up_to_the_cap(make, phase, ask, label):
    task = make.round(phase, 1, overlap=2).tasks.get()
    label(task, [-1], [1, 1, 1])
    assert (ask(cap=None), ask(cap=2), ask(cap=3)) == (0, 0, 1)


def test_withdrawn_tasks_get_no_further_seat(make, phase, ask, label):
    task = make.round(phase, 1, overlap=2).tasks.get()
    label(task, [-1], [1, 1, 1])
    Task.objects.update(withdrawn_at="2026-03-02T12:00Z")
    assert ask() == 0


def test_give_ups_are_no_opinion(make, phase, ask, label):
    task = make.round(phase, 1, overlap=2).tasks.get()
    label(task, [-1], [1, 1, 1])
    Labelling.objects.filter(finish_reason="solution").update(finish_reason="give_up")
    assert ask() == 0


def test_the_added_seat_is_claimable(make, phase, label, annotator, now):
    """It comes last in the queue."""
    Phase.objects.update(overlap_cap=3)
    phase.refresh_from_db()
    task = make.round(phase, 1, overlap=2).tasks.get()
    label(task, [-1], [1, 1, 1])
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    assert (held.task, held.seat) == (task, 2)
