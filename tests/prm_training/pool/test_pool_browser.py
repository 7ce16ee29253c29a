"""/api/pool/solutions/: staff browse the pool, a bounded part per request, and see one solution in full."""

import math

import pytest
from django.utils import timezone

from labeling.models import Case
from prm_training.models import Import, SelectionItem
from prm_training.pool import browsing

pytestmark = pytest.mark.django_db

ADDRESS = "/api/pool/solutions/"


@pytest.fixture
def look(ml_staff_client):
    """Returns the solutions of all pages, in order."""

    def follow(**asked):
        rows, cursor = [], ""
        while True:
            answer = ml_staff_client.get(ADDRESS, asked | ({"cursor": cursor} if cursor else {}))
            assert answer.status_code == 200, answer.content
            body = answer.json()
            rows += body["results"]
            cursor = body["next"]
            if not cursor:
                return [row["id"] for row in rows]

    return follow


def ids(*solutions):
    return [str(solution.pk) for solution in solutions]


def test_it_works(make, ml_staff_client):
    problem = make.problem(statement="What is $2 + 3$?", split="test")
    solution = make.solution(problem, generator="a prover", external_id="s1")
    make.labelling(make.task(solution=solution), 1)
    model = make.reward_model()
    make.score(model, solution, math.log(0.25))
    (row,) = ml_staff_client.get(ADDRESS, {"model": model.pk}).json()["results"]
    assert row.pop("created_at")
    assert row == {
        **{"id": str(solution.pk), "statement": "What is $2 + 3$?", "reference_answer": "5", "split": "test"},
        **{"answer": "5", "verdict": "wrong", "generator": "a prover", "source": "world", "external_id": "s1"},
        **{"score": 0.25, "labellings": 1, "draws": 1, "statement_markup": "mathematics"},
    }


def test_only_the_pool_is_shown(make, look):
    make.solution(in_pool=False)
    assert look() == []


@pytest.fixture
def two(make):
    """Two solutions: one that the filters below find, and one that they don't."""
    wanted = make.solution(
        make.problem(statement="How far is the MOON?", split="test"),
        **{"source": "a", "generator": "g", "verdict": "right", "answer": "384 400", "external_id": "moon-1"},
    )
    return wanted, make.solution()


FILTERS = [
    *({"search": words} for words in ("moon", "384 4", "MOON-1", "far is the")),
    {"source": "a"},
    {"generator": "g"},
    {"verdict": "right"},
    {"split": "test"},
]


@pytest.mark.every_case
@pytest.mark.parametrize("asked", FILTERS)
@pytest.mark.parametrize("sort", ["newest", "score"])
def test_filters(look, make, two, asked, sort):
    model = make.reward_model()
    for solution in two:
        make.score(model, solution, -1)
    assert look(**asked, sort=sort, model=model.pk) == ids(two[0])


@pytest.mark.every_case
@pytest.mark.parametrize("sort", ["newest", "score"])
def test_labelled_or_not_and_published(look, make, sort):
    labelled, published, superseded, new = made = make.solutions(4)
    model = make.reward_model()
    asked = {"model": model.pk, "sort": sort}
    for solution in made:
        make.score(model, solution, -1)
    task = make.task(solution=labelled)
    make.labelling(task, 1)
    make.task(solution=published)
    make.labelling(make.task(solution=superseded), 1, superseded_at=timezone.now())
    assert look(labelled="yes", **asked) == ids(labelled)
    assert set(look(labelled="no", **asked)) == set(ids(published, superseded, new))
    assert look(phase=task.round.phase_id, **asked) == ids(labelled)


def test_by_its_own_id(look, two):
    assert look(search=str(two[1].pk)) == ids(two[1])


def test_by_the_import_that_brought_it(look, make):
    run = Import.objects.create(name="new.jsonl", file_format="solutions")
    wanted = make.solution(origin=run.pk)
    make.solution()
    assert look(origin=run.pk) == ids(wanted)


def test_the_newest_first(look, make):
    made = [make.solution(id=f"00000000-0000-7000-8000-00000000000{number}") for number in range(5)]
    assert look() == [solution.id for solution in reversed(made)]


def test_by_score_the_best_first_and_within_a_range(look, make):
    model, other = make.reward_model(), make.reward_model()
    made = make.solutions(4)
    for solution, chance in zip(made, [0.2, 0.9, 0.5, 0.5], strict=True):
        make.score(model, solution, math.log(chance))
        make.score(other, solution, math.log(1 - chance))
    unscored, too_long = make.solutions(2)
    make.score(model, too_long, None)
    own = {"model": model.pk}
    assert look(**own, sort="score") == ids(made[1], made[2], made[3], made[0])
    assert look(**own, sort="score", min_score=0.3, max_score=0.8) == ids(made[2], made[3])
    assert set(look(**own, min_score=0.3)) == set(ids(*made[1:]))
    assert look(**own, max_score=0.2) == ids(made[0])
    assert look(**own, max_score=0) == []
    assert set(look(**own, min_score=0)) == set(ids(*made))
    assert len(look(**own)) == 6
    assert unscored


