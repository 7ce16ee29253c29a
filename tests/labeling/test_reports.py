"""/api/reports/: what annotators reported, for admins to resolve."""

import pytest

from labeling import reports
from labeling.models import Report

ADDRESS = "/api/reports/"


@pytest.fixture
def report(assignment, annotator):
    return reports.file(task=assignment.task, annotator=annotator, note="It is 6.")


@pytest.fixture
def address(report):
    return f"{ADDRESS}{report.pk}/resolve/"


def test_it_works(report, assignment, admin_client):
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row == {
        "id": str(report.pk),
        "kind": "reference_answer",
        "annotator": "ada",
        "note": "It is 6.",
        "created_at": row["created_at"],
        "resolved_at": None,
        "resolved_by": None,
        "resolution": "",
        "phase": "Arithmetic",
        "statement": assignment.task.solution.problem.statement,
        "reference_answer": "5",
        "given_answer": "5",
    }


def test_resolving(address, report, admin, admin_client):
    answer = admin_client.post(address, {"resolution": "Right you are."})
    assert answer.status_code == 200
    assert (answer.json()["resolution"], answer.json()["resolved_by"]) == ("Right you are.", "alma")
    report.refresh_from_db()
    assert (report.resolved_by, report.resolution) == (admin, "Right you are.")
    assert report.resolved_at is not None


def test_open_ones_only(make, address, report, annotator, admin_client):
    other = reports.file(task=make.task(), annotator=annotator, note="")
    admin_client.post(address, {"resolution": "Done."})
    listed = admin_client.get(f"{ADDRESS}?is_open=true").json()["results"]
    assert [row["id"] for row in listed] == [str(other.pk)]
    assert len(admin_client.get(ADDRESS).json()["results"]) == 2


def test_twice_is_refused(address, admin_client, superuser_client, refused):
    admin_client.post(address, {"resolution": "Done."})
    refused(superuser_client.post(address, {"resolution": "Undone."}), 409, "already_resolved")
    assert Report.objects.get().resolution == "Done."


@pytest.mark.parametrize("body", [{}, {"resolution": " "}, {"resolution": "x" * 5001}, {"resolution": "a\0b"}])
def test_a_bad_body_is_refused(address, admin_client, refused, body):
    refused(admin_client.post(address, body), 400, "invalid")


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_are_refused(address, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(ADDRESS), 403, "permission_denied")
    refused(client.post(address, {"resolution": "Mine."}), 403, "permission_denied")


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 403, "not_authenticated")
    refused(signed_out_client.post(address, {"resolution": "x"}), 403, "not_authenticated")


def test_an_annotator_sees_own_reports_only(report, annotator, second_annotator, ml_staff, admin):
    seen = {
        person: Report.objects.visible_to(person).count() for person in (annotator, second_annotator, ml_staff, admin)
    }
    assert seen == {annotator: 1, second_annotator: 0, ml_staff: 0, admin: 1}


def test_queries_do_not_grow(make, annotator, admin_client, django_assert_num_queries):
    for _ in range(4):
        reports.file(task=make.task(), annotator=annotator, note="")
    with django_assert_num_queries(4):  # session, user, count, page
        assert len(admin_client.get(ADDRESS).json()["results"]) == 4
