"""stepmark.file_broker: the embedded broker, used by several workers."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from django.conf import settings
from kombu import Connection
from kombu.transport.virtual import BrokerState

from stepmark.file_broker import Transport

MESSAGES = 200
WORKERS = 4


@pytest.fixture
def connect(tmp_path, monkeypatch):
    monkeypatch.setattr(Transport, "global_state", BrokerState())  # what a process remembers of its broker
    folders = {name: tmp_path / name for name in ("queue", "control")}
    for folder in folders.values():
        folder.mkdir()
    options = {"data_folder_in": folders["queue"], "data_folder_out": folders["queue"]}
    options |= {"control_folder": folders["control"]}
    return lambda: Connection("files://", transport_options={name: str(path) for name, path in options.items()})


def all_of(queue):
    while True:
        try:
            message = queue.get(block=False)
        except Empty:
            return
        message.ack()
        yield message.payload


def test_it_is_the_embedded_broker():
    assert settings.REDIS_URL or settings.CELERY["broker_url"].startswith("files://")


def test_messages_are_received_in_order(connect, tmp_path):
    with connect() as link:
        gpu, cpu = link.SimpleQueue("gpu"), link.SimpleQueue("cpu")
        for number in range(20):
            gpu.put({"run": number})
        cpu.put("another queue's")
        assert [message["run"] for message in all_of(gpu)] == list(range(20))
        assert list(all_of(cpu)) == ["another queue's"]
    assert list((tmp_path / "queue").iterdir()) == []


def test_several_workers_have_each_message_once(connect):
    """No message is read before it is fully written, though more come in."""
    start, all_put = threading.Barrier(WORKERS + 1), threading.Event()

    def put():
        with connect() as link:
            start.wait()
            for number in range(MESSAGES):
                link.SimpleQueue("gpu").put({"run": number, "padding": "x" * 5000})
        all_put.set()

    def work(_):
        with connect() as link:
            queue, found = link.SimpleQueue("gpu"), []
            start.wait()
            while not all_put.is_set():
                found.extend(message["run"] for message in all_of(queue))
            return found + [message["run"] for message in all_of(queue)]

    with ThreadPoolExecutor(WORKERS + 1) as threads:
        putting = threads.submit(put)
        taken = [number for each in threads.map(work, range(WORKERS)) for number in each]
        putting.result()
    assert sorted(taken) == list(range(MESSAGES))


def test_a_message_that_another_worker_just_took_is_not_there(connect, monkeypatch):
    with connect() as link:
        queue = link.SimpleQueue("gpu")
        queue.put("x")
        rename = Path.rename
        monkeypatch.setattr(Path, "rename", lambda path, to: path.unlink() or rename(path, to))
        with pytest.raises(Empty):
            queue.get(block=False)


def test_workers_that_start_together_bind_the_same_queue(connect):
    start = threading.Barrier(8)

    def bind(_):
        with connect() as link:
            start.wait()
            link.default_channel._queue_bind("gpu", "gpu", "", "gpu")
            return link.default_channel.get_table("gpu")

    with ThreadPoolExecutor(8) as threads:
        tables = list(threads.map(bind, range(8)))
    assert {tuple(map(tuple, table)) for table in tables} == {(("gpu", "", "gpu"),)}
