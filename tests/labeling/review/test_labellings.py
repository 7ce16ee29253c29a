"""/api/labellings/ and /api/labellings/{id}/: submitted labellings, for staff."""

from datetime import timedelta

import pytest

ADDRESS = "/api/labellings/"


def ids(client, **query):
    answer = client.get(ADDRESS, query)
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["results"]]


def test_it_works(labelling, phase, ml_staff_client):
    (row,) = ml_staff_client.get(ADDRESS).json()["results"]
    assert row == {
        "id": str(labelling.pk),
        "task": str(labelling.task_id),
        "annotator": "ada",
        "phase_name": "Arithmetic",
        "round_number": 0,
        "problem_statement": labelling.task.solution.problem.statement,
        "statement_markup": "mathematics",
        "finish_reason": "solution",
        "finish_note": "",
        "active_ms": 90_000,
        "submitted_at": "2026-03-02T12:10:00Z",
        "guidelines_version": 1,
        "superseded_at": None,
        "rating_counts": {"positive": 3, "neutral": 0, "negative": 0, "unsure": 0},
    }


def test_one_in_full(labelling, open_round, admin_client):
    body = admin_client.get(f"{ADDRESS}{labelling.pk}/").json()
    assert [item["rating"] for item in body["completions"]] == [1, 1, 1]
    assert [item["text"] for item in body["completions"]] == body["steps"] == labelling.task.solution.steps
    assert (body["round"], body["solution"]) == (str(open_round.pk), str(labelling.task.solution_id))
    assert body["reference_answer"] == "5"
    assert body["history"] == []
    assert (body["turns"], body["conversation"]) == (None, None)


def test_a_trace_with_its_parts(make, admin_client):
    call = {"kind": "tool_call", "text": "", "name": "book", "arguments": {"seats": 2}}
    solution = make.solution(steps=["Clerk: book({})"], turns=[{"parts": [call], "agent": "Clerk"}])
    task = make.task(solution=solution)
    body = admin_client.get(f"{ADDRESS}{make.labelling(task, 1).pk}/").json()
    (turn,) = body["turns"]
    assert (turn["agent"], turn["parts"][0]["name"], turn["parts"][0]["arguments"]) == ("Clerk", "book", {"seats": 2})


def test_ratings_are_counted(make, admin_client):
    labelling = make.labelling(make.task(), 1, 0, None, 1, -1)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row["id"] == str(labelling.pk)
    assert row["annotator"] is None, "an imported record does not say"
    assert row["rating_counts"] == {"positive": 2, "neutral": 1, "negative": 1, "unsure": 1}


def test_the_latest_comes_first(make, admin_client, now):
    days = [1, 3, 2]
    rows = {day: make.labelling(make.task(), 1, submitted_at=now + timedelta(days=day)) for day in days}
    assert ids(admin_client) == [str(rows[day].pk) for day in (3, 2, 1)]


def test_a_superseded_one_is_not_listed_but_can_be_read(make, labelling, admin_client, now):
    before = {"assignment": labelling.assignment, "annotator": labelling.annotator}
    before |= {"submitted_at": now, "superseded_at": labelling.submitted_at}
    old = make.labelling(labelling.task, -1, **before)
    assert ids(admin_client) == [str(labelling.pk)]
    assert admin_client.get(f"{ADDRESS}{labelling.pk}/").json()["supersedes"] == [str(old.pk)]
    body = admin_client.get(f"{ADDRESS}{old.pk}/").json()
    assert (body["supersedes"], body["superseded_at"]) == ([], "2026-03-02T12:10:00Z")
    assert [item["rating"] for item in body["completions"]] == [-1]


def test_critiques_are_in_the_order_given(make, admin_client):
    labelling = make.labelling(make.task(), 1, -1, solution_progress="some")
    for number, text in ((1, "mine"), (0, "offered")):
        labelling.critiques.create(number=number, text=text, rating=None if number else 1, is_human=number == 1)
    body = admin_client.get(f"{ADDRESS}{labelling.pk}/").json()
    assert body["solution_progress"] == "some"
    assert body["critiques"] == [
        {"text": "offered", "rating": 1, "is_human": False},
        {"text": "mine", "rating": None, "is_human": True},
    ]


@pytest.mark.parametrize("who", ["annotator", "second_annotator", "outsider"])
def test_annotators_are_refused(who, request, labelling, signed_in, refused):
    """Their own labelling is no exception."""
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(ADDRESS), 403, "permission_denied")
    refused(client.get(f"{ADDRESS}{labelling.pk}/"), 403, "permission_denied")


def test_signed_out_is_refused(labelling, signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")
    refused(signed_out_client.get(f"{ADDRESS}{labelling.pk}/"), 401, "not_authenticated")


def test_queries_do_not_grow(make, admin_client, django_assert_num_queries):
    for _ in range(4):
        make.labelling(make.task(), 1, 1, -1, annotator=make.user())
    with django_assert_num_queries(7):  # session, user; dated, and others: count, page; ratings
        assert len(admin_client.get(ADDRESS).json()["results"]) == 4


def test_labellings_without_a_time_come_last(make, labelling, ml_staff_client):
    undated = {str(make.labelling(make.task(), 1, submitted_at=None).pk) for _ in range(2)}
    later = make.labelling(make.task(), 1, submitted_at=labelling.submitted_at + timedelta(hours=1))
    page, found = ml_staff_client.get(ADDRESS, {"page_size": 1}).json(), []
    while page["next"]:
        found += page["results"]
        page = ml_staff_client.get(page["next"]).json()
    found = [row["id"] for row in found + page["results"]]
    assert found[:2] == [str(later.pk), str(labelling.pk)]
    assert len(found) == 4
    assert set(found[2:]) == undated
