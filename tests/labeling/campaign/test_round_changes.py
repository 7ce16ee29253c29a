"""Changing a round: add tasks, withdraw them, serve some first, reopen. Acts, and their endpoints."""

from datetime import timedelta

import pytest

from annotate import allocation, submission
from labeling.campaign import rounds
from labeling.models import Assignment, Change, Phase


def address(round_, act):
    return f"/api/rounds/{round_.pk}/{act}/"


def served(round_):
    """Returns the solutions in serving order."""
    open_seats = Assignment.objects.open().filter(round=round_).order_by("position")
    return [seat.task.solution_id for seat in open_seats]


def ids(solutions):
    return [solution.pk for solution in solutions]


# Tasks


def test_tasks_are_listed_as_they_are_served(make, open_round, phase, labelling, second_annotator, ml_staff_client):
    allocation.claim_next(phase=phase, annotator=second_annotator, now=labelling.submitted_at)
    rows = ml_staff_client.get(address(open_round, "tasks")).json()["results"]
    assert {row["solution"] for row in rows} == set(map(str, open_round.tasks.values_list("solution", flat=True)))
    by_task = {row["id"]: row for row in rows}
    done = by_task[str(labelling.task_id)]
    assert (done["labelled"], done["in_hand"], done["position"], done["overlap"]) == (1, 0, None, 1)
    assert sorted(row["position"] for row in rows if row is not done) == [1, 2]
    assert sorted(row["rank"] for row in rows) == [1, 2, 3], "of the selection, for staff to see"


def pages(client, path, size):
    """Yields every row, following the pages' addresses."""
    page = client.get(path, {"page_size": size}).json()
    while True:
        assert len(page["results"]) <= size
        yield from page["results"]
        if page["next"] is None:
            return
        page = client.get(page["next"]).json()


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_each_task_is_on_one_page(make, phase, annotator, all_great, now, ml_staff_client, size):
    """Tasks with open seats come first, by serving order; gold is filtered out."""
    make.gold(1, 1, 1, gold_set="gold")
    phase.gold_set, phase.gold_rate = "gold", 0.1
    phase.save()
    round_ = make.round(phase, 4, overlap=2)
    round_.assignments.filter(kind="gold").update(submitted_at=now)
    taken = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    submission.submit(assignment_id=taken.pk, annotator=annotator, submission=all_great, now=now)
    done = round_.tasks.filter(is_gold=False).exclude(pk=taken.task_id).first()
    done.assignments.update(submitted_at=now)
    listed = [row["id"] for row in pages(ml_staff_client, address(round_, "tasks"), size)]
    order = Assignment.objects.open().filter(round=round_).order_by("position").values_list("task", flat=True)
    gold = round_.tasks.get(is_gold=True)
    assert listed[:3] == list(dict.fromkeys(map(str, order)))
    assert set(listed[3:]) == {str(done.pk), str(gold.pk)}
    found = ml_staff_client.get(address(round_, "tasks"), {"is_gold": True}).json()["results"]
    assert [row["id"] for row in found] == [str(gold.pk)]


@pytest.mark.parametrize("cursor", ["x", "WzldCg==", "WzAsIngiXQ==", "WzAsMV0="])
def test_an_invalid_cursor_is_not_found(open_round, ml_staff_client, refused, cursor):
    """The cursors: not base64; an unknown part; invalid values; too few values."""
    refused(ml_staff_client.get(address(open_round, "tasks"), {"cursor": cursor}), 404, "not_found")


def test_the_queries_do_not_grow_with_the_page(make, phase, ml_staff_client, django_assert_num_queries):
    round_ = make.round(phase, 50)
    for size in (10, 40):
        with django_assert_num_queries(7):  # session, user, round, how many rows of two kinds, page, its tasks
            rows = ml_staff_client.get(address(round_, "tasks"), {"page_size": size}).json()["results"]
        assert len(rows) == size


