"""Every command reports an unusable data folder in one sentence."""

import os
import subprocess
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from stepmark import settings
from tests.running import libraries

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("command", ["doctor", "run"])
def test_a_folder_that_cannot_be_made(tmp_path, command):
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "data"
    done = subprocess.run(
        [*libraries.python("django"), "-m", "stepmark", command],
        cwd=ROOT,
        env=os.environ | {"STEPMARK_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"The data folder {folder} can't be written to (not a directory): run Stepmark as its owner, or name another "
        "folder with STEPMARK_DATA_DIR.\n"
    )


def test_a_folder_of_somebody_else(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ImproperlyConfigured, match=r"can't be written to \(permission denied\)"):
        settings.made(tmp_path)


def test_a_folder_that_is_not_there_is_made(tmp_path):
    assert settings.made(tmp_path / "new" / "data").is_dir()
