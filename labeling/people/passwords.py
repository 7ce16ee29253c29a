"""The rules of new passwords, besides Django's own: not blank, and in no list of passwords that were breached."""

import hashlib
import os
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from labeling.models import User


def check(password: str, *, username: str = "") -> str:
    """Returns the password. Raises ValidationError if it breaks a rule, such as being like the user name."""
    validate_password(password, User(username=username))
    return password


class NotBlank:
    """Refuses passwords of one or two characters, repeated: of spaces, above all."""

    def validate(self, password: str, user: Any = None) -> None:
        if len(set(password)) < 3:
            raise ValidationError("This password is one or two characters, repeated.", code="password_blank")

    def get_help_text(self) -> str:
        return "Your password can’t be one or two characters, repeated."


class NotBreached:
    """Refuses the passwords in a file of SHA-1 hashes, one a line, sorted, as haveibeenpwned.com offers it.

    The file is searched in place: a few blocks of its 40 GB are read.
    """

    def __init__(self, file: str) -> None:
        self.file = Path(file)

    def validate(self, password: str, user: Any = None) -> None:
        wanted = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
        with self.file.open("rb") as file:
            if _first_at_least(wanted, file).startswith(wanted):
                message = "This password is in a list of passwords that were stolen elsewhere: choose another."
                raise ValidationError(message, code="password_breached")

    def get_help_text(self) -> str:
        return "Your password can’t be one that was stolen elsewhere."


def _first_at_least(wanted: bytes, file: BinaryIO) -> bytes:
    """The first line that doesn't sort before the wanted one; empty if all do. Letters may be of either case."""
    low, high = 0, file.seek(0, os.SEEK_END)
    while low < high:
        middle = (low + high) // 2
        line = _line_after(middle, file)
        if line and line < wanted:
            low = middle + 1
        else:
            high = middle
    return _line_after(low, file)


def _line_after(place: int, file: BinaryIO) -> bytes:
    """The first line that begins at the place or after it."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    return file.readline().upper()
