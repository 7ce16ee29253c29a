import bz2
import csv
import gzip
import json
import lzma
import random
import sys
import tracemalloc
from datetime import UTC, datetime
from io import StringIO

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from labeling.data.formats import files
from labeling.data.formats.files import LineError, Unreadable, items, lines
from labeling.data.formats.notes import Notes
from labeling.data.paused_gc import paused_gc
from labeling.errors import DomainError

RECORDS = [{"a": 1, "b": "é"}, {"a": 2, "b": "x,;\t|"}]
PACKED = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "Zstandard": zstd.compress}


def read(tmp_path, content: bytes, **options):
    path = tmp_path / "file.jsonl"
    path.write_bytes(content)
    with paused_gc():  # as in imports: a finalizer might run, and fail, deep in a recursion
        return list(files.read_records(path, **options))


def lines_of(*records) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


TEXTS = {
    "lines": lines_of(*RECORDS),
    "windows": lines_of(*RECORDS).replace("\n", "\r\n"),
    "blank_above": "\n \n" + lines_of(*RECORDS),
    "array": json.dumps(RECORDS),
    "pretty_array": json.dumps(RECORDS, indent=2),
    "blank_above_array": "\n\n" + json.dumps(RECORDS),
    "wrapped": json.dumps({"version": "1", "data": RECORDS, "count": 2}),
    "pretty_wrapped": json.dumps({"info": {"by": ["me"]}, "rows": RECORDS}, indent=1),
    "wrapped_lines": '{"data": [\n' + ",\n".join(map(json.dumps, RECORDS)) + "\n]}",
    "pretty_one_after_another": "\n".join(json.dumps(record, indent=4) for record in RECORDS),
    "commas_without_brackets": ",\n".join(json.dumps(record, indent=4) for record in RECORDS),
    "comment_above": "// written by a program\n" + json.dumps(RECORDS),
    "comments_above_lines": "# one\n# two\n" + lines_of(*RECORDS),
    "block_comment": "/* by hand\n[ */\n" + json.dumps(RECORDS, indent=1),
    "encoded_twice": lines_of(*map(json.dumps, RECORDS)),
    "nested": lines_of(*({"row_idx": at, "row": record} for at, record in enumerate(RECORDS))),
    "hub_api": json.dumps(
        {"features": [{"feature_idx": 0}], "rows": [{"row_idx": 0, "row": record} for record in RECORDS]}
    ),
    "elastic_api": json.dumps({"took": 1, "hits": {"total": 2, "hits": [{"_source": record} for record in RECORDS]}}),
    "two_keys_deep": json.dumps({"result": {"items": RECORDS}, "ok": True}, indent=2),
    "commas_after_lines": ",\n".join(map(json.dumps, RECORDS)) + ",\n",
    "elastic": lines_of(*({"_index": "i", "_source": record} for record in RECORDS)),
}
ENCODINGS = {
    "utf-8": "utf-8",
    "utf-8-sig": "utf-8-sig",
    "utf-16": "utf-16",
    "utf-32": "utf-32",
    "utf-16-le": "utf-16-le",
    "utf-16-be": "utf-16-be",
    "utf-32-be": "utf-32-be",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_the_same_records_are_read_whatever_holds_them(tmp_path, name, encoding, pack):
    found = read(tmp_path, pack(TEXTS[name].encode(encoding)))
    assert [record for _, record in found] == RECORDS


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [{"role": "user", "content": "1?"}], "model": "x"},
        {"conversations": [{"role": "user", "content": "1?"}]},
        {"problem": "1?", "choices": [{"text": "a"}]},
        {"question": {"problem": "1?"}, "label": {"steps": [{"completions": []}]}},
        {"id": 1, "steps": [{"text": "a"}]},
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("count", [1, 2, 3000])
def test_a_record_with_a_list_of_objects_is_a_record(tmp_path, record, indent, count):
    found = read(tmp_path, "\n".join([json.dumps(record, indent=indent)] * count).encode())
    assert [item[1] for item in found] == [record] * count