@pytest.mark.every_case
@pytest.mark.parametrize("sort", ["newest", "score"])
@pytest.mark.parametrize(("window", "page"), [(3, 2), (2, 5), (1, 1), (100, 4)])
def test_every_solution_is_listed_once_for_any_window_and_page_size(look, make, monkeypatch, sort, window, page):
    monkeypatch.setattr(browsing, "WINDOW", window)
    monkeypatch.setattr(browsing, "PAGE", page)
    model, made = make.reward_model(), make.solutions(11)
    for number, solution in enumerate(made):
        make.score(model, solution, -(number // 4))  # many have the same score
    wanted = set(ids(*made[::3]))
    for solution in made[::3]:
        type(made[0]).objects.filter(pk=solution.pk).update(verdict="right")
    found = look(sort=sort, model=model.pk)
    assert (len(found), set(found)) == (11, set(ids(*made)))
    found = look(sort=sort, model=model.pk, verdict="right")
    assert (len(found), set(found)) == (4, wanted)


def test_a_request_looks_no_further_than_its_window(ml_staff_client, make, monkeypatch):
    monkeypatch.setattr(browsing, "WINDOW", 5)
    make.solution(id="00000000-0000-7000-8000-000000000000", source="old")
    make.solutions(7)
    first = ml_staff_client.get(ADDRESS, {"source": "old"}).json()
    assert (first["results"], first["looked_at"]) == ([], 5)
    last = ml_staff_client.get(ADDRESS, {"source": "old", "cursor": first["next"]}).json()
    assert (len(last["results"]), last["next"]) == (1, "")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"verdict": "fine"}, "verdict"),
        ({"verdit": "wrong"}, "verdit"),
        ({"phase": "00000000-0000-4000-8000-000000000000"}, "phase"),
        ({"model": "best"}, "model"),
        ({"sort": "score"}, "model"),
        ({"min_score": 0.5}, "model"),
        ({"min_score": 1.5}, "min_score"),
        ({"labelled": "maybe"}, "labelled"),
        ({"search": "a\0b"}, "search"),
        ({"cursor": "yesterday"}, "cursor"),
        ({"origin": "x"}, "origin"),
    ],
)
def test_misspelt_parameters_are_refused(ml_staff_client, refused, asked, field):
    assert field in refused(ml_staff_client.get(ADDRESS, asked), 400, "invalid")["errors"]


@pytest.mark.parametrize("cursor", ["yesterday", "1/2/3", "/", "nan/x", "x/1"])
def test_an_invalid_cursor_is_refused(ml_staff_client, refused, make, cursor):
    asked = {"sort": "score", "model": make.reward_model().pk, "cursor": cursor}
    assert "cursor" in refused(ml_staff_client.get(ADDRESS, asked), 400, "invalid")["errors"]


def test_queries_do_not_grow(make, admin_client, django_assert_num_queries):
    for solution in make.solutions(5):
        make.labelling(make.task(solution=solution), 1)
    with django_assert_num_queries(7):  # session, user, the window's end, solutions, scores, labellings
        assert len(admin_client.get(ADDRESS).json()["results"]) == 5


# One solution


@pytest.fixture
def detail(ml_staff_client):
    return lambda solution: ml_staff_client.get(f"{ADDRESS}{solution.pk}/").json()


def test_a_solution_in_full(make, detail, annotator):
    run = Import.objects.create(name="new.jsonl", file_format="solutions")
    problem = make.problem(subject="Algebra", level="3", reference_solution="We add.")
    solution = make.solution(problem, origin=run.pk)
    task = make.task(solution=solution, number=2, rank=7)
    given = make.labelling(task, 1, -1, annotator=annotator)
    make.labelling(task, 1, superseded_at=timezone.now())
    make.gold(1, -1, solution=solution)
    make.gold(1, 1, 1, solution=solution, version=2, gold_set="")
    SelectionItem.objects.create(selection=make.selection(), solution=solution, rank=3, reason="convincing")
    body = detail(solution)
    assert (body["subject"], body["level"], body["reference_solution"]) == ("Algebra", "3", "We add.")
    assert body["steps"] == solution.steps
    assert {name: body["origin"][name] for name in ("kind", "id", "name")} == {
        **{"kind": "import", "id": str(run.pk), "name": "new.jsonl"}
    }
    (round_,) = body["rounds"]
    assert (round_["phase_name"], round_["round_number"], round_["rank"]) == (task.round.phase.name, 2, 7)
    (labelling,) = body["labellings"]
    assert (labelling["id"], labelling["annotator"], labelling["is_overruled"]) == (str(given.pk), "ada", False)
    assert [item["rating"] for item in labelling["completions"]] == [1, -1]
    assert [(gold["version"], gold["ratings"]) for gold in body["golds"]] == [(2, [1, 1, 1]), (1, [1, -1])]
    assert [(item["rank"], item["reason"]) for item in body["selections"]] == [(3, "convincing")]


def test_an_overruled_labelling_is_named(make, detail):
    solution = make.solution()
    given = make.labelling(make.task(solution=solution), 1)
    given.overruled_by = Case.objects.create(task=given.task, queue="unsure", by=make.user())
    given.save()
    assert detail(solution)["labellings"][0]["is_overruled"]


def test_the_origin_is_a_generation_or_unknown(make, detail):
    run = make.generation(name="night run")
    assert detail(make.solution(origin=run.pk))["origin"]["kind"] == "generate"
    assert detail(make.solution())["origin"] is None


@pytest.mark.parametrize("who", ["annotator", "outsider", "expert"])
@pytest.mark.parametrize("which", ["", "{}/"])
def test_no_one_but_staff_sees_verdicts_scores_or_gold(make, phase, request, signed_in, refused, who, which):
    """Experts choose gold at /solutions/ instead, from their own phases' solutions."""
    if who == "expert":
        person = make.user()
        phase.memberships.create(user=person, role="expert")
    else:
        person = request.getfixturevalue(who)
    address = ADDRESS + which.format(make.solution().pk)
    refused(signed_in(person).get(address), 403, "permission_denied")
