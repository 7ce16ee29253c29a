"""Starts the whole product for itself, in a folder and on a port of its own, and speaks to it over HTTP.

On the embedded default, or on the servers that DATABASE_URL and REDIS_URL name: then in a database and under a
Redis prefix of its own, so that nothing of yours is touched.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import IO, Any, cast
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import httpx
import psutil
import redis

from tests.running import libraries
from tests.running.forked import Program
from tests.running.once import made_once
from tests.running.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
POLL_SECONDS = 0.2
DATABASE = "stepmark.sqlite3"
# Runs each script that comes as a line of JSON, and answers with what it printed.
SHELL = """
import contextlib, io, json, sys, traceback
from django.db import connections
for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(json.loads(line), {})
            error = ""
        except BaseException:
            error = traceback.format_exc()
    connections.close_all()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""


class ProductError(Exception):
    """The product answered with an error, or did not start."""


class Client(httpx.Client):
    """One signed-in person."""

    def __init__(self, address: str, username: str = "", password: str = "") -> None:
        # The server hangs up on a connection after two idle seconds: never use one that it may be about to close.
        super().__init__(base_url=f"{address}/api/", timeout=60, limits=httpx.Limits(keepalive_expiry=1))
        if username:
            self.call("GET", "session/")
            self.call("POST", "session/", {"username": username, "password": password})

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the decoded answer. Raises ProductError with the server's own words for anything but success."""
        headers = {"X-CSRFToken": self.cookies.get("csrftoken") or "", "Referer": str(self.base_url)}
        response = self.request(method, path, json=body, headers=headers)
        if response.is_error:
            raise ProductError(f"{method} {path}: {response.status_code} {response.text[:500]}")
        return response.json() if response.content else None

    def every(self, path: str) -> Iterator[dict[str, Any]]:
        """Yields all rows of a paginated list."""
        page = self.call("GET", path)
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            page = self.call("GET", page["next"])


