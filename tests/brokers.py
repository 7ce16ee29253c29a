"""Brokers for tests: one in memory, and one that is down."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from celery import Celery
from celery import current_app as celery_current_app
from django.conf import settings as django_settings


@contextmanager
def broker_at(url: str) -> Iterator[Celery]:
    """Makes an app of the broker at `url` current in the block, and yields it."""
    app = Celery("tests", set_as_current=False)
    app.config_from_object(
        django_settings.CELERY | {"broker_url": url, "broker_transport_options": django_settings.BROKER_OPTIONS}
    )
    before = celery_current_app._get_current_object()
    app.set_current()
    try:
        yield app
    finally:
        before.set_current()
        app.close()


@pytest.fixture
def broker() -> Iterator[Callable[..., list[tuple[str, ...]]]]:
    """A broker in memory; calling it returns the messages since the last call, each a task and its arguments."""
    with broker_at("memory://") as app, app.connection_for_write() as link:
        queues = {name: app.amqp.queues.select_add(name)(link.default_channel) for name in ("cpu", "gpu")}

        def sent(*names: str) -> list[tuple[str, ...]]:
            asked = [queues[name] for name in names or queues]
            messages = (message for queue in asked for message in iter(lambda q=queue: q.get(no_ack=True), None))
            return [(message.headers["task"], *message.payload[0]) for message in messages]

        for queue in queues.values():
            queue.declare()
        sent()
        yield sent


@pytest.fixture
def dead_broker() -> Iterator[None]:
    """A Redis that is down: nothing listens on the port."""
    with broker_at("redis://127.0.0.1:1/0"):
        yield
