"""exports/: the labels as they stand, as an archive."""

import hashlib
import io
import json
import zipfile

import pytest

from labeling.models import Change

ADDRESS = "/api/exports/"


@pytest.fixture
def labelled(make, annotator, second_annotator):
    make.labelling(make.task(number=1), 1, -1, annotator=annotator, finish_reason="found_error")
    make.labelling(make.task(number=2), 1, 0, 1, annotator=second_annotator)
    make.labelling(make.task(number=3), 1, annotator=annotator, finish_reason="give_up")


def archive(answer):
    return zipfile.ZipFile(io.BytesIO(answer.getvalue()))


def test_it_works(labelled, ml_staff, ml_staff_client):
    answer = ml_staff_client.get(f"{ADDRESS}?file_format=trl")
    assert (answer.status_code, answer["Content-Type"], answer.streaming) == (200, "application/zip", True)
    with archive(answer) as found:
        assert found.testzip() is None
        content, manifest = found.read("labels.jsonl"), json.loads(found.read("manifest.json"))
    records = [json.loads(line) for line in content.splitlines()]
    assert sorted(record["labels"] for record in records) == [[True, False], [True, True, True]]
    assert manifest["sha256"] == hashlib.sha256(content).hexdigest()
    assert (manifest["counts"]["labellings"], manifest["counts"]["left_out"]["give_up"]) == (2, 1)
    change = Change.objects.get(act="export")
    assert (change.by, change.after["file_format"]) == (ml_staff, "trl")


def test_parquet(labelled, admin_client):
    parquet = pytest.importorskip("pyarrow.parquet")
    with archive(admin_client.get(f"{ADDRESS}?file_format=parquet")) as found:
        table = parquet.read_table(io.BytesIO(found.read("labels.parquet")))
    assert table.num_rows == 2


@pytest.mark.parametrize(
    ("query", "number"),
    [("", 2), ("include=give_up", 3), ("include=gold&include=give_up", 3)],
)
def test_what_is_included(labelled, admin_client, query, number):
    with archive(admin_client.get(f"{ADDRESS}?{query}")) as found:
        assert json.loads(found.read("manifest.json"))["counts"]["records"] == number


def test_an_unknown_format_is_refused(admin_client, refused):
    refused(admin_client.get(f"{ADDRESS}?file_format=word"), 400, "invalid")
