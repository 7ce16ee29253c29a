"""People can't settle their own disagreements by rulings or gold; gold made of one measures only others."""

import pytest
from django.utils import timezone

from labeling.campaign import consensus, gold, quality
from labeling.campaign.gold import Disputed, Expertise
from labeling.models import Case, Consensus, Gold, Labelling, Task
from labeling.review import adjudication
from labeling.review.adjudication import Ruling
from tests.queues import QUEUES, where

RATINGS = {"outcome": "ratings", "ratings": [1, 1, 1]}
RULINGS = [RATINGS, RATINGS | {"outcome": "gold"}, {"outcome": "dismiss"}, {"outcome": "verdict", "verdict": "right"}]


@pytest.fixture
def expert(make, phase):
    person = make.user(username="edda")
    phase.memberships.create(user=person, role="expert")
    return person


@pytest.fixture(params=["expert", "admin", "superuser"])
def judge(request):
    """A person who may rule on others' disagreements."""
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("ruling", RULINGS)
def test_people_who_disagree_do_not_rule(make, task, judge, signed_in, refused, ruling):
    make.labelling(task, -1, annotator=judge)
    seen = signed_in(judge).get(where(task)).json()
    assert (seen["is_waiting"], seen["is_own_disagreement"]) == (True, True)
    refused(signed_in(judge).post(where(task), ruling), 403, "own_disagreement")
    assert not Consensus.objects.exists()
    assert not Gold.objects.exists()
    assert not Case.objects.exclude(settled_at=None).exists()


def test_people_who_disagree_do_not_rule_in_other_queues(make, task, expert, signed_in, refused):
    make.labelling(task, -1, annotator=expert)
    make.labelling(task, None, 1, 1, annotator=make.user())
    QUEUES["unsure"](make, task, make.user())
    refused(signed_in(expert).post(where(task, "unsure"), RATINGS), 403, "own_disagreement")


@pytest.mark.any_database
def test_others_may_rule(make, task, judge, signed_in, expert):
    make.labelling(task, -1, annotator=make.user())
    seen = signed_in(judge).get(where(task)).json()
    assert seen["is_own_disagreement"] is False
    assert signed_in(judge).post(where(task), RATINGS).json()["is_waiting"] is False


def test_people_who_disagree_may_leave_a_note(make, task, expert, signed_in):
    make.labelling(task, -1, annotator=expert)
    signed_in(expert).post(where(task), {"note": "I read step 1 otherwise."})
    assert Case.objects.get().note == "I read step 1 otherwise."


@pytest.mark.any_database
def test_without_a_disagreement_an_annotator_may_settle(make, phase, expert, signed_in):
    task = make.task(phase)
    make.labelling(task, 1, None, 1, annotator=expert)
    task.labellings.get().completions.filter(rating=None).update(is_flagged=True)
    answer = signed_in(expert).post(where(task, "unsure"), RATINGS)
    assert answer.json()["is_waiting"] is False


def test_no_labelling_of_a_disputed_task_becomes_gold(make, task, expert, admin_client, refused):
    """An uninvolved person can't make it gold either: that would settle the disagreement in passing."""
    for labelling in task.labellings.all():
        with pytest.raises(Disputed):
            gold.put_labelling(labelling=labelling, rationale="", gold_set="gold", by=expert)
    body = {"labelling": str(task.labellings.first().pk), "gold_set": "gold"}
    refused(admin_client.post("/api/gold/", body), 409, "disputed")
    assert not Gold.objects.exists()


def ruled(task, by):
    ruling = Ruling("gold", ratings=[1, -1])
    adjudication.settle(task=task, queue="disagreement", ruling=ruling, now=timezone.now(), by=by)


def typed(task, by):
    gold.put(solution=task.solution, expertise=Expertise([1, -1]), by=by)


def imported(task, by):
    gold.put_many(rows=[(task.solution, Expertise([1, -1]))], by=by)


def typed_once_they_agree(task, by):
    """Makes gold of a task whose annotators agree after a revision; quality is judged by first submissions."""
    first, second = task.labellings.all()
    Labelling.objects.filter(pk=second.pk).update(superseded_at=timezone.now())
    assert not consensus.disputed(Task.objects.filter(pk=first.task_id)).exists()
    typed(task, by)


@pytest.mark.parametrize("put", [ruled, typed, imported, typed_once_they_agree])
def test_gold_made_of_a_disagreement_measures_others(make, phase, task, admin, annotator, second_annotator, put):
    """It measures everybody except the two people who disagreed."""
    elsewhere = make.task(phase, number=1, solution=task.solution, is_gold=True)
    newcomer = make.user()
    make.labelling(elsewhere, 1, -1, annotator=newcomer)
    put(task, admin)
    assert {person: each.accuracy for person, each in quality.of_people(phase.pk).items()} == {newcomer.pk: 1}
    assert [*quality.accuracies()] == [str(newcomer.pk)]
    membership = phase.memberships.get(user=second_annotator)
    phase.pause_below = 1
    assert not quality.pause_if_poor(membership=membership, phase=phase, now=timezone.now())


def test_gold_on_what_they_agree_on_measures_them(make, phase, admin, annotator, second_annotator):
    agreed = make.task(phase)
    for person in (annotator, second_annotator):
        make.labelling(agreed, 1, 1, 1, annotator=person)
    typed(agreed, admin)
    assert {person: each.accuracy for person, each in quality.of_people(phase.pk).items()} == {
        annotator.pk: 0,
        second_annotator.pk: 0,
    }


def test_corrected_gold_still_measures_all(make, phase, admin, annotator):
    """It was already hidden gold when they labelled it."""
    task = make.task(phase, is_gold=True)
    make.gold(1, -1, solution=task.solution)
    make.labelling(task, 1, 1, 1, annotator=annotator)
    task.reports.create(annotator=annotator, kind="gold")
    ruling = Ruling("gold", ratings=[1, 1, 1])
    adjudication.settle(task=task, queue="gold", ruling=ruling, now=timezone.now(), by=admin)
    assert quality.of_people(phase.pk)[annotator.pk].accuracy == 1
