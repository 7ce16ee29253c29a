"""msgspec's types of messages, ready for threads."""

from contextlib import suppress

from msgspec import Struct
from msgspec.json import Decoder


def complete_all() -> None:
    """Completes all types of messages that are loaded. To be called before threads read any.

    msgspec works out a type's fields when it first reads one, and marks it as done when it begins: if two threads read
    the first one at once, the process crashes. Types that nobody could read, as some library's may be, are left.
    """
    waiting = [Struct]
    while waiting:
        for found in waiting.pop().__subclasses__():
            with suppress(NameError, TypeError):
                Decoder(found)
            waiting.append(found)
