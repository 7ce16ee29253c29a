"""prm_training.selection.publication: the publication job, on rows."""

from uuid import UUID

import numpy as np
import pytest
from django.utils import timezone

from labeling.campaign import publishing, rounds
from labeling.jobs.lifecycle import Cancelled, Interrupted
from labeling.models import Assignment, Round
from labeling.rules import intervals
from prm_training.models import Publication, Selection
from prm_training.selection import publication as job


@pytest.fixture
def solutions(make):
    return make.solutions(6)


@pytest.fixture
def publication(make, phase, solutions):
    selection = make.selection(phase=phase, status="done")
    for rank, solution in enumerate(reversed(solutions[:3]), start=1):
        selection.items.create(solution=solution, rank=rank, reason="drawn")
    return make.publication(selection=selection, overlap=2, status="running")


def to_the_row(run):
    """Reports directly to the row, as lifecycle's reporter does."""

    def report(**columns):
        Publication.objects.filter(pk=run.pk).update(**columns)

    return report


def test_publishing_makes_the_round(publication, solutions, phase):
    job.publish(publication, to_the_row(publication))
    publication.refresh_from_db()
    round_ = Round.objects.get()
    assert (publication.round, round_.phase, round_.status) == (round_, phase, "open")
    assert [task.solution for task in round_.tasks.order_by("rank")] == solutions[2::-1], "staff see the ranks"
    assert round_.assignments.count() == 6


@pytest.mark.parametrize("seed", [0, 5])
def test_places_in_the_round_do_not_reveal_its_random_arm(make, phase, seed):
    """The arm has the last ranks: serving by rank, or by creation, would reveal it."""
    solutions = [make.solution(id=UUID(int=number)) for number in range(200)]
    selection = make.selection(phase=phase, seed=seed, status="done")
    for rank, solution in enumerate(solutions, start=1):
        selection.items.create(solution=solution, rank=rank, reason="drawn", is_random=rank > 160)
    run = make.publication(selection=selection, overlap=2, status="running")
    job.publish(run, to_the_row(run))
    drawn = set(selection.items.filter(is_random=True).values_list("solution", flat=True))
    seats = list(Assignment.objects.select_related("task").order_by("position"))
    is_random = np.array([seat.task.solution_id in drawn for seat in seats])
    everyone, once = np.zeros(len(seats), int), np.ones((1, 1))
    assert intervals.auc(np.arange(len(seats)), is_random, everyone, once)[0] == pytest.approx(0.5, abs=0.1)
    assert {seat.task.overlap for seat in seats} == {2}
    assert {seat.kind for seat in seats} == {"work"}


@pytest.mark.parametrize("seed", [0, 5])
def test_a_selected_round_is_served_by_the_selections_seed(make, phase, seed):
    """Served by rank, wrong answers would come first: annotators would learn that, and a round closed early would lack
    the right ones."""
    verdicts = ["wrong"] * 48 + ["right"] * 12
    solutions = [make.solution(id=UUID(int=number), verdict=verdict) for number, verdict in enumerate(verdicts)]
    selection = make.selection(phase=phase, seed=seed, status="done")
    for rank, solution in enumerate(solutions, start=1):
        selection.items.create(solution=solution, rank=rank, reason="drawn")
    publication = make.publication(selection=selection, overlap=1, status="running")
    job.publish(publication, to_the_row(publication))
    seats = Assignment.objects.select_related("task__solution").order_by("position")
    verdicts = [seat.task.solution.verdict for seat in seats]
    assert 3 <= verdicts[:30].count("right") <= 9, "6 by chance"
    again = rounds.publish(
        phase=make.phase(), solution_ids=[row.pk for row in solutions], seed=seed, now=timezone.now()
    )
    served = again.assignments.order_by("position").values_list("task__solution", flat=True)
    assert list(served) == [seat.task.solution_id for seat in seats]


def test_publishing_again_makes_no_second_round(publication):
    """The worker died after its last step, before recording the end."""
    job.publish(publication, to_the_row(publication))
    publication.refresh_from_db()
    job.publish(publication, to_the_row(publication))
    assert Round.objects.count() == 1


def test_publishing_while_a_round_is_open_fails(publication, open_round):
    with pytest.raises(publishing.RoundStillOpen):
        job.publish(publication, to_the_row(publication))
    publication.refresh_from_db()
    assert publication.round is None


def test_a_publication_that_is_cancelled_at_the_last_moment_leaves_no_round(publication):
    def report(**columns):
        if columns["stage"] == "published":
            raise Cancelled
        to_the_row(publication)(**columns)

    with pytest.raises(Cancelled):
        job.publish(publication, report)
    assert not Round.objects.exists()
    assert Publication.objects.get().round is None


def test_a_publication_whose_worker_died_resumes(publication, monkeypatch):
    """A kill leaves everything as it is."""
    monkeypatch.setattr(publishing, "BATCH", 1)

    def report(**columns):
        if columns.get("done") == 3:
            raise Interrupted
        to_the_row(publication)(**columns)

    with pytest.raises(Interrupted):
        job.publish(publication, report)
    begun = Round.objects.get()
    again = Publication.objects.get()
    assert (again.round, begun.status, begun.tasks.count(), again.done, again.total) == (begun, "publishing", 2, 2, 3)
    job.publish(again, to_the_row(again))
    opened = Round.objects.get()
    assert (opened.pk, opened.status, opened.tasks.count(), opened.assignments.count()) == (begun.pk, "open", 3, 6)
    assert sorted(opened.assignments.values_list("position", flat=True)) == list(range(6))


def test_a_cancelled_publication_does_not_block_the_next(publication, make, solutions, phase, now):
    """Its worker was dead when it was cancelled: the phase's next publication cleans up."""
    publication.round = publishing.begin(phase=phase, solution_ids=[solutions[0].pk], now=now)
    publication.status = "cancelled"
    publication.save()
    selection = make.selection(phase=phase, status="done")
    selection.items.create(solution=solutions[1], rank=1, reason="drawn")
    other = make.publication(selection=selection, overlap=1, status="running")
    job.publish(other, to_the_row(other))
    assert [(row.number, row.publication) for row in Round.objects.all()] == [(0, other)]
    publication.refresh_from_db()
    assert publication.round is None


def test_a_selection_without_items_is_no_round(make, phase):
    publication = make.publication(selection=make.selection(phase=phase, status="done"))
    with pytest.raises(publishing.NothingToPublish):
        job.publish(publication, to_the_row(publication))


def test_every_label_knows_the_selection_behind_it(publication):
    job.publish(publication, to_the_row(publication))
    task = Round.objects.get().tasks.first()
    assert task.round.publication.selection == publication.selection
    assert Selection.objects.get(publication__round__tasks=task).items.filter(solution=task.solution).exists()
