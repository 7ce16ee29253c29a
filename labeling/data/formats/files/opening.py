"""Opens a file as unpacked UTF-8: compression and encoding are told by its bytes, never by its name."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import re
import zlib
from collections.abc import Callable
from io import BufferedReader, RawIOBase
from typing import Any

from labeling.data.formats.files.errors import is_of_the_disk
from labeling.data.formats.files.zstandard import ZstdError, ZstdFile

CHUNK = 1 << 18
# By the first bytes of their files: the name, and the reader.
COMPRESSIONS: dict[bytes, tuple[str, Callable[[BufferedReader], Any]]] = {
    b"\x1f\x8b": ("gzip", lambda stream: gzip.GzipFile(fileobj=stream)),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ": ("xz", lzma.LZMAFile),
    b"\x28\xb5\x2f\xfd": ("Zstandard", ZstdFile),
}
DAMAGED = (EOFError, zlib.error, OSError, lzma.LZMAError, ZstdError)
MOST_LAYERS = 3  # a .gz of a .gz comes about by mistake
# In this order: UTF-32's little-endian mark begins as UTF-16's does.
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
# Without a mark, by the zeros beside the first ASCII characters.
ZEROS = {
    rb"[^\0]\0{3}[^\0]\0{3}": "utf-32-le",
    rb"\0{3}[^\0]\0{3}[^\0]": "utf-32-be",
    rb"([^\0]\0){4}": "utf-16-le",
    rb"(\0[^\0]){4}": "utf-16-be",
}


class _Readable(RawIOBase):
    """A stream whose bytes are made on demand: a subclass's `_next` returns some, none at the end."""

    def __init__(self) -> None:
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        self._left = self._left or self._next(len(into))
        count = min(len(into), len(self._left))
        into[:count], self._left = self._left[:count], self._left[count:]
        return count

    def _next(self, size: int) -> bytes:
        raise NotImplementedError


class _Unpacked(_Readable):
    """An unpacked stream that gives all bytes before damage: raising at once would lose them."""

    def __init__(self, name: str, packed: Any, damage: list[str]) -> None:
        super().__init__()
        self._name, self._packed, self._damage = name, packed, damage

    def _next(self, size: int) -> bytes:
        try:
            return bytes(self._packed.read1(size)) if not self._damage else b""
        except DAMAGED as error:
            if is_of_the_disk(error):
                raise
            self._damage.append(f"the {self._name} file is cut off or damaged here ({error})")
            return b""


class _AsUtf8(_Readable):
    """A stream as UTF-8. Lone surrogates become three bytes, which are invalid, so their line is read leniently."""

    def __init__(self, stream: BufferedReader, encoding: str, damage: list[str]) -> None:
        super().__init__()
        self._stream, self._encoding, self._damage = stream, encoding, damage
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")

    def _next(self, size: int) -> bytes:
        while not self._damage and (chunk := self._stream.read(size)):
            if text := self._text(chunk):
                return text.encode("utf-8", "surrogatepass")
        return b""

    def _text(self, chunk: bytes) -> str:
        try:
            return self._decoder.decode(chunk)
        except UnicodeDecodeError as error:
            self._damage.append(f"no {self._encoding.upper()} from here on ({error.reason})")
            return bytes(error.object[: error.start]).decode(self._encoding, "surrogatepass")


class _Rejoined(_Readable):
    def __init__(self, head: bytes, stream: BufferedReader) -> None:
        super().__init__()
        self._left, self._stream = head, stream

    def _next(self, size: int) -> bytes:
        return self._stream.read(size)


def unpacked(file: BufferedReader, damage: list[str]) -> BufferedReader:
    """Returns the stream inside all layers of compression. A damaged layer ends early, as ``damage`` reports."""
    for _ in range(MOST_LAYERS):
        start = file.peek(8)[:8]
        found = next((each for mark, each in COMPRESSIONS.items() if start.startswith(mark)), None)
        if found is None:
            break
        name, unpack = found
        file = BufferedReader(_Unpacked(name, unpack(file), damage), CHUNK)
    return file


def decoded(stream: BufferedReader, damage: list[str]) -> BufferedReader:
    """Returns the stream as UTF-8, without byte order mark. Invalid bytes end it, as ``damage`` reports."""
    start = stream.peek(8)[:8]
    for mark, encoding in MARKS.items():
        if start.startswith(mark):
            stream.read(len(mark))
            return stream if encoding == "utf-8" else _recoded(stream, encoding, damage)
    encoding = next((encoding for zeros, encoding in ZEROS.items() if re.match(zeros, start)), "")
    return _recoded(stream, encoding, damage) if encoding else stream


def _recoded(stream: BufferedReader, encoding: str, damage: list[str]) -> BufferedReader:
    return BufferedReader(_AsUtf8(stream, encoding, damage), CHUNK)


def rejoined(head: bytes, stream: BufferedReader) -> BufferedReader:
    """The stream with what was read of it put back."""
    return BufferedReader(_Rejoined(head, stream), CHUNK)
