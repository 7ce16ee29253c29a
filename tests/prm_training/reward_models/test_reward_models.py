"""/api/reward-models/: trained models; who may promote them."""

from datetime import timedelta

import pytest

from labeling.models import Snapshot
from prm_training.models import Promotion

ADDRESS = "/api/reward-models/"


def promote(client, model):
    return client.post(f"{ADDRESS}{model.pk}/promote/")


def test_it_works(make, admin_client):
    snapshot = Snapshot.objects.create(labels_hash="f00", counts={"labels": 41})
    phase = make.phase(name="Sums")
    run = make.training_run(phase=phase, name="Spring", base="gpt2", snapshot=snapshot, status="done")
    model = make.reward_model(training_run=run, metrics={"held_out": {"auc": 0.8}})
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row == {
        "id": str(model.pk),
        "name": "Spring",
        "phase": str(phase.pk),
        "phase_name": "Sums",
        "current_in": [],
        "created_at": row["created_at"],
        "training_run": str(run.pk),
        "base": "gpt2",
        "supervision": "process",
        "labels": 41,
        "metrics": {"held_out": {"auc": 0.8}},
        "evaluated": None,
    }


def test_the_newest_evaluation_in_its_phase_with_intervals(make, ml_staff_client, now, django_assert_num_queries):
    model = make.reward_model()
    make.reward_model()
    for day, auc in enumerate((0.6, 0.7)):
        metrics = {"held_out": {"step_auc": auc}, "intervals": {"step_auc": [auc - 0.1, auc + 0.1]}, "problems": 9}
        ended = now + timedelta(days=day)
        make.evaluation_run(reward_model=model, status="done", finished_at=ended, metrics=metrics)
    later = {"finished_at": now + timedelta(days=9)}
    make.evaluation_run(reward_model=model, status="failed", **later)
    make.evaluation_run(reward_model=model, status="done", phase=make.phase(), metrics={"held_out": {}}, **later)
    with django_assert_num_queries(5):  # session, user, how many, models, where they are current
        rows = ml_staff_client.get(ADDRESS).json()["results"]
    (found,) = [row["evaluated"] for row in rows if row["id"] == str(model.pk)]
    assert found == {"held_out": {"step_auc": 0.7}, "intervals": metrics["intervals"], "problems": 9}
    assert ml_staff_client.get(f"{ADDRESS}{model.pk}/").json()["evaluated"] == found


def test_a_model_of_no_snapshot(make, ml_staff_client):
    make.reward_model()
    (row,) = ml_staff_client.get(ADDRESS).json()["results"]
    assert row["labels"] is None


@pytest.mark.parametrize("who", ["annotator", "outsider", "admin"])
def test_others_promote_none(make, who, request, signed_in, refused):
    refused(promote(signed_in(request.getfixturevalue(who)), make.reward_model()), 403, "permission_denied")
    assert not Promotion.objects.exists()


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_see_none(make, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(ADDRESS), 403, "permission_denied")


def test_signed_out_is_refused(make, signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")
    refused(promote(signed_out_client, make.reward_model()), 401, "not_authenticated")


def test_an_unknown_model_is_not_found(make, ml_staff_client, refused):
    refused(promote(ml_staff_client, make.training_run()), 404, "not_found")


def test_queries_do_not_grow(make, admin_client, django_assert_num_queries):
    for _ in range(4):
        make.reward_model(phase=make.phase(), is_current=True)
    with django_assert_num_queries(5):  # session, user, count, page, where they are current
        assert len(admin_client.get(ADDRESS).json()["results"]) == 4


def test_of_one_phase(make, admin_client):
    here, there = make.phase(), make.phase()
    models = [make.reward_model(phase=phase, is_current=True) for phase in (here, there)]
    make.promotion(models[0], there)
    rows = admin_client.get(ADDRESS, {"phase": str(here.pk)}).json()["results"]
    assert [row["id"] for row in rows] == [str(models[0].pk)]
    assert [row["phase_name"] for row in rows[0]["current_in"]] == sorted([here.name, there.name])
