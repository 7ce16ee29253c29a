"""/api/training-runs/: trains a reward model."""

import pytest

from labeling.models import Snapshot
from prm_training.models import LossPoint, TrainingRun

pytestmark = pytest.mark.usefixtures("ready")

ADDRESS = "/api/training-runs/"


def plain(phase):
    return {"name": "x", "phase": str(phase.pk)}


def test_it_works(phase, ml_staff, ml_staff_client, broker, django_capture_on_commit_callbacks):
    settings = {"epochs": 3, "learning_rate": 0.001, "seed": 7}
    body = {"name": "Spring", "phase": str(phase.pk), "settings": settings}
    with django_capture_on_commit_callbacks(execute=True):
        answer = ml_staff_client.post(ADDRESS, body)
    assert answer.status_code == 201
    run = TrainingRun.objects.get()
    assert (run.name, run.base, run.settings, run.owner, run.status) == ("Spring", "", settings, ml_staff, "queued")
    assert list(run.phases.all()) == [phase]
    assert broker() == [("prm_training.run", "train", str(run.pk))]
    assert answer.json()["id"] == str(run.pk)
    assert (answer.json()["snapshot"], answer.json()["reward_model"], answer.json()["loss_curve"]) == (None, None, [])


@pytest.mark.any_database
def test_a_name_and_a_phase_are_enough(phase, ml_staff_client):
    answer = ml_staff_client.post(ADDRESS, {"name": "All labels", "phase": str(phase.pk)})
    assert answer.status_code == 201
    assert (answer.json()["phases"], answer.json()["settings"], answer.json()["base"]) == ([str(phase.pk)], {}, "")


@pytest.mark.any_database
def test_on_labels_of_other_phases_too(make, phase, ml_staff_client):
    both = [str(phase.pk), str(make.phase().pk)]
    row = ml_staff_client.post(ADDRESS, {"name": "x", "phase": str(phase.pk), "phases": both}).json()
    assert (row["phase"], sorted(row["phases"])) == (str(phase.pk), sorted(both))


def test_a_finished_one_names_labels_and_model(make, admin_client):
    counts = {"labels": 4, "labellings": 2}
    snapshot = Snapshot.objects.create(labels_hash="f00", counts=counts)
    run = make.training_run(status="done", snapshot=snapshot, metrics={"train_loss": 0.8})
    for step, loss in ((2, 0.9), (1, 1.1)):
        LossPoint.objects.create(run=run, step=step, loss=loss)
    model = make.reward_model(training_run=run)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert (row["reward_model"], row["loss_curve"]) == (str(model.pk), [[1, 1.1], [2, 0.9]])
    assert (row["snapshot"]["labels_hash"], row["snapshot"]["counts"]) == ("f00", counts)
    assert row["metrics"] == {"train_loss": 0.8}


@pytest.mark.any_database
def test_a_folder_with_a_model_may_be_the_base(phase, ml_staff_client, tmp_path):
    for name, base in [("config.json", tmp_path), ("llama.gguf", tmp_path / "llama.gguf")]:
        (tmp_path / name).write_text("{}")
        assert ml_staff_client.post(ADDRESS, plain(phase) | {"base": str(base)}).status_code == 201


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"phase": None}, "phase"),
        ({"phase": "00000000-0000-4000-8000-000000000000"}, "phase"),
        ({"base": "/nowhere"}, "base"),
        ({"base": "../secret"}, "base"),
        ({"base": "~nobody/model"}, "base"),
        ({"base": "/" + "x" * 300}, "base"),
        ({"base": "x" * 501}, "base"),
        ({"phases": ["00000000-0000-4000-8000-000000000000"]}, "phases"),
        ({"phases": ["x"]}, "phases"),
        ({"phases": "x"}, "phases"),
        ({"settings": {"epochs": 0}}, "settings"),
        ({"settings": {"epochs": 10**30}}, "settings"),
        ({"settings": {"learning_rate": 0}}, "settings"),
        ({"settings": {"seed": -1}}, "settings"),
        ({"settings": [1]}, "settings"),
    ],
)
def test_a_bad_body_is_refused(phase, ml_staff_client, refused, change, field):
    body = refused(ml_staff_client.post(ADDRESS, plain(phase) | change), 400, "invalid")
    assert list(body["errors"]) == [field]
    assert not TrainingRun.objects.exists()


def test_status_and_results_are_not_for_the_caller_to_set(ml_staff_client, refused):
    results = {"status": "done", "metrics": {"auc": 1}, "loss_curve": [[1, 0]], "attempts": 4, "done": 9}
    answer = refused(ml_staff_client.post(ADDRESS, results | {"name": "x"}), 400, "invalid")
    assert answer["errors"].keys() == results.keys()


@pytest.mark.parametrize(
    "sent",
    [{"settings": {"epohcs": 1}}, {"without_annotators": ["ada"]}, {"labels": {"without_annotator": ["ada"]}}],
)
def test_an_unknown_name_is_refused(annotator, phase, ml_staff_client, refused, sent):
    """A misspelt name would train on labels meant to be left out."""
    refused(ml_staff_client.post(ADDRESS, plain(phase) | sent), 400, "invalid")
    assert not TrainingRun.objects.exists()


def test_it_keeps_its_choice_of_labels(make, annotator, ml_staff_client):
    phase = make.phase()
    for _ in range(5):  # one problem in ten is held out
        make.labelling(task := make.task(phase), 1, 1, 1)
    round_ = task.round
    labels = {"rounds": [str(round_.pk)], "without_annotators": ["ada"], "include": ["gold"], "consensus": "majority"}
    answer = ml_staff_client.post(ADDRESS, plain(phase) | {"labels": labels})
    assert (answer.status_code, answer.json()["labels"], TrainingRun.objects.get().labels) == (201, labels, labels)