class Product:
    """A running Stepmark. `environment` is that of its processes; `folder` holds its data and its log. Its `program` is
    this checkout's, or an installed one, which starts in that folder. With LIBRARIES in the environment, its processes
    have those loaded when they start.
    """

    def __init__(
        self, folder: Path, environment: dict[str, str] | None = None, program: Sequence[str | Path] = ()
    ) -> None:
        self.folder = folder
        self.libraries = (environment or {}).get("LIBRARIES", "")
        python = libraries.python(self.libraries) if self.libraries else [sys.executable]
        self.program = program or [*python, "manage.py"]
        self.home = folder if program else ROOT
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        own = {
            "STEPMARK_DATA_DIR": str(folder),
            "PYTHONUNBUFFERED": "1",
            "LOG_LEVEL": "INFO",
        }
        own["BROKER_PREFIX"] = f"stepmark-{uuid4().hex[:10]}"
        self.environment = os.environ | own | (environment or {})
        self.process: subprocess.Popen[bytes] | Program | None = None
        self._shell: subprocess.Popen[str] | None = None

    def manage(self, *arguments: str) -> str:
        """Runs one management command. Returns its output. Raises ProductError with it if the command fails."""
        command = [*self.program, *arguments]
        done = subprocess.run(command, cwd=self.home, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ProductError(f"manage.py {' '.join(arguments)}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done.stdout

    def shell(self, script: str) -> str:
        """Runs the script with the product's code and rows, in one process for all scripts. Returns what it prints."""
        if self._shell is None:
            command = [*self.program, "shell", "--no-imports", "-c", SHELL]
            pipe = subprocess.PIPE
            self._shell = subprocess.Popen(
                command, cwd=self.home, env=self.environment, stdin=pipe, stdout=pipe, text=True
            )
        assert self._shell.stdin and self._shell.stdout
        self._shell.stdin.write(f"{json.dumps(script)}\n")
        self._shell.stdin.flush()
        printed, error = json.loads(self._shell.stdout.readline())
        if error:
            raise ProductError(f"{script}:\n{error}")
        return str(printed)

    def start(self, *options: str, command: str = "run", within_seconds: float = 300) -> None:
        """Starts web and worker, and returns once the web answers."""
        with (self.folder / "product.log").open("ab") as log:
            self.process = self._launch([command, "--port", str(self.port), *options], log)
        self.answers_within(within_seconds)

    def _launch(self, arguments: list[str], log: IO[bytes]) -> subprocess.Popen[bytes] | Program:
        if self.libraries:
            address, files = libraries.address(self.libraries), (0, log.fileno(), log.fileno())
            return Program(address, ["manage.py", *arguments], str(self.home), self.environment, files)
        command = [*self.program, *arguments]
        return subprocess.Popen(command, cwd=self.home, env=self.environment, stdout=log, stderr=log)

    def answers_within(self, seconds: float) -> None:
        """Raises ProductError with the log's end unless the web answers by then."""
        deadline = monotonic() + seconds
        while not (answers := self._answers()) or self._has_ended():
            if monotonic() > deadline or self._has_ended():
                other = " Another program answers on its port." if answers else ""
                raise ProductError(f"the product did not come up.{other}\n{self.log()[-4000:]}")

    def _has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.address}/api/session/", timeout=5).is_success
        except httpx.TransportError:
            wait(POLL_SECONDS)
            return False

    @property
    def web_pid(self) -> int:
        """Returns the id of the process whose children answer requests."""
        assert self.process is not None
        children = psutil.Process(self.process.pid).children()
        return next(child.pid for child in children if child.name() == "stepmark web")

    def log(self) -> str:
        return (self.folder / "product.log").read_text(errors="replace")

    def empty_broker(self) -> None:
        """Removes all unread messages from the broker."""
        for message in (self.folder / "broker").glob("*/*"):
            message.unlink(missing_ok=True)
        if address := self.environment.get("REDIS_URL"):
            with redis.Redis.from_url(address) as broker:
                for key in broker.scan_iter(f"{self.environment['BROKER_PREFIX']}:*", count=1000):
                    broker.delete(key)

    def close(self) -> None:
        """Stops the product for good. Its messages are deleted."""
        self.stop()
        if self._shell is not None:
            self._shell.communicate()
        self.empty_broker()

    def stop(self) -> None:
        """Raises ProductError with the log's end if it does not stop by itself; then it is killed."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                for each in [process := psutil.Process(self.process.pid), *process.children(recursive=True)]:
                    each.kill()
                self.process.wait()
                raise ProductError(f"the product did not stop:\n{self.log()[-4000:]}") from None


@contextmanager
def running(folder: Path, environment: dict[str, str] | None = None, rows: str = "") -> Iterator[Product]:
    """Starts a product with migrated tables, and the rows that the script `rows` makes. It runs until the block ends;
    its database and messages are deleted."""
    with empty(folder, environment) as product:
        fill(product, environment or {}, rows)
        product.start()
        yield product


@contextmanager
def empty(folder: Path, environment: dict[str, str] | None = None) -> Iterator[Product]:
    """Yields a product without tables, not started. If it is started, it runs until the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with own_servers(environment or {}) as servers:
        product = Product(folder, servers)
        try:
            yield product
        finally:
            product.close()


def fill(product: Product, environment: dict[str, str], rows: str) -> None:
    """Gives the product a copy of a database that was made once."""
    if address := product.environment.get("DATABASE_URL"):
        made = _made("database.sql", environment, rows)
        tell_postgres("psql", "--quiet", "--set=ON_ERROR_STOP=1", f"--file={made}", address)
    else:
        (product.folder / DATABASE).write_bytes(_made(DATABASE, environment, rows).read_bytes())


def tables() -> Path:
    """Returns an embedded database with empty tables, to be copied."""
    return _made(DATABASE, {}, "")


def _made(name: str, environment: dict[str, str], rows: str) -> Path:
    of_rows = f"{sha256(rows.encode()).hexdigest()[:8]}-{name}"
    return made_once(of_rows, lambda place: _make_database(place, environment, rows))


def _make_database(place: Path, environment: dict[str, str], rows: str) -> None:
    """Writes the database that `migrate` and the script make."""
    with TemporaryDirectory() as folder, empty(Path(folder), environment) as product:
        if rows:
            fill(product, environment, "")
            product.shell(rows)
        else:
            product.manage("migrate", "--verbosity", "0")
        if address := product.environment.get("DATABASE_URL"):
            tell_postgres("pg_dump", "--no-owner", f"--file={place}", address)
        else:
            place.write_bytes((product.folder / DATABASE).read_bytes())


def tell_postgres(*command: str, given: bytes = b"") -> None:
    """Runs one of PostgreSQL's programs. Raises ProductError with what it says if it fails."""
    done = subprocess.run([*command, "--no-password"], input=given, capture_output=True, check=False)
    if done.returncode:
        raise ProductError(done.stderr.decode())


@contextmanager
def own_servers(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Creates, if DATABASE_URL names PostgreSQL, a new database on it, dropped at the end."""
    given = environment.get("DATABASE_URL") or os.environ.get("DATABASE_URL", "")
    if not given.startswith("postgres"):
        yield environment
        return
    name = f"stepmark_{uuid4().hex[:10]}"
    _tell(given, f'CREATE DATABASE "{name}"')
    try:
        yield environment | {"DATABASE_URL": urlunsplit(urlsplit(given)._replace(path=f"/{name}"))}
    finally:
        _tell(given, f'DROP DATABASE "{name}" WITH (FORCE)')


def _tell(server: str, statement: str) -> None:
    """Runs a statement on a new connection, as the server may have been restarted."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(cast(Any, statement))


def wait(seconds: float) -> None:
    """Waits between two looks at something that sends no event."""
    threading.Event().wait(seconds)
