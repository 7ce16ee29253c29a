"""labeling.campaign.quality: people's quality on gold, and pauses of those who label poorly."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate import allocation
from labeling.campaign import quality
from labeling.models import Change, Membership, Phase
from labeling.rules.intervals import wilson

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("given", "gold", "expected"),
    [
        ([1, 0, -1], [1, 1, -1], "exact"),
        ([1, 1], [0, 0], "exact"),
        ([-1], [1, -1], "early"),
        ([1, 1, -1], [1, -1], "late"),
        ([1, 1, 1], [1, -1], "missed"),
        ([1, None, 1], [1, -1], "missed"),
        ([1, -1], [1, 1, 1], "false_alarm"),
        ([], [1], "exact"),
    ],
)
def test_labellings_are_compared_with_gold(given, gold, expected):
    assert quality.compared_with_gold(given=given, gold=gold) == expected


@pytest.mark.parametrize(
    ("earlier", "recent", "drifts"), [(20, 0, True), (20, 9, False), (20, 5, True), (9, 0, False), (0, 0, False)]
)
def test_drift_is_found(earlier, recent, drifts):
    assert quality.is_drifting([True] * earlier + [True] * recent + [False] * (10 - recent)) is drifts


def test_quality_is_summed_up():
    found = quality.summed_up([([1, -1], [1, -1]), ([-1], [1, -1]), ([1, 1], [1, -1]), ([1, 1], [1, 1])])
    assert (found.tasks, found.accuracy, found.is_drifting) == (4, 0.5, False)
    assert found.outcomes == {"exact": 2, "early": 1, "missed": 1}
    assert found.step_agreement == (1 + 0 + 0.5 + 1) / 4
    assert found.step_agreement_interval == pytest.approx(wilson(2.5, 4))


def test_without_labellings_there_is_no_quality():
    found = quality.summed_up([])
    assert (found.tasks, found.accuracy, found.low, found.high, found.step_agreement) == (0, None, 0, 1, None)


@pytest.fixture
def judge(make, phase, annotator, now):
    """Labels gold tasks whose second step is wrong, an hour apart; `found`: whether each error is found."""

    def act(*found, who=annotator, number=0, gold_set="gold", start=0, **columns):
        for hours, is_found in enumerate(found, start):
            task = make.task(phase, number=number, is_gold=True)
            make.gold(1, -1, solution=task.solution, gold_set=gold_set)
            ratings = [1, -1] if is_found else [1, 1, 1]
            make.labelling(task, *ratings, **{"annotator": who, "submitted_at": now + hours * HOUR} | columns)

    return act


def test_quality_is_per_person(phase, judge, annotator, second_annotator):
    judge(True, True, False)
    judge(True, who=second_annotator)
    found = quality.of_people(phase.pk)
    assert {person: each.accuracy for person, each in found.items()} == {annotator.pk: 2 / 3, second_annotator.pk: 1}
    assert list(quality.of_people(phase.pk, annotator=annotator)) == [annotator.pk]


def test_kinds_of_error_are_compared_where_both_name_one(phase, make, annotator):
    phase.error_kinds = [
        {"key": "c", "name": "Calculation", "parent": "", "help": ""},
        {"key": "1", "name": "Arithmetic", "parent": "c", "help": ""},
    ]
    phase.save()
    for named, given in [("calculation: arithmetic", "1"), ("Calculation", "1"), ("Calculation", ""), ("", "c")]:
        task = make.task(phase, is_gold=True)
        said = [{"step": 1, "kind": named, "root_cause": None}]
        make.gold(1, -1, solution=task.solution, gold_set="gold", mistakes=said)
        labelling = make.labelling(task, 1, -1, annotator=annotator)
        labelling.completions.filter(step=1).update(error_kind=given)
    found = quality.of_people(phase.pk)[annotator.pk]
    assert (found.kinds, found.kind_agreement, found.kind_agreement_interval) == (2, 0.5, wilson(1, 2))


def test_only_real_work_on_gold_in_service_counts(phase, judge, make, annotator, now):
    judge(False, number=-1)
    judge(False, gold_set="")
    judge(False, finish_reason="give_up")
    make.labelling(make.task(phase), 1, 1, 1, annotator=annotator)
    make.labelling(make.task(make.phase()), 1, 1, 1, annotator=annotator)
    assert quality.of_people(phase.pk) == {}


def test_a_corrected_gold_counts_as_corrected(phase, judge, make, annotator):
    judge(False)
    task = phase.rounds.get().tasks.get()
    make.gold(1, 1, 1, solution=task.solution, version=2)
    assert quality.of_people(phase.pk)[annotator.pk].accuracy == 1


# Pausing


@pytest.fixture
def claim(make, phase, annotator, now):
    make.round(phase)

    def act():
        held = Phase.objects.get(pk=phase.pk)
        return allocation.claim_next(phase=held, annotator=annotator, now=now + 50 * HOUR)

    return act


@pytest.mark.any_database
def test_an_annotator_who_labels_poorly_is_paused(phase, judge, claim, annotator):
    Phase.objects.update(pause_below=0.7)
    judge(*[True] * 6, *[False] * 4, number=9)
    with pytest.raises(allocation.NothingToClaim) as refusal:
        claim()
    assert refusal.value.code == "paused"
    member = Membership.objects.get(user=annotator)
    line = Change.objects.get(act="pause")
    assert (line.by, line.subject, line.after) == (None, str(member.pk), {"accuracy": 0.6, "tasks": 10})
    with pytest.raises(allocation.NothingToClaim):
        claim()
    assert Change.objects.filter(act="pause").count() == 1


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("found", "pause_below"), [([False] * 9, 0.7), ([True] * 7 + [False] * 3, 0.7), ([False] * 10, None)]
)
def test_an_annotator_who_labels_well_is_not_paused(phase, judge, claim, found, pause_below):
    Phase.objects.update(pause_below=pause_below)
    judge(*found, number=9)
    assert claim().task


def test_a_claim_sends_equally_many_queries_with_and_without_gold(phase, judge, claim, annotator):
    """A slower claim would reveal that the task before was gold."""

    def asked():
        with CaptureQueriesContext(connection) as sent:
            claim()
        return len(sent)

    Phase.objects.update(pause_below=0.7)
    claim()
    before = asked()
    judge(True, number=9)
    assert asked() == before
    judge(*[True] * 12, number=9)
    assert asked() == before


def test_only_the_last_thirty_count(phase, judge, claim):
    Phase.objects.update(pause_below=0.7)
    judge(*[False] * 15, *[True] * 30, number=9)
    assert claim().task


def test_an_admin_ends_a_pause(phase, judge, claim, annotator, admin_client):
    """Earlier mistakes no longer count."""
    Phase.objects.update(pause_below=0.7)
    judge(*[False] * 10, number=9)
    with pytest.raises(allocation.NothingToClaim):
        claim()
    address = f"/api/phases/{phase.pk}/members/{annotator.pk}/"
    body = admin_client.patch(address, {"is_paused": False}).json()
    assert (body["is_paused"], body["paused_at"], body["quality"]["tasks"]) == (False, None, 0)
    assert claim().task
