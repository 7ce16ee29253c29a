"""A stand-in for the Hugging Face hub, on a real socket: as much as the huggingface_hub client needs."""

import base64
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

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
        """Stores a large file at the address that `batch` returned."""
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
        """Returns the upload mode of each file: large-file storage for Parquet."""
        names = [file["path"] for file in json.loads(body)["files"]]
        return {
            "files": [
                {"path": name, "uploadMode": "lfs" if name.endswith(".parquet") else "regular", "shouldIgnore": False}
                for name in names
            ]
        }

    def batch(self, body: bytes) -> dict[str, Any]:
        """Returns the upload addresses of large files."""
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
