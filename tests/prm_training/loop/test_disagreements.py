"""Disagreements: the loop waits for rulings before it trains, or trains on a consensus, as the phase says."""

import pytest
from django.utils import timezone

from labeling.models import Phase, Queue, Round, RoundStatus
from labeling.review import adjudication
from labeling.review.adjudication import Ruling
from prm_training.loop import autopilot
from prm_training.models import Autopilot, TrainingRun


@pytest.fixture
def disputed(make, phase):
    """A closed round with two tasks, on one of which people disagree."""
    agreed = make.task(phase, overlap=2)
    task = make.task(phase, overlap=2)
    for ratings in ([1, -1], [1, 1, 1]):
        make.labelling(agreed, 1, 1, 1, annotator=make.user())
        make.labelling(task, *ratings, annotator=make.user())
    return task


@pytest.fixture
def rule(disputed, admin):
    def act(**ruling):
        chosen = Ruling(**{"outcome": "ratings", "ratings": [1, -1]} | ruling)
        adjudication.settle(task=disputed, queue=Queue.DISAGREEMENT, ruling=chosen, now=timezone.now(), by=admin)

    return act


@pytest.fixture
def look(phase, ml_staff_client):
    return lambda: ml_staff_client.get(f"/api/phases/{phase.pk}/loop/").json()


@pytest.mark.any_database
def test_the_loop_asks_for_rulings(disputed, look, rule):
    seen = look()
    assert (seen["disagreements"], seen["consensus"], seen["labels_since_training"]) == (1, "", 4)
    assert seen["due"] == {"act": "rule", "who": "experts", "reason": ""}
    assert {part["name"]: part["state"] for part in seen["parts"]}["label"] == "due"
    rule()
    seen = look()
    assert (seen["disagreements"], seen["due"]["act"]) == (0, "train")


@pytest.mark.parametrize("method", ["majority", "dawid_skene"])
def test_disagreements_that_a_consensus_settles_are_counted(disputed, look, method):
    Phase.objects.update(settles_by=method)
    seen = look()
    assert (seen["disagreements"], seen["consensus"], seen["due"]["act"]) == (1, method, "train")


def test_another_phases_disagreements_do_not_matter(make, disputed, ml_staff_client):
    other = make.phase()
    make.labelling(make.task(other), 1, 1, 1, annotator=make.user())
    seen = ml_staff_client.get(f"/api/phases/{other.pk}/loop/").json()
    assert (seen["disagreements"], seen["due"]["act"]) == (0, "train")


@pytest.mark.any_database
@pytest.mark.parametrize("ruling", [{}, {"outcome": "dismiss"}, {"outcome": "gold"}])
def test_the_autopilot_waits_for_rulings(disputed, rule, on, advance, ruling):
    on()
    assert advance() == advance(hours=100) == 0, "however long"
    assert (Autopilot.objects.get().status, TrainingRun.objects.count()) == ("on", 0)
    rule(**ruling)
    assert advance() == 1
    assert TrainingRun.objects.get().labels == {}


def test_it_closes_the_round_first(make, phase, on, advance, disputed):
    Round.objects.update(status=RoundStatus.OPEN, closed_at=None)
    on()
    assert Round.objects.get().status == RoundStatus.CLOSED
    assert (advance(), TrainingRun.objects.count()) == (0, 0)


@pytest.mark.parametrize("method", ["majority", "dawid_skene"])
def test_it_trains_on_the_consensus(disputed, phase, on, method):
    Phase.objects.update(settles_by=method)
    phase.refresh_from_db()
    on()
    assert TrainingRun.objects.get().label_filter.consensus == method


@pytest.mark.any_database
def test_a_changed_setting_lets_the_autopilot_resume(disputed, phase, on, advance):
    on()
    assert advance() == 0
    Phase.objects.update(settles_by="majority")
    assert advance() == 1
    assert TrainingRun.objects.get().labels == {"consensus": "majority"}


@pytest.mark.any_database
def test_differing_paths_of_alternatives_are_no_disagreement(disputed, phase, on):
    Phase.objects.update(kind="alternatives")
    phase.refresh_from_db()
    on()
    assert TrainingRun.objects.count() == 1


def test_switched_on_while_it_waits_it_stays_on(disputed, phase, ml_staff, broker):
    pilot = autopilot.switch_on(phase=phase, by=ml_staff, now=timezone.now())
    assert (pilot.status, TrainingRun.objects.count()) == ("on", 0)
