"""Hosts of a deployment: network namespaces on a bridge where root may make them, else this machine."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.running import libraries
from tests.running.servers import free_port

NETWORK, BRIDGE = "10.77.0", "switch"
APART = "STEPMARK_FAULTS_APART"
MOUNT = "/mnt"
MADE = f"mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && mount -t tmpfs tmpfs {MOUNT} && ip link set lo up"
NAMESPACES = ["--net", "--mount", "--mount-proc", "--pid", "--fork", "--kill-child"]
ENTER = ["unshare", *NAMESPACES, "sh", "-c", f'{MADE} && exec "$@"', "sh"]


@dataclass(frozen=True)
class Host:
    """A machine: `enter` are the words before a command that runs there, `link` its cable's end on the bridge."""

    name: str
    address: str
    enter: list[str]
    link: str = ""

    def port(self, usual: int) -> int:
        """Returns a port for a service: the usual one where the host has all to itself."""
        return usual if self.link else free_port()

    def cut(self) -> None:
        _ip("link", "set", self.link, "down")

    def mend(self) -> None:
        _ip("link", "set", self.link, "up")


def missing_namespaces() -> str:
    """Returns why hosts can't have networks of their own; empty if they can."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "unshare"))):
        return "network namespaces need root, iproute2 and util-linux"
    tried = subprocess.run([*ENTER, "ip", "netns", "add", "try"], capture_output=True, text=True, check=False)
    return tried.stderr.strip() if tried.returncode else ""


def go_apart() -> None:
    """Restarts this program in namespaces of its own, where possible. Networks, disks and processes made there vanish
    with it, however it ends; browsers outside would abort loads whenever a network comes or goes.
    """
    if not are_apart() and not missing_namespaces():
        os.environ.pop(libraries.SHARED, None)  # those of another machine would start programs there
        os.execvpe(ENTER[0], [*ENTER, *sys.orig_argv], os.environ | {APART: "1"})


def are_apart() -> bool:
    return APART in os.environ


def place() -> str:
    """Returns a parent for temporary folders that every user may enter."""
    return MOUNT if are_apart() else "/tmp"  # PostgreSQL's user can't enter root's TMPDIR


def hosts(names: list[str]) -> dict[str, Host]:
    """Returns hosts of these names, which reach one another, and which this process reaches."""
    if not are_apart():
        return {name: Host(name, "127.0.0.1", []) for name in names}
    _ip("link", "add", BRIDGE, "type", "bridge")
    _ip("address", "add", f"{NETWORK}.254/24", "dev", BRIDGE)
    _ip("link", "set", BRIDGE, "up")
    return {name: _plugged(name, number) for number, name in enumerate(names, start=1)}


def _plugged(name: str, number: int) -> Host:
    """Makes a namespace, and a cable from it to the bridge."""
    link, address = f"cable{number}", f"{NETWORK}.{number}"
    _ip("netns", "add", name)
    _ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name)
    _ip("link", "set", link, "master", BRIDGE, "up")
    _ip("-n", name, "address", "add", f"{address}/24", "dev", "eth0")
    _ip("-n", name, "link", "set", "eth0", "up")
    _ip("-n", name, "link", "set", "lo", "up")
    return Host(name, address, ["ip", "netns", "exec", name], link)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def disk(folder: Path, megabytes: int) -> bool:
    """Makes the folder, on a disk of this size if we are apart. Returns whether it has one."""
    folder.mkdir(parents=True, exist_ok=True)
    if are_apart():
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], check=True)
    return are_apart()