def test_more_tasks_come_last(make, open_round, admin_client):
    before, more = served(open_round), make.solutions(2)
    body = {"solutions": [str(pk) for pk in ids(more)], "overlap": 2}
    assert admin_client.post(address(open_round, "tasks"), body).status_code == 204
    order = served(open_round)
    assert order[:3] == before
    assert set(order[3:5]) == set(order[5:]) == set(ids(more)), "every first seat before any second"


def test_more_tasks_come_first_where_asked(make, phase, open_round, admin_client):
    Phase.objects.update(overlap=2)
    before, more = served(open_round), make.solutions(2)
    body = {"solutions": [str(pk) for pk in ids(more)], "first": True}
    admin_client.post(address(open_round, "tasks"), body)
    order = served(open_round)
    assert set(order[:2]) == set(order[2:4]) == set(ids(more)), "with the phase's overlap"
    assert order[4:] == before


def test_a_solution_is_not_published_twice(make, open_round, admin_client, refused):
    for solutions in ([open_round.tasks.first().solution], make.solutions(1) * 2):
        body = {"solutions": [str(pk) for pk in ids(solutions)]}
        refused(admin_client.post(address(open_round, "tasks"), body), 409, "already_published")
    assert open_round.tasks.count() == 3


@pytest.mark.parametrize("number", [10, 40])
def test_tasks_are_added_in_the_same_queries_however_many(
    make, open_round, admin_client, number, django_assert_num_queries
):
    body = {"solutions": [str(pk) for pk in ids(make.solutions(number))]}
    with django_assert_num_queries(14):
        assert admin_client.post(address(open_round, "tasks"), body).status_code == 204


@pytest.mark.every_case
@pytest.mark.parametrize(("act", "queries"), [("withdraw", 15), ("prioritise", 12)])
@pytest.mark.parametrize("number", [10, 40])
def test_tasks_are_changed_in_the_same_queries_however_many(
    make, phase, admin_client, act, queries, number, django_assert_num_queries
):
    round_ = make.round(phase, number)
    body = {"tasks": [str(pk) for pk in round_.tasks.values_list("pk", flat=True)]}
    with django_assert_num_queries(queries):
        assert admin_client.post(address(round_, act), body).status_code == 200


def test_an_unknown_solution_is_refused(open_round, admin_client, refused):
    refused(admin_client.post(address(open_round, "tasks"), {"solutions": [str(open_round.pk)]}), 400, "invalid")


# Withdrawal


def test_nobody_new_gets_a_withdrawn_task(phase, open_round, annotator, second_annotator, admin_client, now):
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now + timedelta(days=99999))
    tasks = [str(pk) for pk in open_round.tasks.values_list("pk", flat=True)]
    row = admin_client.post(address(open_round, "withdraw"), {"tasks": tasks}).json()
    assert (row["labellings_wanted"], row["in_hand"], row["left"]) == (1, 1, 0)
    assert open_round.assignments.get() == held, "who has one may finish it"
    with pytest.raises(allocation.NothingToClaim):
        allocation.claim_next(phase=phase, annotator=second_annotator, now=now)


def test_withdrawing_twice_keeps_the_first_time(open_round, now):
    task = open_round.tasks.first()
    later = now + timedelta(hours=1)
    assert [rounds.withdraw_from_round(round_id=open_round.pk, task_ids=[task.pk], now=at) for at in (now, later)] == [
        1,
        0,
    ]
    task.refresh_from_db()
    assert task.withdrawn_at == now


def test_a_task_of_another_round_is_left_alone(make, open_round, now):
    other = make.round(make.phase(), 1)
    assert rounds.withdraw_from_round(round_id=open_round.pk, task_ids=[other.tasks.get().pk], now=now) == 0
    assert other.assignments.count() == 1


# Order


