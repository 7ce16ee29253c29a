import gzip
import json

import pytest

from labeling.data.formats import jsonl
from labeling.data.formats.jsonl import LineError


def read(tmp_path, content: bytes, **options):
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    return list(jsonl.read(path, **options))


def test_it_reads_plain_and_gzipped_lines(tmp_path):
    content = b'\xef\xbb\xbf{"a": 1}\n\n{"b": "\xc3\xa9"}'
    expected = [(1, {"a": 1}), (3, {"b": "é"})]
    assert read(tmp_path, content) == expected
    assert read(tmp_path, gzip.compress(content)) == expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'"a"', "not a JSON object"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": 1, "b": 2, "a": 3}', "the key “a” appears twice"),
        (b'{"a": [{"b": 1, "b" : 1}]}', "the key “b” appears twice"),
        (b'{"a": NaN}', "invalid character (byte 6)"),
        (b'{"a": "\\u0000"}', "NUL"),
        (b'{"a": "\\ud800 and on"}', "surrogate"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not JSON"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(tmp_path, line, reason):
    first, bad, last = read(tmp_path, b'{"a": 1}\n' + line + b'\n{"a": 3}\n')
    assert (first, last) == ((1, {"a": 1}), (3, {"a": 3}))
    assert isinstance(bad, LineError)
    assert bad.line == 2
    assert reason in bad.reason


def test_a_written_backslash_u_is_no_nul_character(tmp_path):
    assert read(tmp_path, b'{"a": "\\\\u0000 \\u00e9"}') == [(1, {"a": "\\u0000 é"})]


def test_a_line_of_ten_megabytes_is_left_out_without_holding_it(tmp_path):
    content = b'{"a": "' + b"x" * 10_000_000 + b'"}\n{"a": 2}\n'
    bad, good = read(tmp_path, content)
    assert str(bad) == "line 1: longer than 8,388,608 bytes"
    assert good == (2, {"a": 2})


@pytest.mark.parametrize("size", [9, 10, 11])
def test_the_limit_is_exact(tmp_path, size):
    line = b'{"a":"' + b"x" * (size - 8) + b'"}'
    assert len(line) == size
    (item, last) = read(tmp_path, line + b"\n{}", max_line_bytes=10)
    assert isinstance(item, LineError) == (size > 10)
    assert last == (2, {})


def test_a_truncated_gzip_file_is_an_error_after_the_lines_before(tmp_path):
    content = gzip.compress(b'{"a": 1}\n' + bytes(range(256)) * 1000)[:-200]
    *_, last = read(tmp_path, content)
    assert isinstance(last, LineError)
    assert "gzip" in last.reason


def test_bytes_read_are_told(tmp_path):
    told = []
    read(tmp_path, b'{"a": 1}\n{"a": 2}\n', on_bytes=told.append)
    assert told[-1] == 18


@pytest.mark.parametrize("line", [b'{"a" : {"a":1}, "b": "\\":"}', b'{"a": "\\"a\\": 1, \\"a\\": 2"}'])
def test_what_only_looks_like_a_repeated_key_is_read(tmp_path, line):
    assert read(tmp_path, line) == [(1, json.loads(line))]


@pytest.fixture
def little_waste(monkeypatch):
    monkeypatch.setattr(jsonl, "MAX_WASTE_BYTES", 1 << 20)


@pytest.mark.parametrize("waste", [b"\n", b" ", b"x", b"\0", b" \n\t"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_goes_on_without_a_record_is_given_up(tmp_path, little_waste, waste, pack):
    first, *_, last = read(tmp_path, pack(b'{"a": 1}\n' + waste * (20 << 20) + b"\n{}"))
    assert first == (1, {"a": 1})
    assert last.reason == "1 MB without a record; the rest of the file was not read"


def test_blank_lines_are_counted(tmp_path):
    content = b"\n" * 1_000_000 + b" \n{}\n" + b"\n" * 1_000_000 + b'{"a": 1}'
    assert read(tmp_path, content) == [(1_000_002, {}), (2_000_003, {"a": 1})]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[" * 1_000_000, "nested more than 500 deep"),
        (b'["' + b"x" * 20_000_000, "an item of the array is longer than 8,388,608 bytes"),
        (b'["' + b"\\\\" * 10_000_000, "an item of the array is longer than 8,388,608 bytes"),
        (b'[{"a": 1},' + b" " * 20_000_000 + b"{}]", "an item of the array is longer than 8,388,608 bytes"),
    ],
)
def test_an_array_that_does_not_end_is_given_up(tmp_path, content, reason):
    *_, last = read(tmp_path, content)
    assert last.reason.startswith(reason)


def test_what_looks_on_can_end_the_reading_where_no_record_comes(tmp_path):
    (tmp_path / "blank.jsonl").write_bytes(b"\n" * 50_000_000)

    def enough(done):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        next(jsonl.read(tmp_path / "blank.jsonl", on_bytes=enough))
