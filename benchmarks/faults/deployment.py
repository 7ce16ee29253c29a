"""Two web servers, two workers, PostgreSQL, Redis and the shipped proxy, each on a host of its own, kept running."""

import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import httpx
import psutil
import psycopg

from benchmarks.faults import hosts, seed
from benchmarks.faults.hosts import Host
from tests.product.world import IMPATIENT
from tests.running import product, servers
from tests.running.proxy import Proxy
from tests.running.services import Service, give_to_nobody, without_root

NAMES = ["database", "broker", "web-1", "web-2", "worker-1", "worker-2", "proxy"]
STEPMARK = [sys.executable, "-m", "stepmark"]
RESTART_AFTER_SECONDS = 1.0  # as a service manager
LOOK_EVERY_SECONDS = 0.2
CLOCK, LIBRARY = Path(__file__).with_name("clock.c"), "clock.so"
DATABASE_MB, FILES_MB = 512, 128


class Kept(Service):
    """A service on a host. Its manager starts it again whenever it ends."""

    def __init__(self, host: Host, command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        super().__init__(host.name, [*host.enter, *command], folder, environment)
        self.host, self._ended_at = host, 0.0
        self.starts = 0

    def start(self) -> None:
        super().start()
        self.starts, self._ended_at = self.starts + 1, 0.0

    def look(self) -> None:
        """Restarts the service if it ended more than RESTART_AFTER_SECONDS ago."""
        if self.is_up():
            return
        self._ended_at = self._ended_at or monotonic()
        if monotonic() - self._ended_at > RESTART_AFTER_SECONDS:
            self.start()

    def tell(self, number: signal.Signals, *, everybody: bool = False) -> None:
        """Sends the signal to the first process, or to all: first to that one, as it would replace the others."""
        with suppress(psutil.NoSuchProcess):
            assert self.process is not None
            first = psutil.Process(self.process.pid)
            for process in [first, *(first.children(recursive=True) if everybody else [])]:
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)


@dataclass
class Deployment:
    """`disks`: folders that can be filled; `clocks`: by host, the file of the seconds that its clock is off by."""

    folder: Path
    proxy: Proxy
    database: str
    services: dict[str, Kept]
    webs: list[str]
    disks: dict[str, Path] = field(default_factory=dict)
    clocks: dict[str, Path] = field(default_factory=dict)

    def is_up(self) -> bool:
        return all(service.is_up() for service in self.services.values())

    def answers(self) -> bool:
        return _answers(self.proxy.address, self.proxy.trust())

    def webs_answer(self) -> bool:
        """Returns whether each web server answers the proxy."""
        return all(_answers(f"http://{server}") for server in self.webs)


def _answers(address: str, trust: ssl.SSLContext | bool = False) -> bool:
    """Returns whether the address answers. By default no certificates are read: that takes longer than a request."""
    headers = {"X-Forwarded-Proto": "https"}
    try:
        return httpx.get(f"{address}/api/session/", headers=headers, verify=trust, timeout=2).is_success
    except httpx.TransportError:
        return False


@contextmanager
def deployed(folder: Path, solutions: int, people: int) -> Iterator[Deployment]:
    with ExitStack() as stack:
        at = hosts.hosts(NAMES)
        disks = {
            name: folder / name
            for name, megabytes in (("database", DATABASE_MB), ("files", FILES_MB))
            if hosts.disk(folder / name, megabytes)
        }
        logs = folder / "logs"
        logs.mkdir()
        database, database_url = _postgres(at["database"], folder / "database", logs)
        broker, broker_url = _redis(at["broker"], logs)
        kept = [database, broker]
        stack.callback(_end, kept)
        for service in kept:
            service.start()
        _wait_for(database_url)
        environment = stack.enter_context(_filled(folder / "files", database_url, broker_url, solutions, people))
        ports = {name: at[name].port(8000) for name in ("web-1", "web-2")}
        webs = [f"{at[name].address}:{port}" for name, port in ports.items()]
        proxy = Proxy(folder / "proxy", webs, host=at["proxy"].address)
        environment |= {"CSRF_TRUSTED_ORIGINS": proxy.address, "ALLOWED_HOSTS": "*"}
        give_to_nobody(folder / "files")
        give_to_nobody(folder / "proxy")
        clocks = _clocks(folder)
        for name in NAMES[2:6]:
            words = ["web", "--host", at[name].address, "--port", str(ports[name])] if name in ports else ["worker"]
            faked = [f"{key}={value}" for key, value in _faked(clocks.get(name)).items()]
            # Set last, for the product alone: what is faked for root would be closed to another user.
            kept.append(Kept(at[name], [*without_root(), "env", *faked, *STEPMARK, *words], logs, environment))
        kept.append(Kept(at["proxy"], [*without_root(), *proxy.in_foreground], logs, environment))
        for service in kept[2:]:
            service.start()
        services = {service.name: service for service in kept}
        with _kept_up(kept):
            yield Deployment(folder, proxy, environment["DATABASE_URL"], services, webs, disks, clocks)


