"""Long-running programs of a deployment, each in its own process, as a service manager would run them."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

NOBODY = 65534
# A user who owns nothing but may read everything: the interpreter and this checkout may be in root's own folder.
AS_NOBODY = [
    "setpriv",
    f"--reuid={NOBODY}",
    f"--regid={NOBODY}",
    "--clear-groups",
    "--bounding-set=-all,+dac_read_search",
    "--inh-caps=-all,+dac_read_search",
    "--ambient-caps=-all,+dac_read_search",
    "--no-new-privs",
    "--",
]


def without_root() -> list[str]:
    """Returns the prefix that runs root's commands as nobody; empty if this process isn't root's."""
    return AS_NOBODY if os.geteuid() == 0 else []


def give_to_nobody(folder: Path) -> None:
    """Gives the folder and everything in it to nobody, if commands run as nobody."""
    if without_root():
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)


class Service:
    """A program that should run. What it says is in `log`."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self.name, self.command, self.folder, self.environment = name, list(command), folder, environment
        self.log = folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=dict(self.environment), stdout=log, stderr=log
            )

    def is_up(self) -> bool:
        return self.process is not None and self.process.poll() is None


def stop_all(services: Sequence[Service]) -> None:
    """Asks all services to end, side by side, and kills those that don't."""
    running = [service.process for service in services if service.process is not None]
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
