"""exports/: the labels as they stand, as an archive."""

import gzip
import hashlib
import io
import json
import zipfile
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from labeling.data.importing.pool import import_solutions
from labeling.models import Change, Solution

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


@pytest.mark.any_database
def test_parquet(labelled, admin_client):
    parquet = pytest.importorskip("pyarrow.parquet")
    with archive(admin_client.get(f"{ADDRESS}?file_format=parquet")) as found:
        table = parquet.read_table(io.BytesIO(found.read("labels.parquet")))
    assert table.num_rows == 2


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("query", "number"),
    [("", 2), ("include=give_up", 3), ("include=gold&include=give_up", 3)],
)
def test_chosen_kinds_of_labels_are_included(labelled, admin_client, query, number):
    with archive(admin_client.get(f"{ADDRESS}?{query}")) as found:
        assert json.loads(found.read("manifest.json"))["counts"]["records"] == number


def test_an_unknown_format_is_refused(admin_client, refused):
    refused(admin_client.get(f"{ADDRESS}?file_format=word"), 400, "invalid")


def test_a_preview_says_what_the_format_cannot_hold(labelled, admin_client):
    answer = admin_client.get(f"{ADDRESS}preview/?file_format=processbench&include=give_up")
    assert answer.status_code == 200
    found = answer.json()
    assert (found["looked_at"], found["is_all"], found["records"]) == (3, True, 2)
    assert {each["name"]: each["count"] for each in found["not_held"]} == {
        "unjudged": 1,
        "labels": 1,
        "neutral_as_right": 1,
    }
    whole = admin_client.get(f"{ADDRESS}preview/?include=give_up").json()
    assert (whole["records"], whole["not_held"]) == (3, [])


def test_a_preview_reads_a_limited_number_of_labels(labelled, admin_client, monkeypatch):
    monkeypatch.setattr("labeling.data.exporting.LOOKED_AT", 2)
    found = admin_client.get(f"{ADDRESS}preview/?file_format=trl&include=give_up").json()
    assert (found["looked_at"], found["is_all"], found["records"]) == (2, False, 2)


def test_a_preview_of_an_unknown_format_or_phase_is_refused(admin_client, refused):
    refused(admin_client.get(f"{ADDRESS}preview/?file_format=word"), 400, "invalid")
    refused(admin_client.get(f"{ADDRESS}preview/?split=dev"), 400, "invalid")


def test_a_preview_is_for_staff(annotator_client, signed_out_client, refused):
    refused(annotator_client.get(f"{ADDRESS}preview/"), 403, "permission_denied")
    refused(signed_out_client.get(f"{ADDRESS}preview/"), 401, "not_authenticated")


BESIDE = "/api/exports/beside/"
UNKNOWN = {"problem": "Nobody knows it.", "steps": ["Why?"]}


OWN = {"problem": "What is 2 + 3?", "steps": ["2 + 3 = 6.", "So 6."], "mine": 1}


@pytest.fixture
def own_labelled(make, annotator, tmp_path):
    """The annotator's labelling of the solution imported from OWN."""
    (path := tmp_path / "own.jsonl").write_text(json.dumps(OWN | {"generator": "g"}))
    import_solutions(path)
    return make.labelling(make.task(solution=Solution.objects.get()), 1, -1, annotator=annotator)


def put_into(client, content, name="mine.jsonl", **filters):
    """Requests a copy of a file with labels. Returns the response and its content."""
    file = {"file": SimpleUploadedFile(name, content)}
    answer = client.post(f"{BESIDE}?{urlencode(filters)}", file, format="multipart")
    return answer, answer.getvalue()


def test_labels_go_into_a_copy_of_ones_own_file(own_labelled, ml_staff_client):
    answer, content = put_into(ml_staff_client, b"".join(json.dumps(each).encode() + b"\n" for each in (OWN, UNKNOWN)))
    assert (answer.status_code, answer["Content-Disposition"]) == (200, 'attachment; filename="labelled-mine.jsonl"')
    labelled, other = [json.loads(line) for line in content.splitlines()]
    assert labelled.pop("stepmark")
    assert (labelled, other) == (OWN, UNKNOWN)
    after = Change.objects.get(act="export").after
    assert (after["into"], after["solutions"], after["labelled"]) == ("mine.jsonl", 2, 1)


def test_a_copy_stays_compressed_and_leaves_no_file_behind(own_labelled, ml_staff_client, settings, tmp_path):
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "uploads"
    settings.FILE_UPLOAD_TEMP_DIR.mkdir()
    _, content = put_into(ml_staff_client, gzip.compress(json.dumps(OWN).encode()), "mine.jsonl.gz")
    assert json.loads(gzip.decompress(content))["stepmark"]
    assert list(settings.FILE_UPLOAD_TEMP_DIR.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (json.dumps(UNKNOWN).encode(), 409, "No solution in this file has such labels. Solutions: 1."),
        (b"no, records\n", 400, "holds no JSON"),
        (b'{"mine": 1}', 400, "Nothing in this file can hold labels"),
    ],
)
def test_a_file_without_labelled_texts_is_refused(own_labelled, ml_staff_client, content, status, said):
    answer, _ = put_into(ml_staff_client, content)
    assert (answer.status_code, said in answer.json()["detail"]) == (status, True), answer.content
    assert not Change.objects.filter(act="export").exists()


def test_only_the_chosen_labels_go_into_it(own_labelled, ml_staff_client):
    for choice, status in (("annotators", 200), ("without_annotators", 409)):
        chosen = {choice: own_labelled.annotator.username}
        answer, _ = put_into(ml_staff_client, json.dumps(OWN).encode(), **chosen)
        assert answer.status_code == status
