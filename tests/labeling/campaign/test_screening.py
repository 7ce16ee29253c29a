"""labeling.campaign.screening, and the acts that depend on its result."""

from datetime import timedelta

import pytest

from annotate import allocation, submission
from annotate.submission import Submission
from labeling.campaign import publishing, rounds, screening
from labeling.campaign.screening import Standing
from labeling.data.exporting import LabelFilter, standing
from labeling.models import Assignment, Labelling, Membership, Phase, Round
from labeling.rules.ratings import Judgement, StepRating

GREAT = [1, 1, 1]


@pytest.mark.parametrize(
    ("given", "gold", "agreement"),
    [
        ([1, 1, 1], [1, 1, 1], 1),
        ([1, 0, -1], [1, 1, -1], 2 / 3),
        ([-1], [1, 1, -1], 0),
        ([1, -1], [1, 1, -1], 1 / 3),
        ([1, 1, 1], [1, -1], 1 / 3),
        ([1, None], [1, 0], 1 / 2),
        ([], [1], 0),
        ([], [], 0),
    ],
)
def test_step_agreement(given, gold, agreement):
    assert screening.step_agreement(given=given, gold=gold) == agreement


@pytest.fixture
def label(phase, now):
    """Claims and submits one task as the annotator."""

    def act(annotator, ratings, ahead=False):
        taken = allocation.claim_next(phase=Phase.objects.get(pk=phase.pk), annotator=annotator, now=now)
        reason = "found_error" if -1 in ratings else "solution"
        sent = Submission(Judgement([StepRating(step, rating) for step, rating in enumerate(ratings)], reason))
        return submission.submit(assignment_id=taken.pk, annotator=annotator, submission=sent, now=now)

    return act


def state(phase, annotator):
    membership = Membership.objects.get(phase=phase, user=annotator)
    return screening.state(phase=phase, membership=membership, has_round=True)


@pytest.mark.any_database
def test_everybody_labels_every_task_before_anything_else(make, phase, label, annotator, second_annotator):
    make.round(phase, 2)
    tasks = set(make.screening(phase, 3).tasks.values_list("pk", flat=True))
    for person in (annotator, second_annotator):
        assert {label(person, GREAT).task_id for _ in range(3)} == tasks
        assert state(phase, person) == "passed"
        assert label(person, GREAT).task.round.number == 0


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("answers", "expected"),
    [([GREAT, GREAT, GREAT, [-1]], "passed"), ([GREAT, GREAT, [-1], [-1]], "failed"), ([GREAT] * 3, "pending")],
)
def test_the_verdict_comes_with_the_last_task(make, phase, label, annotator, answers, expected):
    make.screening(phase, 4)
    for ratings in answers:
        assert state(phase, annotator) == "pending"
        label(annotator, ratings)
    assert state(phase, annotator) == expected


def test_a_mean_of_exactly_the_pass_mark_passes(make, phase, label, annotator):
    """The mean of 2/3 and 5/6 is 0.75, which floating point may miss."""
    Phase.objects.filter(pk=phase.pk).update(pass_mark=0.7)
    screening_round = make.screening(phase, 10)
    for ratings in [GREAT] * 1 + [[1, 1, 0]] * 9:
        label(annotator, ratings)
    membership = Membership.objects.get(user=annotator)
    assert membership.screening_agreement == 0.7
    assert screening_round.tasks.count() == 10
    assert state(Phase.objects.get(pk=phase.pk), annotator) == "passed"


def test_a_second_attempt_is_the_whole_set_again(make, phase, label, annotator):
    """The labellings of the first attempt are superseded, not lost."""
    Phase.objects.update(screening_attempts=2)
    make.round(phase)
    make.screening(phase, 2)
    for ratings in ([-1], GREAT):
        label(annotator, ratings)
    assert state(Phase.objects.get(), annotator) == "pending"
    for done in range(2):
        assert Membership.objects.get(user=annotator).screened_at is None or done == 0
        label(annotator, GREAT)
    member = Membership.objects.get(user=annotator)
    assert (member.attempts, member.screening_agreement, state(Phase.objects.get(), annotator)) == (2, 1, "passed")
    assert Labelling.objects.current().filter(task__round__number=-1).count() == 2
    assert Labelling.objects.filter(superseded_at__isnull=False).count() == 2
    assert label(annotator, GREAT).task.round.number == 0


def test_screening_is_failed_after_the_last_attempt(make, phase, label, annotator):
    Phase.objects.update(screening_attempts=2)
    make.screening(phase, 1)
    label(annotator, [-1])
    assert state(Phase.objects.get(), annotator) == "pending"
    label(annotator, [-1])
    assert state(Phase.objects.get(), annotator) == "failed"


def test_an_annotator_who_failed_gets_no_task(make, phase, label, annotator, second_annotator, now):
    make.round(phase)
    make.screening(phase)
    label(annotator, [-1])
    with pytest.raises(allocation.NothingToClaim) as refusal:
        allocation.claim_next(phase=phase, annotator=annotator, now=now)
    assert refusal.value.code == "screening_failed"
    assert allocation.claim_next(phase=phase, annotator=second_annotator, now=now).round.number == -1


