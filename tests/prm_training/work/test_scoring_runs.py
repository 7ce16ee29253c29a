"""/api/scoring-runs/: scores the pool with a model."""

from dataclasses import replace
from uuid import uuid4

import pytest

from prm_training.models import ScoringRun
from prm_training.prm.ensemble import Certainty
from prm_training.prm.score import SolutionScore
from prm_training.work import scoring

pytestmark = pytest.mark.usefixtures("ready")

ADDRESS = "/api/scoring-runs/"


@pytest.fixture
def reward_model(make):
    return make.reward_model()


def test_it_works(reward_model, ml_staff, ml_staff_client, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = ml_staff_client.post(ADDRESS, {"reward_model": str(reward_model.pk)})
    assert answer.status_code == 201
    run = ScoringRun.objects.get()
    assert (run.reward_model, run.owner, run.status) == (reward_model, ml_staff, "queued")
    assert broker() == [("prm_training.run", "score", str(run.pk))]
    assert (answer.json()["id"], answer.json()["summary"]) == (str(run.pk), {})


def test_twice_is_one_run_while_the_first_is_on_its_way(reward_model, ml_staff_client):
    first = ml_staff_client.post(ADDRESS, {"reward_model": str(reward_model.pk)}).json()
    again = ml_staff_client.post(ADDRESS, {"reward_model": str(reward_model.pk)}).json()
    assert again["id"] == first["id"]
    ScoringRun.objects.update(status="done")
    assert ml_staff_client.post(ADDRESS, {"reward_model": str(reward_model.pk)}).json()["id"] != first["id"]


def test_scoring_for_a_phase(make, phase, reward_model, ml_staff_client):
    """Scores the phase's sources, unless a run of the whole pool is under way; one of another phase won't do."""
    body = {"reward_model": str(reward_model.pk)}
    other = ml_staff_client.post(ADDRESS, body | {"phase": str(make.phase().pk)}).json()
    own = [ml_staff_client.post(ADDRESS, body | {"phase": str(phase.pk)}).json() for _ in range(2)]
    assert own[0]["phase"] == str(phase.pk)
    assert own[0]["id"] == own[1]["id"] != other["id"]
    ScoringRun.objects.all().delete()
    all_of_it = ml_staff_client.post(ADDRESS, body).json()
    assert ml_staff_client.post(ADDRESS, body | {"phase": str(phase.pk)}).json()["id"] == all_of_it["id"]
    ScoringRun.objects.update(phase=phase)
    assert ml_staff_client.post(ADDRESS, body).json()["id"] != all_of_it["id"], "a phase's is not the whole pool's"


@pytest.mark.parametrize("unknown", ["x", 7, "00000000-0000-4000-8000-000000000000"])
def test_scoring_for_an_unknown_phase(reward_model, ml_staff_client, refused, unknown):
    refused(ml_staff_client.post(ADDRESS, {"reward_model": str(reward_model.pk), "phase": unknown}), 400, "invalid")


@pytest.mark.parametrize("value", [None, "", "x", 7, "00000000-0000-4000-8000-000000000000"])
def test_a_bad_body_is_refused(ml_staff_client, refused, value):
    refused(ml_staff_client.post(ADDRESS, {"reward_model": value}), 400, "invalid")
    refused(ml_staff_client.post(ADDRESS, {}), 400, "invalid")
    assert not ScoringRun.objects.exists()


def test_an_ensembles_certainty_is_stored(make):
    found = SolutionScore(str(uuid4()), -1.0, (-1.0,), (), 0, False, Certainty(0.9, 0.01))
    row = scoring._row(make.reward_model(), found)
    assert (row.log_score, row.confidence, row.deviation) == (-1.0, 0.9, 0.01)
    assert scoring._row(row.reward_model, replace(found, certainty=None)).confidence is None
