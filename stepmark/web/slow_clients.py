"""gunicorn's worker, which does not wait for ever for clients that say nothing, nor accepts more than it can serve."""

import os
import socket
from contextlib import suppress
from time import monotonic
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from stepmark.web.frames import call_with_room

HEADERS_WITHIN_SECONDS = 5
PIECE_WITHIN_SECONDS = 60  # between two pieces of a body, and to take a piece of the answer


class Worker(ThreadWorker):  # type: ignore[misc]
    """Hangs up on clients that take too long to say what they want: each of them holds one of few threads."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reading: dict[Any, float] = {}

    def set_accept_enabled(self, enabled: bool) -> None:
        """Takes connections only while a thread is free. The others wait in the listener's queue, from which the first
        process with a free thread takes them: in one of its own they would wait for this process, though another idles.
        """
        served = self.nr_conns - len(self.keepalived_conns) - len(self.pending_conns)
        super().set_accept_enabled(enabled and self.alive and served < self.cfg.threads)

    def enqueue_req(self, conn: Any) -> None:
        super().enqueue_req(conn)
        self.set_accept_enabled(True)

    def handle(self, conn: Any) -> Any:
        self._reading[conn] = monotonic() + HEADERS_WITHIN_SECONDS
        try:
            return super().handle(conn)
        finally:
            self._reading.pop(conn, None)

    def handle_request(self, req: Any, conn: Any) -> Any:
        self._reading.pop(conn, None)  # its headers are here
        conn.sock.settimeout(PIECE_WITHIN_SECONDS)
        return call_with_room(super().handle_request, req, conn)

    def handle_quit(self, sig: Any, frame: Any) -> None:
        """Ends at once. The pool can't be asked to: the signal may have met the very code that has its lock. Nor can
        the interpreter: it would wait for a thread that was being made. A process that waits for ever keeps the port.
        """
        os._exit(0)

    def murder_keepalived(self, *args: Any, **kwargs: Any) -> None:
        """Is called every second."""
        super().murder_keepalived(*args, **kwargs)
        now = monotonic()
        for conn, until in list(self._reading.items()):
            if until < now:
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RDWR)  # the thread that reads it goes on
