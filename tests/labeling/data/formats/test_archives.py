"""labeling.data.formats.files.archives: the samples of an `.eval` file; archives that are none, or damaged."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from labeling.data.formats.files import LineError, Unreadable, read_records
from tests.labeling.data.formats.traces.records import RECORDS


def archive(path: Path, members: dict[str, str]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def test_each_sample_is_a_record(tmp_path: Path) -> None:
    sample = json.dumps(RECORDS["inspect"])
    members = {"header.json": "{}", "samples/1_epoch_1.json": sample, "samples/2_epoch_1.json": "{bad"}
    done = list[int]()
    (first, record), second = read_records(archive(tmp_path / "log.eval", members), on_bytes=done.append)
    assert (first, record) == (1, RECORDS["inspect"])
    assert isinstance(second, LineError)
    assert second.line == 2
    assert done[-1] == (tmp_path / "log.eval").stat().st_size


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
