"""The verdict on the final result, from the submission to files and back."""

import pytest

from labeling.data.exporting import LabelFilter, preview_export, standing
from labeling.data.formats.labels import READERS, WRITERS
from labeling.models import Labelling, Phase

DONE = {"ratings": [{"step": step, "rating": 1} for step in range(3)], "finish_reason": "solution"}


@pytest.fixture
def address(assignment, phase):
    Phase.objects.filter(pk=phase.pk).update(asks_result=True)
    return f"/api/assignments/{assignment.pk}/submit/"


def test_it_works(address, assignment, annotator_client):
    missing = annotator_client.post(address, DONE)
    assert (missing.status_code, "final result" in missing.json()["detail"]) == (400, True)
    sent = DONE | {"result": "wrong"}
    first = annotator_client.post(address, sent)
    assert (first.status_code, Labelling.objects.get().result) == (200, "wrong")
    again = annotator_client.post(address, sent)
    assert again.json()["labelling_id"] == first.json()["labelling_id"]
    assert annotator_client.get(f"/api/assignments/{assignment.pk}/").json()["labelling"]["result"] == "wrong"


def test_another_verdict_is_another_labelling(address, annotator_client):
    annotator_client.post(address, DONE | {"result": "wrong"})
    assert annotator_client.post(address, DONE | {"result": "right"}).status_code == 409


@pytest.mark.parametrize("result", ["good", 1, None])
def test_no_other_word_is_taken(address, annotator_client, result):
    assert annotator_client.post(address, DONE | {"result": result}).status_code == 400


@pytest.mark.parametrize("name", ["parquet", "prm800k"])
def test_our_own_columns_and_prm800k_hold_it(make, annotator, name):
    make.labelling(make.task(), 1, 1, -1, annotator=annotator, result="right")
    (record,) = (record for each in standing.stream(LabelFilter()) for record in WRITERS[name](each))
    assert READERS[name](record).result == "right"
    assert preview_export(LabelFilter(), file_format=name)["not_held"] == []


def test_other_formats_say_that_they_lose_it(make, annotator):
    make.labelling(make.task(), 1, 1, -1, annotator=annotator, result="right")
    lost = preview_export(LabelFilter(), file_format="trl")["not_held"]
    assert [(loss["name"], loss["count"]) for loss in lost] == [("results", 1)]
