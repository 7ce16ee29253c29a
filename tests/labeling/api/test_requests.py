"""A record that crashes its reader, or that the database refuses, is one bad line and does not fail the import."""

import json
import logging
from functools import partial

import pytest

from labeling.data import importing
from labeling.data.formats.files import Unreadable
from labeling.data.formats.notes import Notes
from labeling.data.importing import pool, reading
from labeling.data.importing.reading import Reader
from labeling.data.importing.samples import Numbers
from labeling.models import Solution

pytestmark = pytest.mark.django_db


def record(number, **fields):
    text = {"problem": f"{number} + 1?", "reference_answer": str(number + 1), "generator": "g"}
    return text | {"steps": ["We add.", f"A: {number + 1}"]} | fields


@pytest.fixture
def written(tmp_path):
    def write(*records):
        path = tmp_path / "file.jsonl"
        path.write_text("\n".join(map(json.dumps, records)))
        return path

    return write


@pytest.mark.parametrize("field", ["id", "subject", "level"])
@pytest.mark.parametrize("value", [10**300, -(10**300), 10**200])
def test_a_whole_number_too_long_for_its_column_is_a_bad_line(written, field, value):
    report = importing.import_solutions(written(record(1), record(2, **{field: value}), record(3)))
    ((line, reason),) = [(error.line, error.reason) for error in report.errors]
    assert (line, report.solutions) == (2, 2)
    assert reason.startswith(f"{field}: Expected `int`")


def test_a_long_answer_is_read(written):
    assert importing.import_solutions(written(record(1, reference_answer=10**300))).solutions == 1


def labelled(**fields):
    label = {"steps": [{"completions": [{"text": "A: 2", "rating": 1}], "chosen_completion": 0}]}
    return {"labeler": "x", "question": {"problem": "1 + 1?"}, "label": label} | fields


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"generation": 2**40}, "generation: 1099511627776 is not a number from -1 on"),
        ({"generation": -2}, "generation: -2 is not a number from -1 on"),
        ({"labeler": 10**130}, "labeler: Expected `int`"),
        ({"timestamp": "0001-01-01T00:00:00+14:00"}, "“timestamp” is not a time"),
    ],
)
def test_no_record_of_prm800k_breaks_the_others(written, now, fields, reason):
    path = written(labelled(), labelled(**fields), labelled(generation=2))
    report = importing.import_prm800k(path, now=now)
    ((line, said),) = [(error.line, error.reason) for error in report.errors]
    assert (line, report.labellings) == (2, 2)
    assert reason in said


def endless(record):
    """A parser with a bug: endless recursion on a bad record."""
    return endless(record) if record.get("bad") else nameless(record)


def test_a_reader_crash_costs_one_line_and_is_logged(written, caplog):
    path = written(record(1), record(2, bad=True), record(3))
    with caplog.at_level(logging.ERROR):
        report = stored_as(path, endless, atomic=False)
    assert (report.solutions, [error.line for error in report.errors]) == (2, [2])
    (logged,) = caplog.records
    assert logged.getMessage() == "Line 2 can't be imported"
    assert logged.exc_info[0] is RecursionError


def nameless(record):
    """A parser with a bug: a bad record gets no generator, which the column requires."""
    (item,) = pool.FORMATS["solutions"](record, Notes())
    return pool.keyed(type(item)(item.problem, item.steps, item.answer, None if record.get("bad") else "g"))


def stored_as(path, parse, **options):
    store = partial(pool.store_solutions, destination=pool.PoolDestination("tests", Numbers()))
    return reading.import_records(Reader(path, parse), store, **options)


@pytest.mark.parametrize("bad", [{1}, {30}, {1, 2, 17, 30}, set(range(1, 31))])
def test_a_record_that_the_database_refuses_is_a_bad_line(written, bad, monkeypatch):
    monkeypatch.setattr(reading, "BATCH", 20)
    path = written(*(record(number, bad=number in bad) for number in range(1, 31)))
    report = stored_as(path, nameless, atomic=False)
    assert {error.line for error in report.errors} == bad
    assert report.solutions == Solution.objects.count() == 30 - len(bad)
    assert all("IntegrityError" in error.reason for error in report.errors)


def test_an_atomic_import_fails_on_a_record_that_the_database_refuses(written):
    with pytest.raises(Exception, match=r"(?i)null"):
        stored_as(written(record(1), record(2, bad=True)), nameless, atomic=True)
    assert not Solution.objects.exists()


@pytest.mark.parametrize(("start", "kind"), [(b"PK\x03\x04", "ZIP"), (b"PAR1", "Parquet"), (b"7z\xbc\xaf", "7-Zip")])
def test_binary_files_are_refused_by_kind(tmp_path, start, kind):
    (tmp_path / "file").write_bytes(start + bytes(1000))
    with pytest.raises(Unreadable, match=kind):
        importing.import_solutions(tmp_path / "file")


@pytest.mark.any_database
def test_a_file_with_one_good_line_is_read_to_its_end(written):
    path = written(record(1), *[{"a": 1}] * 3000, record(2))
    report = importing.import_solutions(path)
    assert (report.solutions, report.error_count) == (2, 3000)


def test_reasons_are_cut_to_a_readable_length(written):
    report = importing.import_solutions(written(record(1), record(2, split="x" * 100_000), {"x" * 100_000: 1}))
    assert max(len(error.reason) for error in report.errors) <= reading.REASON_LENGTH
