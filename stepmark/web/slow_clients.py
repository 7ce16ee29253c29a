"""gunicorn's worker, which does not wait for ever for clients that say nothing, nor accepts more than it can serve."""

import os
import socket
from contextlib import suppress
from select import select
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
        self._in_hand: set[Any] = set()  # connections with a request, or that are new

    def enqueue_req(self, conn: Any) -> None:
        self._in_hand.add(conn)
        super().enqueue_req(conn)
        self._look_for_room()

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Accepts a waiting new connection before a kept one gets the thread. If a kept one has it already, the new one
        queues: else kept connections could shut out all others.
        """
        self._in_hand.discard(conn)
        super().finish_request(conn, fs)
        if self.alive and self._may_connect() and all(each.initialized for each in self._in_hand):
            for listener in self.sockets:
                super().accept(listener)
        self._look_for_room()

    def _may_connect(self) -> bool:
        return bool(self.nr_conns < self.worker_connections)

    def _look_for_room(self) -> None:
        if self.alive:
            self.set_accept_enabled(self._may_connect())

    def set_accept_enabled(self, enabled: bool) -> None:
        """Takes new connections only while a thread is free. The others wait in the listener's queue, from which the
        first process with a free thread takes them: in its own they would wait for this one, though another idles.

        A worker that stops takes all that wait, for they would be reset with the listener.
        """
        super().set_accept_enabled(enabled and len(self._in_hand) < self.cfg.threads)
        if not self.alive:
            for listener in self.sockets:
                for _ in range(self.cfg.backlog):  # not for ever, if ever more come
                    if not select([listener], [], [], 0)[0]:
                        break
                    super().accept(listener)

    def accept(self, listener: Any) -> None:
        if self._accepting:  # else an event before this one has filled the threads
            super().accept(listener)

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
        """Ends the process at once, not by the pool, whose lock the interrupted code may hold, nor by the interpreter,
        which would wait for a thread that was being made. A process that waits for ever keeps the port.
        """
        os._exit(0)

    def murder_keepalived(self, *args: Any, **kwargs: Any) -> None:
        """Hangs up on clients whose headers are overdue. Called every second."""
        super().murder_keepalived(*args, **kwargs)
        now = monotonic()
        for conn, until in list(self._reading.items()):
            if until < now:
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RDWR)  # the thread that reads it goes on
