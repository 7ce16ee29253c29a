"""Clients of the real application, in this process; only failures are simulated."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Queue

import httpx
import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.utils import timezone

import stepmark
from labeling.errors import DomainError
from labeling.models import Run, Worker
from labeling.people import tokens
from prm_training.worker import tasks
from stepmark.client import connections


class Server(httpx.BaseTransport):
    """The application, which first answers with each of `failures`: statuses, responses or exceptions.

    A request for a run first carries out all queued runs, as a worker would.
    """

    def __init__(self):
        self.app = httpx.WSGITransport(WSGIHandler())
        self.failures, self.requests = [], []
        self.has_worker = True

    def handle_request(self, request):
        self.requests.append(request)
        request.read()
        if self.failures:
            failure = self.failures.pop(0)
            if isinstance(failure, BaseException):
                raise failure
            return failure if isinstance(failure, httpx.Response) else httpx.Response(failure)
        if request.method == "GET" and "/runs/" in request.url.path and self.has_worker:
            for run in Run.objects.filter(status="queued"):
                with suppress(DomainError):  # such as a file without a good line: the run's row says so
                    tasks.run(run.kind, str(run.pk))
        return self.app.handle_request(request)


class Bridge(httpx.AsyncBaseTransport):
    """Carries requests from an event loop in another thread to the test's own, which has the transaction."""

    def __init__(self, server):
        self.server, self.requests = server, Queue()

    async def handle_async_request(self, request):
        await request.aread()
        answer = Future()
        self.requests.put((request, answer))
        return await asyncio.wrap_future(answer)

    def serve(self):
        while arrived := self.requests.get():
            request, answer = arrived
            plain = httpx.Request(request.method, request.url, headers=request.headers, content=request.content)
            try:
                found = self.server.handle_request(plain)
                answer.set_result(httpx.Response(found.status_code, headers=found.headers, content=found.read()))
            except httpx.TransportError as error:
                answer.set_exception(error)


@pytest.fixture
def server(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    # Django's own test client does the same: the connection with the test's transaction outlives a request.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield Server()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that the client asked for, in seconds; none is waited for."""
    made = []

    async def pause(seconds):
        made.append(seconds)

    monkeypatch.setattr(connections.time, "sleep", made.append)
    monkeypatch.setattr(connections.asyncio, "sleep", pause)
    return made


@pytest.fixture
def secret(superuser):
    return tokens.make_token(user=superuser, name="script")[1]


@pytest.fixture
def client(server, secret, pauses):
    with stepmark.Client(token=secret, transport=server) as client:
        yield client


@pytest.fixture
def with_async(server, secret, pauses) -> Callable:
    """Runs a coroutine function with an AsyncClient. Returns its result."""

    def run(act):
        bridge = Bridge(server)

        async def main():
            async with stepmark.AsyncClient(token=secret, transport=bridge) as client:
                return await act(client)

        with ThreadPoolExecutor(1) as threads:
            done = threads.submit(lambda: asyncio.run(main()))
            done.add_done_callback(lambda _: bridge.requests.put(None))
            bridge.serve()
            return done.result()

    return run


@pytest.fixture
def worker(db):
    now = timezone.now()
    return Worker.objects.create(name="w", queues="cpu, gpu", started_at=now, last_seen_at=now)