@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_document_is_read_in_little_memory(tmp_path, indent):
    many = [{"n": number, "text": "x" * 6000} for number in range(5000)]
    (tmp_path / "large.json").write_text(json.dumps({"meta": {"a": [1]}, "data": many}, indent=indent))
    tracemalloc.start()
    assert sum(item[1]["n"] for item in files.read_records(tmp_path / "large.json")) == sum(range(5000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 << 20  # its first line is looked at up to 8 MB


def test_items_are_numbered_by_the_line_where_they_begin(tmp_path):
    for text in (json.dumps(RECORDS, indent=1), json.dumps({"data": RECORDS}, indent=1)):
        (first, _), (second, _) = read(tmp_path, text.encode())
        rows = text.split("\n")
        assert rows[first - 1].strip() == rows[second - 1].strip() == "{"
        assert second - first == 4


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"train": [{"a": 1}], "test": [{"a": 2}]}', "there is another list, “test”; the rest of the file"),
        (b'[{"a": 1}]\n[{"a": 2}]', "something follows the end of the list; the rest of the file"),
    ],
)
def test_unread_parts_of_a_document_are_reported(tmp_path, content, reason):
    first, last = read(tmp_path, content)
    assert first == (1, {"a": 1})
    assert last.reason.startswith(reason)


@pytest.mark.parametrize(("mark", "quoting"), [(",", 0), (";", 0), ("\t", 0), ("|", 0), (",", 1)])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_csv_rows_are_records(tmp_path, mark, quoting, encoding, end, pack):
    rows = [["problem", "text", "my column"], ["1 + 1?", f'a{mark} "b"\n\nc', ""], ["é?", "d", "e"], ["2?", "f", "g"]]
    written = StringIO(newline="")
    csv.writer(written, delimiter=mark, quoting=quoting, lineterminator=end).writerows(rows)
    found = read(tmp_path, pack(written.getvalue().encode(encoding)))
    assert [record for _, record in found] == [
        {"problem": "1 + 1?", "text": f'a{mark} "b"\n\nc', "my column": None},
        {"problem": "é?", "text": "d", "my column": "e"},
        {"problem": "2?", "text": "f", "my column": "g"},
    ]
    assert [line for line, _ in found] == [2, 5, 6]


def test_bad_csv_rows_are_named(tmp_path):
    found = read(tmp_path, b",a,b\n0,1,2\n1,2\n2,caf\xe9,3\n\n3,x\0,1\n4,5,6\n")
    assert [item if isinstance(item, tuple) else (item.line, item.reason.split(":")[0]) for item in found] == [
        (2, {"a": "1", "b": "2"}),
        (3, "the row has 2 cells, but there are 3 columns"),
        (4, "not UTF-8"),
        (6, "it has a NUL character, which no database text can hold"),
        (7, {"a": "5", "b": "6"}),
    ]


def test_an_unclosed_quote_ends_the_reading(tmp_path):
    *_, last = read(tmp_path, b'a,b\n1,2\n"' + b"x,\n" * 4_000_000)
    assert last.line == 3
    assert "not CSV (field larger than field limit" in last.reason


