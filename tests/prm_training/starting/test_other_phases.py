"""ML staff may read another phase's models and labels and choose them for their own, but never act there."""

import pytest

from labeling.models import User
from prm_training.models import Autopilot, Selection, TrainingRun
from prm_training.reward_models import promotion


@pytest.fixture
def other(make):
    """A phase with a current model, run by other ML staff."""
    phase = make.phase(name="Other")
    make.reward_model(name="theirs", phase=phase, is_current=True)
    return phase


@pytest.fixture
def theirs(other):
    return promotion.current(other)


@pytest.fixture
def client(phase, other, signed_in):
    person = User.objects.create(username="stella", role="ml_staff")
    phase.memberships.create(user=person, role="ml_staff")
    return signed_in(person)


def test_another_phases_model_becomes_current_in_ones_own(client, phase, theirs, refused):
    address = f"/api/reward-models/{theirs.pk}/promote/"
    assert client.post(address, {"phase": str(phase.pk)}).status_code == 200
    assert promotion.current(phase) == theirs
    refused(client.post(address, {}), 403, "permission_denied")  # in its own phase


def test_it_is_measured_in_ones_own_phase(client, make, phase, theirs, refused):
    body = {"reward_model": str(theirs.pk), "snapshot": str(make.snapshot().pk)}
    assert client.post("/api/evaluation-runs/", body | {"phase": str(phase.pk)}).json()["phase"] == str(phase.pk)
    refused(client.post("/api/evaluation-runs/", body), 403, "permission_denied")


def test_it_selects_for_ones_own(client, make, phase, other, theirs, refused):
    make.score(theirs, make.solution(), -1.0)
    body = {"policy": "convincing", "size": 1, "reward_model": str(theirs.pk)}
    assert client.post("/api/selections/", body | {"phase": str(phase.pk)}).status_code == 201
    refused(client.post("/api/selections/", body | {"phase": str(other.pk)}), 403, "permission_denied")
    assert Selection.objects.get().phase == phase


def test_it_scores_the_whole_pool(client, ready, other, theirs, refused):
    body = {"reward_model": str(theirs.pk)}
    assert client.post("/api/scoring-runs/", body).status_code == 201
    refused(client.post("/api/scoring-runs/", body | {"phase": str(other.pk)}), 403, "permission_denied")


def test_a_training_takes_labels_of_ones_own_phases(client, ready, phase, other, refused):
    body = {"name": "x", "phase": str(phase.pk), "phases": [str(phase.pk), str(other.pk)]}
    told = refused(client.post("/api/training-runs/", body), 403, "permission_denied")
    assert told["detail"] == "You are not among the ML staff of “Other”. An admin can add you."
    assert not TrainingRun.objects.filter(name="x").exists()


def test_runs_of_the_other_phase_can_be_read(client, make, other, refused):
    run = make.selection(phase=other, status="failed")
    assert client.get(f"/api/runs/{run.pk}/").status_code == 200
    for act in ("retry", "cancel"):
        refused(client.post(f"/api/runs/{run.pk}/{act}/"), 403, "permission_denied")


def test_the_secret_of_its_webhook_cannot_be_read(client, other, phase, ml_staff_client):
    for each in (other, phase):
        Autopilot.objects.create(phase=each, webhook_secret="s3cret")
    secrets = [client.get(f"/api/autopilots/{each.pk}/").json()["webhook_secret"] for each in (other, phase)]
    assert secrets == ["", "s3cret"]
