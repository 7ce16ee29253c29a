"""An inspection of a file finds the same as its import, and stores nothing."""

import json

import pytest
from django.utils import timezone

from labeling.data.inspecting import files
from labeling.data.inspecting.files import Options
from labeling.data.problems import register
from labeling.models import Gold, Labelling, Problem, Solution
from tests.real_data import DATA

pytestmark = pytest.mark.django_db


def record(number, **fields):
    plain = {"problem": f"{number} + 1?", "reference_answer": str(number + 1), "generator": "g"}
    return plain | {"steps": ["We add.", f"A: {number + 1}"]} | fields


@pytest.fixture
def go(tmp_path):
    def through(*records, is_dry=True, file_format="solutions", target="b"):
        path = tmp_path / "file.jsonl"
        path.write_text("\n".join(map(json.dumps, records)))
        options = Options(file_format=file_format, target=target)
        return files.go_through(path, options, now=timezone.now(), is_dry=is_dry)

    return through


def doubts(report):
    return {each["title"]: (each["count"], each["examples"]) for each in report.found()["doubts"]}


def test_a_dry_run_stores_nothing_and_counts_what_the_import_then_stores(go):
    records = [record(1), record(1), record(2), record(2, steps=["A: 7"]), record(3, generator="")]
    dry = go(*records)
    assert (Problem.objects.count(), Solution.objects.count()) == (0, 0)
    real = go(*records, is_dry=False)
    assert dry.counts() == real.counts()
    assert dry.found()["doubts"] == real.found()["doubts"]
    assert (real.solutions, real.problems, real.draws, real.error_count) == (3, 2, 4, 1)


def test_keys_that_nothing_reads_are_counted_with_examples(go):
    found = doubts(go(record(1, observations="It rained."), record(2), record(3, observations={"a": 1}, note=None)))
    examples = [{"line": 1, "text": "It rained."}, {"line": 3, "text": '{"a":1}'}]
    assert found == {"“observations” is not imported": (2, examples)}


@pytest.mark.parametrize("names", [{"problem": "1 + 1?"}, {"question": "1 + 1?", "statement": "One plus one?"}])
def test_fields_of_solutions_in_a_file_of_problems_are_counted(go, names):
    lost = {"attempts": ["A: 2"], **dict(list(names.items())[1:])}
    found = doubts(go({**names, "answer": "2", "attempts": ["A: 2"], "note": ""}, file_format="problems"))
    assert found.keys() == {f"“{name}” is not imported" for name in lost}


def test_keys_within_steps_are_counted_too(go):
    steps = [{"text": "We add.", "tokens": 5}, {"text": "A: 2", "tokens": 3}]
    found = doubts(go(record(1, steps=steps)))
    assert found["“steps.tokens” is not imported"][0] == 2


def test_keys_of_a_generators_solution_are_counted_without_its_name(go):
    attempt = {"solution": "A: 2", "is_correct": True, "tokens": 7}
    line = {"question": "1 + 1?", "ground_truth": "A: 2", "6b": attempt, "175b": attempt}
    found = doubts(go(line, file_format="gsm8k"))
    assert found["“tokens” is not imported"][0] == 2


@pytest.mark.parametrize(("key", "value"), [("label", 1), ("labels", [True, False]), ("error_steps", [2])])
def test_labels_in_a_file_of_plain_solutions_are_said_to_be_left_out(go, key, value):
    assert f"“{key}” looks like labels" in doubts(go(record(1) | {key: value}))


@pytest.mark.skipif(not DATA.exists(), reason="there is no shared data")
def test_a_file_of_human_labels_as_plain_solutions_says_so():
    path = DATA / "cases" / "i43_processbench.jsonl"
    report = files.go_through(path, Options(), now=timezone.now(), is_dry=True)
    assert "“label” looks like labels" in doubts(report)
    assert files.guessed(files.head(path)) == "ProcessBench"


def test_known_texts_say_whose_they_are(go):
    go(record(1), record(2), target="a", is_dry=False)
    report = go(record(1, steps=["Other.", "A: 2"]), record(2), record(3))
    assert doubts(report) == {"Texts that are also in “a”": (1, [{"line": 2, "text": "2 + 1?"}])}
    assert (report.solutions, report.shared, report.draws, report.duplicates) == (2, 1, 3, 0)


def test_draws_that_the_source_has_are_duplicates(go):
    go(record(1, id="x"), is_dry=False)
    report = go(record(1, id="x"), record(1, id="y"))
    assert doubts(report)["Already in “b”"] == (1, [{"line": 1, "text": "1 + 1?"}])
    assert (report.duplicates, report.draws, report.solutions) == (1, 1, 0)


def test_texts_that_the_file_repeats_are_counted(go):
    assert doubts(go(record(1), record(1), record(1)))["More than once in this file"][0] == 2


def test_several_reference_answers_are_listed_whoever_said_the_first(go):
    go(record(1), is_dry=False, target="a")
    lines = [record(1, reference_answer="9", steps=["x"]), record(2), record(2, reference_answer="4", steps=["y"])]
    count, examples = doubts(go(*lines))["Several reference answers for one problem"]
    assert (count, [each["line"] for each in examples]) == (2, [1, 3])
    assert examples[0]["text"] == "9, but 2 before: 1 + 1?"


