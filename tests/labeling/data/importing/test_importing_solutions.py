from __future__ import annotations

import json
from pathlib import Path
from sqlite3 import SQLITE_LIMIT_VARIABLE_NUMBER
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from labeling.data import importing
from labeling.data.formats import solutions
from labeling.data.importing import pool
from labeling.models import Problem, Solution
from tests.real_data import DATA

pytestmark = pytest.mark.django_db


def record(number: int, **fields: Any) -> dict[str, Any]:
    plain = {"id": f"s{number}", "problem": f"{number} + 1?", "reference_answer": str(number + 1)}
    return plain | {"generator": "g", "steps": ["We add.", f"A: {number + 1}"]} | fields


def write(tmp_path: Path, *lines: dict[str, Any] | str | bytes) -> Path:
    path = tmp_path / "solutions.jsonl"
    encoded = [json.dumps(line) if isinstance(line, dict) else line for line in lines]
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in encoded))
    return path


BAD = [
    ("{", "not JSON"),
    ('{"id": "x"}', "missing"),
    (json.dumps(record(9, steps=[])), "steps: Expected `array` of length >= 1"),
    (b'{"problem": "\xff"}', "not UTF-8"),
    (b'{"problem": "' + b"x" * 10_000_000 + b'"}', "longer than"),
    (json.dumps(record(1, problem="Another one?")), "already used on line 1"),
]


def test_it_works(tmp_path):
    path = write(tmp_path, record(1), record(2, steps=["A: 7"]), record(3, correct=False))
    report = importing.import_solutions(path, source="tests")
    assert (report.problems, report.solutions, report.duplicates, report.errors) == (3, 3, 0, [])
    found = {one.external_id: one for one in Solution.objects.all()}
    assert [found[f"s{number}"].verdict for number in (1, 2, 3)] == ["right", "wrong", "wrong"]
    assert found["s3"].grader_version == "given" != found["s1"].grader_version
    assert found["s1"].answer == "2"
    assert found["s1"].in_pool


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_a_bad_line_is_reported_and_the_good_ones_are_imported(tmp_path, line, reason):
    report = importing.import_solutions(write(tmp_path, record(1), line, record(3)))
    assert [error.line for error in report.errors] == [2]
    assert reason in report.errors[0].reason
    assert set(Solution.objects.values_list("external_id", flat=True)) == {"s1", "s3"}


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_atomic_imports_nothing_when_a_line_is_bad(tmp_path, line, reason):
    report = importing.import_solutions(write(tmp_path, record(1), line, record(3)), atomic=True)
    assert report.error_count == 1
    assert not Problem.objects.exists()


def test_atomic_imports_all_when_every_line_is_good(tmp_path):
    assert importing.import_solutions(write(tmp_path, record(1), record(3)), atomic=True).solutions == 2


def test_a_repetition_loop_is_a_solution_like_others(tmp_path):
    loop = record(2, text="The answer is " * 1200, steps=None)
    report = importing.import_solutions(write(tmp_path, record(1), loop, record(3)))
    assert (report.solutions, report.errors) == (3, [])
    assert Solution.objects.get(external_id="s2").verdict == "unsure"


def test_a_long_chain_is_imported_up_to_the_setting(tmp_path, settings):
    settings.MAX_STEPS = 1500
    path = write(tmp_path, record(1, steps=["Wait."] * 1500), record(2, text="Wait.\n" * 1501, steps=None))
    report = importing.import_solutions(path)
    assert (report.solutions, len(Solution.objects.get().steps)) == (1, 1500)
    assert report.errors[0].reason == "it has 1,501 steps; at most 1,500 are allowed (the setting MAX_STEPS)"


def test_ids_written_differently_are_equal(tmp_path):
    report = importing.import_solutions(write(tmp_path, *(record(at, id=id) for at, id in enumerate([1, "1", 1.0]))))
    assert [error.line for error in report.errors] == [2, 3]


@pytest.mark.parametrize("atomic", [True, False])
def test_a_changed_record_is_counted_once(tmp_path, atomic):
    report = importing.import_solutions(write(tmp_path, record(1), record(2, steps=["A: 3", ""])), atomic=atomic)
    assert list(report.notes) == [("empty steps dropped", 1, [2])]


