"""Only the owner reads the data directory, even one that older versions left open."""

import os
import stat
import subprocess
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from stepmark import owner_only
from tests.running import libraries

ROOT = Path(__file__).resolve().parents[2]
AS_USUAL = "import os, sys; os.umask(0o022); from stepmark.__main__ import main; main(['stepmark', *sys.argv[1:]])"


def open_to_others(folder):
    paths = [folder, *folder.rglob("*")]
    return [str(path) for path in paths if stat.S_IMODE(path.lstat().st_mode) & 0o077 and not path.is_symlink()]


def manage(folder, *arguments):
    """Runs a management command with the usual umask."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {"STEPMARK_DATA_DIR": str(folder)}
    command = [*libraries.python("django"), "-c", AS_USUAL, *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)


@pytest.mark.long("a process makes a database")
def test_a_new_installation_is_closed(tmp_path):
    folder = tmp_path / "var"
    manage(folder, "migrate", "sessions", "--verbosity", "0")  # one table is enough for a database
    made = {path.name for path in folder.iterdir()}
    assert made >= {"stepmark.sqlite3", "secret_key", "broker", "files"}
    assert open_to_others(folder) == []


def test_an_open_folder_is_closed_at_the_start(tmp_path):
    folder = tmp_path / "var"
    (folder / "broker").mkdir(parents=True)
    folder.chmod(0o755)
    manage(folder, "check")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_files_inside_are_closed_too(tmp_path):
    (tmp_path / "models" / "one").mkdir(parents=True)
    for path in (tmp_path / "stepmark.sqlite3", tmp_path / "models" / "one" / "model.safetensors"):
        path.write_text("x")
        path.chmod(0o644)
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.write_text("x")
    outside.chmod(0o644)
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    owner_only.close_all(tmp_path)
    assert open_to_others(tmp_path) == []
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644
    assert (tmp_path / "models" / "one" / "model.safetensors").read_text() == "x"


def test_uploads_are_closed(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    name = default_storage.save("uploads/one.jsonl", ContentFile(b"{}"))
    assert open_to_others(tmp_path / "uploads") == []
    assert default_storage.exists(name)


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600])
def test_the_owners_rights_stay(tmp_path, mode):
    path = tmp_path / "x"
    path.touch()
    path.chmod(mode)
    owner_only.close(path, tmp_path / "gone")
    assert stat.S_IMODE(path.stat().st_mode) == mode & 0o700
