"""/api/solutions/without-gold/: solutions for experts to label next."""

import pytest

ADDRESS = "/api/solutions/without-gold/"


def rows(client, **asked):
    return [row["id"] for row in client.get(ADDRESS, asked).json()["results"]]


def test_it_works(make, admin_client):
    problem = make.problem(reference_answer="5", reference_solution="2 + 3 is 5.")
    solution = make.solution(problem)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    shown = {"id": str(solution.pk), "steps": solution.steps, "statement": problem.statement}
    assert (shown | {"reference_answer": "5", "reference_solution": "2 + 3 is 5."}).items() <= row.items()


def test_solutions_with_gold_in_any_version_are_left_out(make, admin_client):
    wanted = make.solution()
    make.gold(1, 1, 1)
    out_of_service = make.gold(1, 1, 1, gold_set="entry").solution
    make.gold(1, 1, 1, solution=out_of_service, version=2, gold_set="")
    make.solution(in_pool=False)
    assert rows(admin_client) == [str(wanted.pk)]


def test_a_solution_whose_gold_is_hidden_from_the_expert_is_listed(make, signed_in):
    here, elsewhere = make.phase(sources=["algebra"]), make.phase(gold_set="geometry")
    expert = make.user()
    here.memberships.create(user=expert, role="expert")
    elsewhere.memberships.create(user=expert)
    hidden = make.gold(1, 1, 1, solution=make.solution(source="algebra"), gold_set="geometry")
    assert rows(signed_in(expert)) == [str(hidden.solution_id)]


def test_problems_are_mixed_and_the_order_stays(make, admin_client):
    """Imports store a problem's solutions one after the other, so the order has to mix them."""
    made = [make.solution(problem) for problem in (make.problem(), make.problem()) for _ in range(4)]
    in_order = sorted(made, key=lambda each: each.text_hash)
    assert rows(admin_client) == rows(admin_client) == [str(each.pk) for each in in_order]


def test_it_takes_the_pools_filters(make, admin_client):
    wrong = make.solution(make.problem(statement="How many apples?"), verdict="wrong")
    make.solution(verdict="right")
    assert rows(admin_client, verdict="wrong") == rows(admin_client, search="apples") == [str(wrong.pk)]


@pytest.mark.parametrize("who", ["annotator", "ml_staff", "outsider"])
def test_only_experts_are_answered(who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(ADDRESS), 403, "permission_denied")


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")


def test_queries_do_not_grow(make, admin_client, django_assert_num_queries):
    for _ in range(5):
        make.solution()
    with django_assert_num_queries(3):  # session, user, solutions
        assert len(rows(admin_client)) == 5
