"""Requests made from the schema's examples, with their effects undone."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import transaction

from tests.doors.listed import DOORS, EVERY_DOOR

TAKES_NO_BODY = (
    "}/password/",
    "end-others/",
    "renew/",
    "release/",
    "close/",
    "reopen/",
    "consensus/",
    "discard/",
    "undo/",
    "/off/",
    "cancel/",
    "}/confirm/",
    "retry/",
)
TAKE_A_BODY = [
    (path, method)
    for path, method in EVERY_DOOR
    if method in {"POST", "PUT", "PATCH"}
    and not path.endswith(TAKES_NO_BODY)
    and (path, method) != ("session/second-factor/", "POST")
]
CONTENT_TYPES = ("text/plain", "multipart/form-data", "multipart/form-data; boundary=x", "nonsense", "")
BODIES: list[bytes] = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"[[]]",
    b"0",
    b'"text"',
    b"true",
    b"NaN",
    b"{}",
    b"\xff\xfe",
    b"\x00",
    b'{"a": 1e999}',
    b'{"a": Infinity}',
    b'{"": null}',
    b'{"\\u0000": "\\ud800"}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
]
OPERATIONS = {
    (re.sub(r"{[^}]*}", "{}", address.removeprefix("/api/")), method.upper()): operation
    for address, methods in json.loads(settings.OPENAPI.read_text())["paths"].items()
    for method, operation in methods.items()
}


def operation(path: str, method: str) -> dict[str, Any]:
    """Returns the operation's description in the schema."""
    found: dict[str, Any] = OPERATIONS[re.sub(r"{[^}]*}", "{}", path), method]
    return found


def example(path: str, method: str) -> dict[str, Any]:
    """Returns a valid body: the schema's first example."""
    kinds = operation(path, method)["requestBody"]["content"].values()
    return next(example["value"] for kind in kinds for example in kind["examples"].values())


def opens_for(path: str, method: str) -> str:
    return "holder" if "holder" in DOORS[path][method] else "superuser"


@contextmanager
def taken_back() -> Iterator[None]:
    """Undoes the block's changes: a token, say, can be deleted only once."""
    before = transaction.savepoint()
    yield
    transaction.savepoint_rollback(before)
