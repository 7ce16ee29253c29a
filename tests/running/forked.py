"""Runs Python programs in forks of a process that has loaded their libraries, which takes longer than most of them do.

Run as a program, it takes the address of such a process (tests/running/libraries.py) and Python's arguments, and stands
for `python`: same input, output, environment, folder, signals and status. It imports little: it starts every time.
"""

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from subprocess import TimeoutExpired

LONGEST = 1 << 20  # bytes of a request: arguments and environment


class Program:
    """A running program, as `subprocess.Popen` shows one."""

    def __init__(
        self, address: str, arguments: Sequence[str], folder: str, environment: Mapping[str, str], files: Sequence[int]
    ) -> None:
        self.returncode: int | None = None
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._connection.connect(address)
        request = json.dumps({"arguments": list(arguments), "folder": folder, "environment": dict(environment)})
        socket.send_fds(self._connection, [request.encode()], files)
        self.pid = int(self._connection.recv(LONGEST))

    def poll(self) -> int | None:
        try:
            return self.wait(timeout=0)
        except TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                self.returncode = int(self._connection.recv(LONGEST))
            except (BlockingIOError, TimeoutError):
                raise TimeoutExpired(str(self.pid), timeout or 0) from None
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def main() -> int:
    program = Program(sys.argv[1], sys.argv[2:], os.getcwd(), os.environ, (0, 1, 2))  # noqa: PTH109  pathlib is slow
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: os.kill(program.pid, number))
    status = program.wait()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
