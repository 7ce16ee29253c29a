"""labeling.data.importing.labels: imports every format; labels survive conversion between any two."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from labeling.data import exporting, importing
from labeling.data.exporting import LabelFilter
from labeling.data.exporting.choosing import INCLUDABLE
from labeling.data.formats.labels import NAMES, READERS, WRITERS
from labeling.data.formats.labels.losses import OF_TRACES
from labeling.data.inspecting import files
from labeling.models import Gold, Labelling, Phase, Problem, RatedCompletion
from tests.real_data import DATA

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
BOTH_WAYS = sorted((READERS.keys() & WRITERS.keys()) - OF_TRACES)  # of plain texts
SIGNS = {"input": "1 + 1? Step 1: One. ки\nStep 2: Two. ки"}
RECORDS: dict[str, dict[str, Any]] = {
    "trl": {"prompt": "1 + 1?", "completions": ["One.", "Two."], "labels": [True, False]},
    "math_shepherd": SIGNS | {"label": "1 + 1? Step 1: One. +\nStep 2: Two. -", "task": "GSM8K"},
    "openrlhf": SIGNS | {"value": ["+", "-"]},
    "rlhflow": {
        "conversations": [
            {"role": "user", "content": "1 + 1? Step 1: One."},
            {"role": "assistant", "content": "+"},
            {"role": "user", "content": "Step 2: Two."},
            {"role": "assistant", "content": "-"},
        ]
    },
    "processbench": {"id": "p-1", "generator": "g", "problem": "1 + 1?", "steps": ["One.", "Two."], "label": 1},
    "prmbench": {"question": "1 + 1?", "modified_process": ["One.", "Two."], "error_steps": [2], "idx": "a_1"},
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def import_records(tmp_path):
    def run(file_format: str, *records: dict[str, Any], **options: Any) -> importing.ImportReport:
        path = tmp_path / "labels.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return importing.import_labels(path, file_format=file_format, now=NOW, **options)

    return run


def export(path: Path, file_format: str, phase: Phase) -> list[dict[str, Any]]:
    """Exports a phase. Returns the records, of Parquet too."""
    label_filter = LabelFilter(phases=[phase.pk], include=INCLUDABLE)
    exporting.export_labels(label_filter, file_format=file_format, output=path, now=NOW)
    if file_format == "parquet":
        rows = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    return [json.loads(line) for line in path.read_text().splitlines()]


def said(file_format: str, records: list[dict[str, Any]]) -> Counter[Any]:
    """Counts the labelled paths of the records."""
    found = (READERS[file_format](record) for record in records)
    return Counter(
        (each.solution.problem.statement, tuple((item.text, item.rating != -1) for item in each.path)) for each in found
    )


@pytest.mark.parametrize("file_format", RECORDS)
def test_each_format(import_records, file_format):
    report = import_records(file_format, RECORDS[file_format])
    assert (report.errors, report.problems, report.solutions, report.labellings, report.ratings) == ([], 1, 1, 1, 2)
    labelling = Labelling.objects.get()
    phase = labelling.task.round.phase
    assert (phase.name, phase.kind, phase.status) == (NAMES[file_format], "solutions", "closed")
    solution = labelling.task.solution
    assert (solution.problem.statement, solution.steps, solution.in_pool) == ("1 + 1?", ["One.", "Two."], False)
    assert (labelling.finish_reason, labelling.annotator, labelling.submitted_at) == ("found_error", None, None)
    rows = RatedCompletion.objects.order_by("step")
    assert list(rows.values_list("text", "rating")) == [("One.", 1), ("Two.", -1)]


@pytest.mark.parametrize("atomic", [False, True])
def test_equal_anonymous_records_are_several_labellings_imported_once(import_records, atomic):
    records = [RECORDS["trl"]] * 3
    first = import_records("trl", *records, atomic=atomic)
    again = import_records("trl", *records, RECORDS["trl"], atomic=atomic)
    assert (first.labellings, first.duplicates) == (3, 0)
    assert (again.labellings, again.duplicates) == (1, 3)
    assert import_records("openrlhf", RECORDS["openrlhf"]).labellings == 1


WRONG, OKAY = (
    f"labels 0, read as {what} -1 in the file" for what in ("mistakes, as there is no", "Okay, as there is a")
)


@pytest.mark.parametrize(
    ("labels", "told", "ratings"),
    [
        ([[0, 1], [1, 0]], (WRONG, 2, [1, 2]), {-1: 2, 1: 2}),
        ([[0, 1], [1.0, 0.0], [0, -1]], (OKAY, 3, [1, 2, 3]), {0: 3, 1: 2, -1: 1}),
        ([[0, -1], [None, 0]], (OKAY, 2, [1, 2]), {0: 2, -1: 1, None: 1}),
        ([[0, -1], [False, 0]], (OKAY, 1, [1]), {0: 1, -1: 3}),
    ],
)
def test_a_zero_means_the_same_in_all_records_of_a_file(import_records, labels, told, ratings):
    report = import_records("trl", *(RECORDS["trl"] | {"labels": each} for each in labels))
    assert list(report.notes) == [told]
    assert Counter(RatedCompletion.objects.values_list("rating", flat=True)) == ratings


def test_probabilities_become_ratings_with_a_note(import_records):
    report = import_records("trl", RECORDS["trl"] | {"labels": [0.5, 0.49]}, RECORDS["trl"])
    assert list(report.notes) == [("labels that were probabilities, right from 0.5 on", 2, [1])]
    assert Counter(RatedCompletion.objects.values_list("rating", flat=True)) == {1: 2, -1: 2}


def as_text(record: dict[str, Any]) -> str:
    """Returns JSON with sorted keys, since PostgreSQL keeps no order; unlike values, texts of 1 and 1.0 differ."""
    return json.dumps(record, sort_keys=True)


def test_the_same_problem_spaced_in_another_way_comes_back_as_it_was(import_records, tmp_path):
    question = {"pre_generated_steps": ["Two."], "ground_truth_answer": "2"}
    label = {"steps": [{"completions": [{"text": "Two.", "rating": 1, "flagged": False}]}]}
    records = [
        {"labeler": str(number), "question": question | {"problem": problem}, "label": label}
        for number, problem in enumerate(["1 + 1?", "1  +  1?", "1 + 1?", "1 + 1? "])
    ]
    import_records("prm800k", *records[:2])
    import_records("prm800k", *records[2:])
    assert Problem.objects.count() == 1
    back = export(tmp_path / "back.jsonl", "prm800k", Phase.objects.get())
    assert sorted(map(as_text, back)) == sorted(map(as_text, records))


@pytest.fixture
def labelled(make, annotator, second_annotator):
    """A phase with labellings of every kind that has a path."""
    phase = make.phase(name="native")
    texts = [
        ["First line\nsecond line", "Step 2: take 301.", "A: 3"],
        ["Step 1: the word ки stands here.", "A + B - C", "A: 2"],
        ["wrong at once", "x", "y"],
    ]
    given = [[(1, 1, 1), (1, 0, -1)], [(1, -1), (1, -1)], [(-1,), (1, 0, 1)]]
    for steps, ratings in zip(texts, given, strict=True):
        problem = make.problem(statement=f"What is\n{steps[0]}? Step 1: say it ")
        task = make.task(phase, solution=make.solution(problem, steps=steps))
        for person, rated in zip((annotator, second_annotator), ratings, strict=True):
            make.labelling(task, *rated, annotator=person)
    for row in RatedCompletion.objects.select_related("labelling__task__solution"):
        row.text = row.labelling.task.solution.steps[row.step]
        row.save()
    return phase


@pytest.mark.parametrize("first", BOTH_WAYS)
def test_labels_are_the_same_from_one_format_to_every_other(labelled, tmp_path, first):
    path = tmp_path / "labels.jsonl"
    native = {each: export(tmp_path / "native.jsonl", each, labelled) for each in BOTH_WAYS}
    export(path, first, labelled)
    report = importing.import_labels(path, file_format=first, phase="imported", now=NOW)
    assert (report.errors, report.labellings) == ([], 6)
    imported = Phase.objects.get(name="imported")
    for second in BOTH_WAYS:
        records = export(tmp_path / "again.jsonl", second, imported)
        assert said(second, records) == said(second, native[second]), second
        assert sum(not right for _, path in said(second, records).elements() for _, right in path) == 4


def test_released_labels_go_through_parquet_field_for_field(tmp_path):
    source = DATA / "prm800k" / "phase1_test.jsonl.gz"
    if not source.exists():
        pytest.skip("needs prm800k/phase1_test.jsonl.gz (see STEPMARK_DATA)")
    importing.import_labels(source, file_format="prm800k", now=NOW)
    path = tmp_path / "labels.jsonl"
    export(path, "parquet", Phase.objects.get())
    report = importing.import_labels(path, file_format="parquet", phase="again", now=NOW)
    assert report.errors == []
    back = {as_text(each) for each in export(path, "prm800k", Phase.objects.get(name="again"))}
    assert back == {as_text(json.loads(line)) for line in gzip.decompress(source.read_bytes()).splitlines()}


def test_prmbench_becomes_gold(tmp_path):
    path = tmp_path / "prmbench.jsonl"
    records = [RECORDS["prmbench"], RECORDS["prmbench"] | {"modified_process": ["a", "b"], "error_steps": []}]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    report = importing.import_gold(path, file_format="prmbench")
    assert (report.golds, report.errors) == (2, [])
    assert sorted(Gold.objects.values_list("gold_set", "ratings")) == [("prmbench", [1, -1]), ("prmbench", [1, 1])]


@pytest.mark.parametrize(
    ("file_format", "change", "message"),
    [
        ("trl", {"labels": [True]}, "there are 1 labels for 2 completions"),
        ("trl", {"labels": [True, "yes"]}, "labels[1]: “yes” says neither right nor wrong"),
        ("trl", {"labels": [True, 7]}, "labels[1]: “7” says neither right nor wrong"),
        ("math_shepherd", {"label": "1 + 1? Step 1: Two. +"}, "it is not “input” with + or -"),
        ("math_shepherd", {"input": "1 + 1? Step 1: Two."}, "the last step does not end with “ки”"),
        ("openrlhf", {"value": []}, "there are 0 values for 2 steps"),
        ("openrlhf", {"input": "1 + 1? Two. ки", "value": ["+"]}, "there is no “Step 1:”"),
        ("rlhflow", {"conversations": RECORDS["rlhflow"]["conversations"][:3]}, "do not take turns"),
        ("prmbench", {"error_steps": [0]}, "“error_steps” has 0, but there are 2 steps, counted from 1"),
        ("processbench", {"label": 2}, "“label” is 2, but there are 2 steps"),
    ],
)
def test_invalid_records_are_refused(import_records, file_format, change, message):
    (error,) = import_records(file_format, RECORDS[file_format] | change).errors
    assert message in str(error)


def test_the_command(tmp_path, capsys):
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(RECORDS["trl"]))
    call_command("import", str(path), "--phase", "Old", "--split", "test")
    assert "1 labelling, 2 ratings" in capsys.readouterr().out
    problem = Labelling.objects.get(task__round__phase__name="Old").task.solution.problem
    assert problem.split == "test"
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("import", str(path), "--format", "gsm9k")


@pytest.mark.parametrize(
    ("name", "file_format", "paths"),
    [
        ("i34_trl", "trl", [("Case 175: 175+175?", [1, 1]), ("Case 176?", [1, -1])]),
        ("i35_math_shepherd", "math_shepherd", [("Case 177: 177+177?", [1, 1])]),
        ("i37_rlhflow", "rlhflow", [("Case 179?", [1, -1])]),
        ("i39_prmbench", "prmbench", [("Case 181?", [1, -1])]),
        (
            "i43_processbench",
            "processbench",
            [("Case 185: 185+185?", [1, -1]), ("Case 186?", [1, 1]), ("Case 187?", [1, 1])],
        ),
        ("c01_trl", "trl", [("1+1?", [1, -1])]),
        ("c02_ms", "math_shepherd", [("1+1?", [1])]),
        ("c03_pb", "processbench", [("1+1?", [1, 1]), ("1+1?", [-1])]),
    ],
)
def test_files_of_other_programs_are_imported(name, file_format, paths):
    source = DATA / "cases" / f"{name}.jsonl"
    if not source.exists():
        pytest.skip(f"needs cases/{name}.jsonl (see STEPMARK_DATA)")
    report = importing.import_labels(source, file_format=file_format, now=NOW)
    assert report.error_count == (1 if name == "i43_processbench" else 0)
    found = exporting.standing.stream(LabelFilter(include=INCLUDABLE))
    assert sorted((each.problem, [item.rating for item in each.path]) for each in found) == sorted(paths)


def test_marks_inside_texts_are_not_taken_for_labels(tmp_path):
    source = DATA / "cases" / "q_export.jsonl"
    if not source.exists():
        pytest.skip("needs cases/q_export.jsonl (see STEPMARK_DATA)")
    importing.import_prm800k(source, now=NOW)
    records = export(tmp_path / "labels.jsonl", "math_shepherd", Phase.objects.get())
    assert len(records) == 9
    for record in records:
        lines = record["label"].split("\n")
        assert record["input"].count("ки") == len(lines)
        assert all(line.endswith((" +", " -")) for line in lines)
        assert "Step 1: Step 1:" not in record["input"]
    manifest = json.loads((tmp_path / "labels.jsonl.manifest.json").read_text())
    assert manifest["counts"]["not_held"] == {"after_path": 1, "neutral_as_right": 1, "changed_texts": 3}


@pytest.mark.parametrize(("others", "is_rated", "zero"), [([], False, -1), ([[-1, 1]], False, 0), ([], True, 0)])
def test_a_preview_reads_a_zero_as_the_import_will(others, is_rated, zero):
    head = [
        [line, RECORDS["trl"] | {"labels": labels}, False] for line, labels in enumerate([[1, 0], *others], start=1)
    ]
    found = files.preview_file(head, files.Options("trl"), is_rated=is_rated)
    assert found["records"][0]["ratings"] == [1, zero]
