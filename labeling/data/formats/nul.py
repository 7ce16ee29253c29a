"""NUL characters, which tools print and no database text can hold."""

from __future__ import annotations

import re

from labeling.data.formats.notes import Notes

NUL, INSTEAD = "\0", "\N{REPLACEMENT CHARACTER}"
REPLACED = f"NUL characters replaced by {INSTEAD}"
HELD = "it has a NUL character, which no database text can hold"
# An odd number of backslashes before u0000: after an even one it is the text “\\u0000”, not the character.
ESCAPE = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def replaced(encoded: bytes, notes: Notes, *, line: int = 0) -> bytes:
    """Returns the JSON with U+FFFD for each NUL character; counts them in the notes."""
    if b"\\u0000" not in encoded:
        return encoded
    encoded, count = ESCAPE.subn(rb"\1\\ufffd", encoded)
    if count:
        notes.add(REPLACED, count, line=line)
    return encoded


def is_in(encoded: bytes) -> bool:
    """Returns whether a text of the JSON has a NUL character."""
    return b"\\u0000" in encoded and ESCAPE.search(encoded) is not None
