"""prm_training.data_releases.hub: huggingface_hub's own client, against a stand-in of the hub on a real socket."""

import socket
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from labeling.jobs.lifecycle import NotReady
from prm_training.data_releases import hub
from prm_training.models import DataRelease
from tests.hub import COMMIT, TOKEN, Hub

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")


@pytest.fixture
def server(monkeypatch) -> Iterator[Hub]:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)  # the hub's own store for large files
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    found = Hub()
    yield found
    found.close()


@pytest.fixture
def release(make, db) -> DataRelease:
    make.labelling(make.task(), 1, -1)
    return make.released(name="sums-1", file_formats=["trl", "parquet"])


@pytest.mark.any_database
@pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # of huggingface_hub's own upload
def test_the_hub_has_every_file_tagged_with_the_releases_name(release, server, capsys, tmp_path):
    call_command("push", "sums-1", "lab/sums", "--private", "--endpoint", server.url)
    with release.file.open() as file, ZipFile(file) as packed:
        packed.extractall(tmp_path)
    folder = tmp_path / "sums-1"
    assert server.files == {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    assert server.repo | {"visibility": "private", "type": "dataset", "name": "sums"} == server.repo
    assert server.tags == {"sums-1": COMMIT}
    assert "/datasets/lab/sums" in capsys.readouterr().out


@pytest.mark.any_database
def test_a_hub_that_refuses_is_quoted(release, server):
    server.refuses = 403
    with pytest.raises(CommandError, match=r"not pushed to “lab/sums”.*403"):
        call_command("push", "sums-1", "lab/sums", "--endpoint", server.url)
    assert server.files == {}


@pytest.mark.any_database
def test_an_unreachable_hub_is_reported(release, server):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(CommandError, match="not pushed to “lab/sums”"):
            call_command("push", "sums-1", "lab/sums", "--endpoint", f"http://127.0.0.1:{free.getsockname()[1]}")


@pytest.mark.any_database
def test_a_bad_name_of_a_data_set_is_refused(release, server):
    with pytest.raises(CommandError, match="not pushed to “a//b”"):
        call_command("push", "sums-1", "a//b", "--endpoint", server.url)
    assert server.asked == []


@pytest.mark.any_database
def test_changed_files_are_not_pushed(release, server):
    Path(release.file.path).write_bytes(b"something else")
    with pytest.raises(hub.Damaged):
        hub.push(release, repo="lab/sums", endpoint=server.url)
    assert server.asked == []


def test_an_unfinished_release_is_not_pushed(make, server, db):
    with pytest.raises(NotReady):
        hub.push(make.data_release(), repo="lab/sums", endpoint=server.url)


def test_an_unknown_release_is_named(db):
    with pytest.raises(CommandError, match="There is no data release “sums-2”"):
        call_command("push", "sums-2", "lab/sums")
