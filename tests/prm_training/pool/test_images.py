"""Images of imported traces: stored, served for a ticket, and deleted with the last import that has them."""

import errno
import json
from base64 import b64encode

import pytest
from django.core.files.storage import FileSystemStorage, default_storage

from labeling.data.images import ImagesGone, Keeper
from labeling.data.importing import undo
from labeling.jobs import lifecycle
from labeling.models import Image, Run, Solution
from prm_training.pool import importing

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n..."


def shown(number):
    """A trace in which a tool gave an image."""
    address = f"data:image/png;base64,{b64encode(PNG).decode()}"
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    given = [{"type": "image_url", "image_url": {"url": address}}]
    asked = {"role": "user", "content": f"What is on page {number}?"}
    looked = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"messages": [asked, looked, {"role": "tool", "tool_call_id": "c", "content": given}]}


@pytest.fixture
def imported(stored):
    def make(record):
        run = stored(json.dumps(record).encode(), file_format="messages")
        lifecycle.carry_out(run.pk, importing.import_file, worker="w")
        return run

    return make


def test_an_image_stays_as_long_as_an_import_has_it(imported, files, admin_client):
    runs = [imported(shown(number)) for number in (1, 2)]
    (image,) = {part["image"] for row in Solution.objects.all() for part in row.turns[0]["parts"] if "image" in part}
    for run in runs:
        answer = admin_client.get(f"/api/images/{Image.TICKETS.sign(image)}/")
        assert (answer.content, answer["Content-Type"]) == (PNG, "image/png")
        assert admin_client.get(f"/api/images/{image}/").status_code == 404, "a hash alone opens nothing"
        undo.undo(run.pk, on_rows=lambda rows: None)
    assert admin_client.get(f"/api/images/{Image.TICKETS.sign(image)}/").status_code == 404
    assert not list(files.rglob(image))


def test_an_undo_that_is_interrupted_leaves_no_file_behind(imported, files, monkeypatch):
    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    run = imported(shown(1))
    with monkeypatch.context() as failing, pytest.raises(OSError, match="Input/output error"):
        failing.setattr(FileSystemStorage, "delete", fail)
        undo.undo(run.pk, on_rows=lambda rows: None)
    undo.undo(run.pk, on_rows=lambda rows: None)
    assert not [path for path in files.glob("images/**/*") if path.is_file()]


def test_an_image_that_another_import_registers_during_an_undo_stays(imported, files, monkeypatch):
    run, delete = imported(shown(1)), FileSystemStorage.delete

    def late(storage, name):
        delete(storage, name)
        kept = Image.objects.get()
        Image.objects.create(sha256=kept.sha256, file=str(kept.file))

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(FileSystemStorage, "delete", late)
        undo.undo(run.pk, on_rows=lambda rows: None)
    with Image.objects.get().file.open() as file:
        assert file.read() == PNG


def test_an_import_whose_images_were_deleted_meanwhile_stores_them_on_retry(imported, stored, monkeypatch):
    first = imported(shown(1))
    run = stored(json.dumps(shown(2)).encode(), file_format="messages")
    register = Keeper.register

    def late(keeper, origin):
        undo.undo(first.pk, on_rows=lambda rows: None)
        register(keeper, origin)

    with monkeypatch.context() as meanwhile, pytest.raises(ImagesGone, match="Trying again"):
        meanwhile.setattr(Keeper, "register", late)
        lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    Run.objects.filter(pk=run.pk).update(**lifecycle.QUEUED_AGAIN)
    lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    with Image.objects.get().file.open() as file:
        assert file.read() == PNG


def test_an_image_without_room_on_the_disk_is_no_bad_line(imported, monkeypatch):
    """The run waits for room: reported as a bad line, the trace would be lost."""

    save = default_storage.save

    def full(name, *content, **options):
        if name.startswith(Image.FOLDER):
            raise OSError(errno.ENOSPC, "No space left on device")
        return save(name, *content, **options)

    monkeypatch.setattr(default_storage, "save", full)
    run = imported(shown(1))
    run.refresh_from_db()
    assert (run.status, Solution.objects.count()) == ("queued", 0)
    assert "again until there is room" in run.error
    assert run.next_try_at is not None


def test_an_unconfirmed_import_stores_no_image(upload, files):
    assert upload(json.dumps(shown(1)).encode(), file_format="messages", confirm="false").status_code == 201
    assert not list(files.glob("images/*"))
