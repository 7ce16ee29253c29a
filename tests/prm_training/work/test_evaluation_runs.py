"""/api/evaluation-runs/: measures a model and the current one on the same held-out labels."""

import pytest

from prm_training.models import EvaluationRun

pytestmark = pytest.mark.usefixtures("ready")

ADDRESS = "/api/evaluation-runs/"


@pytest.fixture
def model(make):
    return make.reward_model(training_run=make.training_run(status="done", snapshot=make.snapshot()))


def test_it_works(make, model, ml_staff, ml_staff_client, broker, django_capture_on_commit_callbacks):
    current = make.reward_model(is_current=True)
    with django_capture_on_commit_callbacks(execute=True):
        answer = ml_staff_client.post(ADDRESS, {"reward_model": str(model.pk)})
    run = EvaluationRun.objects.get()
    assert (answer.status_code, run.owner, run.reward_model, run.baseline) == (201, ml_staff, model, current)
    assert run.snapshot == model.training_run.snapshot
    assert broker() == [("prm_training.run", "evaluate", str(run.pk))]


def test_on_other_labels(make, model, ml_staff_client):
    other = make.snapshot()
    ml_staff_client.post(ADDRESS, {"reward_model": str(model.pk), "snapshot": str(other.pk)})
    assert EvaluationRun.objects.get().snapshot == other


def test_one_on_its_way_is_enough(model, ml_staff_client):
    ids = {ml_staff_client.post(ADDRESS, {"reward_model": str(model.pk)}).json()["id"] for _ in range(2)}
    assert len(ids) == EvaluationRun.objects.count() == 1


def test_a_model_without_labels(make, ml_staff_client, refused):
    refused(ml_staff_client.post(ADDRESS, {"reward_model": str(make.reward_model().pk)}), 409, "not_ready")


@pytest.mark.parametrize("body", [{}, {"reward_model": "x"}, {"reward_model": None}])
def test_a_bad_body_is_refused(ml_staff_client, refused, body):
    assert list(refused(ml_staff_client.post(ADDRESS, body), 400, "invalid")["errors"]) == ["reward_model"]


@pytest.mark.parametrize("who", ["annotator", "admin"])
def test_others_start_none(model, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.post(ADDRESS, {"reward_model": str(model.pk)}), 403, "permission_denied")
