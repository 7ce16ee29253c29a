"""Problems: one row for all spellings, held out for good; near-duplicates; benchmarks."""

import json
import zlib
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.data import importing, snapshots
from labeling.data.exporting import LabelFilter, standing
from labeling.data.importing import ProblemOptions, undo
from labeling.data.problems import near, register, splits
from labeling.models import Benchmark, Problem, ProblemBand
from labeling.rules.texts import statements
from tests.real_data import DATA

SHEEP = "A farmer has {} sheep in the northern field and sells {} of them at the market. How many sheep are left?"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


def write(tmp_path, *records):
    path = tmp_path / "solutions.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def written(problem, **fields):
    return {"problem": problem, "generator": "g", "reference_answer": "3", "steps": ["A: 3"]} | fields


def test_spellings_of_a_problem_are_one_and_the_first_is_stored(tmp_path):
    first, *others = ["What\u00a0is 1  + 2?", "What is 1 + 2 ?", "What is 1+2?\r\n", "\ufeffWhat is 1 + 2?"]
    importing.import_solutions(write(tmp_path, written(first)))
    report = importing.import_solutions(write(tmp_path, *map(written, others)))
    assert (report.problems, Problem.objects.get().statement) == (0, first)


def test_six_rows_of_two_problems():
    path = DATA / "cases" / "i29_same_problem.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    assert importing.import_solutions(path).problems == 2


# Splits


def imported(tmp_path, *records, **options):
    return importing.import_solutions(write(tmp_path, *records), of_problems=ProblemOptions(**options))


def test_a_record_can_hold_out_a_known_problem(tmp_path):
    imported(tmp_path, written("1 + 2?"))
    report = imported(tmp_path, written("1+2 ?", split="test", steps=["Otherwise.", "A: 3"]))
    assert (report.held_out, Problem.objects.get().split) == (1, "test")


def test_a_held_out_problem_never_returns_to_training(tmp_path):
    imported(tmp_path, written("1 + 2?", split="test"))
    report = imported(tmp_path, written("1 + 2?", split="train", steps=["Otherwise.", "A: 3"]), split="train")
    assert (report.held_out, Problem.objects.get().split) == (0, "test")


def test_any_record_of_a_file_holds_its_problem_out(tmp_path):
    imported(tmp_path, written("1 + 2?", split="train"), written("1 + 2?", split="test", steps=["Or.", "A: 3"]))
    assert Problem.objects.get().split == "test"


def test_the_split_can_be_said_of_a_whole_file(tmp_path):
    imported(tmp_path, written("1 + 2?"), written("2 + 2?", split="train"), split="test")
    assert set(Problem.objects.values_list("statement", "split")) == {("1 + 2?", "test"), ("2 + 2?", "train")}


def test_processbench_holds_known_problems_out(tmp_path):
    imported(tmp_path, written("1 + 2?"))
    judged = {"problem": "1 + 2?", "generator": "g", "steps": ["3"], "label": -1}
    importing.import_processbench(write(tmp_path, judged))
    assert Problem.objects.get().split == "test"
    importing.import_processbench(write(tmp_path, judged | {"problem": "4?"}), of_problems=ProblemOptions("train"))
    assert Problem.objects.get(statement="4?").split == "train"


def test_a_problem_trained_on_is_not_held_out(tmp_path, make):
    imported(tmp_path, written("1 + 2?"))
    problem = Problem.objects.get()
    make.labelling(make.task(solution=problem.solutions.get()), 1)
    Problem.objects.update(text_hash=KEPT)  # the draw leaves it for training
    snapshots.freeze()
    assert splits.hold_out([problem.pk]) == 0
    assert Problem.objects.get().split == "train"


KEPT, DRAWN = "0", next(f"{n}" for n in range(1000) if zlib.crc32(f"{n}".encode()) % 10 == 0)


