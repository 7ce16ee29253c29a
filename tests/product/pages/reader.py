"""A reader of the site's pages, who carries out every command as it stands, in a folder of their own.

Replaced are: the network (`pip`, `git`, a hub's model), a GPU, a terminal to type a password into, and
ports that may be taken.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.product.words import PASSWORD
from tests.product.world import IMPATIENT, base, until
from tests.running import libraries
from tests.running.product import ROOT
from tests.running.servers import free_port

DOCS = ROOT / "docs"
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SAVED_AS = re.compile(r"Save this as\s+`([^`]+)`")
SERVICES = re.compile(r"^stepmark (run|web|worker)\b")
LISTENS = {"run", "web"}
ELSEWHERE = {"DATABASE_URL", "REDIS_URL"}  # servers of other machines
# A base of a million parameters takes a minute.
SMALL = "--pretraining-hidden 32 --pretraining-layers 1 --pretraining-steps 2 --pretraining-vocabulary 300 --epochs 1"
PROGRAMS = {
    "stepmark": 'exec $PYTHON -m stepmark "$@"',
    "python": 'exec $PYTHON "$@"',
    "python3.11": 'mkdir -p "$3/bin" && touch "$3/bin/activate"',
    "pip": "",
    "git": "",  # the checkout is there already
    "make": "",
    "vllm": "",
    "accelerate": 'while [ "$1" != -m ]; do shift; done; exec $PYTHON "$@"',
}


@dataclass(frozen=True)
class Block:
    """`before`: the text that leads to it."""

    language: str
    text: str
    before: str

    def lines(self) -> list[str]:
        """Returns each command on one line."""
        lines = [line.partition("   #")[0].strip() for line in self.text.replace("\\\n", " ").splitlines()]
        return [line for line in lines if line]


def blocks(page: Path) -> Iterator[Block]:
    text, end = page.read_text(), 0
    for found in BLOCK.finditer(text):
        yield Block(found[2], found[3], text[end : found.start()])
        end = found.end()


@dataclass
class Reader:
    """`home` holds the reader's folder, `data` is the installation's. `before` has what to call
    before a command that contains its key. At most one service runs at a time, as in a reader's terminal.
    """

    home: Path
    data: Path
    before: Mapping[str, Callable[[Reader], object]] = field(default_factory=dict)
    address: str = ""
    token: str = ""

    def __post_init__(self) -> None:
        self.folder, self.services = self.home / "reader", ExitStack()
        programs = self.home / "bin"
        for made in (self.folder, programs):
            made.mkdir(parents=True)
        for name, body in PROGRAMS.items():
            (programs / name).write_text(f"#!/bin/bash\n{body}\n")
            (programs / name).chmod(0o755)
        self.environment = (
            os.environ
            | IMPATIENT
            | {
                "PATH": f"{programs}:{os.environ['PATH']}",
                "PYTHON": shlex.join(libraries.python("torch")),
                "PYTHONPATH": str(ROOT),
                "PYTHONUNBUFFERED": "1",
                "WEB_CONCURRENCY": "1",
                "STEPMARK_DATA_DIR": str(self.data),
                "DJANGO_SUPERUSER_USERNAME": self.home.name,
                "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
                "DJANGO_SUPERUSER_EMAIL": "reader@example.org",
            }
        )

    def follow(self, page: str) -> None:
        """Carries out the page from its start to its end. Checks the output that it shows."""
        said: list[list[str]] = []
        for block in blocks(DOCS / page):
            match block.language:
                case "python":
                    self._write_or_run(block)
                case "sh":
                    said = [sorted(self.run(line).splitlines()) for line in block.lines()]
                case "":
                    assert sorted(block.text.splitlines()) in said, f"{page} shows\n{block.text}\nbut there was\n{said}"

    def _write_or_run(self, block: Block) -> None:
        saved_as = SAVED_AS.search(block.before)
        script = self.folder / (saved_as[1] if saved_as else "script.py")
        script.write_text(block.text)
        if not saved_as:
            self.run(f"python {script}")

    def run(self, line: str) -> str:
        """Runs a command. Returns its output. Fails if the command does."""
        for words, act in self.before.items():
            if words in line:
                act(self)
        if line.startswith("export "):
            name, _, value = shlex.split(self._had(line))[1].partition("=")
            self.environment |= {} if name in ELSEWHERE else {name: value}
            return ""
        if service := SERVICES.match(line):
            self.services.close()
            self.address = self.services.enter_context(self._serving(line, service[1]))
            return ""
        done = subprocess.run(
            ["bash", "-c", self._had(line)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-4000:]}"
        return done.stdout

    @contextmanager
    def _serving(self, line: str, service: str) -> Iterator[str]:
        """Runs a service until the block ends. Yields its address once it works."""
        port, log = free_port(), self.home / f"{service}.log"
        command = re.sub(r" --port \d+", "", line) + (f" --port {port}" if service in LISTENS else "")
        how = {"cwd": self.folder, "env": self.environment}
        with log.open("wb") as said, subprocess.Popen(command.split(), stdout=said, stderr=said, **how) as running:

            def works() -> bool:
                assert running.poll() is None, log.read_text()
                return answers(address) if service in LISTENS else " ready." in log.read_text()

            address = f"http://127.0.0.1:{port}"
            try:
                until(works, f"{line} works", within_seconds=300)
                yield address
            finally:
                running.terminate()

    def _had(self, line: str) -> str:
        """Returns the command with what isn't available here replaced."""
        line = re.sub(r"(?<=[= ])/(srv|mnt)/", rf"{self.home}/\1/", line)
        line = line.replace("HuggingFaceTB/SmolLM2-135M", base())
        line = line.replace("http://127.0.0.1:8000", self.address).replace("the-token", self.token)
        if line.startswith("stepmark createsuperuser"):
            return f"{line} --noinput"
        if line.startswith("stepmark loop"):
            return f"{line} --base {base()}"
        if line.startswith("stepmark prm train") and not re.search("--base|--pretraining", line):
            return f"{line} {SMALL}"
        return line


def answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/api/session/", timeout=5).is_success
    except httpx.TransportError:
        return False
