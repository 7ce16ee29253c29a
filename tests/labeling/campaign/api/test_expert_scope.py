"""Experts see and use only gold, solutions and cases of phases in which they are an expert."""

import pytest

from labeling.models import Gold

GOLD = "/api/gold/"


@pytest.fixture
def here(make):
    return make.phase(name="Algebra", gold_set="algebra")


@pytest.fixture
def elsewhere(make):
    return make.phase(name="Geometry", gold_set="geometry")


@pytest.fixture
def expert(make, here, elsewhere):
    """An expert in one phase, who labels in the other."""
    person = make.user(username="edda")
    here.memberships.create(user=person, role="expert")
    elsewhere.memberships.create(user=person)
    return person


@pytest.fixture
def browser(signed_in, expert):
    return signed_in(expert)


@pytest.fixture
def task(make, here):
    return make.task(here)


@pytest.fixture
def hidden(make, elsewhere):
    """Gold hidden among the tasks that the expert gets in the other phase."""
    gold = make.gold(1, 1, 1, gold_set="geometry")
    make.task(elsewhere, solution=gold.solution, is_gold=True)
    return gold


def rows(browser, address=GOLD, **asked):
    return [row["id"] for row in browser.get(address, asked).json()["results"]]


def body(solution, gold_set="algebra", ratings=(1, 1, 1)):
    return {"solution": str(solution.pk), "ratings": list(ratings), "gold_set": gold_set}


# Reading


def test_only_own_phases_gold_is_listed(make, browser, hidden):
    own = make.gold(1, 1, 1, gold_set="algebra")
    assert rows(browser) == [str(own.pk)]
    assert rows(browser, gold_set="geometry") == rows(browser, solution=str(hidden.solution_id)) == []
    assert [each["gold_set"] for each in browser.get(f"{GOLD}sets/").json()] == ["algebra"]


def test_gold_in_a_set_without_a_phase_belongs_to_the_phases_that_published_it(make, browser, task, expert):
    mine = [
        make.gold(1, 1, 1, solution=task.solution, gold_set="entry"),
        make.gold(1, 1, 1, author=expert, gold_set="x"),
    ]
    make.gold(1, 1, 1, gold_set="entry")
    assert set(rows(browser)) == {str(gold.pk) for gold in mine}


@pytest.mark.parametrize("task_of", [{"is_gold": True}, {"number": -1}])
def test_gold_among_ones_own_tasks_elsewhere_stays_hidden(make, browser, elsewhere, task, task_of):
    make.gold(1, 1, 1, solution=task.solution, gold_set="algebra")
    make.task(elsewhere, solution=task.solution, **task_of)
    assert rows(browser) == []


def test_a_set_shared_with_a_phase_in_which_they_label_is_hidden(make, browser, here, elsewhere):
    make.gold(1, 1, 1, gold_set="algebra")
    elsewhere.gold_set = "algebra"
    elsewhere.save()
    assert rows(browser) == []


def test_solutions_with_their_verdicts_are_those_of_own_phases(make, browser, task, elsewhere):
    make.solution()
    make.task(elsewhere)
    make.task(elsewhere, solution=(shared := make.task(task.round.phase)).solution)
    assert rows(browser, "/api/solutions/") == [str(task.solution_id)]
    assert shared.solution.tasks.count() == 2


def test_solutions_of_the_sources_of_own_phases_are_listed(make, browser, here, elsewhere):
    drawn = make.solution(source="algebra")
    here.sources = ["algebra"]
    here.save()
    elsewhere.sources = ["world"]
    elsewhere.save()
    make.solution()
    make.task(elsewhere, solution=make.solution(source="algebra"))
    assert rows(browser, "/api/solutions/") == [str(drawn.pk)]
    assert browser.post(GOLD, body(drawn)).status_code == 201


@pytest.mark.parametrize("how", ["hidden", "of the set", "screening"])
def test_a_case_that_may_be_hidden_gold_elsewhere_is_not_found(make, browser, here, elsewhere, annotator, refused, how):
    """Its labels, or a ruling, would reveal the gold that the expert is tested on there."""
    task = make.task(here)
    task.reports.create(annotator=annotator)
    queue = "/api/adjudication/reference_answer/"
    assert rows(browser, queue) == [str(task.pk)]
    assert browser.get(f"{queue}{task.pk}/").json()["gold"] is None
    if how == "of the set":
        make.gold(1, 1, 1, solution=task.solution, gold_set="geometry")
    else:
        make.task(elsewhere, solution=task.solution, is_gold=how == "hidden", number=0 if how == "hidden" else -1)
    assert rows(browser, queue) == []
    refused(browser.get(f"{queue}{task.pk}/"), 404, "not_found")
    refused(browser.post(f"{queue}{task.pk}/", {"note": "Hm."}), 404, "not_found")


