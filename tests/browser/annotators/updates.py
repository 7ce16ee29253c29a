"""A proxy that simulates an update of the product: from then on the client's files have other names."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

NAMED = re.compile(r"([\w-]+-[\w-]{8})\.(js|css)\b")  # with a hash of its content
KEPT_OUT = {"content-encoding", "content-length", "connection", "transfer-encoding", "date", "server"}


class Handler(BaseHTTPRequestHandler):
    server: "Updated"

    def do_GET(self) -> None:
        is_later, is_named = "-later." in self.path, NAMED.search(self.path.replace("-later.", "."))
        if is_named and is_later != self.server.is_updated:
            self.send_error(404)
            return
        path = self.path.replace("-later.", ".")
        size = int(self.headers["Content-Length"] or 0)
        headers = {**self.headers, "Accept-Encoding": "identity"}
        answer = self.server.product.request(
            self.command, path, content=self.rfile.read(size), headers=headers, follow_redirects=False
        )
        content = answer.content
        if self.server.is_updated and answer.headers.get("content-type", "").startswith("text/"):
            content = NAMED.sub(r"\1-later.\2", answer.text).encode()
        self.send_response(answer.status_code)
        for name, value in answer.headers.multi_items():
            if name not in KEPT_OUT:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_PUT = do_GET  # noqa: N815  as http.server calls them

    def log_message(self, *_: Any) -> None:
        """Keeps the console silent."""


class Updated(ThreadingHTTPServer):
    request_queue_size = 128  # a worker asks for all its files at once

    def __init__(self, address: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.is_updated = False
        self.product = httpx.Client(base_url=address, timeout=60, limits=httpx.Limits(keepalive_expiry=1))
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join()
        self.product.close()
