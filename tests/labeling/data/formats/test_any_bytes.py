"""Files of any bytes give records, bad lines, or a readable error."""

import gzip
import json

import hypothesis
import hypothesis.strategies as st

from labeling.data.formats import files
from labeling.data.formats.files import LineError
from labeling.data.formats.files.decoding import decode
from labeling.data.formats.notes import Notes
from labeling.errors import DomainError

PIECES = [
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b",",
        b":",
        b"\\",
        b"\n",
        b"\r\n",
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1f\x8b",
    ),
    *(
        b'{"a": 1}',
        b'{"data": [{"a": 1}, {',
        b'"problem","text"\n',
        b"a;b\n1;2\n",
        b"PAR1",
        b"NaN",
        b"\\ud83d",
        b"// x\n",
    ),
    *('{"a": 1}\n'.encode("utf-16"), gzip.compress(b'{"a": 1}\n'), '[{"a": "'.encode("utf-32-be")),
]


@hypothesis.given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=12).map(b"".join))
@hypothesis.settings(max_examples=500, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
def test_any_bytes_give_records_and_bad_lines_or_a_readable_error(tmp_path, content):
    try:
        (tmp_path / "file.jsonl").write_bytes(content)
        found = list(files.read_records(tmp_path / "file.jsonl"))
    except DomainError as error:
        assert str(error).endswith(".")
        return
    assert all(isinstance(item, LineError) or isinstance(item[1], dict) for item in found)


PARTS = ["a", "b", '\\"', "\\u0022", "\\u003a", "\\u003A", ":", " ", ",", "{", "\\\\", "é"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=4).map("".join)
GAPS = st.sampled_from(["", " ", "\t"])


@st.composite
def objects(draw, depth=2):
    """Draws a JSON object, perhaps with repeated keys, whitespace and escapes."""
    values = st.just("1") | TEXTS.map('"{}"'.format)
    if depth:
        values |= objects(depth=depth - 1) | objects(depth=depth - 1).map("[{}]".format)
    pairs = draw(st.lists(st.tuples(TEXTS, GAPS, GAPS, values), max_size=3))
    return "{" + ",".join(f'"{key}"{before}:{after}{value}' for key, before, after, value in pairs) + "}"


@hypothesis.given(objects())
def test_a_key_that_comes_twice_is_always_found(line):
    repeats = []
    json.loads(line, object_pairs_hook=lambda pairs: repeats.append(len(dict(pairs)) < len(pairs)) or dict(pairs))
    found = decode(1, line.encode(), Notes())
    assert isinstance(found, LineError) == any(repeats)
    assert any(repeats) or found == json.loads(line)
