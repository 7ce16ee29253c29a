"""Label Studio's side of a benchmark, as its users work: its server, its HTTP API, its importer and exporter.

It is installed into an environment of its own from PyPI and runs with its default settings.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.running.product import wait
from tests.running.servers import free_port

RELEASE = "label-studio==1.23.2"
TOKEN = "0" * 40
START_SECONDS = 300
WORDS = {1: "Great", 0: "Okay", -1: "Bad"}
CONFIG = """<View><Text name="problem" value="$problem"/>
<Repeater on="$steps" indexFlag="{{idx}}"><Text name="step_{{idx}}" value="$steps[{{idx}}].text"/>
<Choices name="rating_{{idx}}" toName="step_{{idx}}">
<Choice value="Great"/><Choice value="Okay"/><Choice value="Bad"/></Choices></Repeater></View>"""


class LabelStudioError(Exception):
    """Label Studio can't be installed here, did not start, or answered with an error."""


def program(environment: Path) -> Path:
    """Returns Label Studio's command, installing it if necessary. Raises LabelStudioError."""
    found = environment / "bin" / "label-studio"
    if not found.exists():
        python = environment / "bin" / "python"
        try:
            subprocess.run([sys.executable, "-m", "venv", environment], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", RELEASE], check=True)
        except subprocess.CalledProcessError as error:
            raise LabelStudioError(str(error)) from error
    return found


def task(record: dict[str, Any], ratings: list[int] | None = None) -> dict[str, Any]:
    """Returns a solution as a task and, if given, its ratings as an annotation."""
    data = {"problem": record["problem"], "steps": [{"text": text} for text in record["steps"]]}
    if ratings is None:
        return {"data": data}
    return {"data": data, "annotations": [{"result": [choice(at, rating) for at, rating in enumerate(ratings)]}]}


def choice(at: int, rating: int) -> dict[str, Any]:
    """Returns a step's rating as a part of an annotation's result."""
    target = {"from_name": f"rating_{at}", "to_name": f"step_{at}", "type": "choices"}
    return {"id": f"r{at}", **target, "value": {"choices": [WORDS[rating]]}}


def measure(command: Path, folder: Path, database_url: str, files: dict[str, Path]) -> dict[str, Any]:
    """Imports each file into a project of its own and exports the last one. Returns seconds and peak memory of each."""
    folder.mkdir()
    with _running(command, folder, database_url) as (pid, client):
        found = dict[str, Any]()
        for name, path in files.items():
            project = _made(client.post("projects/", json={"title": name, "label_config": CONFIG})).json()["id"]
            with path.open("rb") as file, _timed(found, name, pid):
                answer = _made(client.post(f"projects/{project}/import", files={"file": file}))
            found[name]["tasks"] = answer.json()["task_count"]
        with _timed(found, "export", pid):
            answer = _made(client.get(f"projects/{project}/export", params={"exportType": "JSON"}))
        found["export"]["tasks"] = len(answer.json())
        return found


@contextmanager
def _timed(found: dict[str, Any], act: str, pid: int) -> Iterator[None]:
    started = monotonic()
    yield
    seconds = monotonic() - started
    found[act] = {"seconds": round(seconds, 2), "peak_mb": _peak_mb(pid)}


def _made(answer: httpx.Response) -> httpx.Response:
    if answer.is_error:
        raise LabelStudioError(answer.text[:2000])
    return answer


def _peak_mb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(kilobytes) // 1024


@contextmanager
def _running(command: Path, folder: Path, database_url: str) -> Iterator[tuple[int, httpx.Client]]:
    port = free_port()
    who = ["--username", "someone@example.com", "--password", "some-password", "--user-token", TOKEN]
    arguments = [str(command), "start", "--no-browser", "--port", str(port), *who, "--enable-legacy-api-token"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(arguments, cwd=folder, env=environment(folder, database_url), stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        headers = {"Authorization": f"Token {TOKEN}"}
        with httpx.Client(base_url=f"{address}/api/", headers=headers, timeout=600) as client:
            wait_for(f"{address}/version", process, folder / "log")
            yield process.pid, client
    finally:
        process.terminate()
        process.wait()


def environment(folder: Path, database_url: str) -> dict[str, str]:
    own = {"LABEL_STUDIO_BASE_DATA_DIR": str(folder), "LATEST_VERSION_CHECK": "false", "COLLECT_ANALYTICS": "false"}
    own |= {"SENTRY_DSN": "", "FRONTEND_SENTRY_DSN": ""}
    if not database_url.startswith("postgres"):
        return os.environ | own | {"DJANGO_DB": "sqlite"}
    url = urlsplit(database_url)
    place = {"HOST": url.hostname, "PORT": url.port, "USER": url.username, "PASSWORD": "", "NAME": url.path[1:]}
    return os.environ | own | {"DJANGO_DB": "default"} | {f"POSTGRE_{key}": str(value) for key, value in place.items()}


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Waits until the server answers. Raises LabelStudioError if it doesn't."""
    deadline = monotonic() + START_SECONDS
    while True:
        try:
            if httpx.get(address, timeout=5).is_success:
                return
        except httpx.TransportError:
            wait(1)
        if monotonic() > deadline or process.poll() is not None:
            raise LabelStudioError(f"it did not come up:\n{log.read_text()[-2000:]}")
