from __future__ import annotations

import copy
import gzip
import json
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from labeling.data import exporting, importing
from labeling.data.exporting import LabelFilter, standing
from labeling.data.exporting.choosing import INCLUDABLE
from labeling.data.formats.labels import prm800k
from labeling.data.importing.labels import PhaseInUse
from labeling.models import Labelling, Phase, RatedCompletion, Round, Solution, Task, User
from labeling.rules.labelled import LabelledCompletion
from tests.real_data import DATA

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def phase_1(labeler: str | None = "ann", **label: Any) -> dict[str, Any]:
    completions = [{"text": "We add.", "rating": 1, "flagged": False}, {"text": "No.", "rating": -1, "flagged": None}]
    human = {"text": "A: 2", "rating": None, "source": "human", "flagged": False}
    steps = [
        {"completions": completions, "human_completion": None, "chosen_completion": 0},
        {"completions": None, "human_completion": human, "chosen_completion": None},
    ]
    return {
        "labeler": labeler,
        "timestamp": "2022-07-30T23:23:32.118856",
        "generation": None,
        "is_quality_control_question": False,
        "is_initial_screening_question": False,
        "question": {"problem": "1 + 1?", "ground_truth_answer": "2"},
        "label": {"steps": steps, "total_time": 1000, "finish_reason": "solution"} | label,
    }


def phase_2(**fields: Any) -> dict[str, Any]:
    record = copy.deepcopy(phase_1()) | {"generation": 6} | fields
    record["question"] |= {"pre_generated_steps": ["We add.", "A: 3"], "pre_generated_answer": "3"}
    bad = [{"text": "We add.", "rating": -1, "flagged": None}]
    record["label"]["steps"] = [{"completions": bad, "human_completion": None, "chosen_completion": None}]
    record["label"]["finish_reason"] = "found_error"
    return record


def write(tmp_path: Path, *records: dict[str, Any] | str) -> Path:
    path = tmp_path / "prm800k.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in records))
    return path


def import_file(tmp_path: Path, *records: dict[str, Any] | str, **options: Any) -> importing.ImportReport:
    return importing.import_prm800k(write(tmp_path, *records), now=NOW, **options)


def stored_records() -> list[dict[str, Any]]:
    """Reassembles every imported record from its rows."""
    rows = Labelling.objects.select_related("task__solution__problem").prefetch_related("completions")
    return [restored(labelling) for labelling in rows.order_by("created_at", "pk")]


def restored(labelling: Labelling) -> dict[str, Any]:
    completions = [
        LabelledCompletion(one.step, one.completion, one.text, one.rating, one.is_flagged, one.is_chosen, one.is_human)
        for one in sorted(labelling.completions.all(), key=lambda one: (one.step, one.completion))
    ]
    solution = labelling.task.solution
    assert isinstance(labelling.source_record, dict)
    return prm800k.restore(
        labelling.source_record,
        problem=solution.problem.statement,
        solution_steps=solution.steps,
        completions=completions,
    )


def canonical(records: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(record, sort_keys=True) for record in records)


def test_phase_1(tmp_path):
    report = import_file(tmp_path, phase_1())
    assert (report.problems, report.solutions, report.labellings, report.ratings) == (1, 1, 1, 2)
    labelling = Labelling.objects.get()
    phase = labelling.task.round.phase
    assert (phase.name, phase.kind, phase.status) == ("PRM800K phase 1", "alternatives", "closed")
    assert (labelling.task.round.number, labelling.finish_reason, labelling.active_ms) == (0, "solution", 1000)
    solution = labelling.task.solution
    assert (solution.steps, solution.verdict, solution.in_pool) == (["We add.", "A: 2"], "right", False)
    rows = RatedCompletion.objects.order_by("step", "completion")
    found = list(rows.values_list("step", "completion", "rating", "is_chosen", "is_human"))
    assert found == [(0, 0, 1, True, False), (0, 1, -1, False, False), (1, 0, None, True, True)]


def test_phase_2(tmp_path):
    import_file(tmp_path, phase_2())
    labelling = Labelling.objects.get()
    assert labelling.task.round.phase.kind == "solutions"
    assert labelling.task.round.number == 6
    assert (labelling.task.solution.steps, labelling.task.solution.verdict) == (["We add.", "A: 3"], "wrong")


def test_labelers_are_people_who_cannot_sign_in(tmp_path):
    import_file(tmp_path, phase_1("ann"), phase_2(), phase_1(None))
    labeler = User.objects.get()
    assert not labeler.is_active
    assert not labeler.has_usable_password()
    assert Labelling.objects.filter(annotator=labeler).count() == 2


def test_screening_and_quality_control_are_never_trained_on(tmp_path):
    screening = phase_2(is_initial_screening_question=True)
    control = phase_2(is_quality_control_question=True, labeler="ben")
    import_file(tmp_path, screening, control)
    assert set(Round.objects.values_list("number", flat=True)) == {-1, -2}
    assert not standing.labellings(LabelFilter()).exists()


def test_an_unknown_end_stays_unknown_and_its_ratings_are_trained_on(tmp_path):
    import_file(tmp_path, phase_1(finish_reason=None), phase_1("ben", finish_reason="give_up"))
    labelling = standing.labellings(LabelFilter()).get()
    assert (labelling.finish_reason, labelling.completions.count()) == (None, 3)
    assert {record["label"]["finish_reason"] for record in stored_records()} == {None, "give_up"}


