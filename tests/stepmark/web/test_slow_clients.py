"""stepmark.web.slow_clients: a client that never ends its headers holds a thread for seconds only; a worker that is
told to quit does so; no new connection waits for a busy process while another one is free.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest
from gunicorn.workers.gthread import ThreadWorker

from stepmark.web import slow_clients
from tests.running.product import ROOT
from tests.stepmark.web.test_frames import CALLS, linux_only

pytestmark = pytest.mark.any_database
APPLICATION = """
from tests.stepmark.web.test_frames import called_often, pages_touched

def application(environ, start_response):
    match environ["PATH_INFO"]:
        case "/held" | "/held_too" as name:
            said = open(name[1:]).read()  # until somebody has opened it and closed it again
        case "/work":
            said = sum(range(1_000_000))
        case "/pages":
            said = pages_touched(called_often)
        case _:
            said = "free"
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


def test_it_quits_even_if_the_pool_is_locked(worker, monkeypatch):
    """The signal may come in the middle of `submit`, which makes the pool's first thread."""
    worker.tpool, ended = ThreadPoolExecutor(), []
    monkeypatch.setattr(os, "_exit", ended.append)
    quits = threading.Thread(target=worker.handle_quit, args=(signal.SIGQUIT, None), daemon=True)
    with worker.tpool._shutdown_lock:
        quits.start()
        quits.join(timeout=10)
    assert ended == [0]


@pytest.fixture
def gunicorn(tmp_path, monkeypatch):
    """Yields gunicorn with two processes of one thread each, and its address."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "application.py").write_text(APPLICATION)
    for name in ("held", "held_too"):
        os.mkfifo(tmp_path / name)
    command = [sys.executable, "-m", "gunicorn", "application", "--config", "python:stepmark.web.server"]
    with socket.create_server(("127.0.0.1", 0)) as bound:
        host, port = bound.getsockname()
        command += ["--preload", "--workers", "2", "--threads", "1", "--bind", f"fd://{bound.fileno()}"]
        running = subprocess.Popen(command, cwd=tmp_path, pass_fds=[bound.fileno()], stderr=subprocess.PIPE, text=True)
    with running:
        address = f"http://{host}:{port}"
        assert httpx.get(address, timeout=60).text == "free"
        yield running, address
        running.terminate()


@pytest.fixture
def server(gunicorn):
    return gunicorn[1]


def test_no_new_connection_waits_for_a_busy_process(server, tmp_path):
    with ThreadPoolExecutor() as threads:
        held = threads.submit(httpx.get, f"{server}/held", timeout=60)
        with (tmp_path / "held").open("w"):  # it is held now
            assert {httpx.get(server, timeout=60).text for _ in range(20)} == {"free"}
            assert not held.done()
        assert held.result().text == ""


def test_busy_kept_connections_shut_nobody_out(server):
    done = threading.Event()

    def work_on():
        with httpx.Client(timeout=60) as kept:
            while not done.is_set():
                kept.get(f"{server}/work")

    with ThreadPoolExecutor(8) as threads:
        workers = [threads.submit(work_on) for _ in range(8)]
        try:
            assert [httpx.get(server, timeout=30).text for _ in range(3)] == ["free"] * 3
        finally:
            done.set()
    assert [worker.result() for worker in workers] == [None] * 8


def test_waiting_requests_are_answered_when_it_stops(gunicorn, tmp_path):
    running, address = gunicorn
    place = address.removeprefix("http://").split(":")
    with ThreadPoolExecutor() as threads, ExitStack() as stack:
        held = [threads.submit(httpx.get, f"{address}/{name}", timeout=60) for name in ("held", "held_too")]
        with (tmp_path / "held").open("w"), (tmp_path / "held_too").open("w"):  # both threads are held now
            waiting = [stack.enter_context(socket.create_connection(place, timeout=60)) for _ in range(6)]
            for each in waiting:
                each.sendall(b"GET / HTTP/1.0\r\n\r\n")
            running.terminate()
            assert any("Handling signal: term" in line for line in running.stderr)
        assert [each.result().text for each in held] == ["", ""]
        assert [each.makefile("rb").readline() for each in waiting] == [b"HTTP/1.0 200 OK\r\n"] * 6


@linux_only
def test_a_request_has_room_for_its_frames(server):
    assert int(httpx.get(f"{server}/pages", timeout=60).text) < CALLS
