"""stepmark.web.slow_clients: which connections a process takes, and when; on real sockets, in any order of events."""

import os
import socket
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from select import select
from selectors import EVENT_READ, DefaultSelector
from types import SimpleNamespace

from gunicorn.config import Config
from hypothesis import given
from hypothesis import strategies as st

from stepmark.web.slow_clients import Worker

PLACE = st.integers(0, 99)  # of a connection among those that it may be
EVENTS = st.tuples(st.just("new")) | st.tuples(st.sampled_from(["again", "end, kept", "end"]), PLACE)
AT_REST = SimpleNamespace(unreader=SimpleNamespace(buf=SimpleNamespace(getvalue=lambda: b"")))


class Threads:
    """Stands for a worker's pool: its requests begin in their order, and end when told to."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.in_hand: dict[Future, SimpleNamespace] = {}
        self.taken: list[SimpleNamespace] = []  # connections that were new
        self.may_join = False

    def submit(self, handle, conn):
        if not conn.initialized:
            self.taken.append(conn)
            if len(self.in_hand) >= self.number:
                assert self.may_join, "it waits for this process, though another may be free"
        self.in_hand[future := Future()] = conn
        self.begin()
        return future

    def begin(self):
        for conn in self.running().values():
            if not conn.initialized or select([conn.sock], [], [], 0)[0]:
                conn.initialized, conn.parser = True, AT_REST
                conn.sock.recv(1)

    def running(self):
        return dict(list(self.in_hand.items())[: self.number])

    def new_ones_that_wait(self):
        return [conn for conn in self.in_hand.values() if not conn.initialized]

    def end(self, future, is_kept):
        del self.in_hand[future]
        self.begin()
        future.set_result(is_kept)


class Watched(Worker):
    def finish_request(self, conn, fs):
        self.tpool.may_join = not self.tpool.new_ones_that_wait()
        super().finish_request(conn, fs)
        self.tpool.may_join = False


class Process:
    """A worker, without gunicorn's own loop around it, and its clients."""

    def __init__(self, threads: int, stack: ExitStack) -> None:
        self.stack = stack
        self.listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=64))
        config = Config()
        config.set("threads", threads)
        self.worker = Watched(1, os.getppid(), [self.listener], None, 30, config, None)
        stack.callback(self.worker.tmp.close)
        self.threads = self.worker.tpool = Threads(threads)
        self.worker.poller = stack.enter_context(DefaultSelector())
        self.worker.method_queue.init()
        stack.callback(self.worker.method_queue.close)
        self.worker.poller.register(
            self.worker.method_queue.fileno(), EVENT_READ, self.worker.method_queue.run_callbacks
        )
        self.worker.set_accept_enabled(True)
        self.clients: dict[tuple[str, int], socket.socket] = {}

    def do(self, event: str, place: int = 0) -> None:
        match event:
            case "new":
                client = self.stack.enter_context(socket.create_connection(self.listener.getsockname()))
                self.clients[client.getsockname()] = client
                client.sendall(b"r")
            case "again":
                if resting := self.worker.keepalived_conns:
                    self.clients[resting[place % len(resting)].client].sendall(b"r")
            case _:
                if running := list(self.threads.running().items()):
                    future, conn = running[place % len(running)]
                    if event == "end":
                        self.clients[conn.client].close()
                    self.threads.end(future, event == "end, kept")

    def take_turns(self) -> None:
        """Does what gunicorn's loop does until there is nothing to do."""
        while self.worker.poller.select(0):
            self.worker.set_accept_enabled(self.worker.nr_conns < self.worker.worker_connections)
            self.worker.wait_for_and_dispatch_events(0)

    def somebody_waits_outside(self) -> bool:
        return bool(select([self.listener], [], [], 0)[0])


@contextmanager
def process(threads: int) -> Iterator[Process]:
    with ExitStack() as stack:
        running = Process(threads, stack)
        try:
            yield running
        finally:
            for conn in running.threads.taken:
                conn.sock.close()


@given(st.integers(1, 3), st.lists(st.lists(EVENTS, min_size=1, max_size=4), max_size=20))
def test_a_waiting_client_can_be_taken_by_any_process_and_gets_its_turn(threads, rounds):
    with process(threads) as running:
        for events in rounds:
            taken, ended = len(running.threads.taken), False
            for event in events:
                ended = ended or (event[0].startswith("end") and bool(running.threads.in_hand))
                running.do(*event)
            running.take_turns()
            if running.somebody_waits_outside():
                assert len(running.threads.in_hand) >= threads, "a thread is free"
                if ended:
                    assert len(running.threads.taken) > taken or running.threads.new_ones_that_wait(), "never its turn"
        running.worker.alive, running.threads.may_join = False, True
        running.worker.set_accept_enabled(False)
        assert len(running.threads.taken) == len(running.clients)


def test_the_limit_of_connections_holds_also_as_requests_end():
    with process(1) as running:
        running.worker.worker_connections = 2
        for event in ("new", "new", "new", "end, kept", "end, kept"):
            running.do(event)
            running.take_turns()
        assert running.worker.nr_conns == 2
        assert running.somebody_waits_outside()
        for event in ("again", "end"):
            running.do(event)
            running.take_turns()
        assert len(running.threads.taken) == 3
