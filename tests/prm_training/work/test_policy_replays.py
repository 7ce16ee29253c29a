"""/api/policy-replays/: compares selection policies on a model's labels."""

import pytest

from prm_training.models import PolicyReplay

pytestmark = pytest.mark.usefixtures("ready")

ADDRESS = "/api/policy-replays/"


@pytest.fixture
def model(make):
    snapshot = make.snapshot(counts={"split": {"train": 40, "test": 5}})
    return make.reward_model(training_run=make.training_run(status="done", snapshot=snapshot))


def test_it_works(model, ml_staff, ml_staff_client, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = ml_staff_client.post(ADDRESS, {"reward_model": str(model.pk), "seeds": 3})
    run = PolicyReplay.objects.get()
    assert (answer.status_code, run.owner, run.reward_model, run.seeds) == (201, ml_staff, model, 3)
    assert broker() == [("prm_training.run", "replay", str(run.pk))]
    assert answer.json()["metrics"] == {}


def obstacle(client, model):
    return client.get(f"/api/reward-models/{model.pk}/").json()["replay_obstacle"]


def test_there_is_no_obstacle(model, ml_staff_client):
    assert obstacle(ml_staff_client, model) == ""


def test_replays_are_filtered_by_model(make, model, ml_staff_client):
    mine = make.policy_replay(reward_model=model)
    make.policy_replay()
    (row,) = ml_staff_client.get(ADDRESS, {"reward_model": str(model.pk)}).json()["results"]
    assert row["id"] == str(mine.pk)


@pytest.mark.parametrize("split", [{"train": 19, "test": 5}, {"train": 40}, {}])
def test_too_few_labels(make, ml_staff_client, refused, split):
    run = make.training_run(status="done", snapshot=make.snapshot(counts={"split": split}))
    model = make.reward_model(training_run=run)
    answer = refused(ml_staff_client.post(ADDRESS, {"reward_model": str(model.pk)}), 409, "not_ready")
    assert obstacle(ml_staff_client, model) == answer["detail"]


def test_an_outcome_model_picks_nothing(make, ml_staff_client, refused):
    model = make.reward_model(training_run=make.training_run(supervision="outcome"))
    refused(ml_staff_client.post(ADDRESS, {"reward_model": str(model.pk)}), 409, "not_for_steps")


@pytest.mark.parametrize(
    ("change", "field"),
    [({"reward_model": "x"}, "reward_model"), ({"seeds": 0}, "seeds"), ({"seeds": 11}, "seeds")],
)
def test_a_bad_body_is_refused(model, ml_staff_client, refused, change, field):
    body = refused(ml_staff_client.post(ADDRESS, {"reward_model": str(model.pk)} | change), 400, "invalid")
    assert list(body["errors"]) == [field]
