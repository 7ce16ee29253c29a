"""labeling.data.exporting: writes labels to files, in every format, with a manifest."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from labeling.data import exporting, importing
from labeling.data.exporting import LabelFilter, standing
from labeling.data.exporting.choosing import INCLUDABLE
from labeling.data.formats.labels import prm800k
from labeling.models import Labelling, RatedCompletion
from labeling.rules.words import GIVEN_UP
from tests.real_data import DATA

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
EVERYTHING = LabelFilter(include=INCLUDABLE)

NO_OVERLAP = {"benchmark": 0, "near_benchmark": 0}

pytestmark = pytest.mark.django_db


@pytest.fixture
def exported(tmp_path):
    """Exports. Returns the records and the manifest."""

    def export(
        file_format: str = "prm800k", label_filter: LabelFilter = EVERYTHING
    ) -> tuple[list[Any], dict[str, Any]]:
        output = tmp_path / "labels.jsonl"
        manifest = exporting.export_labels(label_filter, file_format=file_format, output=output, now=NOW)
        return [json.loads(line) for line in output.read_text().splitlines()], manifest

    return export


def trajectory(make, finish_reason="solution"):
    """Makes a trajectory of two steps: the second of two alternatives, then the annotator's own text."""
    task = make.task(make.phase(kind="alternatives"))
    labelling = Labelling.objects.create(task=task, finish_reason=finish_reason)
    rows = [(0, 0, "No.", -1, False, False), (0, 1, "We add.", 1, True, False), (1, 0, "A: 5", None, True, True)]
    for step, number, text, rating, is_chosen, is_human in rows:
        RatedCompletion.objects.create(
            labelling=labelling,
            step=step,
            completion=number,
            text=text,
            rating=rating,
            is_chosen=is_chosen,
            is_human=is_human,
        )
    return labelling


def test_a_labelling_of_a_whole_solution_as_a_prm800k_record(make, annotator, exported):
    task = make.task(number=3)
    labelling = make.labelling(task, 1, -1, annotator=annotator, active_ms=9000)
    labelling.completions.create(step=1, completion=1, text="other", rating=1, is_chosen=False)
    (record,), _ = exported()
    assert record == {
        "labeler": str(annotator.pk),
        "timestamp": "2026-03-02T12:00:00",
        "generation": 3,
        "is_quality_control_question": False,
        "is_initial_screening_question": False,
        "question": {
            "problem": task.solution.problem.statement,
            "ground_truth_answer": "5",
            "ground_truth_solution": None,
            "pre_generated_steps": task.solution.steps,
            "pre_generated_answer": "5",
            "pre_generated_verifier_score": None,
        },
        "label": {
            "steps": [
                {
                    "completions": [{"text": "step 0", "rating": 1, "flagged": False}],
                    "human_completion": None,
                    "chosen_completion": 0,
                },
                {
                    "completions": [
                        {"text": "step 1", "rating": -1, "flagged": False},
                        {"text": "other", "rating": 1, "flagged": False},
                    ],
                    "human_completion": None,
                    "chosen_completion": None,
                },
            ],
            "total_time": 9000,
            "finish_reason": "found_error",
        },
    }


def test_a_trajectory_as_a_prm800k_record(make, exported):
    trajectory(make)
    (record,), _ = exported()
    first, second = record["label"]["steps"]
    assert set(record["question"]) == {"problem", "ground_truth_answer"}
    assert (len(first["completions"]), first["chosen_completion"], first["human_completion"]) == (2, 1, None)
    human = {"text": "A: 5", "rating": None, "source": "human", "flagged": False}
    assert second == {"completions": None, "human_completion": human, "chosen_completion": None}


def test_exported_records_can_be_read(make, exported):
    trajectory(make)
    make.labelling(make.task(), 1, 0, None, -1)
    records, _ = exported()
    assert sorted(len(prm800k.parse(record).completions) for record in records) == [3, 4]


def test_screening_and_gold_are_marked(make, exported):
    make.labelling(make.task(number=-1), 1)
    gold = make.gold(1)
    make.labelling(make.task(solution=gold.solution), 1)
    records, _ = exported()
    said = {(one["is_initial_screening_question"], one["is_quality_control_question"]) for one in records}
    assert said == {(True, False), (False, True)}


@pytest.mark.parametrize(
    ("ratings", "labels"),
    [((1, 0, -1), [True, True, False]), ((1, 1, 1), [True, True, True]), ((1, None, -1), [True]), ((None, 1), None)],
)
def test_trl(make, exported, ratings, labels):
    labelling = make.labelling(make.task(), *ratings)
    records, manifest = exported("trl")
    assert [record["labels"] for record in records] == ([] if labels is None else [labels])
    assert manifest["counts"]["labellings"] == 1
    for record in records:
        assert record["prompt"] == labelling.task.solution.problem.statement
        assert record["completions"] == [f"step {step}" for step in range(len(labels))]


