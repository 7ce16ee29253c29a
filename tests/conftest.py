"""One cast of people, and a small world of rows, for all tests. Nothing here touches `var/`."""
# ruff: noqa: E402  the environment comes first: the settings read it when they load

import fcntl
import logging
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

# Before the settings load: they make their folders when they are read.
FOLDER = tempfile.TemporaryDirectory(prefix="stepmark-tests-", ignore_cleanup_errors=True)
os.environ.setdefault("STEPMARK_DATA_DIR", FOLDER.name)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "stepmark.settings")
os.environ.setdefault("LOG_LEVEL", "ERROR")
os.environ.setdefault("GENERATOR_MAY_BE_PRIVATE", "1")  # the tests' own generators are on this machine

import django

django.setup()

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.contenttypes.management import create_contenttypes
from django.core.cache import cache
from django.db import connection, connections, transaction
from django.db.models.signals import post_migrate
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from annotate import allocation, submission
from annotate.submission import Submission
from labeling import clock
from labeling.api import permissions
from labeling.errors import DomainError
from labeling.models import (
    Assignment,
    Labelling,
    Phase,
    Role,
    Round,
    User,
)
from labeling.people.sessions import SessionStore
from labeling.rules.ratings import Judgement, StepRating
from tests.generator import Generator
from tests.making import NOW, STEPS, Make

pytest_plugins = ["tests.brokers", "tests.budget"]
hypothesis.settings.load_profile("ci")  # the same examples each time, however slow the machine
django_settings.WHITENOISE_USE_FINDERS = False  # else every test client reads all static folders
logging.getLogger("django.request").setLevel(logging.ERROR)  # logging each refusal takes a third of its test's time
django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_unconfigure() -> None:
    FOLDER.cleanup()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-case", action="store_true", help="only one case of each test, but those with `every_case`")


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks tests that use the database; pytest-django refuses it to all others."""
    for item in items:
        if item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(getattr(item, "fixturenames", [])):
            item.add_marker("database")
    if config.getoption("--one-case"):
        first = {*{item.nodeid.partition("[")[0]: item.nodeid for item in reversed(items)}.values()}
        items[:] = [item for item in items if item.nodeid in first or item.get_closest_marker("every_case")]


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix(request: pytest.FixtureRequest) -> None:
    """Gives this run its own database. On SQLite it is a file, so that threads can share it."""
    name = f"test_stepmark_{os.getpid()}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    if connection.vendor == "sqlite":
        name = str(Path(FOLDER.name) / f"{name}.sqlite3")
    else:  # TRUNCATE recreates all files, which takes a second
        connection.ops.sql_flush = lambda style, tables, **_: [f'DELETE FROM "{table}"' for table in tables]
    connection.settings_dict["TEST"]["NAME"] = name


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Skips Django's unused permissions, which each flush after a test would recreate. Turns autovacuum off: between
    tests, whose rows are rolled back, it would record full pages as empty, and queries over two hundred rows would take
    half a minute.
    """
    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            for table in connection.introspection.table_names(cursor):
                cursor.execute(f'ALTER TABLE "{table}" SET (autovacuum_enabled = false)')
            clock.now()
            clock.READ_EVERY_SECONDS = 10**6  # else some request would have an extra statement


@pytest.fixture(autouse=True)
def no_sign_ins_counted() -> None:
    cache.clear()  # the sign-in throttle counts in the cache, which outlives a test


@pytest.fixture
def now() -> datetime:
    return NOW


# People


@pytest.fixture
def annotator(db: None) -> User:
    """An annotator in the phase `phase`."""
    return User.objects.create(username="ada")


@pytest.fixture
def second_annotator(db: None) -> User:
    """Another annotator in the phase `phase`."""
    return User.objects.create(username="ben")


@pytest.fixture
def outsider(db: None) -> User:
    """An annotator of no phase."""
    return User.objects.create(username="olga")


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create(username="alma", role=Role.ADMIN)


@pytest.fixture
def ml_staff(make: Any) -> User:
    """ML staff in every phase that `make` makes, before or after this fixture."""
    person: User = make.user(username="mika", role=Role.ML_STAFF)
    return person


@pytest.fixture
def superuser(db: None) -> User:
    return User.objects.create(username="root", is_superuser=True, is_staff=True)


