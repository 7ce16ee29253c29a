"""stepmark.doctor.checks: what is wrong, and what to do about it."""

import shutil
from collections import namedtuple
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from labeling.models import Run, Worker
from prm_training.starting import acts
from stepmark import supervisor, tables
from stepmark.doctor import checks

Disk = namedtuple("Disk", "total used free")


@pytest.fixture(autouse=True)
def well(settings, tmp_path, monkeypatch):
    """A good installation without torch, which would take seconds."""
    tmp_path.chmod(0o700)
    (tmp_path / "secret_key").touch(mode=0o600)
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "index.html").touch()
    settings.DATA_DIR, settings.FRONTEND_DIST = tmp_path, tmp_path / "dist"
    settings.MEDIA_ROOT = tmp_path / "files"
    monkeypatch.setattr(supervisor, "has_torch", lambda: False)
    monkeypatch.setattr(tables, "check", lambda: None)


def wrong(about):
    return [finding.text for finding in checks.look() if finding.is_wrong and finding.about == about]


def test_it_works(db, capsys):
    call_command("doctor")
    said = capsys.readouterr().out
    assert "WRONG" not in said
    assert all(f" {about} " in said for about in checks.CHECKS)


def test_the_exit_status_says_that_something_is_wrong(db, settings, tmp_path):
    settings.FRONTEND_DIST = tmp_path / "nowhere"
    with pytest.raises(CommandError, match="1 thing is wrong"):
        call_command("doctor")
    assert wrong("client") == ["It is not built: run `make setup`, or install the wheel."]


def test_others_may_read_the_folder_or_the_key(db, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "secret_key").chmod(0o640)
    assert wrong("data folder") == [f"Others may read {tmp_path}: chmod 700 it."]
    assert wrong("secret key") == [f"Others may read {tmp_path / 'secret_key'}: chmod 600 it."]


def test_the_disk_is_full(db, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(100, 99, 5e8))
    assert "0.5 GB free: make room." in wrong("data folder")[0]


def test_the_database_lacks_migrations(db, monkeypatch):
    def refuse():
        raise tables.NotMigrated("The database lacks 2 migrations: run `stepmark migrate` first.")

    monkeypatch.setattr(tables, "check", refuse)
    assert wrong("database") == ["The database lacks 2 migrations: run `stepmark migrate` first."]


def test_without_a_database_the_rest_is_checked(db, monkeypatch):
    def fail(*_):
        raise OperationalError("connection refused\nby the server")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "ensure_connection", fail)
        patched.setattr(Worker.objects, "all", fail)
        found = {finding.about: finding.text for finding in checks.look() if finding.is_wrong}
    assert found == {
        "database": "It does not answer (connection refused): see DATABASE_URL.",
        "workers": "Can't be seen before the database is well.",
    }


def test_a_broker_that_is_away(db, settings, dead_broker):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert "Jobs wait meanwhile." in wrong("broker")[0]


def test_a_storage_that_cannot_be_written_to(db, settings, tmp_path):
    (tmp_path / "a file").touch()
    settings.MEDIA_ROOT = tmp_path / "a file"
    assert wrong("storage")[0].startswith("FileExistsError: ")


def test_runs_that_nobody_takes(make, ready, phase):
    now = timezone.now()
    columns = {"queues": "cpu", "started_at": now}
    Worker.objects.create(name="alive", last_seen_at=now, **columns)
    Worker.objects.create(name="silent", last_seen_at=now - timedelta(hours=1), **columns | {"queues": "gpu"})
    assert wrong("workers") == []
    acts.start_training(owner=None, name="x", base="", phase=phase, settings={})
    assert wrong("workers") == ["Nobody serves the queue gpu, where 1 run waits: `stepmark worker --queues gpu`."]
    Run.objects.update(next_try_at=now + timedelta(minutes=1))
    assert (
        wrong("workers")[0] == "Waiting for room on the disk or a newer worker, and tried again by themselves: 1 run."
    )
    said = [finding.text for finding in checks.look() if finding.about == "workers"]
    assert said[0] == "Alive: alive (cpu)."
    assert said[1].startswith("Fell silent within a day: silent.")