def test_a_closed_screening_is_not_required(make, phase, label, annotator, now):
    make.round(phase)
    rounds.close(round_id=make.screening(phase, 2).pk, now=now)
    assert label(annotator, GREAT).task.round.number == 0


def test_fetching_ahead_in_screening(make, phase, annotator, now):
    make.round(phase)
    make.screening(phase, 2)
    first, second = (allocation.claim_next(phase=phase, annotator=annotator, now=now, ahead=bool(n)) for n in range(2))
    assert (first.place, second.place) == (0, 1)
    assert first.task != second.task
    assert allocation.claim_next(phase=phase, annotator=annotator, now=now, ahead=True) == second


def test_the_last_task_has_none_after_it(make, phase, annotator, now):
    make.round(phase)
    make.screening(phase, 1)
    allocation.claim_next(phase=phase, annotator=annotator, now=now)
    with pytest.raises(allocation.NothingToClaim) as refusal:
        allocation.claim_next(phase=phase, annotator=annotator, now=now, ahead=True)
    assert refusal.value.code == "nothing_left"


def test_a_released_task_comes_again(make, phase, annotator, now):
    make.screening(phase, 1)
    first = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    allocation.release(assignment_id=first.pk, annotator=annotator, now=now)
    assert allocation.claim_next(phase=phase, annotator=annotator, now=now).task == first.task
    assert Assignment.objects.count() == 1


def test_a_seat_in_screening_is_never_taken_over(make, phase, annotator, second_annotator, now):
    make.screening(phase, 1)
    first = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    later = now + timedelta(days=9)
    assert allocation.claim_next(phase=phase, annotator=second_annotator, now=later) != first
    assert allocation.claim_next(phase=phase, annotator=annotator, now=later) == first


def test_a_screening_labelling_is_final(make, phase, label, annotator, now):
    """Feedback has shown the expected ratings."""
    make.screening(phase, 2)
    first = label(annotator, GREAT)
    again = Submission(Judgement([StepRating(0, -1)], "found_error"), revises=first.pk)
    with pytest.raises(submission.AlreadySubmitted, match="can't be changed"):
        submission.submit(assignment_id=first.assignment_id, annotator=annotator, submission=again, now=now)


def test_feedback(make, phase, label, annotator):
    make.screening(phase, 2)
    labelling = label(annotator, [1, -1])
    feedback, standing = screening.compared(labelling)
    assert (feedback.gold, feedback.given, feedback.agreement) == ([1, 1, 1], [1, -1], 1 / 3)
    assert (feedback.rationale, standing) == ("It adds up.", Standing(1, 2, 0.333333, 0.75, "pending"))


def test_the_newest_gold_counts(make, phase, label, annotator):
    solution = make.screening(phase).tasks.get().solution
    make.gold(-1, solution=solution, version=2)
    assert screening.compared(label(annotator, [-1]))[0].agreement == 1


def test_real_work_has_no_feedback(labelling):
    assert screening.compared(labelling) == (None, None)


def test_publishing(make, phase, now):
    golds = [make.gold(1, -1), make.gold(1)]
    published = rounds.publish_screening(phase=phase, solution_ids=[gold.solution_id for gold in golds], now=now)
    assert (published.number, published.status, published.opened_at) == (-1, "open", now)
    assert set(published.tasks.values_list("solution", flat=True)) == {gold.solution_id for gold in golds}
    assert not Assignment.objects.exists()


def test_publishing_without_gold_is_refused(make, phase, now):
    ids = [make.gold(1).solution_id, make.solution().pk]
    with pytest.raises(rounds.NoGold, match="1 of the solutions"):
        rounds.publish_screening(phase=phase, solution_ids=ids, now=now)
    assert not Round.objects.exists()


def test_publishing_twice_or_nothing_or_for_trajectories_is_refused(make, phase, now):
    make.screening(phase)
    ids = [make.gold(1).solution_id]
    with pytest.raises(rounds.AlreadyScreening):
        rounds.publish_screening(phase=phase, solution_ids=ids, now=now)
    with pytest.raises(publishing.NothingToPublish):
        rounds.publish_screening(phase=make.phase(), solution_ids=[], now=now)
    with pytest.raises(rounds.NoScreening):
        rounds.publish_screening(phase=make.phase(kind="alternatives"), solution_ids=ids, now=now)


def test_progress_counts_every_member_for_every_task(make, phase, label, annotator):
    make.screening(phase, 3)
    label(annotator, GREAT)
    counted = Round.objects.with_progress().get()
    assert (counted.task_count, counted.labellings_wanted, counted.labellings_done) == (3, 6, 1)


def test_screening_is_never_trained_on(make, phase, label, annotator):
    make.screening(phase)
    label(annotator, GREAT)
    assert not standing.labellings(LabelFilter()).exists()
