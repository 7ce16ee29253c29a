"""stepmark.backups.restoring: into an empty installation, of the same kind, by a Stepmark that knows the backup."""

import os
import shutil
import signal
import sqlite3
import subprocess
from collections import namedtuple
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from stepmark.backups import archive, database
from stepmark.management.commands import run
from tests.running import libraries, product
from tests.stepmark.backups import writing
from tests.stepmark.backups.writing import FILES

ROOT = Path(__file__).resolve().parents[3]
HELD = FILES | {"models/run/model/config.json": b"{}", "files/snapshots/x.gz": b"x"}
Disk = namedtuple("Disk", "total used free")


@pytest.fixture(autouse=True)
def installation(db, settings, tmp_path, monkeypatch):
    """An empty installation, which accepts any database."""
    settings.DATA_DIR = tmp_path / "data"
    settings.MODELS_ROOT, settings.MEDIA_ROOT = tmp_path / "data" / "models", tmp_path / "data" / "files"
    settings.MEDIA_ROOT.mkdir(parents=True)
    (settings.DATA_DIR / "secret_key").write_text("another")
    monkeypatch.setattr(connection.introspection, "table_names", lambda *_: [])
    monkeypatch.setattr(database, "load", lambda path: path.rename(tmp_path / "loaded"))
    monkeypatch.setattr(database, "beside", lambda: tmp_path)
    monkeypatch.delenv("SECRET_KEY", raising=False)
    return settings.DATA_DIR


@pytest.fixture
def backup(tmp_path):
    return lambda files=HELD, **columns: str(writing.write(tmp_path / "backup.zip", files, **columns))


def refused(path):
    with pytest.raises(CommandError) as caught:
        call_command("restore", path)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


NOTHING = {"secret_key": b"another"}


def test_it_works(backup, installation, tmp_path, capsys):
    call_command("restore", backup())
    said = capsys.readouterr()
    assert "Restored 0 rows and 3 files of " in said.out
    restored = {name: content for name, content in HELD.items() if not name.startswith("database")}
    assert files_in(installation) == restored
    assert (tmp_path / "loaded").read_bytes() == HELD["database.sqlite3"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.zip", "data", "loaded"]


def test_into_a_bucket(backup, settings, installation):
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = settings.STORAGES | {"default": memory}
    call_command("restore", backup())
    assert default_storage.open("models/run/model/config.json").read() == b"{}"
    assert default_storage.open("uploads/a.jsonl").read() == FILES["files/uploads/a.jsonl"]
    assert files_in(installation) == {"secret_key": b"key"}
    assert "here is models/run/model/config.json, files/snapshots/x.gz, files/uploads/a.jsonl" in refused(backup())


def test_it_says_that_another_key_is_set(backup, monkeypatch, capsys):
    monkeypatch.setenv("SECRET_KEY", "of the environment")
    call_command("restore", backup())
    assert "everybody has to sign in again" in capsys.readouterr().err


def test_it_says_what_was_lost_and_what_was_left_out(backup, capsys):
    files = {name: content for name, content in FILES.items() if "/" not in name}
    call_command("restore", backup(files, has_files=False, lost=["files/snapshots/x"]))
    said = capsys.readouterr().err
    assert "put models and uploads back" in said
    assert "“files/snapshots/x”, which was lost before the backup" in said


@pytest.mark.parametrize("name", ["models/run/model/config.json", "files/uploads/mine.jsonl"])
def test_files_are_in_the_way(backup, installation, name):
    path = installation / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"mine")
    assert refused(backup()) == f"A backup is restored into an empty installation only; here is {name}."
    assert files_in(installation) == NOTHING | {name: b"mine"}


def test_tables_are_in_the_way(backup, installation, monkeypatch):
    monkeypatch.setattr(connection.introspection, "table_names", lambda *_: ["a", "b", "c", "d"])
    assert refused(backup()).endswith("here is the table a, the table b, the table c …")
    assert files_in(installation) == NOTHING


def test_a_newer_stepmark(backup, installation):
    assert "The backup is of Stepmark 99.0, newer than this one (" in refused(backup(stepmark="99.0"))
    said = refused(backup(migrations=["labeling.9999_later"]))
    assert said.endswith("It has the migration labeling.9999_later.")
    assert files_in(installation) == NOTHING


