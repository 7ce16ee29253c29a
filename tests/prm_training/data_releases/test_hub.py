"""prm_training.data_releases.hub: huggingface_hub's own client, against a stand-in of the hub on a real socket."""

import base64
import hashlib
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from labeling.jobs.lifecycle import NotReady
from prm_training.data_releases import hub
from prm_training.models import DataRelease

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
TOKEN = "hf_secret"
COMMIT = "c" * 40


class Hub(ThreadingHTTPServer):
    """Keeps what is pushed as huggingface.co does: small files in commits, Parquet in large-file storage."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.stored: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.repo: dict[str, Any] = {}
        self.tags: dict[str, str] = {}
        self.refuses = 0
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join()


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_PUT(self) -> None:
        """Takes a large file at the address that `_batch` gave."""
        content = self.rfile.read(int(self.headers["Content-Length"]))
        assert hashlib.sha256(content).hexdigest() == self.path.removeprefix("/large/")
        self.server.stored[self.path.removeprefix("/large/")] = content
        self.answer(200, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path = urlsplit(self.path).path
        self.server.asked.append(path)
        if self.server.refuses:
            return self.answer(self.server.refuses, {"error": "Not you."})
        if path == "/api/validate-yaml":  # of the card
            return self.answer(200, {"errors": [], "warnings": []})
        assert self.headers["Authorization"] == f"Bearer {TOKEN}"
        if path == "/api/repos/create":
            self.server.repo = json.loads(body)
            return self.answer(200, {"url": f"{self.server.url}/datasets/lab/sums"})
        for part, act in {"/preupload/": self.sorted, "/commit/": self.commit, ".git/": self.batch}.items():
            if part in path:
                return self.answer(200, act(body))
        assert "/tag/" in path
        self.server.tags[json.loads(body)["tag"]] = path.rpartition("/")[2]
        return self.answer(200, {})

    def sorted(self, body: bytes) -> dict[str, Any]:
        """Says where each file goes."""
        names = [file["path"] for file in json.loads(body)["files"]]
        return {
            "files": [
                {"path": name, "uploadMode": "lfs" if name.endswith(".parquet") else "regular", "shouldIgnore": False}
                for name in names
            ]
        }

    def batch(self, body: bytes) -> dict[str, Any]:
        """Says where large files are uploaded to."""
        objects = json.loads(body)["objects"]
        actions = [{"upload": {"href": f"{self.server.url}/large/{each['oid']}"}} for each in objects]
        return {
            "transfer": "basic",
            "objects": [each | {"actions": act} for each, act in zip(objects, actions, strict=True)],
        }

    def commit(self, body: bytes) -> dict[str, Any]:
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                self.server.files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                self.server.files[value["path"]] = self.server.stored[value["oid"]]
        return {"commitUrl": f"{self.server.url}/datasets/lab/sums/commit/{COMMIT}", "commitOid": COMMIT}

    def do_GET(self) -> None:
        self.answer(404, {})

    def answer(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Keeps the console silent."""


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


def test_a_hub_that_refuses_is_quoted(release, server):
    server.refuses = 403
    with pytest.raises(CommandError, match=r"not pushed to “lab/sums”.*403"):
        call_command("push", "sums-1", "lab/sums", "--endpoint", server.url)
    assert server.files == {}


def test_a_hub_that_is_not_there_is_told(release, server):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(CommandError, match="not pushed to “lab/sums”"):
            call_command("push", "sums-1", "lab/sums", "--endpoint", f"http://127.0.0.1:{free.getsockname()[1]}")


def test_a_bad_name_of_a_data_set_is_refused(release, server):
    with pytest.raises(CommandError, match="not pushed to “a//b”"):
        call_command("push", "sums-1", "a//b", "--endpoint", server.url)
    assert server.asked == []


def test_what_was_changed_on_disk_is_not_pushed(release, server):
    Path(release.file.path).write_bytes(b"something else")
    with pytest.raises(hub.Damaged):
        hub.push(release, repo="lab/sums", endpoint=server.url)
    assert server.asked == []


def test_what_is_not_done_can_not_be_pushed(make, server, db):
    with pytest.raises(NotReady):
        hub.push(make.data_release(), repo="lab/sums", endpoint=server.url)


def test_an_unknown_release_is_named(db):
    with pytest.raises(CommandError, match="There is no data release “sums-2”"):
        call_command("push", "sums-2", "lab/sums")