def test_stored_rows_stay_unchanged(tmp_path):
    importing.import_solutions(write(tmp_path, record(1)), source="first")
    before = list(Solution.objects.values()) + list(Problem.objects.values())
    changed = record(1, reference_answer="3", generator="other", subject="changed")
    report = importing.import_solutions(write(tmp_path, changed, record(1, id="again")), source="second")
    assert (report.problems, report.solutions, report.draws, report.shared, report.duplicates) == (0, 0, 2, 1, 0)
    assert list(Solution.objects.values()) + list(Problem.objects.values()) == before


def test_rows_that_another_import_stores_meanwhile_are_not_new(tmp_path):
    graded = pool.grade([pool.keyed(solutions.parse(record(number))) for number in (1, 2, 1)])
    importing.import_solutions(write(tmp_path, record(1)))
    with transaction.atomic():
        stored = pool.store_graded(graded, source="late", in_pool=True)
    assert (stored.problems, stored.solutions) == (1, 1)
    name_of = dict(Solution.objects.values_list("pk", "external_id"))
    assert [name_of[pk] for pk in stored.ids] == ["s1", "s2", "s1"]
    assert set(Solution.objects.values_list("external_id", "source")) == {("s1", ""), ("s2", "late")}


def test_solutions_are_graded_against_the_pools_reference_answer(tmp_path):
    importing.import_solutions(write(tmp_path, record(1)))
    importing.import_solutions(write(tmp_path, record(1, reference_answer="9", steps=["So.", "A: 2"])))
    assert set(Solution.objects.values_list("verdict", flat=True)) == {"right"}


def test_a_batch_costs_the_same_queries_whatever_its_size(tmp_path, django_assert_max_num_queries):
    path = write(tmp_path, *(record(number) for number in range(200)))
    # PostgreSQL takes rows in through a table of their own; SQLite's two inserts go past Django and aren't counted.
    with django_assert_max_num_queries(16 if connection.vendor == "postgresql" else 5):
        importing.import_solutions(path)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="no other database has this limit")
def test_large_files_fit_a_database_that_binds_few_values(tmp_path):
    connection.ensure_connection()
    usual = connection.connection.setlimit(SQLITE_LIMIT_VARIABLE_NUMBER, 500)
    try:
        report = importing.import_solutions(write(tmp_path, *map(record, range(200))))
    finally:
        connection.connection.setlimit(SQLITE_LIMIT_VARIABLE_NUMBER, usual)
    assert report.solutions == Solution.objects.count() == 200


@pytest.mark.skipif(connection.vendor != "sqlite", reason="other databases read a small table whole")
def test_known_solutions_are_found_by_an_index(tmp_path):
    path = write(tmp_path, record(1), record(2))
    importing.import_solutions(path)
    with CaptureQueriesContext(connection) as asked:
        importing.import_solutions(path)
    [looked_up] = [query["sql"] for query in asked if "VALUES" in query["sql"]]
    with connection.cursor() as cursor:
        plan = [str(row) for row in cursor.execute(f"EXPLAIN QUERY PLAN {looked_up}")]
    assert "SEARCH labeling_solution" in plan[0]


def test_the_command_prints_counts_and_bad_lines(tmp_path, capsys):
    path = write(tmp_path, record(1), "{", record(1, id="again"))
    with pytest.raises(SystemExit) as stopped:
        call_command("import", str(path))
    printed = capsys.readouterr()
    assert stopped.value.code == 1
    assert "line 2: not JSON" in printed.err
    assert "Imported 1 problem, 1 solution, 2 draws. Duplicates: 0. Bad lines: 1." in printed.out


def test_the_command_says_when_there_is_no_file(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        call_command("import", str(tmp_path / "none.jsonl"))


def test_gsm8k_solutions_are_imported_with_their_verdicts():
    path = DATA / "gsm8k" / "example_model_solutions.jsonl.gz"
    if not path.exists():
        pytest.skip("needs gsm8k/example_model_solutions.jsonl.gz (see STEPMARK_DATA)")
    report = importing.import_solutions(path, file_format="gsm8k", source="gsm8k")
    assert (report.problems, report.draws, report.duplicates, report.error_count) == (1319, 5276, 0, 0)
    assert set(Solution.objects.values_list("grader_version", flat=True)) == {"given"}
