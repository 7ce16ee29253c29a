"""/api/data-releases/: made, read, downloaded, withdrawn."""

import hashlib
from io import BytesIO
from zipfile import ZipFile

import pytest

from labeling.models import Change
from prm_training.models import DataRelease

ADDRESS = "/api/data-releases/"


@pytest.fixture
def labelled(make, db):
    return make.labelling(make.task(), 1, 1)


@pytest.fixture
def released(make, labelled):
    return make.released(name="sums-1")


def test_it_is_queued_and_logged(labelled, admin_client, broker, django_capture_on_commit_callbacks):
    asked = {"name": "sums-1", "labels": {"consensus": "majority"}, "file_formats": ["trl", "prm800k", "trl"]}
    with django_capture_on_commit_callbacks(execute=True):
        found = admin_client.post(ADDRESS, asked, format="json").json()
    assert broker("cpu") == [("prm_training.run", "release", found["id"])]
    assert (found["status"], found["counts"], found["file_formats"]) == ("queued", {}, ["trl", "prm800k"])
    assert DataRelease.objects.get().label_filter.consensus == "majority"
    assert Change.objects.get(act="release data").name == "sums-1"


def test_formats_and_labels_have_defaults(labelled, admin_client):
    found = admin_client.post(ADDRESS, {"name": "x"}).json()
    assert found["file_formats"] == ["prm800k", "trl"]
    assert found["labels"] == {}


def test_it_shows_its_counts_and_its_card(released, admin_client):
    (found,) = admin_client.get(ADDRESS).json()["results"]
    assert found == admin_client.get(f"{ADDRESS}{released.pk}/").json()
    assert (found["status"], found["counts"]["positive"], found["sha256"]) == ("done", 2, released.sha256)
    assert admin_client.get(f"{ADDRESS}{released.pk}/card/").json()["text"].startswith("# sums-1\n")


@pytest.mark.any_database
def test_it_is_downloaded_whole(released, admin_client):
    answer = admin_client.get(f"{ADDRESS}{released.pk}/download/")
    content = answer.getvalue()
    assert answer["Content-Disposition"] == 'attachment; filename="sums-1.zip"'
    assert int(answer["Content-Length"]) == len(content)
    assert hashlib.sha256(content).hexdigest() == released.sha256
    assert ZipFile(BytesIO(content)).testzip() is None
    assert Change.objects.get(act="export").name == "sums-1"


@pytest.mark.parametrize("name", ["", "a b", "a/b", "../a", ".a", "a-", "ä", "a" * 97])
def test_a_name_that_no_hub_takes_is_refused(name, labelled, admin_client, refused):
    assert "name" in refused(admin_client.post(ADDRESS, {"name": name}), 400, "invalid")["errors"]


def test_names_are_unique(released, admin_client, refused):
    assert "name" in refused(admin_client.post(ADDRESS, {"name": "sums-1"}), 400, "invalid")["errors"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("file_formats", []), ("file_formats", ["csv"]), ("labels", {"include": ["everything"]}), ("licence", "x" * 101)],
)
def test_a_bad_choice_is_refused_at_its_field(field, value, labelled, admin_client, refused):
    body = {"name": "x", field: value}
    assert field in refused(admin_client.post(ADDRESS, body, format="json"), 400, "invalid")["errors"]


def test_without_labels_it_is_refused(db, admin_client, refused):
    refused(admin_client.post(ADDRESS, {"name": "x"}), 400, "nothing_to_freeze")
    assert not DataRelease.objects.exists()


def test_an_unfinished_release_has_no_card_and_no_archive(make, db, admin_client, refused):
    run = make.data_release()
    for part in ("card", "download"):
        refused(admin_client.get(f"{ADDRESS}{run.pk}/{part}/"), 404, "not_found")


def test_a_withdrawn_one_keeps_its_card_and_its_reason(
    released, admin_client, refused, django_capture_on_commit_callbacks
):
    file = released.file.name
    with django_capture_on_commit_callbacks(execute=True):
        found = admin_client.post(f"{ADDRESS}{released.pk}/withdraw/", {"because": "Not ours."}).json()
    assert (found["withdrawn_because"], found["status"]) == ("Not ours.", "done")
    assert not released.file.storage.exists(file)
    refused(admin_client.get(f"{ADDRESS}{released.pk}/download/"), 404, "not_found")
    assert admin_client.get(f"{ADDRESS}{released.pk}/card/").status_code == 200
    refused(admin_client.post(f"{ADDRESS}{released.pk}/withdraw/", {"because": "Again."}), 409, "not_ready")
    assert Change.objects.get(act="withdraw").after == {"because": "Not ours."}


@pytest.mark.any_database
def test_a_withdrawal_needs_a_reason(released, admin_client, refused):
    refused(admin_client.post(f"{ADDRESS}{released.pk}/withdraw/", {"because": " "}), 400, "invalid")
