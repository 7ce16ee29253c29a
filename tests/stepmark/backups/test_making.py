"""stepmark.backups.making: which files are in a backup, whatever happens to them meanwhile."""

import os

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from labeling.models import Problem, Snapshot, Status
from prm_training.models import Import
from stepmark.backups import archive, database, files, making


@pytest.fixture(autouse=True)
def installation(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"
    settings.MODELS_ROOT, settings.MEDIA_ROOT = tmp_path / "data" / "models", tmp_path / "data" / "files"
    settings.MEDIA_ROOT.mkdir(parents=True)


def make(tmp_path, **options):
    """Makes a backup. Returns its manifest and the contents of its files."""
    path = tmp_path / "backup.zip"
    making.make(path, told=lambda *_: None, **options)
    with archive.opened(path) as (file, manifest):
        archive.verify(file, manifest, lambda *_: None)
        return manifest, {entry.name: file.read(entry.name) for entry in manifest.files}


def upload(name="a.jsonl", **columns):
    run = Import(file_format="solutions", name=name, **columns)
    run.file.save(name, ContentFile(b"{}"))
    run.save()
    return run


def test_rows_and_files_are_in_it_but_no_partial_files(transactional_db, make_model, settings, tmp_path):
    make_model("run/model/config.json")
    for name in ("run/model.partial/config.json", "run/tmpabc/config.json", "run/state.pt.partial", "run/model.old/x"):
        make_model(name)
    (settings.MEDIA_ROOT / "tmp123.upload.jsonl").touch()
    (settings.DATA_DIR / "broker").mkdir()
    (settings.DATA_DIR / "broker" / "message").touch()
    upload("data.partial")
    Problem.objects.create(statement="?", text_hash="x")
    manifest, found = make(tmp_path)
    assert set(found) == {"models/run/model/config.json", "files/uploads/data.partial"}
    assert manifest.rows["labeling_problem"] == manifest.rows["labeling_run"] == 1
    assert manifest.lost == []
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == ["backup.zip"]


@pytest.fixture
def make_model(settings):
    def act(name):
        path = settings.MODELS_ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.urandom(9))

    return act


@pytest.fixture
def after_copying(monkeypatch):
    """Calls a function once, after the rows are copied and before the files are."""

    def act(do):
        todo = [do]

        def copy(path):
            contents = real(path)
            if todo:
                todo.pop()()
            return contents

        real = database.copy
        monkeypatch.setattr(database, "copy", copy)
        return todo

    return act


def test_an_upload_that_is_deleted_meanwhile_leaves_no_row_without_its_file(transactional_db, tmp_path, after_copying):
    run = upload()

    def end():
        """Does what a worker does at the end of an import."""
        default_storage.delete(run.file.name)
        Import.objects.filter(pk=run.pk).update(status=Status.DONE, stage="done")

    after_copying(end)
    manifest, found = make(tmp_path)
    assert (manifest.lost, found) == ([], {})


def test_a_row_that_is_new_meanwhile_has_its_file_or_is_not_in_it(transactional_db, tmp_path, after_copying):
    after_copying(lambda: Snapshot(labels_hash="x", counts={}).file.save("x.gz", ContentFile(b"x")))
    manifest, found = make(tmp_path)
    assert manifest.rows["labeling_snapshot"] == 0
    assert found == {"files/snapshots/x.gz": b"x"}


def test_a_file_that_vanishes_after_it_was_listed(transactional_db, tmp_path, make_model, monkeypatch):
    make_model("run/model/config.json")
    monkeypatch.setattr(files, "present", lambda: ["models/run/state", "models/run/model/config.json"])
    _, found = make(tmp_path)
    assert set(found) == {"models/run/model/config.json"}


def test_a_file_that_was_lost_before_is_named(transactional_db, tmp_path, capsys):
    Snapshot.objects.create(labels_hash="x", counts={}, file="snapshots/lost.gz")
    call_command("backup", str(tmp_path / "b.zip"))
    said = capsys.readouterr()
    assert said.err.strip() == "A row names “files/snapshots/lost.gz”, which was not there before the backup."
    assert "rows of" in said.out
    assert "mode 0600" in said.out


def test_from_a_bucket(transactional_db, settings, tmp_path):
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = settings.STORAGES | {"default": memory}
    upload()
    for name in ("models/run/model/config.json", "somebody's/else"):
        default_storage.save(name, ContentFile(b"x"))
    _, found = make(tmp_path)
    assert found == {"models/run/model/config.json": b"x", "files/uploads/a.jsonl": b"{}"}


def test_without_files(transactional_db, tmp_path):
    upload()
    manifest, found = make(tmp_path, with_files=False)
    assert (manifest.has_files, manifest.lost, found) == (False, [], {})


def test_it_replaces_nothing_without_force(transactional_db, tmp_path):
    path = tmp_path / "backup.zip"
    path.write_text("mine")
    with pytest.raises(CommandError, match="exists already: choose another name, or --force"):
        call_command("backup", str(path))
    assert path.read_text() == "mine"
    path.chmod(0o644)
    call_command("backup", str(path), "--force")
    assert path.stat().st_mode & 0o777 == 0o600


def test_tables_of_another_version_are_an_error_in_a_sentence(transactional_db, tmp_path, monkeypatch):
    def fail(_):
        raise OperationalError("no such table: labeling_snapshot\nLINE 1: SELECT")

    monkeypatch.setattr(database, "copy", fail)
    with pytest.raises(CommandError) as refused:
        call_command("backup", str(tmp_path / "backup.zip"))
    assert str(refused.value) == "The database does not answer this version: no such table: labeling_snapshot."


def test_an_error_leaves_nothing_behind(transactional_db, tmp_path, monkeypatch):
    def fail(_):
        raise OSError("No space left on device")

    monkeypatch.setattr(database, "copy", fail)
    with pytest.raises(CommandError, match="No space left on device"):
        call_command("backup", str(tmp_path / "backup.zip"))
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("backup", str(tmp_path / "nowhere" / "backup.zip"))


@pytest.fixture
def client_program(tmp_path, monkeypatch):
    """A pg_dump that reports this version, for a server of version 15."""

    def act(says):
        if says:
            program = tmp_path / "pg_dump"
            program.write_text(f"#!/bin/sh\necho '{says}'\n")
            program.chmod(0o700)
        monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
        monkeypatch.setattr(connection, "pg_version", 150_020, raising=False)
        monkeypatch.setattr(connection, "ensure_connection", lambda: None)

    return act


@pytest.mark.parametrize("version", ["15.20 (Debian 15.20-0+deb12u1)", "16beta1", "17.2"])
def test_pg_dump_is_as_new_as_the_server(client_program, version):
    client_program(f"pg_dump (PostgreSQL) {version}")
    assert version in database.check_client("pg_dump")


def test_pg_dump_is_older(client_program):
    client_program("pg_dump (PostgreSQL) 14.9")
    with pytest.raises(database.ClientMissing, match=r"14.9 is older than the server, which is 15: install PostgreSQL"):
        database.check_client("pg_dump")


def test_pg_dump_is_missing(client_program, monkeypatch, tmp_path):
    client_program("")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(database.ClientMissing, match="pg_dump is not there: install PostgreSQL 15's client programs"):
        database.check_client("pg_dump")
