"""A phase that rates all steps, from the submission to consensus, ruling, snapshot and export."""

import gzip
import json
from pathlib import Path

import pytest

from labeling.campaign import consensus
from labeling.data import snapshots
from labeling.data.exporting import LabelFilter, preview_export, standing
from labeling.data.formats.labels import WRITERS
from labeling.models import Consensus, Labelling, Phase, Task
from labeling.review import adjudication
from labeling.review.adjudication import Ruling

RECOVERED = [1, -1, 1]


@pytest.fixture
def phase(make, annotator, second_annotator):
    return make.phase(annotator, second_annotator, rates_all_steps=True)


@pytest.fixture
def task(make, phase, annotator, second_annotator):
    """A task on which two people disagree about the last step alone."""
    made = make.task(phase, overlap=2)
    for person, ratings in ((annotator, RECOVERED), (second_annotator, [1, -1, -1])):
        labelling = make.labelling(made, *ratings, annotator=person)
        for each in labelling.completions.all():
            type(each).objects.filter(pk=each.pk).update(text=made.solution.steps[each.step])
    return made


def test_a_mistake_does_not_end_the_labelling(make, phase, annotator_client):
    make.round(phase, 1)
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    assert held["phase"]["rates_all_steps"]
    address = f"/api/assignments/{held['id']}/submit/"
    ratings = [{"step": step, "rating": rating} for step, rating in enumerate(RECOVERED)]
    early = annotator_client.post(address, {"ratings": ratings[:2], "finish_reason": "found_error"})
    assert (early.status_code, "no rating yet" in early.json()["detail"]) == (400, True)
    assert annotator_client.post(address, {"ratings": ratings, "finish_reason": "found_error"}).status_code == 200
    assert [item.rating for item in Labelling.objects.get().completions.order_by("step")] == RECOVERED


def test_contradicting_ratings_of_any_step_are_a_disagreement(make, phase, task, annotator, second_annotator):
    agreed = make.task(phase, overlap=2)
    make.labelling(agreed, 1, -1, 0, annotator=annotator)
    make.labelling(agreed, 0, -1, None, annotator=second_annotator)
    assert list(consensus.disputed(Task.objects.all())) == [task]


def test_each_step_has_its_own_consensus(task, now):
    consensus.compute(round_=task.round, now=now)
    assert Consensus.objects.get(method="majority").ratings == [1, -1, None]


def test_a_ruling_overrules_labellings_that_contradict_it_on_any_step(task, admin, annotator, now):
    ruling = Ruling("ratings", ratings=RECOVERED)
    adjudication.settle(task=task, queue="disagreement", ruling=ruling, now=now, by=admin)
    assert Labelling.objects.filter(overruled_by=None).get().annotator == annotator
    assert Consensus.objects.get(method="adjudicated").ratings == RECOVERED


def test_a_ruling_that_stops_at_the_first_error_leaves_the_rest_open(task, admin, now):
    adjudication.settle(task=task, queue="disagreement", ruling=Ruling("ratings", ratings=[1, -1]), now=now, by=admin)
    assert Labelling.objects.filter(overruled_by=None).count() == 2


def test_a_model_is_trained_on_what_follows_a_mistake_too(task, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    snapshot = snapshots.freeze()
    trees = [json.loads(line) for line in gzip.decompress(Path(snapshot.file.path).read_bytes()).splitlines()]
    assert [tree["rates_all_steps"] for tree in trees] == [True, True]
    assert snapshot.counts["labels"] == 6


@pytest.mark.parametrize("name", ["trl", "math_shepherd", "openrlhf", "rlhflow", "prm800k", "parquet"])
def test_formats_of_steps_hold_all_labels(task, name):
    assert preview_export(LabelFilter(), file_format=name)["not_held"] == []


def test_labels_that_processbench_cannot_hold_are_counted(task):
    (loss,) = preview_export(LabelFilter(), file_format="processbench")["not_held"]
    assert (loss["name"], loss["count"]) == ("after_path", 2)
    found = [record for each in standing.stream(LabelFilter()) for record in WRITERS["processbench"](each)]
    assert [record["label"] for record in found] == [1, 1]


def test_labels_after_a_mistake_are_written(task):
    found = [record for each in standing.stream(LabelFilter()) for record in WRITERS["trl"](each)]
    assert sorted(record["labels"] for record in found) == [[True, False, False], [True, False, True]]


def test_the_protocol_is_fixed_once_there_are_rounds(make, phase, admin_client):
    address = f"/api/phases/{phase.pk}/settings/"
    assert admin_client.patch(address, {"rates_all_steps": False}).status_code == 200
    make.round(Phase.objects.get(pk=phase.pk), 1)
    refused = admin_client.patch(address, {"rates_all_steps": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "kind_is_fixed")
