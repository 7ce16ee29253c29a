"""/api/pool/: counts the pool's contents, for staff."""

import pytest

ADDRESS = "/api/pool/"
COUNTED_AT_ONCE = {"as_of": None, "is_counting": False}


def test_it_works(make, ml_staff_client):
    problem = make.problem(source="a")
    make.problem(source="unsolved")
    make.problem(source="older", replaced_by=problem)
    for verdict, source in [("right", "a"), ("wrong", "a"), ("wrong", "b")]:
        solution = make.solution(problem, verdict=verdict, source=source, generator="a prover")
        if verdict == "right":
            again = make.sample(solution, source=source, generator="a prover")
            make.sample(solution, source=source, generator="a prover", draw=again.draw, repeat=1)
    labelled = make.solution(verdict="unsure", source="b", generator="another")
    make.solution(in_pool=False)
    task = make.task(solution=labelled)
    make.labelling(task, 1)
    make.labelling(task, 0)
    assert ml_staff_client.get(ADDRESS).json() == {
        "problems": 2,
        "solutions": 4,
        "right": 1,
        "wrong": 2,
        "unsure": 1,
        "labelled": 1,
        "sources": [
            {"source": "a", "solutions": 2, "draws": 3, "right": 1, "wrong": 1, "unsure": 0},
            {"source": "b", "solutions": 2, "draws": 2, "right": 0, "wrong": 1, "unsure": 1},
        ],
        "problem_sources": ["a", "unsolved"],
        "generators": [
            {"generator": "a prover", "draws": 4, "right": 2, "wrong": 2, "unsure": 0},
            {"generator": "another", "draws": 1, "right": 0, "wrong": 0, "unsure": 1},
        ],
        **COUNTED_AT_ONCE,
    }


def test_an_empty_pool(admin_client):
    counts = dict.fromkeys(["problems", "solutions", "right", "wrong", "unsure", "labelled"], 0)
    named = {"sources": [], "problem_sources": [], "generators": []}
    assert admin_client.get(ADDRESS).json() == counts | named | COUNTED_AT_ONCE


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_are_refused(who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(ADDRESS), 403, "permission_denied")


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")


def test_queries_do_not_grow(make, admin_client, django_assert_num_queries):
    for number in range(4):
        make.solution(source=f"source {number}")
    with django_assert_num_queries(9):  # session, user, how many, verdicts, draws, texts, problems, labelled, sources
        assert len(admin_client.get(ADDRESS).json()["sources"]) == 4


def test_an_expert_chooses_what_becomes_gold(make, phase, signed_in):
    solution, expert = make.task(phase).solution, make.user()
    make.solution()
    phase.memberships.create(user=expert, role="expert")
    (row,) = signed_in(expert).get("/api/solutions/").json()["results"]
    assert row["id"] == str(solution.pk)
