"""PostgreSQL and Redis of one's own, on free ports, gone at the end: for benchmarks, and for tests that kill them."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
# What a server loses without these is only what a power cut would take.
SAFE = "-c max_connections=200"
FAST = "-c fsync=off -c synchronous_commit=off -c max_wal_size=4GB"


def missing() -> str:
    """Returns why the servers can't be started here; empty if they can."""
    if not postgres_folder():
        return "there is no PostgreSQL to start"
    return "" if shutil.which("redis-server") else "there is no redis-server to start"


def postgres_folder() -> Path | None:
    found = shutil.which("initdb")
    return Path(found).parent if found else next(iter(POSTGRES[::-1]), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Postgres:
    """A PostgreSQL server. As it refuses to run as root, it runs as `postgres` then, who can't reach root's TMPDIR."""

    def __init__(self, folder: str, settings: str) -> None:
        as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if as_user:
            shutil.chown(folder, "postgres")
        programs, data, port = postgres_folder(), f"{folder}/data", free_port()
        self.url = f"postgres://postgres@127.0.0.1:{port}/postgres"
        self._control = [*as_user, f"{programs}/pg_ctl", "--silent", "-w", "-D", data, "-l", f"{folder}/log"]
        _run([*as_user, f"{programs}/initdb", "-A", "trust", "-U", "postgres", "-D", data])
        _run([*self._control, "-o", f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} {settings}", "start"])

    def restart(self, mode: str) -> None:
        """Restarts the server: `fast` ends all connections in order; `immediate` is a crash."""
        _run([*self._control, "-m", mode, "restart"])

    def stop(self) -> None:
        _run([*self._control, "-m", "immediate", "stop"])


@contextmanager
def postgres(settings: str = FAST) -> Iterator[Postgres]:
    """Starts a server. `settings`: FAST, or SAFE for timings that include the disk."""
    with tempfile.TemporaryDirectory(prefix="stepmark-postgres-", dir="/tmp") as folder:
        running = Postgres(folder, settings)
        try:
            yield running
        finally:
            running.stop()


class Redis:
    """A Redis server that keeps nothing on disk: after a kill it has forgotten everything."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(["redis-server", *options], cwd=self.folder, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def redis(folder: Path) -> Iterator[Redis]:
    running = Redis(folder)
    try:
        yield running
    finally:
        running.kill()


def _run(command: list[str]) -> None:
    # Not captured through a pipe: the server that pg_ctl starts would keep it open.
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)
