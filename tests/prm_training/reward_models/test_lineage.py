"""/api/reward-models/{id}/ and /download/: a model's inputs, its uses, and its files."""

import io
import tarfile

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

ADDRESS = "/api/reward-models/"


@pytest.fixture
def model(make):
    """A model that learned from a labelling of round 0, and whose selection became round 3."""
    phase, snapshot = make.phase(name="Sums"), make.snapshot(counts={"labels": 2})
    labelling = make.labelling(make.task(phase), 1, -1)
    make.labelling(make.task(phase), 1, 1)  # not in the snapshot
    snapshot.labellings.add(labelling)
    model = make.reward_model(training_run=make.training_run(snapshot=snapshot, status="done"))
    after = make.task(phase, number=3)
    make.labelling(after, 1)
    selection = make.selection(phase=phase, reward_model=model, status="done")
    selection.items.create(solution=after.solution, rank=1, reason="drawn")
    selection.items.create(solution=make.solution(), rank=1, reason="doubtful", is_set_aside=True)
    make.publication(selection=selection, round=after.round)
    make.score(model, after.solution, -0.5)
    return model


def test_lineage_in_both_directions(model, admin_client):
    found = admin_client.get(f"{ADDRESS}{model.pk}/").json()
    before, after = found["rounds_before"], found["rounds_after"]
    assert [(row["phase_name"], row["number"], row["labellings"]) for row in before] == [("Sums", 0, 1)]
    assert [(row["number"], row["labellings"]) for row in after] == [(3, 1)]
    assert [(row["status"], row["picked"]) for row in found["selections"]] == [("done", 1)]
    assert (found["solutions_scored"], found["evaluation"], found["obstacle"]) == (1, None, "")
    assert found["run"]["snapshot"]["counts"] == {"labels": 2}


@pytest.mark.any_database
def test_the_obstacle_to_promotion_is_named(make, model, ml_staff_client):
    make.reward_model(name="old", is_current=True)
    make.evaluation_run(reward_model=model, status="done", metrics={"held_out": {"step_auc": 0.5}})
    found = ml_staff_client.get(f"{ADDRESS}{model.pk}/").json()
    assert "“old”" in found["obstacle"]
    assert found["evaluation"]["metrics"] == {"held_out": {"step_auc": 0.5}}


@pytest.mark.any_database
@pytest.mark.parametrize("status", ["queued", "running"])
def test_the_last_evaluation_stays_while_another_is_under_way(make, model, ml_staff_client, status):
    done = make.evaluation_run(reward_model=model, status="done")
    make.evaluation_run(reward_model=model, status="failed")
    assert ml_staff_client.get(f"{ADDRESS}{model.pk}/").json()["evaluating"] is None
    under_way = make.evaluation_run(reward_model=model, status=status)
    found = ml_staff_client.get(f"{ADDRESS}{model.pk}/").json()
    assert (found["evaluation"]["id"], found["evaluating"]["id"]) == (str(done.pk), str(under_way.pk))


def test_a_model_of_no_snapshot(make, admin_client):
    assert admin_client.get(f"{ADDRESS}{make.reward_model().pk}/").json()["rounds_before"] == []


def test_queries_do_not_grow_with_scorings(make, model, ml_staff, ml_staff_client):
    counts = []
    for _ in range(3):
        make.scoring_run(reward_model=model, owner=ml_staff)
        with CaptureQueriesContext(connection) as queries:
            ml_staff_client.get(f"{ADDRESS}{model.pk}/")
        counts.append(len(queries))
    assert len(set(counts)) == 1


def test_download(model, ml_staff_client):
    folder = settings.MODELS_ROOT / model.directory
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"x" * 3000)
    answer = ml_staff_client.get(f"{ADDRESS}{model.pk}/download/")
    assert answer["Content-Disposition"].endswith('.tar"')
    with tarfile.open(fileobj=io.BytesIO(answer.getvalue())) as archive:
        sizes = {member.name.split("/")[1]: member.size for member in archive}
    assert sizes == {"config.json": 2, "model.safetensors": 3000}


def test_files_that_are_gone(make, ml_staff_client, refused):
    refused(ml_staff_client.get(f"{ADDRESS}{make.reward_model().pk}/download/"), 404, "not_found")
