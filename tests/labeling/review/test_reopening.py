"""/api/adjudication/{queue}/{task}/reopen/: reopens a settled case; its ruling stands until the next."""

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.models import Case, Change, Consensus, Labelling
from labeling.review import reports
from tests.queues import ADDRESS, FIX, QUEUES, waits_in, where


def reopen(client, task, queue="disagreement"):
    return client.post(f"{where(task, queue)}reopen/")


def test_a_mistyped_ruling_is_given_again(task, admin, admin_client):
    admin_client.post(where(task), {"outcome": "ratings", "ratings": [1, 1, 1], "note": "Fine."})
    body = reopen(admin_client, task).json()
    assert (body["is_waiting"], waits_in(admin_client)) == (True, {"disagreement", "grader"})
    (row,) = admin_client.get(f"{ADDRESS}disagreement/").json()["results"]
    assert row["note"] == "Fine."
    assert Consensus.objects.get().ratings == [1, 1, 1], "it stands until the next one"
    first, second = Case.objects.order_by("created_at")
    assert (second.reopens, second.settled_at) == (first, None)
    line = Change.objects.get(act="reopen")
    assert (line.by, line.kind, line.subject, line.before["outcome"]) == (admin, "case", str(first.pk), "ratings")
    admin_client.post(where(task), {"outcome": "ratings", "ratings": [1, -1]})
    assert waits_in(admin_client) == set()
    assert Consensus.objects.get().ratings == [1, -1]
    assert [row.annotator.username for row in Labelling.objects.filter(overruled_by=second)] == ["ben"]
    assert not Labelling.objects.filter(overruled_by=first).exists()


def test_the_settled_are_listed_newest_first(task, make, phase, admin_client, expert_client):
    older, elsewhere = make.task(phase), make.task()
    for each in (older, elsewhere):
        make.labelling(each, finish_reason="give_up")
        admin_client.post(where(each, "give_up"), {"outcome": "dismiss"})
    make.labelling(task, finish_reason="give_up")
    admin_client.post(where(task, "give_up"), {"outcome": "dismiss", "note": "No."})
    listed = expert_client.get(f"{ADDRESS}give_up/?settled=true").json()["results"]
    assert [(row["id"], row["note"]) for row in listed] == [(str(task.pk), "No."), (str(older.pk), "")]
    assert listed[0]["settled_at"] > listed[1]["settled_at"]
    assert len(admin_client.get(f"{ADDRESS}give_up/?settled=true").json()["results"]) == 3
    assert expert_client.get(f"{ADDRESS}unsure/?settled=true").json()["results"] == []


@pytest.mark.any_database
@pytest.mark.parametrize("queue", QUEUES)
def test_each_queue_gets_it_back(queue, make, annotator, admin_client):
    task = make.task()
    QUEUES[queue](make, task, annotator)
    verdict = {"outcome": "verdict", "verdict": "right"}
    admin_client.post(where(task, queue), verdict if queue == "grader" else {"outcome": "dismiss"})
    assert queue not in waits_in(admin_client)
    assert reopen(admin_client, task, queue).json()["is_waiting"] is True
    assert queue in waits_in(admin_client)
    assert admin_client.post(where(task, queue), {"outcome": "dismiss"}).json()["is_waiting"] is False
    assert queue not in waits_in(admin_client)


def test_its_reports_are_open_again(assignment, annotator, admin_client):
    report = reports.file(task=assignment.task, annotator=annotator, note="It is 6.")
    admin_client.post(where(assignment.task, "reference_answer"), {"outcome": "dismiss", "note": "It is 5."})
    reopen(admin_client, assignment.task, "reference_answer")
    report.refresh_from_db()
    assert (report.resolved_at, report.resolved_by, report.resolution) == (None, None, "")
    assert Change.objects.get(act="reopen", kind="report").before == {"resolution": "It is 5."}


def test_only_the_newest_ruling_can_be_reopened(task, make, admin_client, refused):
    refused(reopen(admin_client, task), 409, "cannot_reopen")
    admin_client.post(where(task), {"outcome": "dismiss"})
    refused(reopen(admin_client, task, "grader"), 409, "cannot_reopen")
    assert reopen(admin_client, task).status_code == 200
    refused(reopen(admin_client, task), 409, "cannot_reopen")
    admin_client.post(where(task, "grader"), {"outcome": "ratings", "ratings": [1, -1]})
    refused(reopen(admin_client, task), 409, "cannot_reopen")
    make.labelling(task, -1, submitted_at=timezone.now() + timedelta(seconds=1))
    refused(reopen(admin_client, task), 409, "cannot_reopen")


@pytest.mark.any_database
def test_a_fixed_problem_stays_fixed(faulty, admin_client, refused):
    admin_client.post(where(faulty[0], "reference_answer"), FIX)
    assert (
        "newer version" in refused(reopen(admin_client, faulty[0], "reference_answer"), 409, "cannot_reopen")["detail"]
    )


def test_an_expert_reopens_in_the_own_phase(task, make, admin_client, expert_client, refused):
    other = make.task()
    make.labelling(other, finish_reason="give_up")
    for each, queue in ((task, "disagreement"), (other, "give_up")):
        admin_client.post(where(each, queue), {"outcome": "dismiss"})
    assert reopen(expert_client, task).status_code == 200
    refused(reopen(expert_client, other, "give_up"), 404, "not_found")


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_reopen_nothing(task, who, request, signed_in, refused):
    refused(reopen(signed_in(request.getfixturevalue(who)), task), 403, "permission_denied")
