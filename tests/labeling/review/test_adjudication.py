"""/api/adjudication/: queues of cases, rulings, and their effects."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate import allocation
from labeling.data.importing.pool import import_solutions, problem_hash
from labeling.models import (
    Case,
    Change,
    Consensus,
    Gold,
    Labelling,
    Problem,
    Report,
    Solution,
)
from labeling.review import reports
from labeling.rules.words import Grader
from tests.queues import ADDRESS, FIX, QUEUES, refer, waits_in, where


def effects(case):
    return [(line.act, line.kind) for line in case.effects.order_by("at")]


def test_queues_list_waiting_cases(task, admin_client):
    assert waits_in(admin_client) == {"disagreement", "grader"}
    (row,) = admin_client.get(f"{ADDRESS}disagreement/").json()["results"]
    assert (row["id"], row["labellings"], row["note"]) == (str(task.pk), 2, None)
    phase = task.round.phase_id
    assert len(admin_client.get(f"{ADDRESS}disagreement/?phase={phase}").json()["results"]) == 1


@pytest.mark.any_database
@pytest.mark.parametrize("queue", QUEUES)
def test_each_queue_has_its_reason_and_a_dismissal_ends_it(queue, make, annotator, admin_client):
    task = make.task()
    QUEUES[queue](make, task, annotator)
    assert queue in waits_in(admin_client)
    answer = admin_client.post(where(task, queue), {"outcome": "dismiss", "note": "All is well."})
    assert answer.json()["is_waiting"] is False
    assert queue not in waits_in(admin_client)


@pytest.mark.parametrize(("verdict", "waits"), [("right", False), ("wrong", True), ("unsure", True)])
def test_a_right_verdict_is_no_grader_error(make, admin_client, verdict, waits):
    make.labelling(make.task(solution=make.solution(verdict=verdict)), 1, 1, 1)
    assert ("grader" in waits_in(admin_client)) is waits


def test_an_ungraded_solution_is_no_grader_error(make, admin_client):
    solution = make.solution(verdict="unsure", grader_version=Grader.NONE.version)
    make.labelling(make.task(solution=solution), 1, 1, 1)
    assert "grader" not in waits_in(admin_client)


def test_hidden_gold_and_screening_do_not_wait(make, phase, admin_client):
    for columns in ({"is_gold": True}, {"number": -1}):
        make.labelling(make.task(phase, **columns), 1, finish_reason="give_up")
    assert waits_in(admin_client) == set()


def test_the_labels_stand_side_by_side(task, admin_client):
    body = admin_client.get(where(task)).json()
    assert [len(each["completions"]) for each in body["labellings"]] == [2, 3]
    assert body["labellings"][1]["finish_note"] == "fine"
    assert body["problem"]["reference_answer"] == "5"
    assert len(body["solution"]["steps"]) == 3
    assert (body["is_waiting"], body["cases"], body["gold"]) == (True, [], None)


def texts(value):
    """Returns all texts in a JSON value."""
    if isinstance(value, dict | list):
        return {text for each in (value.values() if isinstance(value, dict) else value) for text in texts(each)}
    return {value} if isinstance(value, str) else set()


NAMES = {"ada", "ben", "cleo"}


@pytest.mark.parametrize("queue", ["disagreement", "grader", "unsure"])
def test_nobody_is_named_until_the_ruling_is_given(task, make, queue, admin_client):
    """True of every queue, and again once a newer labelling reopens the case."""
    report = Report.objects.create(task=task, annotator=task.labellings.get(finish_note="fine").annotator)
    shown = admin_client.get(where(task, queue)).json()
    assert not NAMES & texts(shown)
    assert [each["annotator"] for each in shown["labellings"] + shown["reports"]] == [None, None, None]
    Report.objects.filter(pk=report.pk).update(resolved_at=timezone.now())
    told = admin_client.post(where(task), {"outcome": "ratings", "ratings": [1, -1]}).json()
    assert {"ada", "ben"} <= texts(told)
    assert [line["after"]["annotator"] for line in told["cases"][0]["effects"] if line["act"] == "overrule"] == ["ben"]
    later = timezone.now() + timedelta(seconds=1)
    make.labelling(task, 1, 1, 1, annotator=make.user(username="cleo"), submitted_at=later)
    again = admin_client.get(where(task, queue)).json()
    assert again["cases"][0]["outcome"] == "ratings"
    assert not NAMES & texts(again)


def test_a_note_keeps_the_case_open(task, admin_client):
    assert admin_client.post(where(task), {"note": "Ask ben."}).json()["is_waiting"] is True
    admin_client.post(where(task), {"note": "Ask ada."})
    assert admin_client.get(f"{ADDRESS}disagreement/").json()["results"][0]["note"] == "Ask ada."
    assert admin_client.post(where(task), {"outcome": "dismiss"}).status_code == 200
    assert Case.objects.count() == 1


@pytest.mark.any_database
def test_a_newer_labelling_reopens_the_case(task, make, admin_client):
    admin_client.post(where(task), {"outcome": "dismiss"})
    make.labelling(task, -1, submitted_at=timezone.now() + timedelta(seconds=1))
    assert "disagreement" in waits_in(admin_client)


# Rulings


def test_a_ruling_overrules_labellings_that_differ(task, admin, admin_client):
    body = {"outcome": "ratings", "ratings": [1, -1], "note": "2 + 3 is 5."}
    assert waits_in(admin_client) == {"disagreement", "grader"}
    answer = admin_client.post(where(task), body).json()
    assert waits_in(admin_client) == set()
    case = Case.objects.get()
    assert [each["overruled_by"] for each in answer["labellings"]] == [None, str(case.pk)]
    assert Consensus.objects.get(method="adjudicated").ratings == [1, -1]
    (shown,) = answer["cases"]
    assert (shown["by"], shown["note"], shown["outcome"]) == ("alma", "2 + 3 is 5.", "ratings")
    assert effects(case) == [("settle", "case"), ("rule", "consensus"), ("overrule", "labelling")]
    logged = admin_client.get(f"/api/changes/?case={case.pk}").json()["results"]
    assert {line["id"] for line in logged} == {line["id"] for line in shown["effects"]}
    assert {line["by"] for line in logged} == {"alma"}


def test_a_second_ruling_reinstates_labellings(task, make, admin_client):
    admin_client.post(where(task), {"outcome": "ratings", "ratings": [1, -1]})
    make.labelling(task, 1, 1, 1, submitted_at=timezone.now() + timedelta(seconds=1))
    admin_client.post(where(task), {"outcome": "ratings", "ratings": [1, 1, 1]})
    overruled = Labelling.objects.filter(overruled_by__isnull=False)
    assert [row.annotator.username for row in overruled] == ["ada"]


def test_a_second_look_waits_until_something_is_ruled(make, admin, admin_client):
    task = make.task()
    make.labelling(task, 1, -1)
    refer(make, task)
    (row,) = admin_client.get(f"{ADDRESS}second_look/").json()["results"]
    assert (row["id"], row["note"]) == (str(task.pk), "Step 1 was labelled Great; a second look says Bad.")
    admin_client.post(where(task, "second_look"), {"outcome": "ratings", "ratings": [-1]})
    ruling = Consensus.objects.get()
    assert (ruling.ratings, ruling.case.by, waits_in(admin_client)) == ([-1], admin, set())
    refer(make, task)
    assert waits_in(admin_client) == {"second_look"}


def test_a_ruling_in_another_queue_answers_a_second_look(task, make, admin_client):
    refer(make, task)
    assert "second_look" in waits_in(admin_client)
    admin_client.post(where(task), {"outcome": "ratings", "ratings": [1, -1]})
    assert waits_in(admin_client) == set()
    refer(make, task)
    assert waits_in(admin_client) == {"second_look"}
    assert Case.objects.filter(queue="second_look").count() == 1


@pytest.mark.parametrize("ratings", [[], [1], [1, -1, 1], [1, 1, 1, 1]])
def test_impossible_ratings_are_refused(task, ratings, admin_client, refused):
    refused(admin_client.post(where(task), {"outcome": "ratings", "ratings": ratings}), 400, "invalid_gold")
    assert not Case.objects.exists()
    assert not Change.objects.exists()


def test_trajectories_cannot_be_ruled_on_by_ratings(make, admin_client, refused):
    task = make.task(make.phase(kind="alternatives"))
    make.labelling(task, 1, finish_reason="give_up")
    refused(admin_client.post(where(task, "give_up"), {"outcome": "ratings", "ratings": [1]}), 400, "invalid_ruling")


@pytest.mark.any_database
def test_a_verdict(task, admin_client, refused):
    refused(admin_client.post(where(task, "grader"), {"outcome": "verdict"}), 400, "invalid_ruling")
    body = admin_client.post(where(task, "grader"), {"outcome": "verdict", "verdict": "right"}).json()
    assert (body["solution"]["verdict"], body["solution"]["grader_version"]) == ("right", "adjudicated")
    line = Change.objects.get(act="grade")
    assert (line.before["verdict"], line.after["verdict"], line.case) == ("wrong", "right", Case.objects.get())


@pytest.mark.any_database
def test_gold_is_made(task, admin, admin_client):
    admin_client.post(where(task), {"outcome": "gold", "ratings": [1, -1], "note": "Look.", "gold_set": "hard"})
    made = Gold.objects.get()
    assert (made.ratings, made.rationale, made.gold_set, made.author) == ([1, -1], "Look.", "hard", admin)
    ruling = Consensus.objects.get(method="adjudicated")
    assert (ruling.ratings, ruling.case.by) == ([1, -1], admin)
    effects_ = [("settle", "case"), ("put", "gold"), ("rule", "consensus"), ("overrule", "labelling")]
    assert effects(Case.objects.get()) == effects_


@pytest.mark.any_database
def test_reports_are_resolved(assignment, annotator, admin_client):
    report = reports.file(task=assignment.task, annotator=annotator, note="It is 6.")
    admin_client.post(where(assignment.task, "reference_answer"), {"outcome": "dismiss", "note": "It is 5."})
    report.refresh_from_db()
    assert (report.resolved_by.username, report.resolution) == ("alma", "It is 5.")


def test_twice_is_refused(task, admin_client, superuser_client, refused):
    admin_client.post(where(task), {"outcome": "dismiss"})
    refused(superuser_client.post(where(task), {"outcome": "dismiss"}), 409, "nothing_waits")
    refused(superuser_client.post(where(task), {"note": "Late."}), 409, "nothing_waits")
    refused(superuser_client.post(where(task, "unsure"), {"outcome": "dismiss"}), 409, "nothing_waits")


@pytest.mark.parametrize(
    "body", [{"outcome": "maybe"}, {"ratings": [2]}, {"note": "a\0"}, {"verdict": "odd"}, {"texts": {"statement": ""}}]
)
def test_a_bad_body_is_refused(task, body, admin_client, refused):
    refused(admin_client.post(where(task), body), 400, "invalid")


# Fixing a problem


def test_a_fix_keeps_the_old_version_and_grades_again(faulty, admin_client):
    assert admin_client.post(where(faulty[0], "reference_answer"), FIX).status_code == 200
    old, new = Problem.objects.filter(statement="What is 2 + 4?").order_by("version")
    assert (old.reference_answer, new.reference_answer, new.version, old.replaced_by) == ("5", "6", 2, new)
    assert Labelling.objects.get(task=faulty[0]).task.solution.problem == old
    assert {row.verdict for row in old.solutions.all()} == {"wrong"}
    assert {(row.verdict, row.grader_version, row.in_pool) for row in new.solutions.all()} == {
        ("right", Grader.MATHEMATICS.version, True)
    }
    assert not old.solutions.in_pool().exists()
    assert not Report.objects.filter(resolved_at=None).exists()
    line = Change.objects.get(act="fix")
    assert line.case == Case.objects.get()
    assert len(line.after["verdicts"]) == 4


def test_a_fix_publishes_the_new_version_in_place_of_the_old(faulty, open_round, admin_client):
    admin_client.post(where(faulty[0], "reference_answer"), FIX)
    for task in faulty:
        task.refresh_from_db()
    assert [bool(task.withdrawn_at) for task in faulty] == [False, True, False]
    (fresh,) = open_round.tasks.filter(solution__problem__version=2)
    assert fresh.assignments.claimable(now=timezone.now()).count() == 1
    assert faulty[2].assignments.in_hand(now=timezone.now()).exists()
    assert not Gold.objects.in_service().exists()
    assert {"withdraw tasks", "add tasks", "put", "resolve"} <= {act for act, _ in effects(Case.objects.get())}


@pytest.mark.any_database
def test_an_old_version_in_hand_may_be_finished(faulty, open_round, second_annotator, admin_client):
    admin_client.post(where(faulty[0], "reference_answer"), FIX)
    held = allocation.claim_next(phase=open_round.phase, annotator=second_annotator, now=timezone.now())
    assert held.task == faulty[2]


def test_a_verdict_that_was_given_stays(faulty, admin_client):
    Solution.objects.update(grader_version="given")
    admin_client.post(where(faulty[0], "reference_answer"), FIX)
    assert set(Solution.objects.filter(problem__version=2).values_list("verdict", "grader_version")) == {
        ("wrong", "given")
    }


@pytest.mark.parametrize("texts", [{}, {"reference_answer": "5"}, {"statement": "What is 9 + 9?"}])
def test_a_fix_that_fixes_nothing_is_refused(faulty, make, texts, admin_client, refused):
    make.problem(statement="What is 9 + 9?", text_hash=problem_hash("What is 9 + 9?"))
    refused(admin_client.post(where(faulty[0], "reference_answer"), FIX | {"texts": texts}), 409, "cannot_fix")
    assert Problem.objects.filter(version=2).count() == 0


def test_every_version_knows_the_newest(faulty, make, admin_client):
    admin_client.post(where(faulty[0], "reference_answer"), FIX)
    second = make.task(solution=Solution.objects.filter(problem__version=2).first())
    make.labelling(second, finish_reason="bad_problem")
    answer = admin_client.post(where(second, "bad_problem"), FIX | {"texts": {"statement": "What is $2 + 4$?"}})
    assert answer.status_code == 200
    versions = Problem.objects.filter(statement__startswith="What is 2 + 4").order_by("version")
    newest = Problem.objects.get(version=3)
    assert [each.replaced_by for each in versions] == [newest, newest]


def test_imports_for_an_old_statement_stay_out_of_the_pool(faulty, tmp_path, admin_client):
    Problem.objects.filter(text_hash="old").update(text_hash=problem_hash("What is 2 + 4?"))
    admin_client.post(where(faulty[0], "reference_answer"), FIX | {"texts": {"statement": "What is $2 + 4$?"}})
    file = tmp_path / "more.jsonl"
    file.write_text('{"problem": "What is 2 + 4?", "generator": "x", "steps": ["It is 6."]}\n')
    import_solutions(file)
    assert Solution.objects.get(steps=["It is 6."]).in_pool is False


# Experts


@pytest.mark.any_database
def test_an_expert_settles_in_the_own_phase(task, make, expert_client, refused):
    other = make.task()
    make.labelling(other, finish_reason="give_up")
    assert waits_in(expert_client) == {"disagreement", "grader"}
    refused(expert_client.get(where(other, "give_up")), 404, "not_found")
    assert expert_client.post(where(task), {"outcome": "dismiss"}).status_code == 200


def test_an_expert_fixes_no_problems(faulty, expert_client, refused):
    refused(expert_client.post(where(faulty[0], "reference_answer"), FIX), 403, "permission_denied")


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_are_refused(task, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(ADDRESS), 403, "permission_denied")
    refused(client.post(where(task), {"outcome": "dismiss"}), 403, "permission_denied")


def test_page_after_page(make, admin_client, now):
    """Oldest first; simultaneous cases are shown once, too."""
    tasks = [make.task() for _ in range(5)]
    for task, minutes in zip(tasks, (3, 1, 1, 1, 2), strict=True):
        make.labelling(task, finish_reason="give_up", submitted_at=now + timedelta(minutes=minutes))
    listed, address = [], f"{ADDRESS}give_up/?page_size=2"
    while address:
        page = admin_client.get(address).json()
        listed, address = [*listed, *(row["id"] for row in page["results"])], page["next"]
    at_once = sorted(tasks[1:4], key=lambda task: str(task.pk))
    assert listed == [str(task.pk) for task in (*at_once, tasks[4], tasks[0])]


def test_queries_do_not_grow(make, admin_client, django_assert_num_queries):
    for _ in range(4):
        make.labelling(make.task(), finish_reason="give_up")
    with django_assert_num_queries(4):  # session, user, rounds, page
        assert len(admin_client.get(f"{ADDRESS}give_up/").json()["results"]) == 4
