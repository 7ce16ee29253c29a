"""/api/label-preview/ and the labels of a training: what it would learn from, before it starts."""

import pytest

from labeling import snapshots
from labeling.models import Consensus
from prm_training.models import TrainingRun

ADDRESS = "/api/label-preview/"


@pytest.fixture
def tasks(make, annotator, second_annotator, now):
    """Two tasks of one round; the first labelled by two people, who disagree, and with a consensus."""
    shared, single = make.task(), make.task(number=1)
    make.labelling(shared, 1, -1, annotator=annotator)
    make.labelling(shared, 1, 1, 1, annotator=second_annotator)
    make.labelling(single, 1, 0, annotator=annotator)
    make.labelling(single, 1, finish_reason="give_up")
    plain = {"confidence": [1, 1], "labellings": 2, "computed_at": now}
    Consensus.objects.create(task=shared, method="majority", ratings=[1, -1], **plain)
    return shared, single


def preview(client, **asked):
    answer = client.get(ADDRESS, asked)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_it_works(tasks, admin_client):
    found = preview(admin_client)
    assert (found["labellings"], found["labels"], found["positive"], found["negative"]) == (3, 7, 5, 1)
    assert found["left_out"] == {"screening": 0, "gold": 0, "give_up": 1, "bad_problem": 0, "overruled": 0}
    assert found["annotators"] == [{"username": "ada", "labellings": 2}, {"username": "ben", "labellings": 1}]


def test_it_is_what_freezing_holds(tasks, admin_client):
    for consensus in ("", "majority"):
        frozen = snapshots.freeze(consensus=consensus)
        found = preview(admin_client, consensus=consensus)
        assert (found["labels_hash"], found["labels"]) == (frozen.labels_hash, frozen.counts["labels"])


def test_choices(tasks, admin_client):
    shared, single = tasks
    assert preview(admin_client, round_ids=str(single.round_id))["labels"] == 2
    assert preview(admin_client, phase_ids=str(shared.round.phase_id))["labels"] == 5
    assert preview(admin_client, annotators="ben")["labels"] == 3
    assert preview(admin_client, without_annotators="ben")["labels"] == 4


def test_consensus_takes_the_place_of_each(tasks, admin_client):
    found = preview(admin_client, consensus="majority")
    assert (found["labellings"], found["positive"], found["neutral"], found["negative"]) == (2, 2, 1, 1)


@pytest.mark.parametrize("asked", [{"round_ids": "x"}, {"consensus": "dice"}])
def test_a_bad_choice_is_refused(admin_client, refused, asked):
    assert list(refused(admin_client.get(ADDRESS, asked), 400, "invalid")["errors"]) == list(asked)


def test_a_training_keeps_its_choice(tasks, ml_staff_client):
    labels = {"round_ids": [str(tasks[0].round_id)], "annotators": ["ada"], "consensus": "majority"}
    answer = ml_staff_client.post("/api/training-runs/", {"name": "x", "labels": labels})
    assert (answer.status_code, answer.json()["labels"], TrainingRun.objects.get().labels) == (201, labels, labels)
    assert snapshots.freeze(**TrainingRun.objects.get().labels).counts["labels"] == 2
