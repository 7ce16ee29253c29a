"""/api/splits/ and /api/benchmarks/: staff hold problems out, and register benchmarks."""

import pytest

from labeling.data.problems import near, register
from labeling.models import Benchmark, Change, Problem, ProblemBand

SPLITS, PREVIEW, BENCHMARKS = "/api/splits/", "/api/splits/preview/", "/api/benchmarks/"
SHEEP = "A farmer has 17 sheep in the northern field and sells {} of them at the market. How many are left?"
NOT_THERE = "c0ffee00-0000-4000-8000-000000000000"


@pytest.fixture
def problem(make):
    return make.problem(source="world")


@pytest.fixture
def benchmark(make):
    """A benchmark of one problem, with a labelled near-duplicate in the pool."""
    own, close = (make.problem(statement=SHEEP.format(number)) for number in (4, 5))
    rows = near.rows({row.pk: row.statement for row in (own, close)})
    ProblemBand.objects.bulk_create(ProblemBand(problem_id=pk, band=band) for pk, band in rows)
    register.register("Farm", [own.pk])
    make.labelling(make.task(solution=make.solution(close)), 1)
    return Benchmark.objects.get()


@pytest.mark.parametrize("who", ["admin_client", "ml_staff_client"])
def test_a_preview_of_a_split_counts_what_the_change_affects(make, problem, who, request):
    client = request.getfixturevalue(who)
    make.labelling(make.task(solution=make.solution(problem)), 1)
    asked = {"problem": str(problem.pk), "split": "test"}
    touched = {"problems": 1, "labellings": 1, "tasks": 1, "trained_on": 0, "held_out": 0, "benchmarks": []}
    assert client.post(PREVIEW, asked).json() == touched
    assert Problem.objects.get(pk=problem.pk).split == "train"
    assert client.post(SPLITS, asked).json() == touched
    assert Problem.objects.get(pk=problem.pk).split == "test"
    assert Change.objects.get(act="split").after == {"split": "test", "of": "one problem", **touched}
    assert client.post(SPLITS, asked).json()["problems"] == 0


def test_a_whole_source_is_moved(problem, make, admin_client):
    other = make.problem()
    admin_client.post(SPLITS, {"source": "world", "split": "test"})
    assert (Problem.objects.get(pk=problem.pk).split, Problem.objects.get(pk=other.pk).split) == ("test", "train")


@pytest.mark.parametrize("address", [SPLITS, PREVIEW])
@pytest.mark.parametrize(
    "asked",
    [
        {"split": "test"},
        {"source": "world", "problem": NOT_THERE, "split": "test"},
        {"source": "world", "split": "dev"},
    ],
)
def test_a_bad_body_is_refused(address, asked, admin_client, refused):
    refused(admin_client.post(address, asked), 400, "invalid")


def test_an_unknown_problem_is_not_found(admin_client, refused):
    refused(admin_client.post(SPLITS, {"problem": NOT_THERE, "split": "test"}), 404, "not_found")


def test_a_benchmarks_problem_stays_held_out(benchmark, admin_client, refused):
    asked = {"problem": str(benchmark.problems.get().pk), "split": "train"}
    assert admin_client.post(PREVIEW, asked).json()["benchmarks"] == ["Farm"]
    refused(admin_client.post(SPLITS, asked), 409, "cannot_change_split")


def test_the_register_is_listed_with_what_is_near(benchmark, ml_staff_client):
    (row,) = ml_staff_client.get(BENCHMARKS).json()
    assert (row["name"], row["problems"]) == ("Farm", 1)
    found = ml_staff_client.get(f"{BENCHMARKS}{benchmark.pk}/").json()
    assert (found["near"], found["labellings"]) == (1, 1)
    (example,) = found["examples"]
    assert (example["statement"], example["benchmark_statement"]) == (SHEEP.format(5), SHEEP.format(4))


def test_removing_a_benchmark_releases_near_duplicates(benchmark, admin_client):
    assert admin_client.delete(f"{BENCHMARKS}{benchmark.pk}/").status_code == 204
    assert set(Problem.objects.values_list("overlap", "split")) == {("", "test"), ("", "train")}
    assert Change.objects.get(kind="benchmark").before == {"problems": 1, "near": 1, "labellings": 1}


@pytest.mark.parametrize("who", ["annotator_client", "outsider_client"])
def test_others_are_refused(benchmark, problem, who, request, refused):
    client = request.getfixturevalue(who)
    asked = {"problem": str(problem.pk), "split": "test"}
    own = f"{BENCHMARKS}{benchmark.pk}/"
    for answer in (
        client.post(SPLITS, asked),
        client.post(PREVIEW, asked),
        client.get(BENCHMARKS),
        client.get(own),
        client.delete(own),
    ):
        refused(answer, 403, "permission_denied")
