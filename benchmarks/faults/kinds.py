"""The faults. Each lasts some seconds, then is mended by somebody who need not know Stepmark."""

import errno
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.faults.deployment import Deployment, Kept
from tests.product.world import until
from tests.running.product import wait

SHIFTS = {"+1h": 3600, "-1h": -3600}
# PostgreSQL's fast end; others wait for what is under way.
ORDERLY = {"database": signal.SIGINT}


@dataclass(frozen=True)
class Fault:
    """`act` causes the fault, for the given seconds if it lasts, and mends it."""

    kind: str
    on: str
    act: Callable[[float], None]


def all_of(deployment: Deployment) -> list[Fault]:
    """Returns every fault that is possible here: of each kind on each host."""
    found = []
    for name, service in deployment.services.items():
        found.append(Fault("restart", name, partial(restart, service)))
        found.append(Fault("kill", name, partial(kill, service)))
        found.append(Fault("freeze", name, partial(freeze, service)))
        if service.host.link:
            found.append(Fault("cut link", name, partial(cut, service)))
    found += [Fault("full disk", name, partial(fill, folder)) for name, folder in deployment.disks.items()]
    found += [
        Fault(f"clock {shift}", name, partial(shift_clock, file, by))
        for name, file in deployment.clocks.items()
        for shift, by in SHIFTS.items()
    ]
    return found


def missing(deployment: Deployment) -> list[str]:
    """Returns the kinds of faults that are impossible here, with the reasons."""
    lacks = {
        "cut link: no network namespaces": any(each.host.link for each in deployment.services.values()),
        "full disk: no disk could be mounted": bool(deployment.disks),
        "clock: there is no C compiler": bool(deployment.clocks),
    }
    return [name for name, there in lacks.items() if not there]


def restart(service: Kept, _: float) -> None:
    _replaced(service, lambda: service.tell(ORDERLY.get(service.name, signal.SIGTERM)))


def kill(service: Kept, _: float) -> None:
    _replaced(service, lambda: service.tell(signal.SIGKILL, everybody=True))


def _replaced(service: Kept, end: Callable[[], None]) -> None:
    """Ends the program, and returns once its manager has started another."""
    starts = service.starts
    end()
    until(lambda: service.starts > starts, f"{service.name} is started again", within_seconds=120)


def freeze(service: Kept, seconds: float) -> None:
    service.tell(signal.SIGSTOP, everybody=True)
    try:
        wait(seconds)
    finally:
        service.tell(signal.SIGCONT, everybody=True)


def cut(service: Kept, seconds: float) -> None:
    service.host.cut()
    try:
        wait(seconds)
    finally:
        service.host.mend()


def fill(folder: Path, seconds: float) -> None:
    """Fills the disk to its last byte, and frees it."""
    filler, block = folder / "filler", b"\0" * 2**16
    try:
        with filler.open("wb", buffering=0) as file:
            try:
                while file.write(block):
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
        wait(seconds)
    finally:
        filler.unlink()


def shift_clock(file: Path, by: int, seconds: float) -> None:
    file.write_text(str(by))
    try:
        wait(seconds)
    finally:
        file.write_text("0")
