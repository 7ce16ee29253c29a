"""stepmark.web.slow_clients: a client that never ends its headers holds a thread for seconds only; a worker that is
told to quit does so.
"""

import os
import signal
import socket
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import pytest
from gunicorn.workers.gthread import ThreadWorker

from stepmark.web import slow_clients

pytestmark = pytest.mark.any_database


class Connection:
    def __init__(self, sock):
        self.sock = sock


def read(conn):
    return conn.sock.recv(1)


@pytest.fixture
def worker(monkeypatch):
    """A worker whose requests are read to the end of their headers, without a server around it."""
    monkeypatch.setattr(slow_clients, "HEADERS_WITHIN_SECONDS", -1)
    monkeypatch.setattr(ThreadWorker, "handle", lambda self, conn: read(conn) and self.handle_request("", conn))
    monkeypatch.setattr(ThreadWorker, "handle_request", lambda self, req, conn: read(conn))
    worker = slow_clients.Worker.__new__(slow_clients.Worker)
    worker.keepalived_conns, worker._reading = deque(), {}
    return worker


@pytest.mark.parametrize(("sent", "got"), [(b"", b""), (b"hb", b"b")], ids=["no headers", "a slow body"])
def test_it_hangs_up_on_a_client_that_does_not_end_its_headers(worker, sent, got):
    ours, theirs = socket.socketpair()
    with ours, theirs, ThreadPoolExecutor() as threads:
        theirs.sendall(sent)
        handled = threads.submit(worker.handle, Connection(ours))
        while not handled.done():
            worker.murder_keepalived()
        assert handled.result() == got
    assert worker._reading == {}


def test_it_quits_where_the_signal_finds_the_pool_locked(worker, monkeypatch):
    """As it does in the middle of `submit`, which makes the pool's first thread."""
    worker.tpool, ended = ThreadPoolExecutor(), []
    monkeypatch.setattr(os, "_exit", ended.append)
    quits = threading.Thread(target=worker.handle_quit, args=(signal.SIGQUIT, None), daemon=True)
    with worker.tpool._shutdown_lock:
        quits.start()
        quits.join(timeout=10)
    assert ended == [0]
