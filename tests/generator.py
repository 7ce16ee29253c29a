"""A small OpenAI-compatible server for tests, on a real socket."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Generator:
    """`answers` says what it does with each request: the choices that it sends, or a function that gets the handler
    and answers by itself. The last answer is for all that follow.
    """

    def __init__(self) -> None:
        self.answers: list[Any] = [[]]
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.hurry = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def _handler(generator: Any) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                generator.asked.append(self.body | {"address": self.path})
                generator.keys.append(self.headers["Authorization"])
                answer = generator.answers.pop(0) if len(generator.answers) > 1 else generator.answers[0]
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
                """Nothing on the console."""

        return Handler

    def close(self) -> None:
        self.hurry.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
