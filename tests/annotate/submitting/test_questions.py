"""Questions about tasks, asked on a task; answers are shown there, in the phase and in the list of submissions."""

from datetime import timedelta

import pytest

from annotate import allocation
from labeling.models import Report
from labeling.review import reports


@pytest.fixture
def address(assignment):
    return f"/api/assignments/{assignment.pk}/"


@pytest.fixture
def ask(address, annotator_client):
    def act(note="May I skip step 2?"):
        sent = annotator_client.post(f"{address}report/", {"kind": "question", "note": note})
        assert sent.status_code == 204
        return Report.objects.get(resolved_at=None)

    return act


@pytest.fixture
def answer(admin, now):
    def act(question, text="No, rate it."):
        reports.answer(question=question, text=text, now=now, by=admin)

    return act


@pytest.fixture
def told(address, phase, annotator_client):
    """Returns the number of new answers, and whether the task says that there is one."""

    def act():
        progress = annotator_client.get(f"/api/phases/{phase.pk}/progress/").json()
        task = annotator_client.get(address).json()
        claimed = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
        assert claimed["has_answer"] == task["has_answer"]
        return progress["answers"], task["has_answer"]

    return act


def test_it_works(address, assignment, phase, ask, answer, told, annotator_client, now):
    question = ask()
    assert told() == (0, False)
    answer(question)
    assert told() == (1, True)
    (row,) = annotator_client.get(f"{address}questions/").json()
    assert annotator_client.get(f"/api/phases/{phase.pk}/questions/").json() == [row]
    assert row == {
        "id": str(question.pk),
        "assignment": None,
        "statement": assignment.task.solution.problem.statement,
        "statement_markup": "mathematics",
        "question": "May I skip step 2?",
        "created_at": row["created_at"],
        "answer": "No, rate it.",
        "closed_at": now.isoformat().replace("+00:00", "Z"),
        "read_at": None,
    }
    read = annotator_client.post(f"/api/phases/{phase.pk}/questions/read/", {"questions": [row["id"]]})
    assert read.status_code == 204
    assert told() == (0, True)


@pytest.mark.any_database
def test_after_the_submission(ask, answer, labelling, phase, annotator_client, told):
    """The list links the labelling while it may be revised."""
    answer(ask())
    (recent,) = annotator_client.get(f"/api/phases/{phase.pk}/recent/").json()
    assert recent["has_answer"] is True
    listed = f"/api/phases/{phase.pk}/questions/"
    assert annotator_client.get(listed).json()[0]["assignment"] == str(labelling.assignment_id)
    phase.rounds.update(status="closed")
    assert annotator_client.get(listed).json()[0]["assignment"] is None
    progress = annotator_client.get(f"/api/phases/{phase.pk}/progress/").json()
    assert (progress["total"], progress["answers"]) == (1, 1)


def test_another_question_may_follow_once_the_first_is_answered(address, ask, answer, annotator_client, now):
    ask("What?")
    first = ask("Which step?")
    Report.objects.update(created_at=now - timedelta(minutes=1))
    answer(first)
    ask("And step 3?")
    asked = annotator_client.get(f"{address}questions/").json()
    assert [(each["question"], each["answer"]) for each in asked] == [
        ("And step 3?", ""),
        ("Which step?", "No, rate it."),
    ]


def test_a_question_without_words_is_refused(address, annotator_client, refused):
    for note in ("", " \n"):
        body = {"kind": "question", "note": note}
        refused(annotator_client.post(f"{address}report/", body), 400, "nothing_asked")


@pytest.mark.any_database
def test_a_question_closed_without_an_answer_is_not_announced(address, ask, told, admin_client, annotator_client):
    """Notes on the case are shown to staff only."""
    case = f"/api/adjudication/question/{ask().task_id}/"
    assert admin_client.post(case, {"outcome": "dismiss", "note": "secret"}).json()["is_waiting"] is False
    assert told() == (0, False)
    (row,) = annotator_client.get(f"{address}questions/").json()
    assert (row["answer"], bool(row["closed_at"])) == ("", True)


def test_nobody_elses_question_is_read(ask, answer, phase, second_annotator_client, now):
    question = ask()
    answer(question)
    address = f"/api/phases/{phase.pk}/questions/"
    assert second_annotator_client.get(address).json() == []
    assert second_annotator_client.post(f"{address}read/", {"questions": [question.pk]}).status_code == 204
    assert Report.objects.get().read_at is None


@pytest.mark.parametrize("body", [{}, {"questions": ["x"]}, {"questions": None}, {"questions": ["x"] * 51}])
def test_a_bad_body_is_refused(phase, annotator_client, refused, body):
    refused(annotator_client.post(f"/api/phases/{phase.pk}/questions/read/", body), 400, "invalid")


@pytest.mark.parametrize("path", ["questions/", "questions/read/"])
def test_other_phases_are_not_found(phase, path, outsider_client, signed_out_client, refused):
    call = "post" if "read" in path else "get"
    address = f"/api/phases/{phase.pk}/{path}"
    refused(getattr(outsider_client, call)(address), 404, "not_found")
    refused(getattr(signed_out_client, call)(address), 401, "not_authenticated")


@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_task_is_not_found(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(f"{address}questions/"), 404, "not_found")


def test_queries_do_not_grow(make, phase, annotator, annotator_client, django_assert_num_queries):
    for _ in range(4):
        reports.file(task=make.task(phase), annotator=annotator, note="Why?", kind="question")
    with django_assert_num_queries(4):  # session, user, phase, questions
        assert len(annotator_client.get(f"/api/phases/{phase.pk}/questions/").json()) == 4


@pytest.mark.any_database
def test_questions_about_gold_look_like_those_about_real_tasks(make, annotator, signed_in, monkeypatch, now):
    """True before and after the submission."""
    monkeypatch.setattr(allocation.DICE, "random", lambda: 0.0)
    make.gold(1, -1, gold_set="hidden")
    phase = make.phase(annotator, gold_set="hidden", gold_rate=0.5)
    make.round(phase, 3)
    client = signed_in(annotator)
    task = client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    address = f"/api/assignments/{task['id']}/"
    client.post(f"{address}report/", {"kind": "question", "note": "Why?"})
    report = Report.objects.get()
    assert report.task.is_gold
    reports.answer(question=report, text="So.", now=now, by=make.user(role="admin"))
    assert client.get(address).json()["has_answer"] is True
    ratings = [{"step": 0, "rating": 1}, {"step": 1, "rating": -1}]
    client.post(f"{address}submit/", {"ratings": ratings, "finish_reason": "found_error"})
    (row,) = client.get(f"/api/phases/{phase.pk}/questions/").json()
    assert (row["assignment"], row["answer"]) == (task["id"], "So.")
    assert client.get(f"{address}questions/").json() == [row]