def test_admins_see_all_gold_and_solutions(make, admin_client, hidden):
    assert rows(admin_client) == [str(hidden.pk)]
    assert rows(admin_client, "/api/solutions/") == [str(hidden.solution_id)]


# Writing


def test_gold_on_an_own_solution(browser, task):
    assert browser.post(GOLD, body(task.solution)).status_code == 201
    assert browser.post(GOLD, body(task.solution, ratings=[1, -1])).json()["version"] == 2
    assert browser.post(GOLD, body(task.solution, "", [1, -1])).json()["gold_set"] == ""
    assert rows(browser, is_newest="true") == rows(browser)[:1]


def test_other_phases_solutions_are_unknown(make, browser, elsewhere, refused):
    for solution in (make.solution(), make.task(elsewhere).solution):
        errors = refused(browser.post(GOLD, body(solution)), 400, "invalid")["errors"]
        assert "does not exist" in errors["solution"][0]
    assert not Gold.objects.exists()


def test_other_phases_labellings_are_unknown(make, browser, elsewhere, task, expert, refused):
    """Their own labellings, too: they are annotators there, not experts."""
    foreign = make.labelling(make.task(elsewhere), 1, 1, 1, annotator=expert)
    refused(browser.post(GOLD, {"labelling": str(foreign.pk), "gold_set": "algebra"}), 400, "invalid")
    own = make.labelling(task, 1, 1, 1)
    assert browser.post(GOLD, {"labelling": str(own.pk), "gold_set": "algebra"}).status_code == 201


def test_no_gold_goes_into_another_phases_set(browser, task, hidden, make, refused):
    refused(browser.post(GOLD, body(task.solution, "geometry")), 403, "not_your_gold_set")
    make.gold(1, 1, 1, gold_set="entry")
    refused(browser.post(GOLD, body(task.solution, "entry")), 403, "not_your_gold_set")
    assert Gold.objects.count() == 2


def test_no_gold_goes_into_a_set_shared_with_another_phase(make, browser, task, refused):
    make.phase(gold_set="algebra")
    refused(browser.post(GOLD, body(task.solution)), 403, "not_your_gold_set")


@pytest.mark.parametrize("gold_set", ["", "algebra"])
def test_no_gold_is_taken_out_of_another_phases_set(make, browser, task, refused, gold_set):
    make.gold(1, 1, 1, solution=task.solution, gold_set="geometry")
    refused(browser.post(GOLD, body(task.solution, gold_set)), 403, "not_your_gold_set")


def test_no_ruling_adds_gold_to_another_phases_set(make, browser, task, annotator, refused):
    task.reports.create(annotator=annotator)
    ruling = {"outcome": "gold", "ratings": [1, 1, 1], "gold_set": "geometry"}
    refused(browser.post(f"/api/adjudication/reference_answer/{task.pk}/", ruling), 403, "not_your_gold_set")
    assert task.cases.count() == 0
    assert task.reports.get().resolved_at is None


def test_cases_of_other_phases_are_unknown(make, browser, elsewhere, annotator, refused):
    task = make.task(elsewhere)
    task.reports.create(annotator=annotator)
    address = "/api/adjudication/reference_answer/"
    assert rows(browser, address) == []
    assert {queue["waiting"] for queue in browser.get("/api/adjudication/").json()} == {0}
    refused(browser.post(f"{address}{task.pk}/", {"outcome": "dismiss"}), 404, "not_found")


def test_second_looks_are_at_own_phases_rounds(make, browser, elsewhere, task, refused):
    foreign = make.task(elsewhere)
    refused(browser.get("/api/second-looks/", {"round": str(foreign.round_id)}), 404, "not_found")
    look = {"labelling": str(make.labelling(foreign, 1, 1, 1).pk), "step": 0, "rating": 1}
    refused(browser.post("/api/second-looks/", look), 404, "not_found")
    assert browser.get("/api/second-looks/", {"round": str(task.round_id)}).json() == {"look_at": None}
