"""annotate.submission: a labelling is stored once and whole, or not at all."""

from dataclasses import replace
from datetime import timedelta

import pytest

from annotate import allocation, drafts, submission
from annotate.allocation import RoundClosed
from annotate.drafts import AlreadySubmitted
from annotate.models import Draft
from annotate.submission import Submission
from labeling.campaign import rounds
from labeling.models import Labelling, RatedCompletion
from labeling.rules.ratings import InvalidLabelling, Judgement, StepRating

TEN_MINUTES = timedelta(minutes=10)


@pytest.fixture
def submit(assignment, annotator, now):
    def act(sent, after=TEN_MINUTES, who=annotator):
        return submission.submit(assignment_id=assignment.pk, annotator=who, submission=sent, now=now + after)

    return act


@pytest.fixture
def found_error():
    ratings = [StepRating(0, 1), StepRating(1, None, is_flagged=True), StepRating(2, -1, note="2 + 3 is 5")]
    return Submission(Judgement(ratings, "found_error", "Slip."))


def test_it_works(submit, assignment, found_error, now):
    labelling = submit(found_error)
    assert (labelling.task, labelling.submitted_at) == (assignment.task, now + TEN_MINUTES)
    assert (labelling.finish_reason, labelling.finish_note) == ("found_error", "Slip.")
    rows = labelling.completions.order_by("step").values_list("step", "completion", "rating", "is_flagged", "note")
    assert list(rows) == [(0, 0, 1, False, ""), (1, 0, None, True, ""), (2, 0, -1, False, "2 + 3 is 5")]
    texts = labelling.completions.order_by("step").values_list("text", flat=True)
    assert list(texts) == assignment.task.solution.steps


def test_the_lease_ends(submit, all_great, assignment, now):
    submit(all_great)
    assignment.refresh_from_db()
    assert (assignment.submitted_at, assignment.lease_expires_at) == (now + TEN_MINUTES, None)


def test_the_draft_is_deleted(submit, all_great, assignment, annotator, now):
    drafts.save(assignment_id=assignment.pk, annotator=annotator, version=1, content={}, now=now)
    submit(all_great)
    assert not Draft.objects.exists()


def test_the_history_is_kept_as_it_came(submit, all_great):
    history = [{"step": 0, "rating": -1, "at_ms": 5}, {"step": 0, "rating": 1, "at_ms": 9}]
    assert submit(replace(all_great, history=history)).history == history


def test_steps_after_the_first_negative_stay_unlabelled(submit):
    labelling = submit(Submission(Judgement([StepRating(0, -1)], "found_error")))
    assert list(labelling.completions.values_list("step", "rating")) == [(0, -1)]


@pytest.mark.parametrize("reason", ["give_up", "bad_problem"])
def test_ending_without_a_verdict_needs_a_reason(submit, reason):
    judgement = Judgement([StepRating(0, 1)], reason)
    with pytest.raises(InvalidLabelling):
        submit(Submission(judgement))
    explained = replace(judgement, finish_note="The figure is missing.")
    assert submit(Submission(explained)).finish_reason == reason


def test_an_identical_submission_is_stored_once(submit, all_great):
    first = submit(all_great)
    assert submit(all_great, after=timedelta(days=1)) == first
    assert (Labelling.objects.count(), RatedCompletion.objects.count()) == (1, 3)
    first.refresh_from_db()
    assert first.submitted_at is not None


def test_other_ratings_are_refused(submit, all_great, found_error):
    submit(all_great)
    with pytest.raises(AlreadySubmitted):
        submit(found_error)
    with pytest.raises(AlreadySubmitted):
        submit(Submission(replace(all_great.judgement, finish_note="So it is.")))
    assert RatedCompletion.objects.count() == 3


def test_a_closed_round_takes_no_more(submit, all_great, assignment, annotator, open_round, now):
    drafts.save(assignment_id=assignment.pk, annotator=annotator, version=1, content={}, now=now)
    rounds.close(round_id=open_round.pk, now=now)
    with pytest.raises(RoundClosed):
        submit(all_great)
    assert not Labelling.objects.exists()
    assert Draft.objects.exists(), "the message says that the draft is kept"


def test_a_broken_protocol_changes_nothing(submit, assignment, annotator, now):
    drafts.save(assignment_id=assignment.pk, annotator=annotator, version=1, content={}, now=now)
    with pytest.raises(InvalidLabelling):
        submit(Submission(Judgement([StepRating(0, 1)], "solution")))
    assert not Labelling.objects.exists()
    assert Draft.objects.exists()
    assignment.refresh_from_db()
    assert assignment.submitted_at is None


def test_active_time_is_capped_at_the_time_in_hand(submit, all_great):
    ratings = [StepRating(step=step, rating=1, active_ms=10**7) for step in range(3)]
    labelling = submit(Submission(Judgement(ratings, "solution"), active_ms=10**8), after=timedelta(seconds=90))
    assert labelling.active_ms == 90_000
    assert set(labelling.completions.values_list("active_ms", flat=True)) == {90_000}


def test_possible_active_time_is_kept(submit, all_great):
    labelling = submit(all_great)
    assert labelling.active_ms == 90_000
    assert set(labelling.completions.values_list("active_ms", flat=True)) == {30_000}


def test_active_time_counts_from_the_first_claim_not_the_reload(submit, all_great, phase, annotator, assignment, now):
    allocation.claim_next(phase=phase, annotator=annotator, now=now + timedelta(minutes=9))
    assert submit(replace(all_great, active_ms=8 * 60_000)).active_ms == 8 * 60_000


def test_a_clock_that_went_back_gives_no_negative_time(submit, all_great):
    assert submit(all_great, after=-timedelta(seconds=5)).active_ms == 0


def test_nobody_submits_anothers_task(submit, all_great, second_annotator):
    with pytest.raises(allocation.NoSuchAssignment):
        submit(all_great, who=second_annotator)


def test_a_task_that_was_taken_over_is_lost(submit, all_great, assignment, annotator, second_annotator, phase, now):
    drafts.save(assignment_id=assignment.pk, annotator=annotator, version=1, content={}, now=now)
    allocation.claim_next(phase=phase, annotator=second_annotator, now=now + timedelta(hours=1))
    with pytest.raises(allocation.LeaseLost):
        submit(all_great, after=timedelta(hours=1))
    assert not Labelling.objects.exists()