def test_twice_is_once(tmp_path):
    import_file(tmp_path, phase_1(), phase_2())
    report = import_file(tmp_path, phase_1(), phase_2(), phase_1("ben"), phase_1("ben"))
    assert (report.labellings, report.duplicates, Task.objects.count()) == (1, 3, 3)


def test_postgresql_counts_imported_rows_at_once(tmp_path):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no such counts")
    import_file(tmp_path, phase_1(), phase_2())
    tables = {"labeling_labelling": 2, "labeling_task": 2}
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, reltuples FROM pg_class WHERE relname = ANY(%s)", [list(tables)])
        assert dict(cursor.fetchall()) == tables


def rated(rating: float | None, **fields: Any) -> list[dict[str, Any]]:
    """Returns the steps of a record of phase 2."""
    given = [{"text": "We add.", "rating": rating, "flagged": False} | fields]
    return [{"completions": given, "human_completion": None, "chosen_completion": 0}]


KINDS = {
    "phase 1": phase_1(),
    "phase 2": phase_2(),
    "screening": phase_2(generation=-1, is_initial_screening_question=True),
    "screening by its generation": phase_2(generation=-1),
    "quality control": phase_2(generation=6, is_quality_control_question=True),
    "null generation": phase_2(generation=None),
    "null finish reason": phase_1(None, finish_reason=None, total_time=None),
    "null ratings": phase_2()
    | {"label": {"steps": rated(None, flagged=None), "total_time": 1, "finish_reason": "solution"}},
    "flagged": phase_2() | {"label": {"steps": rated(None, flagged=True), "total_time": 1, "finish_reason": "give_up"}},
    "flagged and rated": phase_2() | {"label": {"steps": rated(-1, flagged=True), "finish_reason": "found_error"}},
    "no human key": phase_2() | {"label": {"steps": [{"completions": [{"text": "We add."}]}]}},
    "no completions": phase_2() | {"label": {"steps": [{"completions": None, "human_completion": None}]}},
    "numbers of pandas": phase_2(generation=6.0, timestamp=1675245600) | {"label": {"steps": rated(1.0)}},
    "texts": phase_2(generation="6", timestamp="2023-02-01 10:00:00 UTC", labeler=7, extra={"key": [1]}),
}


def test_records_of_every_kind_come_back_field_for_field(tmp_path):
    report = import_file(tmp_path, *KINDS.values())
    assert (report.errors, report.labellings) == ([], len(KINDS))
    output = tmp_path / "exported.jsonl"
    exporting.export_labels(LabelFilter(include=INCLUDABLE), file_format="prm800k", output=output, now=NOW)
    back = [json.loads(line) for line in output.read_text().splitlines()]
    # Compared as texts, in which 1 and 1.0 differ; PostgreSQL keeps no order of keys.
    assert sorted(json.dumps(record, sort_keys=True) for record in back) == sorted(
        json.dumps(record, sort_keys=True) for record in KINDS.values()
    )


def test_exported_screening_has_generation_minus_1(make, tmp_path):
    make.labelling(make.task(number=-1), 1)
    output = tmp_path / "exported.jsonl"
    exporting.export_labels(LabelFilter(include=INCLUDABLE), file_format="prm800k", output=output, now=NOW)
    record = json.loads(output.read_text())
    assert (record["generation"], record["is_initial_screening_question"]) == (-1, True)
    assert prm800k.parse(record).round_number == -1


@pytest.mark.parametrize("generation", [-2, 2**31, "-2", "x", 0.5])
def test_an_invalid_generation_is_refused(tmp_path, generation):
    (error,) = import_file(tmp_path, phase_2(generation=generation)).errors
    assert "generation" in str(error)


@pytest.mark.parametrize("atomic", [False, True])
def test_a_bad_line_is_reported(tmp_path, atomic):
    bad = phase_1()
    bad["label"]["steps"][0]["completions"][1]["rating"] = 2
    report = import_file(tmp_path, phase_1(), bad, "{", atomic=atomic)
    assert [error.line for error in report.errors] == [2, 3]
    assert "label.steps[0].completions[1].rating: Expected `int` <= 1" in str(report.errors[0])
    assert Labelling.objects.count() == Solution.objects.count() == (0 if atomic else 1)


def test_labels_never_go_into_a_running_phase_or_one_of_another_kind(tmp_path):
    Phase.objects.create(name="running", kind="alternatives")
    Phase.objects.create(name="other kind", kind="solutions", status="closed")
    for name in ("running", "other kind"):
        with pytest.raises(PhaseInUse):
            import_file(tmp_path, phase_1(), phase=name)
    assert not Solution.objects.exists()


def test_the_command(tmp_path, capsys):
    path = write(tmp_path, phase_1())
    call_command("import", str(path), "--phase", "Old labels", "--split", "test")
    assert "1 labelling, 2 ratings" in capsys.readouterr().out
    labelling = Labelling.objects.get()
    assert labelling.task.round.phase.name == "Old labels"
    assert labelling.task.solution.problem.split == "test"


def test_released_labels_come_in_and_go_back_field_for_field(tmp_path):
    path = DATA / "prm800k" / "phase1_train.jsonl.gz"
    if not path.exists():
        pytest.skip("needs prm800k/phase1_train.jsonl.gz (see STEPMARK_DATA)")
    with gzip.open(path, "rt") as lines:
        records = [json.loads(line) for line in islice(lines, 60)]
    report = import_file(tmp_path, *records)
    unique = {json.dumps(record, sort_keys=True) for record in records}
    assert (report.labellings, report.duplicates) == (len(unique), len(records) - len(unique))
    assert canonical(stored_records()) == sorted(unique)