def test_another_kind_of_database(backup, installation):
    files = {"database.dump" if name == "database.sqlite3" else name: content for name, content in HELD.items()}
    said = refused(backup(files, engine="postgresql"))
    assert said.startswith("The backup is of postgresql, this installation uses sqlite")
    assert files_in(installation) == NOTHING


def test_a_damaged_backup_touches_nothing(backup, installation):
    path = Path(backup())
    content = path.read_bytes()
    at = content.find(b"config.json") + len("config.json") + 20  # bytes of sizes
    path.write_bytes(content[:at] + b"x" + content[at + 1 :])
    assert "models/run/model/config.json" in refused(str(path))
    assert files_in(installation) == NOTHING


def test_a_full_disk(backup, installation, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(9, 8, 1))
    assert "0.0 GB left" in refused(backup())


def test_an_error_undoes_everything(backup, installation, tmp_path, monkeypatch):
    def fail(_):
        raise database.ClientFailed("pg_restore failed: no")

    monkeypatch.setattr(database, "load", fail)
    assert refused(backup()) == "pg_restore failed: no"
    assert not {name for name in files_in(installation) if "/" in name}
    monkeypatch.undo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.zip", "data"]


def killed(*arguments):
    """Runs the command in a process that is killed where it would load the database."""
    if not (child := os.fork()):
        database.load = lambda _: os.kill(os.getpid(), signal.SIGKILL)
        with suppress(BaseException):
            call_command(*arguments)
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def test_files_of_a_killed_restore_are_removed_by_the_next(backup, installation, tmp_path, capsys):
    killed("restore", backup())
    left = files_in(tmp_path)
    assert {"data/models/run/model/config.json", "data/restoring.json"} < left.keys()
    assert any(name.endswith("/database") for name in left)
    call_command("restore", backup(FILES))
    assert files_in(installation) == {name: content for name, content in FILES.items() if "database" not in name}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.zip", "data", "loaded"]


def test_a_restore_killed_after_it_was_done_is_an_installation(backup, installation, tmp_path, monkeypatch):
    path = backup()
    killed("restore", path)
    with monkeypatch.context() as patch:
        patch.setattr(connection.introspection, "table_names", lambda *_: ["labeling_user"])
        before = files_in(tmp_path)
        assert "here is the table labeling_user" in refused(path)
        assert files_in(tmp_path) == before
        run.ready()  # as `stepmark run` does: from now on, its files are nobody else's
    assert "here is models/run/model/config.json" in refused(path)


def test_a_file_that_is_no_backup(tmp_path):
    assert "can't be read as a backup" in refused(str(tmp_path / "nowhere.zip"))


@pytest.mark.long("three processes, and one that migrates if none did before")
def test_an_installation_moves(tmp_path):
    """Backs up and restores by the commands; compares the rows by a shell."""

    def manage(folder, *arguments):
        environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        environment |= {"STEPMARK_DATA_DIR": str(tmp_path / folder)}
        command = [*libraries.python("django"), "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout

    def people(folder):
        with closing(sqlite3.connect(tmp_path / folder / product.DATABASE)) as tables:
            return tables.execute("SELECT username, password FROM labeling_user").fetchall()

    (tmp_path / "old").mkdir()
    shutil.copy(product.tables(), tmp_path / "old" / product.DATABASE)
    make = "from labeling.models import User; User.objects.create_superuser('root', password='password-1')"
    manage("old", "shell", "--no-imports", "-c", make)
    manage("old", "backup", str(tmp_path / "backup.zip"))
    assert "Next: start it with `stepmark run`." in manage("new", "restore", str(tmp_path / "backup.zip"))
    assert people("new") == people("old") != []
    assert (tmp_path / "new" / "secret_key").read_bytes() == (tmp_path / "old" / "secret_key").read_bytes()
    with archive.opened(tmp_path / "backup.zip") as (_, manifest):
        assert "labeling.0001_tables" in manifest.migrations
        assert manifest.rows["labeling_user"] == 1
