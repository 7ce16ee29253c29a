"""/api/questions/{id}/answer/: admins and experts answer annotators' questions."""

import pytest

from labeling.models import Change, Report
from labeling.review import reports


@pytest.fixture
def question(assignment, annotator):
    return reports.file(task=assignment.task, annotator=annotator, note="Why?", kind="question")


@pytest.fixture
def address(question):
    return f"/api/questions/{question.pk}/answer/"


@pytest.fixture
def waits(question, admin_client):
    def act():
        rows = admin_client.get("/api/adjudication/question/").json()["results"]
        return [row["id"] for row in rows] == [str(question.task_id)]

    return act


def test_it_works(address, question, admin, admin_client, waits):
    assert waits()
    assert admin_client.post(address, {"text": "It follows."}).status_code == 204
    question.refresh_from_db()
    assert (question.resolution, question.resolved_by, question.read_at) == ("It follows.", admin, None)
    assert not waits()
    line = Change.objects.get(act="answer")
    assert (line.kind, line.after, line.by) == ("report", {"resolution": "It follows."}, admin)


def test_each_question_needs_its_own_answer(address, question, second_annotator, admin_client, waits):
    """An answer goes only to the person who asked."""
    other = reports.file(task=question.task, annotator=second_annotator, note="How?", kind="question")
    admin_client.post(address, {"text": "It follows."})
    other.refresh_from_db()
    assert (other.resolution, waits()) == ("", True)


def test_the_list_says_what_was_asked_unless_an_admin_noted_something(question, admin_client):
    def noted():
        (row,) = admin_client.get("/api/adjudication/question/").json()["results"]
        return row["note"]

    assert noted() == "Why?"
    admin_client.post(f"/api/adjudication/question/{question.task_id}/", {"note": "Ask Erin."})
    assert noted() == "Ask Erin."


def test_the_case_shows_it_without_a_name(question, admin_client):
    shown = admin_client.get(f"/api/adjudication/question/{question.task_id}/").json()["reports"]
    assert [(each["kind"], each["note"], each["annotator"]) for each in shown] == [("question", "Why?", None)]


def test_a_ruling_in_another_queue_leaves_the_question_open(make, question, annotator, admin_client, waits):
    make.labelling(question.task, 1, finish_reason="give_up", annotator=annotator)
    admin_client.post(f"/api/adjudication/give_up/{question.task_id}/", {"outcome": "dismiss", "note": "secret"})
    assert waits()


def test_twice_is_refused(address, admin_client, refused):
    admin_client.post(address, {"text": "It follows."})
    refused(admin_client.post(address, {"text": "It does not."}), 409, "already_resolved")
    assert Report.objects.get().resolution == "It follows."


def test_another_kind_of_report_is_no_question(question, annotator, admin_client, refused):
    report = reports.file(task=question.task, annotator=annotator, note="It is 6.")
    refused(admin_client.post(f"/api/questions/{report.pk}/answer/", {"text": "No."}), 404, "not_found")


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": " "}, {"text": "a\0"}, {"text": "x" * 10_001}])
def test_a_bad_body_is_refused(address, body, admin_client, refused):
    refused(admin_client.post(address, body), 400, "invalid")


def test_an_expert_answers_in_the_own_phase_only(make, address, phase, signed_in, refused):
    here, elsewhere = make.user(), make.user()
    phase.memberships.create(user=here, role="expert")
    make.phase().memberships.create(user=elsewhere, role="expert")
    refused(signed_in(elsewhere).post(address, {"text": "No."}), 404, "not_found")
    assert signed_in(here).post(address, {"text": "Yes."}).status_code == 204


@pytest.mark.parametrize("who", ["annotator", "second_annotator", "outsider", "ml_staff"])
def test_others_are_refused(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).post(address, {"text": "No."}), 403, "permission_denied")


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.post(address, {"text": "No."}), 401, "not_authenticated")