@pytest.mark.parametrize("first", [True, False])
def test_some_are_served_before_or_after_all_others(make, phase, admin_client, first):
    solutions = make.solutions(4)
    round_ = make.round(phase, solutions, overlap=2)
    task_of = {task.solution_id: str(task.pk) for task in round_.tasks.all()}
    chosen, others = ids(solutions)[2:][::-1], ids(solutions)[:2]
    body = {"tasks": [task_of[pk] for pk in chosen], "first": first}
    assert admin_client.post(address(round_, "prioritise"), body).status_code == 200
    order = [sorted(served(round_)[start : start + 2]) for start in range(0, 8, 2)]
    chosen, others = sorted(chosen), sorted(others)
    assert order == ([chosen, chosen, others, others] if first else [others, others, chosen, chosen])


@pytest.mark.parametrize("act", ["tasks", "prioritise"])
def test_moved_tasks_are_shuffled_among_themselves(make, phase, admin_client, act):
    """Without shuffling, an admin who selects wrong answers first would make the order predictable."""
    solutions = make.solutions(30)
    round_ = make.round(phase, solutions if act == "prioritise" else 1)
    tasks = {task.solution_id: str(task.pk) for task in round_.tasks.all()}
    added, moved = (
        {"solutions": [str(pk) for pk in ids(solutions)]},
        {"tasks": [tasks.get(pk) for pk in ids(solutions)]},
    )
    body = added if act == "tasks" else moved
    assert admin_client.post(address(round_, act), body | {"first": True}).status_code in {200, 204}
    order = served(round_)[:30]
    assert set(order) == set(ids(solutions))
    assert order != ids(solutions)


# Closed rounds and screening


def test_reopening(open_round, phase, annotator, admin_client, now):
    rounds.close(round_id=open_round.pk, now=now)
    row = admin_client.post(address(open_round, "reopen")).json()
    assert (row["status"], row["closed_at"]) == ("open", None)
    assert allocation.claim_next(phase=phase, annotator=annotator, now=now).round == open_round


def test_reopening_an_open_round_changes_nothing(open_round, admin_client):
    assert admin_client.post(address(open_round, "reopen")).status_code == 200
    assert not Change.objects.filter(act="reopen").exists()


def test_there_is_one_open_round(make, phase, open_round, admin_client, refused, now):
    rounds.close(round_id=open_round.pk, now=now)
    make.round(phase)
    refused(admin_client.post(address(open_round, "reopen")), 409, "round_still_open")


@pytest.mark.parametrize("status", ["closed", "archived"])
def test_nothing_is_reopened_in_a_phase_that_is_over(phase, open_round, admin_client, refused, now, status):
    rounds.close(round_id=open_round.pk, now=now)
    Phase.objects.update(status=status)
    refused(admin_client.post(address(open_round, "reopen")), 409, "phase_is_over")


def test_screening_is_reopened_beside_an_open_round(make, phase, open_round, now):
    screening = make.screening(phase)
    rounds.close(round_id=screening.pk, now=now)
    assert rounds.reopen(round_id=screening.pk).status == "open"


@pytest.mark.parametrize("act", ["tasks", "withdraw", "prioritise"])
@pytest.mark.parametrize("which", ["closed", "screening"])
def test_tasks_of_closed_rounds_and_screening_are_not_changed(
    make, phase, open_round, admin_client, refused, now, act, which
):
    rounds.close(round_id=open_round.pk, now=now)
    target = open_round if which == "closed" else make.screening(phase)
    chosen = make.solution().pk if act == "tasks" else target.tasks.first().pk
    body = {"solutions" if act == "tasks" else "tasks": [chosen]}
    refused(admin_client.post(address(target, act), body), 409, "not_this_round")


@pytest.mark.parametrize("act", ["withdraw", "prioritise"])
@pytest.mark.parametrize("tasks", [None, "x", ["x"], []])
def test_a_bad_body_is_refused(open_round, admin_client, refused, act, tasks):
    refused(admin_client.post(address(open_round, act), {"tasks": tasks}), 400, "invalid")


@pytest.mark.parametrize(("done", "last_day", "days"), [(10, 0, None), (10, 30, 3), (100, 5, 0), (120, 5, 0)])
def test_forecast(now, done, last_day, days):
    ends = rounds.forecast(wanted=100, done=done, last_day=last_day, now=now)
    assert ends == (None if days is None else now + timedelta(days=days))
