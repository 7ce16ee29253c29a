"""A flag that a signal handler may raise."""

from contextlib import suppress
from queue import Empty, SimpleQueue


class Flag:
    """An event that a signal handler may set. The lock of `threading.Event` would never be released if the handler
    interrupted the thread that holds it in `wait`, and the process could no longer be told to stop.
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
        """Waits for the flag, at most this long. Returns whether it is set. Setting it wakes one of several threads."""
        if not self._is_set:
            with suppress(Empty):
                self._raised.get(timeout=seconds)
        return self._is_set
