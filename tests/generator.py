"""A small OpenAI-compatible server for tests, on a real socket."""

import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    server: "Generator"
    body: dict[str, Any]

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(self.body | {"address": self.path})
        self.server.keys.append(self.headers["Authorization"])
        answers = self.server.answers
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if callable(answer):
            answer(self)
        else:
            self.send(answer)

    def send(self, texts: list[str]) -> None:
        self.reply(200, json.dumps({"choices": [{"text": text} for text in texts]}))

    def reply(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        """Keeps the console silent."""


class Generator(ThreadingHTTPServer):
    """A server whose `answers` are, for each request, the choices to send or a function that takes the handler and
    answers. The last one also serves all further requests.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[list[str] | Callable[[Handler], None]] = [[]]
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.hurry = threading.Event()
        self.closing = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self) -> None:
        """Serves until closed. `serve_forever` would interrupt the test to poll for its end."""
        while not self.closing.is_set():
            self.handle_request()

    def close(self) -> None:
        self.hurry.set()
        self.closing.set()
        # One connection is enough to wake it. More would fill the queue once it has stopped, and then hang.
        socket.create_connection(self.server_address).close()
        self.thread.join()
        self.server_close()