def test_a_problem_in_another_split_is_listed(go):
    go(record(1, split="train"), is_dry=False, target="a")
    found = doubts(go(record(1, split="test", steps=["x"])))
    assert found["Problems that this file holds out"][0] == 1


def test_missing_answers_are_listed(go):
    lines = [record(1, steps=["We add."], answer=None), record(2, reference_answer=""), record(3, correct=True)]
    found = doubts(go(*lines))
    assert (found["No final answer found"][0], found["No reference answer"][0]) == (1, 1)


def test_very_long_steps_are_listed(go):
    assert doubts(go(record(1, steps=["x" * 30_000, "A: 2"])))["Very long steps"][0] == 1


def test_changes_by_the_reader_are_listed(go):
    assert doubts(go(record(1, steps=["A: 2", ""])))["Empty steps dropped"][0] == 1


def test_sources_of_steps_are_counted(go):
    texts = ["One.\n\nA: 2", "One.\nA: 2", "One.\nTwo.\n\nA: 2"]
    lines = [{**record(number), "steps": None, "text": text} for number, text in enumerate(texts)]
    assert go(*lines, record(9)).found()["steps"] == {"blank_lines": 2, "lines": 1, "given": 1}


def test_a_file_with_more_unknown_keys_than_can_be_listed(go):
    found = doubts(go(*[record(number, **{f"k{number}": 1}) for number in range(300)]))
    assert found["“…” is not imported"][0] == 200


LABELS = {"prompt": "1 + 1?", "completions": ["We add.", "A: 3"], "labels": [True, False]}


def test_labels_are_counted_and_known_ones_say_their_phase(go):
    dry = go(LABELS, file_format="trl", target="Old")
    assert (dry.labellings, dry.ratings, Labelling.objects.count()) == (1, 2, 0)
    go(LABELS, file_format="trl", target="Old", is_dry=False)
    again = go(LABELS, file_format="trl", target="Old")
    assert (again.labellings, again.duplicates) == (0, 1)
    assert "Already in “Old”" in doubts(again)


def test_gold_is_counted(go):
    line = {"problem": "1 + 1?", "steps": ["We add.", "A: 3"], "label": 1, "generator": "g", "id": "p"}
    assert (go(line, file_format="processbench").golds, Gold.objects.count()) == (1, 0)
    go(line, file_format="processbench", is_dry=False)
    assert go(line, file_format="processbench").golds == 0


def test_the_first_records_as_they_will_look():
    head = [(1, record(1, note="x"), False), (2, "not JSON", False), (3, {"problem": "?"}, False)]
    shown = files.preview_file(head, Options())
    assert [each["steps"] for each in shown["records"]] == [["We add.", "A: 2"]]
    assert shown["records"][0]["answer"] == "2"
    assert [each["line"] for each in shown["bad_lines"]] == [2, 3]
    assert [each["title"] for each in shown["doubts"]] == ["“note” is not imported"]


def test_the_first_records_of_labels_show_their_ratings():
    (shown,) = files.preview_file([(1, LABELS, False)], Options(file_format="trl"))["records"]
    assert (shown["steps"], shown["ratings"]) == (["We add.", "A: 3"], [1, -1])


def test_the_head_of_a_csv_is_read_as_csv(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('problem,generator,steps\n1 + 1?,g,"[""We add."", ""A: 2""]"\n')
    head = json.loads(json.dumps(files.head(path)))
    assert [each["steps"] for each in files.preview_file(head, Options())["records"]] == [["We add.", "A: 2"]]


SHEEP = "A farmer has 17 sheep in the northern field and sells {} of them at the market. How many are left?"


@pytest.mark.parametrize("is_dry", [True, False])
def test_near_duplicates_in_the_file_and_in_the_pool_are_listed(go, is_dry):
    go(record(1, problem=SHEEP.format(4)), is_dry=False, target="a")
    lines = [record(2, problem=SHEEP.format(5)), record(3, problem="Else?"), record(4, problem="Else, and why not?")]
    count, examples = doubts(go(*lines, is_dry=is_dry))["Near-duplicates of other problems"]
    assert (count, examples) == (1, [{"line": 1, "text": f"{SHEEP.format(5)} | {SHEEP.format(4)}"}])
    count, _ = doubts(go(*(record(n, problem=f"One {SHEEP.format(n)}") for n in (5, 6)), is_dry=is_dry))[
        "Near-duplicates of other problems"
    ]
    assert count == 2


def test_problems_on_benchmarks_and_near_them_are_listed(go):
    go(record(1, problem=SHEEP.format(4)), is_dry=False, target="a")
    register.register("Farm", [Problem.objects.get().pk])
    found = doubts(go(*(record(number, problem=SHEEP.format(number)) for number in (4, 5))))
    on, near = found["Problems on a registered benchmark"], found["Problems near one on a benchmark"]
    assert [each["line"] for _, examples in (on, near) for each in examples] == [1, 2]


def test_problems_trained_on_that_a_file_holds_out_are_listed(go):
    go(record(1), is_dry=False, target="a")
    Problem.objects.update(trained_on_at=timezone.now())
    found = doubts(go(record(1, split="test", steps=["x"])))
    assert found["Held out by this file, but trained on already"][0] == 1
    assert "Problems that this file holds out" not in found