@pytest.mark.any_database
def test_problems_drawn_as_held_out_stay_held_out(make):
    """They stay held out when test problems get labels, after which none are drawn."""
    drawn, kept = make.problem(text_hash=DRAWN), make.problem(text_hash=KEPT)
    for problem in (drawn, kept):
        make.labelling(make.task(solution=make.solution(problem)), 1)
    assert snapshots.freeze().counts["split"] == {"train": 1, "test": 1}
    make.labelling(make.task(solution=make.solution(make.problem(split="test"))), 1)
    assert snapshots.freeze().counts["split"] == {"train": 1, "test": 2}
    assert snapshots.preview_snapshot()["split"] == {"train": 1, "test": 2}
    drawn.refresh_from_db()
    assert (drawn.is_drawn, drawn.trained_on_at) == (True, None)
    kept.refresh_from_db()
    assert (kept.held_out_at, kept.trained_on_at is None) == (None, False)


def test_staff_change_a_split_with_all_versions(make, admin):
    old = make.problem()
    new = make.problem(source="world")
    Problem.objects.filter(pk=old.pk).update(replaced_by=new)
    task = make.task(solution=make.solution(old))
    make.labelling(task, 1)
    found = splits.touched(splits.of_source("world"), "test")
    assert (found.problems, found.labellings, found.tasks) == (1, 1, 1)
    splits.change_split(splits.of_source("world"), "test", on="source “world”", by=admin)
    assert set(Problem.objects.values_list("split", flat=True)) == {"test"}
    assert splits.touched([new.pk], "test").problems == 0
    splits.change_split([new.pk], "train", on="a problem", by=admin)
    assert set(Problem.objects.values_list("split", flat=True)) == {"train"}


# Near-duplicates


def test_near_duplicates_are_found(tmp_path):
    imported(tmp_path, written(SHEEP.format(17, 4)), written("What is the capital of France?"))
    found, same, none = near.of([SHEEP.format(17, 5), SHEEP.format(17, 4) + " ", "What is the integral of x?"])
    assert [(each.statement, each.likeness > 0.6) for each in found] == [(SHEEP.format(17, 4), True)]
    assert (same, none) == ([], [])


def test_some_of_many_near_duplicates_are_found(tmp_path, django_assert_max_num_queries):
    imported(tmp_path, *(written(SHEEP.format(17, number)) for number in range(9)))
    with django_assert_max_num_queries(3):
        found, none = near.some_of([SHEEP.format(17, 10), "What is the integral of x?"], until=near.newest())
    assert 1 <= len(found) < 9
    assert none == []


def test_near_duplicates_within_a_file():
    seen = near.Seen()
    assert seen.add([SHEEP.format(17, 4), "Else?", SHEEP.format(17, 5)])[:2] == [None, None]
    ((text, likeness),) = seen.add([SHEEP.format(18, 4)])
    assert text.startswith("A farmer") and 0.6 < likeness < 1


@pytest.mark.any_database
@given(st.lists(st.sampled_from(SHEEP.split()), min_size=30, max_size=60), st.integers(0, 29))
def test_a_changed_word_leaves_a_text_near(words, place):
    changed = [*words[:place], "otherwise", *words[place + 1 :]]
    one, other = " ".join(words), " ".join(changed)
    alike = statements.likeness(*map(statements.shingles, (one, other)))
    assert alike >= near.LEAST or len(statements.shingles(one)) < 12
    assert alike < 0.75 or {*near.bands([one])[0]} & {*near.bands([other])[0]}


