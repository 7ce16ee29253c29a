"""Label Studio under many annotators: served by gunicorn on PostgreSQL, each annotator a user of their own.

Each only requests the next task and submits an annotation of it; Label Studio's page sends more.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from benchmarks import label_studio
from benchmarks.load.annotators import Connection, Refused
from tests.running.servers import free_port

# In its own environment, where Django finds its settings: the first user, who owns the organization, and annotators.
MAKE_PEOPLE = """
import sys, django
django.setup()
from organizations.models import Organization
from rest_framework.authtoken.models import Token
from users.models import User
owner = User.objects.create_user(email="owner@example.com", password="some-password")
organization = Organization.create_organization(created_by=owner, title="L", legacy_api_tokens_enabled=True)
for number in range(int(sys.argv[1])):
    user = owner if number == 0 else User.objects.create_user(email=f"person{number}@example.com")
    if number:
        organization.add_user(user)
    user.active_organization = organization
    user.save(update_fields=["active_organization"])
    Token.objects.filter(user=user).delete()
    Token.objects.create(user=user, key=f"{number:040}")
"""

NEXT, SUBMIT = "GET /api/projects/{project}/next", "POST /api/tasks/{task}/annotations/"


@dataclass(frozen=True)
class Served:
    """A running Label Studio: its address, its parent process, and the project to label in."""

    address: str
    pid: int
    project: int


def token(number: int) -> dict[str, str]:
    return {"Authorization": f"Token {number:040}"}


@contextmanager
def served(environment: Path, folder: Path, database_url: str, *, people: int, processes: int) -> Iterator[Served]:
    """Starts Label Studio with so many users, the first its owner. Raises LabelStudioError."""
    command = label_studio.program(environment)
    _add_gunicorn(environment)
    own = label_studio.environment(folder, database_url) | {"DJANGO_SETTINGS_MODULE": "core.settings.label_studio"}
    code, python = _package(command), command.parent / "python"
    folder.mkdir()
    _run([python, "manage.py", "migrate", "--verbosity", "0"], code, own)
    _run([python, "-c", MAKE_PEOPLE, str(people)], code, own)
    port = free_port()
    options = ["--bind", f"127.0.0.1:{port}", "--workers", str(processes), "--threads", "4", "--timeout", "120"]
    with (folder / "log").open("wb") as log:
        arguments = [str(python), "-m", "gunicorn", "core.wsgi", *options]
        process = subprocess.Popen(arguments, cwd=code, env=own, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        label_studio.wait_for(f"{address}/version", process, folder / "log")
        yield Served(address, process.pid, _project(address))
    finally:
        process.terminate()
        process.wait()


def _add_gunicorn(environment: Path) -> None:
    if not (environment / "bin" / "gunicorn").exists():
        subprocess.run([environment / "bin" / "python", "-m", "pip", "install", "--quiet", "gunicorn"], check=True)


def _package(command: Path) -> Path:
    return next(command.parent.parent.glob("lib/python*/site-packages/label_studio"))


def _run(command: list[Any], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise label_studio.LabelStudioError(done.stderr[-2000:])


def _project(address: str) -> int:
    made = {"title": "Load", "label_config": label_studio.CONFIG, "maximum_annotations": 1}
    answer = httpx.post(f"{address}/api/projects/", json=made, headers=token(0), timeout=60)
    return int(answer.raise_for_status().json()["id"])


def fill(served_: Served, tasks: list[dict[str, Any]]) -> None:
    """Imports the tasks, in pieces that Label Studio's request limits allow."""
    with httpx.Client(base_url=served_.address, headers=token(0), timeout=600) as client:
        for start in range(0, len(tasks), 5000):
            piece = tasks[start : start + 5000]
            client.post(f"/api/projects/{served_.project}/import", json=piece).raise_for_status()


class Annotator:
    def __init__(self, served_: Served, number: int) -> None:
        self.project, self.page = served_.project, Connection(served_.address, token(number))

    def works(self) -> Iterator[None]:
        """Labels a task at each step of the iterator, until none is left."""
        while True:
            try:
                task = self.page.call(NEXT, {"project": self.project})
            except Refused as refused:
                if ": 404 " in str(refused):
                    return
                raise
            result = [label_studio.choice(at, 1) for at in range(len(task["data"]["steps"]))]
            made = self.page.call(SUBMIT, {"task": task["id"]}, {"result": result})
            self.page.log.acknowledged.append((str(made["id"]), len(result)))
            yield