def browser_of(user: User) -> APIClient:
    """Returns a client with the session of a user who has just signed in, written directly."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = django_settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[permissions.CONFIRMED_AT] = time.time()
    session.create()
    client = APIClient()
    client.cookies[django_settings.SESSION_COOKIE_NAME] = session.session_key
    return client


@pytest.fixture
def signed_in() -> Callable[[User], APIClient]:
    return browser_of


@pytest.fixture
def signed_out_client(db: None) -> APIClient:
    return APIClient()


@pytest.fixture
def annotator_client(annotator: User, signed_in: Callable[[User], APIClient]) -> APIClient:
    return signed_in(annotator)


@pytest.fixture
def second_annotator_client(second_annotator: User, signed_in: Callable[[User], APIClient]) -> APIClient:
    return signed_in(second_annotator)


@pytest.fixture
def outsider_client(outsider: User, signed_in: Callable[[User], APIClient]) -> APIClient:
    return signed_in(outsider)


@pytest.fixture
def admin_client(admin: User, signed_in: Callable[[User], APIClient]) -> APIClient:
    return signed_in(admin)


@pytest.fixture
def ml_staff_client(ml_staff: User, signed_in: Callable[[User], APIClient]) -> APIClient:
    return signed_in(ml_staff)


@pytest.fixture
def superuser_client(superuser: User, signed_in: Callable[[User], APIClient]) -> APIClient:
    return signed_in(superuser)


@pytest.fixture
def refused() -> Callable[..., dict[str, Any]]:
    """Checks that the response has this status and code, as RFC 9457 problem details. Returns its body."""

    def check(response: Any, status: int, code: str) -> dict[str, Any]:
        assert (response.status_code, response.json().get("code")) == (status, code), response.content
        assert response["Content-Type"] == "application/problem+json"
        body: dict[str, Any] = response.json()
        assert {"type", "title", "status", "code", "detail"} <= set(body)
        assert body["status"] == status
        assert body["detail"]
        return body

    return check


# Rows


@pytest.fixture
def make(db: None) -> Make:
    return Make()


@pytest.fixture(scope="module")
def make_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Make]:
    """Makes rows once for all tests of a module, in a transaction around theirs."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield Make(first=1001)
        transaction.set_rollback(True)


@pytest.fixture
def phase(make: Make, annotator: User, second_annotator: User) -> Phase:
    """A running phase with two annotators and leases of 30 minutes."""
    return make.phase(annotator, second_annotator, name="Arithmetic", instructions="Rate each step.")


@pytest.fixture
def open_round(make: Make, phase: Phase) -> Round:
    """The phase's open round: three tasks, one labelling each."""
    return make.round(phase)


@pytest.fixture
def assignment(open_round: Round, annotator: User, now: datetime) -> Assignment:
    """The round's first task, claimed by the annotator at `now`."""
    return allocation.claim_next(phase=open_round.phase, annotator=annotator, now=now)


@pytest.fixture(scope="session")
def all_great() -> Submission:
    """A complete submission for a solution with three steps, all Great, in 90 seconds."""
    ratings = [StepRating(step=step, rating=1, active_ms=30_000) for step in range(len(STEPS))]
    return Submission(Judgement(ratings, "solution"), active_ms=90_000)


@pytest.fixture
def labelling(assignment: Assignment, annotator: User, all_great: Submission, now: datetime) -> Labelling:
    """The annotator's labelling of the first task, submitted ten minutes after the claim."""
    return submission.submit(
        assignment_id=assignment.pk, annotator=annotator, submission=all_great, now=now + timedelta(minutes=10)
    )


@pytest.fixture
def ready(make: Make, phase: Phase) -> None:
    """Makes the inputs of every kind of run: labels to train on, and solutions neither scored nor published."""
    make.labelling(make.task(phase), 1, 1)
    make.solution()


@pytest.fixture
def generator() -> Iterator[Generator]:
    server = Generator()
    yield server
    server.close()


# Races


@pytest.fixture
def many_connections() -> Iterator[None]:
    """Lets one test at a time, in all processes of a run, use many connections: PostgreSQL takes a hundred."""
    with (Path(tempfile.gettempdir()) / f"stepmark-connections-{os.getuid()}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        fcntl.flock(file, fcntl.LOCK_UN)  # or a forked process that still runs would keep the lock


@pytest.fixture
def crowd(many_connections: None) -> int:
    """The number of connections that race: few on SQLite, which has one writer at a time."""
    return 8 if connection.vendor == "sqlite" else 16


@pytest.fixture
def at_once() -> Callable[..., list[Any]]:
    """Calls the act with each argument, all at once, each in a thread with its own connection.

    Returns each result, or the exception that it raised, in the arguments' order.
    """

    def run(act: Callable[[Any], Any], arguments: Iterable[Any]) -> list[Any]:
        everyone = list(arguments)
        start = threading.Barrier(len(everyone))

        def one(argument: Any) -> Any:
            connection.ensure_connection()
            start.wait(timeout=300)
            try:
                return act(argument)
            except DomainError as error:
                return error
            finally:
                connections.close_all()

        with ThreadPoolExecutor(len(everyone)) as threads:
            return list(threads.map(one, everyone))

    return run
