"""Bodies that are too large are refused before any of them is read."""

from collections import namedtuple

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from labeling.api import parsers
from labeling.people import tokens
from prm_training.models import Import

pytestmark = pytest.mark.django_db

MB = 1 << 20


@pytest.fixture(autouse=True)
def little(settings, tmp_path):
    settings.UPLOAD_LIMIT_MB = settings.JSON_LIMIT_MB = 1
    settings.MEDIA_ROOT = settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    return tmp_path


@pytest.fixture
def disk(monkeypatch):
    """Pretends that the disk has this much room left."""

    def left(free):
        usage = namedtuple("usage", "total used free")(free, 0, free)
        monkeypatch.setattr(parsers.shutil, "disk_usage", lambda _: usage)

    return left


def post(client, size, **extra):
    body = {"file": SimpleUploadedFile("new.jsonl", b"x" * size), "file_format": "solutions"}
    return client.post("/api/imports/", body, format="multipart", **extra)


@pytest.fixture
def token_client(admin, signed_out_client):
    """A script's client: its request is not read before it reaches the view."""
    _, secret = tokens.make_token(user=admin, name="script")
    signed_out_client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return signed_out_client


@pytest.mark.parametrize("who", ["admin_client", "token_client"])
def test_a_file_over_the_limit_is_refused_and_leaves_nothing(who, request, refused, little):
    body = refused(post(request.getfixturevalue(who), 2 * MB), 413, "too_large")
    assert body["detail"] == "The request is 2.0 MB; the limit is 1.0 MB."
    assert list(little.iterdir()) == []
    assert not Import.objects.exists()


def test_a_file_within_the_limit_is_taken(admin_client):
    assert post(admin_client, MB - 1000).status_code == 201


def test_a_file_that_the_disk_has_no_room_for_waits_for_room(admin_client, refused, disk):
    disk(parsers.KEPT_FREE + 1000)
    answer = post(admin_client, 2000)
    assert (
        "the server's disk is almost full and has no room for uploads" in refused(answer, 503, "unavailable")["detail"]
    )
    assert int(answer["Retry-After"]) > 0
    assert admin_client.get("/api/imports/limit/").json() == {"max_bytes": 1000, "is_by_disk": True}
    disk(0)
    assert admin_client.get("/api/imports/limit/").json() == {"max_bytes": 0, "is_by_disk": True}


def test_the_limit_can_be_read(admin_client):
    assert admin_client.get("/api/imports/limit/").json() == {"max_bytes": MB, "is_by_disk": False}


@pytest.mark.parametrize("who", ["admin_client", "token_client"])
def test_json_over_the_limit_is_refused(who, request, refused):
    client = request.getfixturevalue(who)
    refused(client.post("/api/phases/", {"name": "x" * 2 * MB}, format="json"), 413, "too_large")
