"""/api/phases/{id}/recent/: an annotator's own last submissions, all open to revision."""

from datetime import timedelta

import pytest

from annotate import allocation, submission
from annotate.api.assignments import RECENT
from labeling.campaign import rounds
from labeling.models import Labelling


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/recent/"


def label(phase, annotator, sent, when):
    taken = allocation.claim_next(phase=phase, annotator=annotator, now=when)
    return submission.submit(assignment_id=taken.pk, annotator=annotator, submission=sent, now=when)


def test_it_works(address, labelling, annotator_client):
    """The list leaves out `all_fine_but_wrong`, a check of earlier versions that revealed the verdict."""
    Labelling.objects.update(checks=["all_fine_but_wrong", "too_fast"])
    assert annotator_client.get(address).json() == [
        {
            "id": str(labelling.pk),
            "assignment": str(labelling.assignment_id),
            "submitted_at": "2026-03-02T12:10:00Z",
            "finish_reason": "solution",
            "checks": ["too_fast"],
            "active_ms": 90_000,
            "statement": labelling.task.solution.problem.statement,
            "statement_markup": "mathematics",
            "ratings": [1, 1, 1],
            "has_answer": False,
        }
    ]


def test_newest_first_and_no_more_than_twenty(address, make, phase, annotator, annotator_client, all_great, now):
    make.round(phase, RECENT + 2)
    made = [label(phase, annotator, all_great, now + timedelta(minutes=n)).pk for n in range(RECENT + 2)]
    listed = [row["id"] for row in annotator_client.get(address).json()]
    assert listed == [str(pk) for pk in reversed(made[2:])]


def test_own_ones_only(address, labelling, second_annotator_client):
    assert second_annotator_client.get(address).json() == []


def test_current_ones_only(address, labelling, annotator_client, now):
    Labelling.objects.update(superseded_at=now)
    assert annotator_client.get(address).json() == []


def test_submissions_in_closed_rounds_are_left_out(address, labelling, open_round, annotator_client, now):
    rounds.close(round_id=open_round.pk, now=now)
    assert annotator_client.get(address).json() == []


def test_screening_is_left_out(address, make, phase, annotator, annotator_client, all_great, now):
    make.screening(phase, 2)
    label(phase, annotator, all_great, now)
    assert annotator_client.get(address).json() == []


def test_a_long_statement_is_cut(address, labelling, annotator_client):
    problem = labelling.task.solution.problem
    problem.statement = "x" * 1000
    problem.save()
    assert annotator_client.get(address).json()[0]["statement"] == "x" * 300


def test_an_outsider_does_not_learn_that_the_phase_exists(address, outsider_client, refused):
    refused(outsider_client.get(address), 404, "not_found")


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.get(address), 401, "not_authenticated")


def test_queries_do_not_grow(
    address, make, phase, annotator, annotator_client, all_great, now, django_assert_num_queries
):
    make.round(phase, 4)
    for n in range(4):
        label(phase, annotator, all_great, now + timedelta(minutes=n))
    with django_assert_num_queries(6):  # session, user, phase, labellings, ratings, critiques
        assert len(annotator_client.get(address).json()) == 4
