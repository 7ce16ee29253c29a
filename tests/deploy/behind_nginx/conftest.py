"""The deployment that deploy/ describes, by the commands of its units: two web servers, a worker and the proxy."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.product.words import PASSWORD
from tests.product.world import until
from tests.running import product
from tests.running.proxy import DEPLOY, Proxy, settings
from tests.running.servers import free_port
from tests.running.services import Service, give_to_nobody, stop_all, without_root

ROOT = DEPLOY.parent
PROGRAM = "/opt/stepmark/bin/stepmark"
FAILURES = 2  # wrong passwords that an address may send
OF_SERVERS = {"DATABASE_URL", "REDIS_URL"}  # embedded instead


@dataclass
class Deployment:
    """`folder` is all that its user may write to."""

    folder: Path
    proxy: Proxy
    ports: list[int]
    services: list[Service]

    def client(self, address: str = "127.0.0.1") -> httpx.Client:
        """Returns a client from this address, which opens a new connection for each request."""
        transport = httpx.HTTPTransport(verify=self.proxy.trust(), local_address=address)
        own = {"Connection": "close"}
        return httpx.Client(base_url=self.proxy.address, transport=transport, timeout=30, headers=own)


def command_of(unit: str, instance: str) -> list[str]:
    """Returns the command that the unit starts, with this checkout's program."""
    lines = (DEPLOY / "systemd" / f"{unit}@.service").read_text().splitlines()
    (line,) = [line.removeprefix("ExecStart=") for line in lines if line.startswith("ExecStart=")]
    program, *words = shlex.split(line.replace("%i", instance))
    assert program == PROGRAM
    return [*without_root(), sys.executable, "-m", "stepmark", *words]


@pytest.fixture(scope="session")
def deployed() -> Iterator[Deployment]:
    # Not in pytest's folder, which another user can't reach.
    with TemporaryDirectory(prefix="stepmark-deployed-", dir="/tmp") as name, ExitStack() as running:
        folder, ports = Path(name), [free_port(), free_port()]
        data = folder / "data"
        data.mkdir()
        (data / product.DATABASE).write_bytes(product.tables().read_bytes())
        proxy = Proxy(folder / "proxy", [f"127.0.0.1:{port}" for port in ports])
        give_to_nobody(folder)
        shipped = settings(DEPLOY / "systemd" / "stepmark.env")
        own = {"STEPMARK_DATA_DIR": str(data), "ALLOWED_HOSTS": "localhost,127.0.0.1"}
        own |= {"CSRF_TRUSTED_ORIGINS": proxy.address, "SECRET_KEY": "a long text that is random enough " * 2}
        given = {name: value for name, value in (shipped | own).items() if name not in OF_SERVERS}
        # As a service manager starts it, with nothing of the shell's environment.
        environment = given | {"PATH": os.defpath, "PYTHONPATH": str(ROOT), "HOME": name, "WEB_CONCURRENCY": "1"}
        environment["SIGN_IN_FAILURES_PER_ADDRESS"] = str(FAILURES)
        make_admin(folder, environment)
        commands = [(f"web-{port}", command_of("stepmark-web", str(port))) for port in ports]
        commands += [("worker", command_of("stepmark-worker", "cpu"))]
        commands += [("proxy", [*without_root(), *proxy.in_foreground])]
        services = [Service(name, command, folder, environment) for name, command in commands]
        running.callback(stop_all, services)
        for service in services:
            service.start()
        found = Deployment(folder, proxy, ports, services)
        until(lambda: works(found), "the deployment answers", within_seconds=120)
        yield found


def make_admin(folder: Path, environment: dict[str, str]) -> None:
    own = {"DJANGO_SUPERUSER_USERNAME": "root", "DJANGO_SUPERUSER_PASSWORD": PASSWORD, "DJANGO_SUPERUSER_EMAIL": ""}
    command = [*without_root(), sys.executable, "-m", "stepmark", "createsuperuser", "--noinput"]
    subprocess.run(command, cwd=folder, env=environment | own, check=True, capture_output=True)


def works(deployment: Deployment) -> bool:
    assert all(service.is_up() for service in deployment.services), [
        service.log.read_text()[-2000:] for service in deployment.services
    ]
    own = {"X-Forwarded-Proto": "https"}
    webs = [f"http://127.0.0.1:{port}" for port in deployment.ports]
    try:
        with deployment.client() as client:
            through = client.get("/api/session/").is_success
        return through and all(httpx.get(f"{web}/api/session/", headers=own).is_success for web in webs)
    except httpx.TransportError:
        return False
