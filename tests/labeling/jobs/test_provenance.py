"""labeling.jobs.provenance: records the code that a run was made with."""

import subprocess

import pytest

from labeling.jobs import provenance


@pytest.fixture
def checkout(tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    git("init")
    (tmp_path / "code.py").write_text("1")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-m", "First")
    return tmp_path


def test_a_commit_and_whether_files_differ_from_it(checkout):
    head = provenance.commit(checkout)
    assert len(head) == 12
    (checkout / "code.py").write_text("2")
    assert provenance.commit(checkout) == f"{head}+"


def test_without_a_checkout_there_is_no_commit(tmp_path, checkout, monkeypatch):
    assert provenance.commit(tmp_path / "elsewhere") == ""
    monkeypatch.setenv("PATH", "")
    assert provenance.commit(checkout) == ""


def test_a_broken_checkout_has_no_commit(tmp_path):
    (tmp_path / ".git").mkdir()
    assert provenance.commit(tmp_path) == ""


def test_versions():
    assert provenance.of_libraries("django")["django"][0].isdigit()
    assert provenance.of_code()["stepmark"]
