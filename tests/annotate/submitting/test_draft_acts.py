"""annotate.drafts: an annotator's unfinished work."""

from datetime import timedelta

import pytest

from annotate import allocation, drafts
from annotate.models import Draft
from labeling.campaign import rounds
from labeling.models import Assignment


@pytest.fixture
def save(assignment, annotator, now):
    def act(version, content, after=timedelta(0), who=annotator):
        drafts.save(assignment_id=assignment.pk, annotator=who, version=version, content=content, now=now + after)

    return act


def test_it_works(save, assignment, annotator, now):
    save(1, {"ratings": []})
    draft = Draft.objects.get()
    assert (draft.task, draft.annotator, draft.version, draft.saved_at) == (assignment.task, annotator, 1, now)


def test_the_newest_stays_whatever_order_they_arrive_in(save):
    for version in (2, 5, 3, 5, 1, 4):
        try:
            save(version, {"version": version})
        except drafts.StaleDraft:
            assert version not in {2, 5} or Draft.objects.get().version == 5
    assert (Draft.objects.get().version, Draft.objects.get().content) == (5, {"version": 5})


@pytest.mark.parametrize(("after", "until"), [(14, 30), (16, 46), (25, 55)])
def test_saving_renews_a_lease_of_which_half_is_over(save, assignment, now, after, until):
    save(1, {}, after=timedelta(minutes=after))
    assignment.refresh_from_db()
    assert assignment.lease_expires_at == now + timedelta(minutes=until)


def test_the_next_draft_is_one_lock_and_one_update(save, django_assert_num_queries):
    save(1, {})
    with django_assert_num_queries(4):  # between the test's own savepoint and its release
        save(2, {})


def test_in_a_closed_round_it_is_kept_and_the_lease_runs_out(save, assignment, open_round, now):
    rounds.close(round_id=open_round.pk, now=now)
    save(1, {"mine": True}, after=timedelta(minutes=25))
    assignment.refresh_from_db()
    assert assignment.lease_expires_at == now + timedelta(minutes=30)
    assert Draft.objects.get().content == {"mine": True}


def test_a_stale_draft_never_lands_on_a_submission(save, labelling):
    with pytest.raises(drafts.AlreadySubmitted):
        save(99, {"late": True})
    assert not Draft.objects.exists()
    assert labelling.completions.count() == 3


def test_the_draft_outlives_a_lost_lease(save, assignment, phase, annotator, second_annotator, now):
    save(1, {"mine": True})
    hour = timedelta(hours=1)
    allocation.claim_next(phase=phase, annotator=second_annotator, now=now + hour)
    with pytest.raises(allocation.LeaseLost):
        save(2, {"mine": "newer"}, after=hour)
    assert Draft.objects.get().content == {"mine": True}


def test_two_people_on_one_task_have_two_drafts(save, assignment, second_annotator, now):
    Assignment.objects.create(
        task=assignment.task, round=assignment.round, seat=1, position=9, annotator=second_annotator, leased_at=now
    )
    save(1, {"whose": "ada"})
    theirs = Assignment.objects.get(annotator=second_annotator)
    drafts.save(assignment_id=theirs.pk, annotator=second_annotator, version=1, content={"whose": "ben"}, now=now)
    assert {draft.annotator.username: draft.content["whose"] for draft in Draft.objects.all()} == {
        "ada": "ada",
        "ben": "ben",
    }


def test_nobody_saves_on_anothers_task(save, second_annotator):
    with pytest.raises(allocation.NoSuchAssignment):
        save(1, {}, who=second_annotator)