def test_parquet_rows_are_records(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    rows = [
        {"n": 1.5, "texts": ["a", "b"], "parts": [{"text": "x"}], "at": datetime(2023, 2, 1, 10, tzinfo=UTC)},
        {"n": float("nan"), "texts": None, "parts": [], "at": None},
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "x.bin")
    notes, told = Notes(), list[int]()
    found = list(files.read_records(tmp_path / "x.bin", notes=notes, on_bytes=told.append))
    assert found == [
        (1, rows[0] | {"at": "2023-02-01T10:00:00+00:00"}),
        (2, {"n": None, "texts": None, "parts": [], "at": None}),
    ]
    assert list(notes) == [("NaN or Infinity read as null", 1, [2])]
    assert told[-1] == (tmp_path / "x.bin").stat().st_size


def test_without_pyarrow_parquet_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DomainError, match="pip install 'stepmark"):
        read(tmp_path, b"PAR1" + bytes(100))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04" + bytes(100), "a ZIP archive; unpack it"),
        (b"%PDF-1.7\n", "a PDF document; convert it"),
        (b"SQLite format 3\0" + bytes(100), "an SQLite database; convert it"),
        (b"PAR1" + bytes(100), "Parquet file"),
        (b"ARROW1\0\0", "an Arrow file; convert it"),
        (b"\x80\x04\x95" + bytes(20), "a pickle"),
        (b"\x01\x02\0\0\0\x03" * 20, "a binary file"),
        (bytes(257) + b"ustar" + bytes(300), "a tar archive"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n", "not the file: run git lfs pull"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html><html>", "a web page .HTML., not the file"),
        (b"<HTML lang=en>", "a web page"),
        (b'<?xml version="1.0"?>', "XML"),
        (b"---\nproblem: x\n", "YAML"),
        (b'{"a": {"0": "x", "1": "y"}, "b": {"0": 1, "1": 2}}', "by columns: .* orient='records', lines=True"),
        (b'{"a": {"0": "' + b"x" * 9_000_000 + b'"}}', "by columns"),
        (b'{"a": ["x", "y"], "b": [1, 2]}', "by columns"),
        (b'{"columns": ["a"], "index": [0], "data": [["x"]]}', "by columns"),
        (b'{"id": "1", "fields": {"a": 1}, "responses": {}}', "an Argilla export"),
        (b'[{"id": 1, "data": {"a": 1}, "annotations": [{"result": []}]}]', "a Label Studio export"),
        (b'{"id": 1, "data": {"a": 1}, "annotations": [{"result": []}]}', "a Label Studio export"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_that_can_not_be_read_is_named_with_what_to_do(tmp_path, content, said, pack):
    with pytest.raises(Unreadable, match="^This .*" + said) as caught:
        list(read(tmp_path, pack(content)))
    assert str(caught.value).count(". ") == 0, "one sentence"


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(Unreadable, match="is a folder"):
        next(files.read_records(tmp_path))
    with pytest.raises(Unreadable, match="can't be opened: No such file"):
        next(files.read_records(tmp_path / "none"))


def test_json_variants_of_other_programs_are_read_and_counted(tmp_path):
    notes = Notes()
    lines = (
        b'{"a": NaN, "b": [Infinity, -Infinity]}',
        b'{"a": "smile \\ud83d please \\ud83d\\ude00"}',
        b'{"a": "\xed\xa0\xbd"}',
        b'{"a": "NaN", "b": "\\\\ud83d"}',
        b'"{\\"a\\": 1}"',
    )
    assert read(tmp_path, b"\n".join(lines), notes=notes) == [
        (1, {"a": None, "b": [None, None]}),
        (2, {"a": "smile \ufffd please 😀"}),
        (3, {"a": "\ufffd"}),
        (4, {"a": "NaN", "b": "\\ud83d"}),
        (5, {"a": 1}),
    ]
    assert [(many, where) for _, many, where in notes] == [(3, [1]), (2, [2, 3]), (1, [5])]


def test_half_characters_of_utf_16_are_replaced(tmp_path):
    content = '{"a": "\ud83d!"}\n{"a": 2}'.encode("utf-16", "surrogatepass")
    assert read(tmp_path, content) == [(1, {"a": "\ufffd!"}), (2, {"a": 2})]


@pytest.mark.parametrize("parts", [2, 5])
def test_gzip_members_one_after_another_and_within_one_another(tmp_path, parts):
    content = b"".join(gzip.compress(b'{"a": %d}\n' % part) for part in range(parts))
    expected = [(part + 1, {"a": part}) for part in range(parts)]
    assert read(tmp_path, content) == read(tmp_path, gzip.compress(content)) == expected


@pytest.mark.parametrize("compress", PACKED.values(), ids=PACKED)
def test_it_reads_plain_and_compressed_lines(tmp_path, compress):
    content = b'\xef\xbb\xbf{"a": 1}\n\n{"b": "\xc3\xa9"}'
    expected = [(1, {"a": 1}), (3, {"b": "é"})]
    assert read(tmp_path, content) == expected
    assert read(tmp_path, compress(content)) == expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'"a"', "not a JSON object"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": 1, "b": 2, "a": 3}', "the key “a” appears twice"),
        (b'{"a": [{"b": 1, "b" : 1}]}', "the key “b” appears twice"),
        (b"{'a': 1}", "Python: write it with json.dumps"),
        (b'{"a": nan}', "not JSON"),
        (b'{"a": NaN, "a": 1}', "appears twice"),
        (b'"{\\"a\\": "', "not JSON"),
        (b"# a comment", "a comment"),
        (b'"[{}]"', "a list inside a JSON string"),
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


def test_nul_characters_are_replaced_and_counted(tmp_path):
    notes = Notes()
    assert read(tmp_path, b'{"a": "x\\u0000\\\\\\u0000"}', notes=notes) == [(1, {"a": "x\ufffd\\\ufffd"})]
    assert [(what, many) for what, many, _ in notes] == [("NUL characters replaced by \ufffd", 2)]


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


@pytest.mark.parametrize(("name", "compress"), PACKED.items(), ids=PACKED)
def test_a_truncated_file_is_an_error_after_the_lines_before(tmp_path, name, compress):
    # Larger than a block of bzip2: a block that is cut off yields nothing.
    content = compress(b'{"a": 1}\n' + random.Random(1).randbytes(1_000_000))[:-200]
    first, *_, last = read(tmp_path, content)
    assert first == (1, {"a": 1})
    assert isinstance(last, LineError)
    assert name in last.reason


def test_bytes_read_are_reported(tmp_path):
    told = []
    read(tmp_path, b'{"a": 1}\n{"a": 2}\n', on_bytes=told.append)
    assert told[-1] == 18


@pytest.mark.parametrize("line", [b'{"a" : {"a":1}, "b": "\\":"}', b'{"a": "\\"a\\": 1, \\"a\\": 2"}'])
def test_text_that_only_looks_like_a_repeated_key_is_read(tmp_path, line):
    assert read(tmp_path, line) == [(1, json.loads(line))]


@pytest.fixture
def little_waste(monkeypatch):
    monkeypatch.setattr(lines, "MAX_WASTE_BYTES", 1 << 20)


@pytest.mark.parametrize("waste", [b"\n", b" ", b"x", b"\0", b" \n\t"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_long_stretch_without_a_record_ends_the_reading(tmp_path, little_waste, waste, pack):
    first, *_, last = read(tmp_path, pack(b'{"a": 1}\n' + waste * (4 << 20) + b"\n{}"))
    assert first == (1, {"a": 1})
    assert last.reason == "1 MB without a record; the rest of the file was not read"


def test_blank_lines_are_counted(tmp_path):
    content = b"\n" * 1_000_000 + b" \n{}\n" + b"\n" * 1_000_000 + b'{"a": 1}'
    assert read(tmp_path, content) == [(1_000_002, {}), (2_000_003, {"a": 1})]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[" * 1_000_000, "nested more than 500 deep"),
        (b'["' + b"x" * 10_000_000, "an item of the file is longer than 8,388,608 bytes"),
        (b'["' + b"\\\\" * 5_000_000, "an item of the file is longer than 8,388,608 bytes"),
        (b'[{"a": 1},' + b" " * 20_000_000 + b"{}]", "an item of the file is longer than 8,388,608 bytes"),
    ],
)
def test_an_endless_array_ends_the_reading(tmp_path, content, reason):
    *_, last = read(tmp_path, content)
    assert last.reason.startswith(reason)


def test_the_callback_can_end_the_reading_of_blank_lines(tmp_path):
    (tmp_path / "blank.jsonl").write_bytes(b"\n" * 50_000_000)

    def enough(done):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        next(files.read_records(tmp_path / "blank.jsonl", on_bytes=enough))


@given(st.text('"\\ab[]{},\n', max_size=30).map(str.encode))
def test_tokens_are_strings_and_the_marks_outside_of_them(text):
    found = [(match.start(), match[0]) for match in items.TOKEN.finditer(text)]
    assert found == [*_tokens(text)]


def _tokens(text):
    at = 0
    while at < len(text):
        begin, sign = at, text[at : at + 1]
        at += 1
        if sign == b'"':
            while at < len(text) and text[at : at + 1] != b'"':
                at += 2 if text[at : at + 1] == b"\\" else 1
            at += 1
        if sign in b'"[]{},':
            yield begin, text[begin:at]
