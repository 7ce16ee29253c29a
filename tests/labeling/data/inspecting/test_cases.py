"""Realistic files: those in `cases/` of the data, and small ones of the same kinds."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from labeling.data import importing
from labeling.data.formats.files import Unreadable
from labeling.data.importing import ImportReport, NothingImported
from labeling.models import Labelling, Problem, Solution
from prm_training.prm.trees.data import counted_labels
from prm_training.prm.trees.readers import Reading, read_first_errors, read_labels, read_solutions
from tests.real_data import DATA

CASES = DATA / "cases"

pytestmark = pytest.mark.django_db


def case(name: str) -> Path:
    if not (path := CASES / name).exists():
        pytest.skip(f"needs cases/{name} (see STEPMARK_DATA)")
    return path


def imported(path: Path, **options: Any) -> ImportReport:
    return importing.import_solutions(path, **options)


# File, number of solutions imported, and lines left out.
IMPORTED = [
    ("i01_bom.jsonl", 2, []),
    ("i02_utf16le.jsonl", 1, []),
    ("i04_crlf.jsonl", 2, []),
    ("i06_surrogate.jsonl", 2, []),
    ("i07_nan.jsonl", 3, []),
    ("i09_dupid.jsonl", 2, [2, 4]),
    ("i12_pretty_array.json", 2, []),
    ("i12b_wrapped.json", 2, []),
    ("i14_gz_wrong_name.jsonl", 1, []),
    ("i14_parquet.parquet", 2, []),
    ("i14_csv.csv", 1, []),
    ("i17_float_answer.jsonl", 5, []),
    ("i18_correct.jsonl", 3, [1, 4]),
    ("i19_steps.jsonl", 2, [3, 4, 5, 6]),
    ("i21_1500_steps.jsonl", 2, []),
    ("i31_names.jsonl", 1, []),
    ("i32_messages.jsonl", 1, []),
    ("i44_code.jsonl", 1, []),
    ("i47_noeol_blank.jsonl", 2, []),
    ("i51_null_steps_text.jsonl", 2, []),
    ("i56_rtl.jsonl", 1, []),
    ("i58_pandas.jsonl", 2, []),
]


@pytest.mark.parametrize(("name", "solutions", "bad"), IMPORTED)
def test_solutions_are_imported(name, solutions, bad):
    report = imported(case(name))
    assert (report.solutions, [error.line for error in report.errors]) == (solutions, bad)
    assert Solution.objects.count() == solutions


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("i06_surrogate.jsonl", {"half characters (lone surrogates) replaced by \ufffd": 2}),
        ("i07_nan.jsonl", {"NaN or Infinity read as null": 2}),
        ("i19_steps.jsonl", {"empty steps dropped": 1}),
        ("i51_null_steps_text.jsonl", {"“text” left out, because there are “steps”": 1}),
        (
            "i31_names.jsonl",
            {f"“{name}” read as “{field}”": 1 for name, field in
             (("question", "problem"), ("response", "text"), ("model", "generator"))},
        ),
    ],
)  # fmt: skip
def test_changes_are_reported(name, notes):
    assert {what: many for what, many, _ in imported(case(name)).notes} == notes


def test_numbers_are_stored_as_texts():
    imported(case("i17_float_answer.jsonl"))
    assert list(Problem.objects.order_by("statement").values_list("reference_answer", flat=True)) == [
        *("276.5", "278", "true", "", "284"),
    ]
    assert set(Solution.objects.filter(problem__statement__contains="142").values_list("answer", flat=True)) == {"284"}
    imported(case("i58_pandas.jsonl"))
    first, second = Solution.objects.filter(problem__statement__regex="Case 20[56]").order_by("problem__statement")
    assert (first.external_id, first.problem.level, first.grader_version) == ("7", "5", "given")
    assert (second.external_id, second.problem.level, second.grader_version == "given") == ("", "", False)


def test_verdicts_may_be_numbers():
    imported(case("i18_correct.jsonl"))
    assert sorted(Solution.objects.values_list("verdict", flat=True)) == ["right", "right", "wrong"]


def test_code_is_stored_as_it_was_sent():
    imported(path := case("i44_code.jsonl"))
    assert Solution.objects.get().steps == json.loads(path.read_text())["steps"]


def test_a_default_generator():
    path = case("i20_no_generator.jsonl")
    assert (imported(path).solutions, Solution.objects.count()) == (0, 0)
    assert imported(path, generator="toy").solutions == 3
    assert set(Solution.objects.values_list("generator", flat=True)) == {"toy"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("i12e_columns.json", "by columns: write it by records, in pandas with orient='records', lines=True"),
        ("i14_zip.zip", "a ZIP archive"),
        ("i41_argilla.jsonl", "an Argilla export"),
        ("i55_lfs_pointer.jsonl", "a Git LFS pointer, not the file: run git lfs pull"),
        ("i49_empty.jsonl", "The submitted file is empty"),
        ("p12_lfs.jsonl", "run git lfs pull"),
        ("i14_csv.csv", "The table has no column “question”, but problem, generator"),
    ],
)
@pytest.mark.parametrize("file_format", ["", "prm800k"])
def test_unreadable_files_are_refused_alike_by_page_and_command(name, said, file_format):
    path = case(name)
    if (name, file_format) == ("i14_csv.csv", ""):
        pytest.skip("this one can be read")
    with pytest.raises((NothingImported, Unreadable), match=said) as caught:
        if not file_format:
            imported(path)
        importing.import_labels(path, file_format="prm800k", now=timezone.now())
    with pytest.raises(CommandError) as refused:
        call_command("import", str(path), "--format", file_format or "solutions")
    assert str(refused.value) == str(caught.value)
    for read in (read_solutions, lambda given: read_labels(given, split="train")) if path.stat().st_size else ():
        if name != "i14_csv.csv":
            with pytest.raises(Exception, match=said):
                list(read(path))


def test_a_trailing_comma_is_a_bad_line():
    report = imported(case("i11_trailing.jsonl"))
    assert [error.line for error in report.errors] == [1, 2]
    assert "trailing comma" in report.errors[0].reason


# File, number of labellings imported, lines left out; trees and ratings that count in `prm train`.
LABELS = [
    ("p01_null_ratings.jsonl", 2, [], 1, 2),
    ("p03_human.jsonl", 3, [], 3, 4),
    ("p04_bad_chosen.jsonl", 1, [1, 2, 3, 5, 6], 1, 1),
    ("p06_after_error.jsonl", 1, [], 1, 2),
    ("p08_meta.jsonl", 7, [4, 7], 7, 6),
    ("p10_bom.jsonl", 1, [], 1, 1),
    ("p13_onebad.jsonl", 2, [2], 2, 2),
]


@pytest.mark.parametrize(("name", "labellings", "bad", "trees", "ratings"), LABELS)
def test_the_import_and_the_training_read_the_same_labels(name, labellings, bad, trees, ratings):
    report = importing.import_labels(case(name), file_format="prm800k", now=timezone.now())
    assert ([error.line for error in report.errors], Labelling.objects.count()) == (bad, labellings)
    reading = Reading(is_strict=False)
    found = list(read_labels(case(name), split="train", reading=reading))
    assert (len(found), sum(len(list(counted_labels(tree))) for tree in found)) == (trees, ratings)
    assert reading.left_out["bad_line"] == len(bad)


@pytest.mark.parametrize(
    ("name", "read", "found", "left_out"),
    [
        ("c01_trl.jsonl", "labels", 1, {}),
        ("c02_ms.jsonl", "labels", 1, {}),
        ("c03_pb.jsonl", "first_errors", 2, {}),
        ("c05_sol_intid.jsonl", "solutions", 1, {}),
        ("c07_outcome_null.jsonl", "labels", 1, {"no_verdict": 2}),
        ("c09_empty.jsonl", "solutions", 0, {}),
        ("c09_empty.jsonl", "labels", 0, {}),
        ("c11_gz_named_plain.jsonl", "solutions", 1, {}),
        ("c13_bom_sol.jsonl", "solutions", 1, {}),
        ("c20_onebad.jsonl", "solutions", 4, {"bad_line": 1}),
        ("i34_trl.jsonl", "labels", 2, {}),
        ("i35_math_shepherd.jsonl", "labels", 1, {}),
        ("i37_rlhflow.jsonl", "labels", 1, {}),
        ("i39_prmbench.jsonl", "first_errors", 1, {}),
        ("i43_processbench.jsonl", "first_errors", 3, {"bad_line": 1}),
    ],
)
def test_the_command_line_of_the_reward_model_reads(name, read, found, left_out):
    readers: dict[str, Any] = {"solutions": read_solutions, "labels": read_labels, "first_errors": read_first_errors}
    reading = Reading(is_strict=False)
    options = {"split": "train"} if read == "labels" else {}
    assert len(list(readers[read](case(name), reading=reading, **options))) == found
    assert reading.left_out == Counter(left_out)


def test_a_file_without_steps_is_refused_as_by_the_import():
    said = list[str]()
    with pytest.raises(Exception, match="nothing in it can be read"):
        list(read_solutions(case("c16_empty_steps.jsonl"), reading=Reading(is_strict=False, tell=said.append)))


# Files like the cases, which need no data.
RECORD = {"problem": "1 + 1?", "generator": "toy", "reference_answer": "2", "steps": ["We add.", "A: 2"]}


@pytest.mark.parametrize(
    "record",
    [
        RECORD,
        RECORD | {"id": 7.0, "level": float("nan"), "correct": 1.0},
        RECORD | {"steps": ["We add.", "A: 2", ""]},
        RECORD | {"steps": [{"text": "We add."}, {"text": "A: 2"}], "score": float("-inf")},
        {**RECORD, "reference_answer": [2.0]},
        {"question": "1 + 1?", "output": "We add.\nA: 2", "model": "toy", "answer": 2},
        {"messages": [{"role": "user", "content": "1 + 1?"}, {"role": "assistant", "content": "We add.\n\nA: 2"}],
         "model": "toy", "target": "2"},
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "written",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: f'{{"data": [{text}]}}'.encode(),
        lambda text: json.dumps(json.loads(text), indent=2).encode(),
        lambda text: gzip.compress(f"\n{text}\r\n".encode()),
        lambda text: json.dumps(text).encode(),
        lambda text: json.dumps({"row_idx": 0, "row": json.loads(text)}).encode(),
    ],
    ids=["bom", "utf16", "wrapped", "pretty", "gzip", "encoded_twice", "nested"],
)
def test_one_solution_however_it_is_written(tmp_path, record, written):
    (tmp_path / "x").write_bytes(written(json.dumps(record)))
    report = imported(tmp_path / "x")
    assert (report.solutions, report.errors) == (1, [])
    solution = Solution.objects.get()
    assert (solution.steps, solution.verdict, solution.generator) == (["We add.", "A: 2"], "right", "toy")
    assert [each.steps for each in read_solutions(tmp_path / "x")] == [("We add.", "A: 2")]


def test_a_table_of_pandas_is_imported(tmp_path):
    """Lists as Python writes them, whole numbers as floats, an index without a name."""
    (tmp_path / "x.csv").write_text(
        ",problem,generator,reference_answer,steps,correct,id\n"
        "0,1 + 1?,toy,2.0,\"['We add.', 'A: 2']\",1.0,7.0\n"
        '1,2 + 2?,toy,4.0,"[""It\'s 4.""]",,\n'
        "2,3 + 3?,toy,,\"['a' 'b']\",0.0,9.0\n"
    )
    report = imported(tmp_path / "x.csv")
    assert [error.line for error in report.errors] == [4], "Python would make one step of NumPy's two"
    assert sorted(Solution.objects.values_list("steps", "grader_version"))[1] == (["We add.", "A: 2"], "given")