def test_many_problems_of_one_template_are_not_compared(make, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(near, "CROWD", 3)
    for number in range(5):
        problem = make.problem(statement=f"{SHEEP} {number}")
        ProblemBand.objects.bulk_create(
            ProblemBand(problem_id=pk, band=band) for pk, band in near.rows({problem.pk: SHEEP})
        )
    with django_assert_max_num_queries(3):
        assert near.of([SHEEP]) == [[]]


# The register


@pytest.fixture
def benchmark(tmp_path):
    path = write(tmp_path, {"question": SHEEP.format(17, 4), "answer": "17-4=<<17-4=13>>13\n#### 13"})
    importing.import_problems(path, source="farm", of_problems=ProblemOptions(benchmark="Farm"))
    return Benchmark.objects.get()


def labelled(make, statement):
    make.labelling(make.task(solution=Problem.objects.get(statement=statement).solutions.first()), 1)


def test_problems_alone_are_imported_and_registered(benchmark):
    problem = benchmark.problems.get()
    assert (problem.reference_answer, problem.reference_solution) == ("13", "17-4=13\n#### 13")
    assert (problem.split, problem.overlap, problem.source) == ("test", "benchmark", "farm")


def test_known_problems_are_registered_too_and_held_out(tmp_path, make):
    imported(tmp_path, written("1 + 2?"))
    importing.import_problems(write(tmp_path, {"problem": "1+2?"}), of_problems=ProblemOptions(benchmark="Sums"))
    assert Problem.objects.values_list("split", "overlap").get() == ("test", "benchmark")


@pytest.mark.parametrize("is_first", [True, False])
def test_labels_on_and_near_a_benchmark_are_left_out_unless_included(tmp_path, make, is_first, request):
    if is_first:
        request.getfixturevalue("benchmark")
    on, close, far = SHEEP.format(17, 4), SHEEP.format(17, 5), "What is 1 + 2, and why?"
    imported(tmp_path, *map(written, (on, close, far)))
    if not is_first:
        request.getfixturevalue("benchmark")
    for statement in (on, close, far):
        labelled(make, statement)
    found = snapshots.preview_snapshot()
    assert (found["labellings"], found["left_out"]["benchmark"], found["left_out"]["near_benchmark"]) == (1, 1, 1)
    assert found["overlap"] == {"benchmark": 1, "near_benchmark": 1, "benchmarks": {"Farm": 1}}
    snapshot = snapshots.freeze()
    assert (snapshot.counts["labellings"], snapshot.counts["overlap"]) == (1, found["overlap"])
    everything = LabelFilter(include=("benchmark", "near_benchmark"))
    assert {each.problem for each in standing.stream(everything)} == {on, close, far}
    with_all = snapshots.freeze(everything)
    assert with_all.counts["split"]["test"] >= 1, "what is on a benchmark is never trained on"
    assert Problem.objects.get(statement=on).trained_on_at is None


def test_an_outcome_model_learns_from_no_benchmark(tmp_path, benchmark):
    imported(tmp_path, *map(written, (SHEEP.format(17, 4), SHEEP.format(17, 5), "1 + 2?")))
    assert snapshots.freeze_outcomes().counts["labels"] == 1


def test_removing_a_benchmark_releases_its_near_duplicates(tmp_path, benchmark, make, admin):
    imported(tmp_path, written(SHEEP.format(17, 5)))
    labelled(make, SHEEP.format(17, 5))
    assert register.freed(benchmark) == (1, 1, 1)
    register.remove(benchmark, by=admin)
    assert set(Problem.objects.values_list("overlap", "split")) == {("", "test"), ("", "train")}


def test_a_problem_on_two_benchmarks_stays_on_the_other(tmp_path, benchmark, admin):
    path = write(tmp_path, {"problem": SHEEP.format(17, 4)})
    importing.import_problems(path, of_problems=ProblemOptions(benchmark="Other"))
    register.remove(benchmark, by=admin)
    assert Problem.objects.get().overlap == "benchmark"


def test_undoing_an_import_takes_its_benchmark_off(tmp_path, make):
    imported(tmp_path, written(SHEEP.format(17, 5)))
    origin = uuid4()
    path = write(tmp_path, {"problem": SHEEP.format(17, 4)})
    importing.import_problems(path, origin=origin, of_problems=ProblemOptions(benchmark="Farm"))
    assert set(Problem.objects.values_list("overlap", flat=True)) == {"benchmark", "near_benchmark"}
    undo.undo(origin, on_rows=lambda number: None)
    assert (Problem.objects.get().overlap, Benchmark.objects.count()) == ("", 0)


def test_math500_is_a_benchmark():
    path = DATA / "math500" / "test500.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    report = importing.import_problems(path, of_problems=ProblemOptions(benchmark="MATH500"))
    assert (report.problems, report.error_count, Benchmark.objects.get().problems.count()) == (500, 0, 500)
    assert not Problem.objects.filter(reference_answer="").exists()
