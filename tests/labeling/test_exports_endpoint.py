"""/exports/: what an export would hold, and the archive itself."""

import hashlib
import io
import json
import zipfile

import pytest

from labeling.models import Change


@pytest.fixture
def labelled(make, annotator, second_annotator):
    make.labelling(make.task(number=1), 1, -1, annotator=annotator, finish_reason="found_error")
    make.labelling(make.task(number=2), 1, 0, 1, annotator=second_annotator)
    make.labelling(make.task(number=3), 1, annotator=annotator, finish_reason="give_up")


def archive(answer):
    return zipfile.ZipFile(io.BytesIO(answer.getvalue()))


def test_it_works(labelled, ml_staff, ml_staff_client):
    answer = ml_staff_client.get("/api/exports/?file_format=trl&without=give_up")
    assert (answer.status_code, answer["Content-Type"], answer.streaming) == (200, "application/zip", True)
    with archive(answer) as found:
        assert found.testzip() is None
        content, manifest = found.read("labels.jsonl"), json.loads(found.read("manifest.json"))
    records = [json.loads(line) for line in content.splitlines()]
    assert sorted(record["labels"] for record in records) == [[True, False], [True, True, True]]
    assert manifest["sha256"] == hashlib.sha256(content).hexdigest()
    assert (manifest["counts"]["labellings"], manifest["counts"]["left_out"]) == (2, {"give_up": 1})
    change = Change.objects.get(act="export")
    assert (change.by, change.after["file_format"]) == (ml_staff, "trl")


def test_parquet(labelled, admin_client):
    parquet = pytest.importorskip("pyarrow.parquet")
    with archive(admin_client.get("/api/exports/?file_format=parquet")) as found:
        table = parquet.read_table(io.BytesIO(found.read("labels.parquet")))
    assert table.num_rows == 3


def test_what_an_export_would_hold(labelled, admin_client, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        body = admin_client.get("/api/exports/counts/?without=give_up&without=bad_problem").json()
    assert body == {
        **{"labellings": 2, "positive": 3, "neutral": 1, "negative": 1, "unrated": 0},
        "left_out": {"give_up": 1, "bad_problem": 0},
    }


def test_the_filter(labelled, make, annotator, admin_client):
    other = make.task(make.phase(name="Other"), number=4)
    make.labelling(other, 1, annotator=annotator)

    def count(query):
        return admin_client.get(f"/api/exports/counts/?{query}").json()["labellings"]

    assert count("") == 4
    assert count(f"phase={other.round.phase_id}") == count(f"round={other.round_id}") == 1
    assert count("without_annotator=ada") == 1
    assert count("split=test") == 0


@pytest.mark.parametrize("query", ["without=mood", "split=dev", "phase=7", "round=x", "without_annotator=adda"])
def test_a_bad_filter_is_refused(admin_client, refused, query):
    refused(admin_client.get(f"/api/exports/counts/?{query}"), 400, "invalid")


def test_an_unknown_format_is_refused(admin_client, refused):
    refused(admin_client.get("/api/exports/?file_format=word"), 400, "invalid")
