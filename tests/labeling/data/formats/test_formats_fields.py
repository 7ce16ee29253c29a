from datetime import UTC, datetime

import pytest

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError

TEN = datetime(2023, 2, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2023-02-01T10:00:00",
        "2023-02-01T10:00:00Z",
        "2023-02-01 10:00:00 UTC",
        "2023-02-01T12:00:00+02:00",
        "20230201T100000",
        1675245600,
        1675245600.0,
        "1675245600",
        1675245600000,
        1675245600 * 10**9,
    ],
)
def test_a_time_is_read(written):
    assert fields.time(written, "at") == TEN


@pytest.mark.parametrize("written", [None, ""])
def test_empty_times_are_none(written):
    assert fields.time(written, "at") is None


@pytest.mark.parametrize("written", ["yesterday", "01/02/2023", float("inf"), float("nan"), 10**400, -1e300, "9" * 99])
def test_an_invalid_time_is_refused(written):
    with pytest.raises(FormatError, match="“at” is not a time"):
        fields.time(written, "at")


def test_whole_floats_are_whole_numbers():
    assert fields.whole({"a": [1.0, {"b": (2.0, 2.5)}], "c": True}) == {"a": [1, {"b": [2, 2.5]}], "c": True}


@pytest.mark.parametrize(("written", "read"), [("1", 1), (1, 1), ("-1", -1), ("3.0", 3), (None, None)])
def test_a_number_may_be_a_text(written, read):
    assert fields.number(written) == read