def test_trl_follows_what_was_chosen(make, exported):
    trajectory(make)
    (record,), _ = exported("trl")
    assert (record["completions"], record["labels"]) == (["We add.", "A: 5"], [True, True])


def test_math_shepherd(make, exported):
    problem = make.problem(statement="1 + 1?", source="sums")
    make.labelling(make.task(solution=make.solution(problem)), 1, -1)
    (record,), _ = exported("math_shepherd")
    assert record == {
        "input": "1 + 1? Step 1: step 0 ки\nStep 2: step 1 ки",
        "label": "1 + 1? Step 1: step 0 +\nStep 2: step 1 -",
        "task": "sums",
    }


@pytest.mark.parametrize(
    ("ratings", "finish_reason", "label"),
    [
        ((1, 0, -1), "found_error", 2),
        ((1, 0, 1), "solution", -1),
        ((1, 0, 1), None, -1),
        ((1, 0), "solution", None),
        ((1, None, -1), "found_error", None),
        ((1, 1, None), "solution", None),
        ((1,), "give_up", None),
        ((), "bad_problem", None),
    ],
)
def test_processbench(make, exported, ratings, finish_reason, label):
    labelling = make.labelling(make.task(), *ratings, finish_reason=finish_reason)
    records, _ = exported("processbench")
    solution = labelling.task.solution
    expected = {"id": str(labelling.pk), "generator": "", "problem": solution.problem.statement}
    expected |= {"steps": solution.steps, "final_answer_correct": False, "label": label}
    assert records == ([] if label is None else [expected])


def test_parquet(make, tmp_path, annotator):
    parquet = pytest.importorskip("pyarrow.parquet")
    labelling = make.labelling(make.task(), 1, None, -1, annotator=annotator)
    trajectory(make)
    output = tmp_path / "labels.parquet"
    exporting.export_labels(EVERYTHING, file_format="parquet", output=output, now=NOW)
    rows = {row["id"]: row for row in parquet.read_table(output).to_pylist()}
    row = rows.pop(str(labelling.pk))
    assert [item["rating"] for item in row["completions"]] == [1, None, -1]
    assert (row["annotator_id"], row["submitted_at"]) == (str(annotator.pk), NOW)
    assert [len(other["completions"]) for other in rows.values()] == [3]