def _end(services: list[Kept]) -> None:
    """Kills the services, which is faster than an orderly end."""
    for service in services:
        if service.process is not None:
            service.tell(signal.SIGKILL, everybody=True)
            service.process.wait()


@contextmanager
def _kept_up(services: list[Kept]) -> Iterator[None]:
    """Looks after the services, as a service manager would, until the block ends."""
    done = threading.Event()

    def manage() -> None:
        while not done.wait(LOOK_EVERY_SECONDS):
            for service in services:
                service.look()

    manager = threading.Thread(target=manage)
    manager.start()
    try:
        yield
    finally:
        done.set()
        manager.join()


@contextmanager
def _filled(files: Path, database: str, broker: str, solutions: int, people: int) -> Iterator[dict[str, str]]:
    """Yields the product's environment, once its database has rows."""
    own = {"DATABASE_URL": database, "REDIS_URL": broker, "WEB_CONCURRENCY": "1", "PYTHONPATH": str(product.ROOT)}
    own |= {"SECRET_KEY": "a text that is long and random enough " * 2, "HTTPS_ONLY": "1", "TRUSTED_PROXIES": "1"}
    own |= {"HOME": str(files), "LOG_LEVEL": "WARNING"}
    with product.own_servers(IMPATIENT | own) as environment:
        filling = product.Product(files, environment)
        product.fill(filling, IMPATIENT | own, seed.script(solutions, people))
        yield dict(filling.environment)


def _postgres(host: Host, folder: Path, logs: Path) -> tuple[Kept, str]:
    programs = servers.postgres_folder()
    assert programs is not None
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
    data, port = folder / "data", host.port(5432)
    made = [*as_user, str(programs / "initdb"), "-A", "trust", "-U", "postgres", "-D", str(data)]
    subprocess.run(made, check=True, cwd="/", stdout=subprocess.DEVNULL)
    with (data / "pg_hba.conf").open("a") as rules:
        rules.write("host all all samenet trust\n")
    options = [f"listen_addresses={host.address}", f"port={port}", f"unix_socket_directories={folder}"]
    options += ["max_wal_size=96MB", "wal_recycle=off"]
    words = [word for option in options for word in ("-c", option)]
    command = [*as_user, str(programs / "postgres"), "-D", str(data), *words]
    return Kept(host, command, logs, os.environ), f"postgres://postgres@{host.address}:{port}/postgres"


def _redis(host: Host, logs: Path) -> tuple[Kept, str]:
    port = host.port(6379)
    quiet = ["--save", "", "--appendonly", "no", "--protected-mode", "no"]
    command = ["redis-server", "--port", str(port), "--bind", host.address, *quiet]
    return Kept(host, command, logs, os.environ), f"redis://{host.address}:{port}/0"


def _wait_for(database: str) -> None:
    """Returns once PostgreSQL answers. Raises its error if it doesn't within a minute."""
    deadline = monotonic() + 60
    while True:
        try:
            psycopg.connect(database, connect_timeout=5).close()
            return
        except psycopg.OperationalError:
            if monotonic() > deadline:
                raise
            product.wait(LOOK_EVERY_SECONDS)


def _clocks(folder: Path) -> dict[str, Path]:
    if not shutil.which("cc"):
        return {}
    library = folder / LIBRARY
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(CLOCK), "-ldl"], check=True)
    library.chmod(0o755)
    files = {name: folder / f"{name}.clock" for name in ("web-2", "worker-2")}
    for file in files.values():
        file.write_text("0")
        file.chmod(0o644)
    return files


def _faked(clock: Path | None) -> dict[str, str]:
    """Returns the environment that shifts a program's clock by the seconds in the file. Durations stay right."""
    return {"LD_PRELOAD": str(clock.parent / LIBRARY), "CLOCK_OFFSET_FILE": str(clock)} if clock else {}
