"""stepmark.web.slow_clients: a client that never ends its headers holds a thread for seconds only; a worker that is
told to quit does so; no request waits for a busy process while another one is free.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from gunicorn.workers.gthread import ThreadWorker

from stepmark.web import slow_clients
from tests.running.product import ROOT
from tests.stepmark.web.test_frames import CALLS, linux_only

pytestmark = pytest.mark.any_database
HELD_OR_FREE = """
from tests.stepmark.web.test_frames import called_often, pages_touched

def application(environ, start_response):
    if environ["PATH_INFO"] == "/held":
        open("held").read()  # until somebody has opened it and closed it again
    said = pages_touched(called_often) if environ["PATH_INFO"] == "/pages" else "free"
    start_response("200 OK", [])
    return [str(said).encode()]
"""


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


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Yields the address of gunicorn with two processes, of one thread each."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "application.py").write_text(HELD_OR_FREE)
    os.mkfifo(tmp_path / "held")
    with socket.create_server(("127.0.0.1", 0)) as bound:
        command = [sys.executable, "-m", "gunicorn", "application", "--config", "python:stepmark.web.server"]
        command += ["--preload", "--workers", "2", "--threads", "1", "--bind", f"fd://{bound.fileno()}"]
        with subprocess.Popen(command, cwd=tmp_path, pass_fds=[bound.fileno()]) as running:
            yield "http://{}:{}".format(*bound.getsockname())
            running.terminate()


def test_no_request_waits_for_a_busy_process(server, tmp_path):
    with ThreadPoolExecutor() as threads:
        held = threads.submit(httpx.get, f"{server}/held")
        with (tmp_path / "held").open("w"):  # it is held now
            assert {httpx.get(f"{server}/").text for _ in range(20)} == {"free"}
            assert not held.done()
        assert held.result().text == "free"


@linux_only
def test_a_request_has_room_for_its_frames(server):
    assert int(httpx.get(f"{server}/pages").text) < CALLS
