"""One check a function, which yields findings in words. A check that can't be made is a finding, too."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import DatabaseError, connection
from kombu.exceptions import OperationalError

from labeling import clock
from labeling.errors import DomainError
from labeling.jobs import gpus, lifecycle, provenance
from labeling.models import Run, Worker
from labeling.rules.words import RunKind
from stepmark import owner_only, supervisor, tables
from stepmark.backups import database

GIGABYTE = 1e9
LEAST_FREE = 1 * GIGABYTE


@dataclass(frozen=True)
class Diagnosis:
    """`is_wrong`: Stepmark does not work as it should, and `text` says what to do."""

    about: str
    text: str
    is_wrong: bool = False


def look(*names: str) -> Iterator[Diagnosis]:
    """Yields the findings of all checks, or of those that are named; a check that fails is one."""
    for about in names or CHECKS:
        check = CHECKS[about]
        try:
            yield from (Diagnosis(about, text, is_wrong) for is_wrong, text in check())
        except DatabaseError:
            yield Diagnosis(about, "Can't be seen before the database is well.", is_wrong=True)
        except Exception as error:
            yield Diagnosis(about, f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}", is_wrong=True)


Check = Callable[[], Iterator[tuple[bool, str]]]


def _versions() -> Iterator[tuple[bool, str]]:
    found = provenance.of_code() | provenance.of_libraries("django", "celery")
    yield False, ", ".join(f"{name} {told}" for name, told in found.items())


def _data_folder() -> Iterator[tuple[bool, str]]:
    folder: Path = settings.DATA_DIR
    if not os.access(folder, os.W_OK | os.X_OK):
        yield True, f"{folder} can't be written to by this user: run Stepmark as its owner."
    if stat.S_IMODE(folder.stat().st_mode) & owner_only.OTHERS:
        yield True, f"Others may read {folder}: chmod 700 it."
    free = shutil.disk_usage(folder).free
    text = f"{folder}, {free / GIGABYTE:,.1f} GB free"
    yield free < LEAST_FREE, f"{text}: make room." if free < LEAST_FREE else f"{text}."


def _database() -> Iterator[tuple[bool, str]]:
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        yield True, f"It does not answer ({str(error).splitlines()[0]}): see DATABASE_URL."
        return
    if connection.vendor == "sqlite":
        yield False, f"SQLite {sqlite3.sqlite_version} at {connection.settings_dict['NAME']}."
    else:
        yield False, f"PostgreSQL {connection.pg_version // 10_000} answers."  # type: ignore[attr-defined]
    try:
        tables.check()
        yield False, "Its tables are those of this version."
    except DomainError as error:
        yield True, str(error)


def _broker() -> Iterator[tuple[bool, str]]:
    if not settings.REDIS_URL:
        is_wrong = not os.access(settings.BROKER_DIR / "queue", os.W_OK | os.X_OK)
        yield is_wrong, f"Files in {settings.BROKER_DIR}" + (" can't be written to." if is_wrong else ".")
        return
    with current_app.connection_for_write() as link:
        try:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=5)
            yield False, "Redis answers."
        except OperationalError as error:
            yield True, f"Redis does not answer ({error}): see REDIS_URL. Jobs wait meanwhile."


def _storage() -> Iterator[tuple[bool, str]]:
    name = default_storage.save("doctor.txt", ContentFile(b"written by stepmark doctor"))
    default_storage.delete(name)
    is_local = isinstance(default_storage, FileSystemStorage)
    yield False, f"{settings.MEDIA_ROOT if is_local else 'The bucket'} can be written to."


def _client() -> Iterator[tuple[bool, str]]:
    is_built = (settings.FRONTEND_DIST / "index.html").exists()
    yield not is_built, "It is there." if is_built else "It is not built: run `make setup`, or install the wheel."


def _secret_key() -> Iterator[tuple[bool, str]]:
    path = settings.DATA_DIR / "secret_key"
    if os.environ.get("SECRET_KEY"):
        yield False, "From SECRET_KEY."
    elif path.stat().st_mode & owner_only.OTHERS:
        yield True, f"Others may read {path}: chmod 600 it."
    else:
        shared = "" if connection.vendor == "sqlite" else " Other machines need the same one as SECRET_KEY."
        yield False, f"Kept in {path}.{shared}"


def _torch() -> Iterator[tuple[bool, str]]:
    if not supervisor.has_torch():
        yield False, "Not installed: nothing is trained or scored here. pip install 'stepmark[worker]' changes that."
        return
    torch = import_module("torch")  # seconds, and nobody else here waits for them
    names = [torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count())]
    yield False, f"PyTorch {torch.__version__} on {', '.join(names) or 'the processor'}."
    if gpus.count() and not names:
        yield (
            True,
            "There is a GPU that PyTorch can't use: install its CUDA build (TORCH_INDEX_URL), or see nvidia-smi.",
        )


def _workers() -> Iterator[tuple[bool, str]]:
    stale_before = lifecycle.stale_before(clock.now())
    workers = list(Worker.objects.all())
    alive = [worker for worker in workers if worker.last_seen_at > stale_before]
    served = {queue for worker in alive for queue in worker.queues.split(", ")}
    yield False, f"Alive: {', '.join(f'{worker.name} ({worker.queues})' for worker in alive) or 'none'}."
    if stale := [worker.name for worker in workers if worker not in alive]:
        yield False, f"Fell silent within a day: {', '.join(stale)}. Their runs were, or will be, taken by others."
    if postponed := Run.objects.postponed(now=clock.now()).count():
        runs = "1 run" if postponed == 1 else f"{postponed} runs"
        yield True, f"Waiting for room on the disk or a newer worker, and tried again by themselves: {runs}."
    kinds = Run.objects.known().waiting(stale_before=stale_before).values_list("kind", flat=True)
    waiting = [RunKind(kind).traits.queue for kind in kinds]
    for queue in sorted({kind.traits.queue for kind in RunKind} - served):
        number = waiting.count(queue)
        waits = {0: "nothing waits", 1: "1 run waits"}.get(number, f"{number} runs wait")
        yield number > 0, f"Nobody serves the queue {queue}, where {waits}: `stepmark worker --queues {queue}`."


def _backups() -> Iterator[tuple[bool, str]]:
    if connection.vendor == "sqlite":
        yield False, "`stepmark backup` needs nothing else."
        return
    try:
        yield False, f"By {database.check_client('pg_dump')}."
    except database.ClientMissing as error:
        yield True, str(error)


CHECKS: dict[str, Check] = {
    "versions": _versions,
    "data folder": _data_folder,
    "database": _database,
    "broker": _broker,
    "storage": _storage,
    "client": _client,
    "secret key": _secret_key,
    "torch": _torch,
    "workers": _workers,
    "backups": _backups,
}
