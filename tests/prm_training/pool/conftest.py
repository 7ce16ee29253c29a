"""Fixtures of imports from the browser."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from prm_training.models import Import


@pytest.fixture
def files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def upload(files, admin_client):
    def post(content, name="new.jsonl", **fields):
        body = {"file": SimpleUploadedFile(name, content), "file_format": "solutions", "confirm": "true"} | fields
        return admin_client.post("/api/imports/", body, format="multipart")

    return post


@pytest.fixture
def stored(files):
    """Makes an import's row, with its file in place."""

    def make(content, **fields):
        plain = {"name": "new.jsonl", "file_format": "solutions", "confirmed_at": timezone.now()}
        run = Import(**plain | fields)
        run.file.save("new.jsonl", ContentFile(content))
        return run

    return make
