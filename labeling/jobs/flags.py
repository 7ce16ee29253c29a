"""A flag that a signal handler may raise."""

from contextlib import suppress
from queue import Empty, SimpleQueue


class Flag:
    """Like `threading.Event`, whose lock would never come free if the handler interrupts the very thread that holds it
    for a moment, in `wait`: the process could no longer be told to stop.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._raised = SimpleQueue[None]()

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        self._raised.put(None)  # which, as documented, may interrupt `get`

    def clear(self) -> None:
        self._is_set = False
        while not self._raised.empty():
            self._raised.get()

    def wait(self, seconds: float) -> bool:
        """Returns whether it is set, at the latest after so many seconds: of several threads, setting it wakes one."""
        if not self._is_set:
            with suppress(Empty):
                self._raised.get(timeout=seconds)
        return self._is_set
