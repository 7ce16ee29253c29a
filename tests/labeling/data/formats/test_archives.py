"""labeling.data.formats.files: archives with samples, such as `.eval` files; damage, and disks that fail."""

from __future__ import annotations

import errno
import json
import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import hypothesis
import hypothesis.strategies as st
import pyarrow
import pytest
from pyarrow import parquet

from labeling.data.exporting.rewriting import rewrite
from labeling.data.formats.files import LineError, Unreadable, archives, read_records
from labeling.outages import Outage, outage_of
from tests.labeling.data.formats.traces.records import RECORDS


def archive(path: Path, members: dict[str, str], compression: int = ZIP_DEFLATED) -> Path:
    with ZipFile(path, "w", compression) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def packed_with_zstandard(path: Path, name: str, content: str) -> Path:
    """Writes a Zstandard archive as Inspect does, which zipfile can't."""
    data = content.encode()
    with ZipFile(path, "w") as file:
        file.writestr(name, pyarrow.compress(data, "zstd", asbytes=True))
    whole = bytearray(path.read_bytes())
    for at in (8, whole.index(b"PK\x01\x02") + 10):  # of the local header, and of the central directory
        whole[at : at + 2] = struct.pack("<H", archives.ZSTANDARD)
        whole[at + 6 : at + 10] = struct.pack("<I", zlib.crc32(data))
        whole[at + 14 : at + 18] = struct.pack("<I", len(data))
    path.write_bytes(whole)
    return path


def test_zstandard_is_unpacked_copied_and_checked(tmp_path: Path) -> None:
    path = packed_with_zstandard(tmp_path / "log.eval", "samples/1.json", json.dumps(RECORDS["inspect"]))
    assert [*read_records(path)] == [(1, RECORDS["inspect"])]
    with (tmp_path / "copy.eval").open("wb") as copy:
        rewrite(path, copy, lambda record: {**record, "seen": True})
    assert [*read_records(tmp_path / "copy.eval")] == [(1, {**RECORDS["inspect"], "seen": True})]
    (error,) = read_records(path, max_line_bytes=100)
    assert "longer than 100 bytes" in str(error)
    whole = path.read_bytes()
    for at in (60, whole.index(b"PK\x01\x02") + 16):  # the data; the checksum in the directory
        path.write_bytes(whole[:at] + bytes(4) + whole[at + 4 :])
        (error,) = read_records(path)
        assert "damaged" in str(error)


def test_each_sample_is_a_record(tmp_path: Path) -> None:
    sample = json.dumps(RECORDS["inspect"])
    members = {"header.json": "{}", "samples/a/1_epoch_1.json": sample, "samples/2_epoch_1.json": "{bad"}
    done = list[int]()
    (first, record), second = read_records(archive(tmp_path / "log.eval", members), on_bytes=done.append)
    assert (first, record) == (1, RECORDS["inspect"])
    assert isinstance(second, LineError)
    assert second.line == 2
    assert done[-1] == (tmp_path / "log.eval").stat().st_size


def test_a_sample_in_parts_is_refused_with_the_command_that_converts_it(tmp_path: Path) -> None:
    parts = {"sample.json": "{}", "messages/0.json": "[]", "events/stats.json": "{}"}
    members = {f"samples/1_epoch_1/{name}": content for name, content in parts.items()}
    (error,) = read_records(archive(tmp_path / "log.eval", members))
    assert "inspect log convert" in str(error)


@pytest.mark.parametrize("name", ["records.jsonl", "../samples/1.json", "samples/../../1.json", "/samples/1.json"])
def test_an_archive_without_samples_is_told_to_be_unpacked(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unreadable, match="ZIP archive; unpack it first"):
        list(read_records(archive(tmp_path / "a.zip", {name: "{}"})))


def test_a_sample_that_unpacks_to_more_than_the_limit_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "bomb.eval", {"samples/1.json": '{"id": "' + "a" * 100_000 + '"}'})
    assert path.stat().st_size < 1000
    (error,) = read_records(path, max_line_bytes=1000)
    assert "longer than 1,000 bytes" in str(error)


def test_a_damaged_sample_is_a_bad_line_and_a_cut_archive_unreadable(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.eval", {"samples/1.json": json.dumps(RECORDS["inspect"])})
    whole = path.read_bytes()
    path.write_bytes(whole[:60] + b"\0\0\0\0" + whole[64:])
    (error,) = read_records(path)
    assert "damaged" in str(error)
    path.write_bytes(whole[:-40])
    with pytest.raises(Unreadable, match="cut off"):
        list(read_records(path))


SAMPLE = {"samples/1.json": json.dumps(RECORDS["inspect"]), "header.json": "{}"}
COMPRESSIONS = [ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA, archives.ZSTANDARD]


@pytest.fixture(scope="module")
def whole_archives(tmp_path_factory: pytest.TempPathFactory) -> dict[int, bytes]:
    folder = tmp_path_factory.mktemp("archives")
    found = {kind: archive(folder / f"{kind}.eval", SAMPLE, kind).read_bytes() for kind in COMPRESSIONS[:-1]}
    with_zstandard = packed_with_zstandard(folder / "93.eval", *next(iter(SAMPLE.items())))
    return found | {archives.ZSTANDARD: with_zstandard.read_bytes()}


@pytest.mark.parametrize("compression", COMPRESSIONS)
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=100, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_any_damage_gives_samples_and_bad_lines_or_a_readable_error(
    compression: int, whole_archives: dict[int, bytes], tmp_path: Path, data: st.DataObject
) -> None:
    content = bytearray(whole_archives[compression])
    for at in data.draw(st.lists(st.integers(4, len(content) - 1), min_size=1, max_size=3)):
        content[at] = data.draw(st.integers(0, 255))
    path = tmp_path / "log.eval"
    path.write_bytes(content[: data.draw(st.none() | st.integers(4, len(content)))])
    for act in (lambda: list(read_records(path)), lambda: rewrite(path, BytesIO(), dict)):
        try:
            act()
        except Unreadable as error:
            assert str(error).endswith(".")


class Full(BytesIO):
    def write(self, data: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_no_damage_of_the_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.eval", SAMPLE)
    with pytest.raises(OSError, match="No space left") as caught:
        rewrite(path, Full(), dict)
    assert outage_of(caught.value) == Outage.DISK


@pytest.mark.parametrize("act", [lambda path: list(read_records(path)), lambda path: rewrite(path, BytesIO(), dict)])
def test_a_disk_error_is_no_damage_of_the_archive(act: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "log.eval", SAMPLE)

    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("zipfile.ZipExtFile.read", fail)
    with pytest.raises(OSError, match="Input/output error"):
        act(path)


@pytest.mark.parametrize(("error", "raised"), [((errno.EIO, "It fails"), OSError), (("Unexpected end",), Unreadable)])
def test_a_disk_error_is_no_damage_of_parquet(
    error: tuple[object, ...], raised: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet.write_table(pyarrow.Table.from_pylist([{"a": 1}]), tmp_path / "x.parquet")

    def fail(*_: object) -> None:
        raise OSError(*error)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", fail)
    with pytest.raises(raised):
        list(read_records(tmp_path / "x.parquet"))


def test_parquet_text_that_is_not_utf_8_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([{"a": "café"}]), path, compression="none")
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xe9 "))
    with pytest.raises(Unreadable, match="damaged"):
        list(read_records(path))
