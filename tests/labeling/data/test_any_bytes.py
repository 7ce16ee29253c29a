"""Files of any bytes: what comes of them is records, bad lines, or a sentence."""

import gzip

import hypothesis
import hypothesis.strategies as st

from labeling.data.formats import files
from labeling.data.formats.files import LineError
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
def test_whatever_the_bytes_there_are_records_and_bad_lines_or_a_sentence(tmp_path, content):
    try:
        (tmp_path / "file.jsonl").write_bytes(content)
        found = list(files.read(tmp_path / "file.jsonl"))
    except DomainError as error:
        assert str(error).endswith(".")
        return
    assert all(isinstance(item, LineError) or isinstance(item[1], dict) for item in found)