def test_parquet_says_what_it_needs(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CommandError, match="pip install"):
        call_command("export", "--format", "parquet", "--output", str(tmp_path / "labels"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.any_database
def test_labels_that_the_paper_left_out_are_counted(make, exported, annotator, now):
    used = make.labelling(make.task(), 1, -1)
    make.labelling(make.task(number=-1), 1)
    make.labelling(make.task(number=-2), 1)
    make.labelling(make.task(solution=make.gold(1).solution), 1)
    for reason in GIVEN_UP:
        make.labelling(make.task(), 1, finish_reason=reason)
    make.labelling(make.task(), 1, annotator=annotator)
    make.labelling(make.task(), 1, superseded_at=now)
    chosen = LabelFilter(without_annotators=[annotator.username])
    (record,), manifest = exported("processbench", chosen)
    assert record["id"] == str(used.pk)
    assert manifest["counts"]["left_out"] == {
        "withdrawn": 0,
        "screening": 1,
        "gold": 2,
        **dict.fromkeys(GIVEN_UP, 1),
        **NO_OVERLAP,
        "settled": 0,
    }
    assert len(exported()[0]) == 5 + len(GIVEN_UP)


def test_phases_and_splits(make, phase, exported):
    mine = make.labelling(make.task(phase, solution=make.solution(make.problem(split="test"))), 1, 1, 1)
    make.labelling(make.task(phase), 1, 1, 1)
    make.labelling(make.task(), 1, 1, 1)
    assert len(exported(label_filter=LabelFilter(phases=[phase.pk]))[0]) == 2
    (record,), _ = exported("processbench", LabelFilter(phases=[phase.pk], split="test"))
    assert record["id"] == str(mine.pk)


def test_the_manifest(make, phase, exported, tmp_path):
    make.labelling(make.task(phase), 1, 0, None, -1)
    _, manifest = exported(label_filter=LabelFilter(phases=[phase.pk], include=["screening"]))
    assert manifest == json.loads((tmp_path / "labels.jsonl.manifest.json").read_text())
    assert manifest["sha256"] == hashlib.sha256((tmp_path / "labels.jsonl").read_bytes()).hexdigest()
    plain = {"rounds": [], "split": "", "annotators": [], "without_annotators": [], "consensus": ""}
    assert manifest["filter"] == {"phases": [str(phase.pk)], "include": ["screening"], **plain}
    kinds = {"records": 1, "labellings": 1, "rulings": 0, "consensuses": 0}
    mix = {"labels": 3, "positive": 1, "neutral": 1, "negative": 1, "unsure": 1}
    left_out = dict.fromkeys(("withdrawn", "gold", *GIVEN_UP, *NO_OVERLAP, "settled"), 0)
    assert manifest["counts"] == {**kinds, **mix, "left_out": left_out, "overlap": NO_OVERLAP | {"benchmarks": {}}}
    assert set(manifest) == {"file", "sha256", "format", "exported_at", "filter", "counts", "versions"}


def test_equal_labels_are_equal_files(make, exported):
    for _ in range(5):
        make.labelling(make.task(), 1, -1)
    assert exported()[1]["sha256"] == exported()[1]["sha256"]


def test_an_export_that_fails_leaves_what_was_there(make, tmp_path, monkeypatch):
    output = tmp_path / "labels.jsonl"
    output.write_text("before")
    make.labelling(make.task(), 1)
    monkeypatch.setitem(exporting.FORMATS, "trl", lambda labelled: iter([{"no": object()}]))
    with pytest.raises(TypeError):
        exporting.export_labels(EVERYTHING, file_format="trl", output=output, now=NOW)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"]


def test_it_reads_in_batches(make, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr("labeling.data.exporting.rows.BATCH", 4)
    for _ in range(10):
        make.labelling(make.task(), 1, 1)
    rulings = 1
    with django_assert_num_queries(rulings + 1 + 3):
        assert len(list(standing.stream(EVERYTHING))) == 10


def test_the_command_writes_a_gzipped_file(make, phase, tmp_path, capsys, annotator, second_annotator):
    task = make.task(phase)
    make.labelling(task, 1, annotator=annotator)
    make.labelling(task, -1, annotator=second_annotator)
    make.labelling(make.task(phase, number=-1), 1, annotator=annotator)
    output = tmp_path / "labels.jsonl.gz"
    options = ["--phases", phase.name, make.phase().name, "--rounds", str(task.round_id), "--split", "train"]
    options += ["--include", "gold", "screening", "--consensus", "majority", "--without-annotators", "ben"]
    call_command("export", "--format", "trl", "--output", str(output), *options)
    assert json.loads(gzip.decompress(output.read_bytes()))["labels"] == [True]
    assert "Records: 1. Labellings: 1; rulings: 0; consensuses: 0." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--phases", "none"], "no phase “none”"),
        (["--rounds", "c0ffee00-0000-4000-8000-000000000000"], "no round “c0ffee00"),
        (["--rounds", "first"], "invalid UUID value"),
        (["--annotators", "adda"], "nobody called “adda”"),
        (["--without-annotators", "adda"], "nobody called “adda”"),
        (["--without-annotator", "ada"], "unrecognized arguments: --without-annotator"),
        (["--include", "gold", "overruled"], f"“overruled” is not one of {', '.join(INCLUDABLE)}"),
        (["--consensus", "adjudicated"], "invalid choice"),
        (["--output", "/nowhere/labels"], "No such file"),
    ],
)
def test_the_command_refuses(tmp_path, options, message):
    with pytest.raises(CommandError, match=message):
        call_command("export", "--format", "trl", "--output", str(tmp_path / "labels"), *options)


def test_imported_mistakes_are_exported(exported):
    path = DATA / "cases" / "q_export.jsonl"
    if not path.exists():
        pytest.skip("needs cases/q_export.jsonl (see STEPMARK_DATA)")
    importing.import_prm800k(path, now=NOW)
    records, manifest = exported("trl", LabelFilter())
    labels = {record["prompt"].split()[2]: record["labels"] for record in records}
    right = [True, True]
    assert labels == {
        "301:": right,
        "302:": right,
        "303:": [True, False],
        "304:": [True, True, True],
        "305:": [True],
        "306:": right,
        "307:": [True, False],
        "308:": [False],
    }
    assert manifest["counts"]["negative"] == sum(found.count(False) for found in labels.values())
    judged = {record["problem"].split()[2]: record["label"] for record in exported("processbench", LabelFilter())[0]}
    assert judged == {"301:": -1, "302:": -1, "303:": 1, "304:": -1, "306:": -1, "307:": 1, "308:": 0}


def test_released_records_come_in_and_go_back_field_for_field(exported):
    names = ("phase1_train.jsonl.gz", "phase1_test.jsonl.gz", "phase1_example.jsonl", "phase2_example.jsonl")
    paths = [DATA / "prm800k" / name for name in names]
    if missing := [path.name for path in paths if not path.exists()]:
        pytest.skip(f"needs prm800k/{missing[0]} (see STEPMARK_DATA)")
    given = set[str]()
    for path in paths:
        content = path.read_bytes()
        text = gzip.decompress(content).decode() if path.suffix == ".gz" else content.decode()
        given |= {json.dumps(json.loads(line), sort_keys=True) for line in text.splitlines()}
        importing.import_prm800k(path, now=NOW)
    back = [json.dumps(record, sort_keys=True) for record in exported()[0]]
    assert len(back) == len(given) == 1003
    assert set(back) == given
