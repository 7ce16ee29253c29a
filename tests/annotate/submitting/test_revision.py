"""annotate.submission: a revision supersedes a labelling, which is kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from annotate import submission
from annotate.allocation import RoundClosed
from annotate.drafts import AlreadySubmitted
from annotate.submission import Submission
from labeling.campaign import rounds
from labeling.models import Labelling
from labeling.rules.ratings import InvalidLabelling, Judgement, StepRating

LATER = timedelta(minutes=20)
FOUND = Judgement([StepRating(0, 1), StepRating(1, -1)], "found_error")


@pytest.fixture
def revise(labelling, annotator, now):
    def act(judgement, revises=labelling.pk, after=LATER):
        sent = Submission(judgement, revises=revises, active_ms=1000)
        return submission.submit(
            assignment_id=labelling.assignment_id, annotator=annotator, submission=sent, now=now + after
        )

    return act


def test_it_works(revise, labelling, now):
    revised = revise(FOUND)
    labelling.refresh_from_db()
    assert (labelling.superseded_at, labelling.finish_reason) == (now + LATER, "solution")
    assert list(labelling.completions.values_list("rating", flat=True)) == [1, 1, 1]
    assert (revised.submitted_at, revised.superseded_at, revised.assignment) == (
        now + LATER,
        None,
        labelling.assignment,
    )
    assert list(Labelling.objects.current()) == [revised]
    revised.assignment.refresh_from_db()
    assert revised.assignment.submitted_at == labelling.submitted_at


def test_sent_twice_it_is_stored_once(revise):
    assert revise(FOUND) == revise(FOUND)
    assert Labelling.objects.count() == 2


def test_every_revision_is_kept(revise, labelling, all_great):
    second = revise(FOUND)
    third = revise(all_great.judgement, revises=second.pk)
    history = Labelling.objects.order_by("superseded_at").values_list("pk", flat=True)
    assert set(history) == {labelling.pk, second.pk, third.pk}
    assert Labelling.objects.current().get() == third


@pytest.mark.parametrize(
    "change",
    [{"note": "See step 1."}, {"is_flagged": True}, {"rating": 0}],
)
def test_any_change_counts(revise, labelling, all_great, change):
    first, *others = all_great.judgement.ratings
    assert revise(replace(all_great.judgement, ratings=[replace(first, **change), *others])) != labelling


def test_the_same_again_is_no_revision(revise, labelling, all_great):
    assert revise(all_great.judgement) == labelling
    assert Labelling.objects.count() == 1


def test_without_saying_what_it_revises_it_is_refused(revise, labelling):
    with pytest.raises(AlreadySubmitted):
        revise(FOUND, revises=None)
    assert Labelling.objects.get() == labelling


def test_a_revision_of_what_was_revised_meanwhile_is_refused(revise, labelling, all_great):
    """Two tabs reopened the same labelling."""
    revised = revise(FOUND)
    with pytest.raises(AlreadySubmitted):
        revise(replace(FOUND, finish_note="Mine."), revises=labelling.pk)
    assert Labelling.objects.current().get() == revised


def test_in_a_closed_round_it_is_refused(revise, labelling, open_round, now):
    rounds.close(round_id=open_round.pk, now=now)
    with pytest.raises(RoundClosed):
        revise(FOUND)
    assert Labelling.objects.current().get() == labelling


def test_a_revision_that_breaks_the_protocol_changes_nothing(revise, labelling):
    with pytest.raises(InvalidLabelling):
        revise(Judgement([StepRating(0, 1)], "solution"))
    assert Labelling.objects.current().get() == labelling


def test_nobody_revises_anothers(labelling, second_annotator, now):
    with pytest.raises(submission.allocation.NoSuchAssignment):
        submission.submit(
            assignment_id=labelling.assignment_id,
            annotator=second_annotator,
            submission=Submission(FOUND, revises=labelling.pk),
            now=now,
        )


def test_over_the_api(annotator_client, open_round, phase):
    """An annotator submits, reopens from the list, and sends another rating."""
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    address = f"/api/assignments/{held['id']}/"
    assert held["labelling"] is None
    sent = {"ratings": [{"step": step, "rating": 1} for step in range(3)], "finish_reason": "solution"}
    first = annotator_client.post(f"{address}submit/", sent).json()["labelling_id"]
    (row,) = annotator_client.get(f"/api/phases/{phase.pk}/recent/").json()
    assert (row["id"], row["assignment"]) == (first, held["id"])
    stored = annotator_client.get(address).json()["labelling"]
    assert stored["id"] == first
    stored["ratings"][2]["rating"] = 0
    body = {name: value for name, value in stored.items() if name != "id"} | {"revises": first}
    answer = annotator_client.post(f"{address}submit/", body)
    assert answer.status_code == 200
    assert answer.json()["labelling_id"] != first
    stored = annotator_client.get(address).json()["labelling"]
    assert [rating["rating"] for rating in stored["ratings"]] == [1, 1, 0]
