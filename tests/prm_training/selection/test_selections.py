"""/api/selections/ and their items: picks solutions to label next."""

import math

import pytest

from labeling.models import Change, Solution
from prm_training.models import Publication, Selection

pytestmark = pytest.mark.usefixtures("ready")

ADDRESS = "/api/selections/"


@pytest.fixture
def body(make, phase):
    model = make.reward_model()
    make.solution(source="gsm8k")
    for solution in Solution.objects.all():
        make.score(model, solution, -1.0)
    return {"phase": str(phase.pk), "reward_model": str(model.pk), "policy": "convincing", "size": 50}


def test_it_works(body, phase, ml_staff, ml_staff_client, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = ml_staff_client.post(ADDRESS, body | {"per_problem": 2, "seed": 3, "source": "gsm8k"})
    assert answer.status_code == 201
    run = Selection.objects.get()
    assert (run.phase, run.owner, run.status, run.size) == (phase, ml_staff, "queued", 50)
    assert (run.per_problem, run.seed, run.source, run.wrong_share) == (2, 3, "gsm8k", 0.8)
    assert broker() == [("prm_training.run", "select", str(run.pk))]
    row = answer.json()
    assert (row["id"], row["phase_name"], row["publication"]) == (str(run.pk), "Arithmetic", None)
    assert "picked" not in row["summary"]


def test_admins_may_start_a_selection(body, admin, admin_client):
    assert admin_client.post(ADDRESS, body | {"policy": "uniform", "reward_model": None}).status_code == 201
    assert Selection.objects.get().owner == admin


def test_uniform_needs_no_model(body, ml_staff_client):
    body |= {"policy": "uniform", "reward_model": None}
    assert ml_staff_client.post(ADDRESS, body).status_code == 201


def test_a_phase_has_its_own(body, make, ml_staff_client):
    body |= {"policy": "uniform", "reward_model": None}
    other = make.phase(name="Geometry")
    ids = [
        ml_staff_client.post(ADDRESS, body | {"phase": phase}).json()["id"] for phase in (body["phase"], str(other.pk))
    ]
    of_other = ml_staff_client.get(ADDRESS, {"phase": str(other.pk)}).json()
    assert [row["id"] for row in of_other["results"]] == ids[1:]


@pytest.mark.parametrize("change", [{"policy": "convincing"}, {"policy": "uncertainty"}, {}])
def test_the_other_policies_need_one(phase, ml_staff_client, refused, change):
    answer = ml_staff_client.post(ADDRESS, {"phase": str(phase.pk), "size": 5} | change)
    assert "use the uniform policy" in refused(answer, 409, "not_ready")["detail"]


@pytest.mark.parametrize(
    "change",
    [
        {"size": 0},
        {"size": 1_000_001},
        {"per_problem": 0},
        {"wrong_share": 1.01},
        {"wrong_share": -0.01},
        {"wrong_share": "most"},
        {"policy": "best"},
        {"phase": None},
        {"phase": "00000000-0000-4000-8000-000000000000"},
        {"reward_model": "x"},
        {"seed": -1},
        {"seed": 10**30},
        {"source": "x" * 101},
        {"source": "a\0"},
    ],
)
def test_a_bad_body_is_refused(body, ml_staff_client, refused, change):
    answer = refused(ml_staff_client.post(ADDRESS, body | change), 400, "invalid")
    assert list(answer["errors"]) == list(change)
    assert not Selection.objects.exists()


def test_an_outcome_model_selects_nothing(make, body, ml_staff_client, refused):
    orm = make.reward_model(training_run=make.training_run(supervision="outcome"))
    answer = ml_staff_client.post(ADDRESS, body | {"reward_model": str(orm.pk)})
    assert str(orm) in refused(answer, 409, "not_for_steps")["detail"]
    assert not Selection.objects.exists()


def test_without_any_limit_it_is_refused(body, ml_staff_client, refused):
    answer = ml_staff_client.post(ADDRESS, body | {"size": None, "per_problem": None})
    assert "how many" in refused(answer, 400, "invalid")["detail"]


def test_a_number_per_problem_is_enough(body, ml_staff_client):
    assert ml_staff_client.post(ADDRESS, body | {"size": None, "per_problem": 3}).json()["size"] is None


@pytest.mark.parametrize("result", [{"summary": {"picked": 9}}, {"status": "done"}])
def test_results_are_not_for_the_caller_to_set(body, ml_staff_client, refused, result):
    refused(ml_staff_client.post(ADDRESS, body | result), 400, "invalid")


def test_a_published_one_names_its_publication(make, admin_client):
    publication = make.publication()
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row["publication"] == str(publication.pk)


@pytest.fixture
def picked(make, phase):
    selection = make.selection(phase=phase, status="done")
    for rank, log_score in [(2, None), (1, -0.5)]:
        selection.items.create(solution=make.solution(), rank=rank, log_score=log_score, reason="drawn")
    return selection


def test_the_items_come_best_first(picked, ml_staff_client):
    rows = ml_staff_client.get(f"{ADDRESS}{picked.pk}/items/").json()["results"]
    assert [(row["rank"], row["log_score"]) for row in rows] == [(1, -0.5), (2, None)]
    solution = picked.items.get(rank=1).solution
    assert rows[0] == {
        "rank": 1,
        "solution": str(solution.pk),
        "log_score": -0.5,
        "score": math.exp(-0.5),
        "reason": "drawn",
        "problem_statement": solution.problem.statement,
        "statement_markup": "mathematics",
        "reference_answer": "5",
        "steps": solution.steps,
        "turns": None,
        "conversation": None,
        "markup": "mathematics",
        "answer": "5",
        "verdict": "wrong",
        "generator": "",
        "grader_version": "given",
        "is_set_aside": False,
        "is_random": False,
    }
    assert rows[1]["score"] is None


def test_traces_come_in_their_parts(picked, ml_staff_client):
    said = {"kind": "text", "text": "Done."}
    Solution.objects.filter(pk=picked.items.get(rank=1).solution_id).update(turns=[{"parts": [said]}])
    first = ml_staff_client.get(f"{ADDRESS}{picked.pk}/items/").json()["results"][0]
    assert first["turns"] == [{"parts": [said | {"is_context": False}], "agent": ""}]


def test_only_this_selections_items(picked, make, admin_client):
    make.selection().items.create(solution=make.solution(), rank=1, reason="drawn")
    assert len(admin_client.get(f"{ADDRESS}{picked.pk}/items/").json()["results"]) == 2


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_see_no_items(picked, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(f"{ADDRESS}{picked.pk}/items/"), 403, "permission_denied")


def test_signed_out_sees_no_items(picked, signed_out_client, refused):
    refused(signed_out_client.get(f"{ADDRESS}{picked.pk}/items/"), 401, "not_authenticated")


def test_queries_do_not_grow(picked, admin_client, make, django_assert_num_queries):
    for rank in range(3, 8):
        picked.items.create(solution=make.solution(), rank=rank, reason="drawn")
    with django_assert_num_queries(4):  # session, user, selection, page
        assert len(admin_client.get(f"{ADDRESS}{picked.pk}/items/").json()["results"]) == 7


def test_solutions_set_aside_are_listed_apart(picked, make, ml_staff_client):
    picked.items.create(solution=make.solution(verdict="unsure"), rank=1, reason="unsure", is_set_aside=True)
    rows = ml_staff_client.get(f"{ADDRESS}{picked.pk}/items/?set_aside=true").json()["results"]
    assert [(row["rank"], row["verdict"], row["is_set_aside"]) for row in rows] == [(1, "unsure", True)]


def test_items_of_one_verdict(picked, ml_staff_client):
    rows = ml_staff_client.get(f"{ADDRESS}{picked.pk}/items/?verdict=right").json()["results"]
    assert rows == []


def test_discarding(picked, ml_staff, ml_staff_client, refused):
    for _ in range(2):
        answer = ml_staff_client.post(f"{ADDRESS}{picked.pk}/discard/")
        assert answer.json()["discarded_at"] is not None
    (line,) = Change.objects.filter(act="discard")
    assert (line.by, line.subject) == (ml_staff, str(picked.pk))
    answer = ml_staff_client.post("/api/publications/", {"selection": str(picked.pk)})
    refused(answer, 409, "not_ready")
    assert not Publication.objects.exists()


def test_a_published_selection_is_not_discarded(make, ml_staff_client, refused):
    selection = make.publication().selection
    refused(ml_staff_client.post(f"{ADDRESS}{selection.pk}/discard/"), 409, "not_ready")


def test_an_unfinished_selection_is_not_discarded(make, ml_staff_client, refused):
    refused(ml_staff_client.post(f"{ADDRESS}{make.selection().pk}/discard/"), 409, "not_ready")
