"""/api/assignments/{id}/report/: reports a wrong reference answer, disputed gold or wrongly cut steps."""

import pytest

from annotate import allocation
from labeling.models import Report, Solution


@pytest.fixture
def address(assignment):
    return f"/api/assignments/{assignment.pk}/report/"


def test_it_works(address, assignment, annotator, annotator_client):
    assert annotator_client.post(address, {"note": "It is 6."}).status_code == 204
    report = Report.objects.get()
    assert (report.task, report.annotator, report.note) == (assignment.task, annotator, "It is 6.")
    assert annotator_client.get(f"/api/assignments/{assignment.pk}/").json()["report"] == "It is 6."


def test_reporting_again_changes_the_note(address, annotator_client):
    for note in ("It is 6.", "It is 7."):
        assert annotator_client.post(address, {"note": note}).status_code == 204
    assert Report.objects.get().note == "It is 7."


def test_after_it_was_resolved_it_is_refused(address, annotator_client, admin, now, refused):
    annotator_client.post(address, {})
    Report.objects.update(resolved_at=now, resolved_by=admin, resolution="It is 5.")
    refused(annotator_client.post(address, {"note": "No!"}), 409, "already_resolved")


def test_after_submitting_it_still_works(address, labelling, annotator_client):
    assert annotator_client.post(address, {}).status_code == 204


@pytest.mark.parametrize("body", [{"note": "x" * 5001}, {"note": "a\0b"}, {"note": None}])
def test_a_bad_body_is_refused(address, annotator_client, refused, body):
    refused(annotator_client.post(address, body), 400, "invalid")


@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_is_not_found(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).post(address, {}), 404, "not_found")
    assert not Report.objects.exists()


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.post(address, {}), 401, "not_authenticated")


# Disputed gold


def test_gold_is_disputed_once_it_was_shown(make, phase, annotator, annotator_client, now, refused):
    make.screening(phase)
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    address, body = f"/api/assignments/{held.pk}/report/", {"kind": "gold", "note": "Step 2 is fine."}
    refused(annotator_client.post(address, body), 409, "nothing_to_dispute")
    make.labelling(held.task, 1, 1, 1, annotator=annotator)
    assert annotator_client.post(address, body).status_code == 204
    assert (Report.objects.get().kind, Report.objects.get().note) == ("gold", "Step 2 is fine.")


def test_in_real_work_there_is_nothing_to_dispute(make, address, labelling, annotator_client, refused):
    """Refused with and without gold, so that the refusal does not reveal it."""
    refused(annotator_client.post(address, {"kind": "gold"}), 409, "nothing_to_dispute")
    make.gold(1, 1, 1, solution=labelling.task.solution)
    refused(annotator_client.post(address, {"kind": "gold"}), 409, "nothing_to_dispute")


# Steps that are cut wrongly


@pytest.fixture
def in_two(assignment):
    Solution.objects.filter(pk=assignment.task.solution_id).update(steps=["A.", "So 8. B"])


@pytest.mark.parametrize(("place", "body"), [(None, {"step": 0}), (3, {"step": 1, "place": 3})])
def test_wrongly_cut_steps_are_reported(address, in_two, annotator_client, place, body):
    assert annotator_client.post(address, {"kind": "steps", **body}, format="json").status_code == 204
    report = Report.objects.get()
    assert (report.kind, report.step, report.place) == ("steps", body["step"], place)
    assert annotator_client.get(address.replace("report/", "")).json()["report"] is None


def test_a_second_report_on_steps_changes_the_first(address, in_two, annotator_client):
    for body in ({"step": 1, "place": 3}, {"step": 0, "note": "One thought."}):
        annotator_client.post(address, {"kind": "steps", **body}, format="json")
    report = Report.objects.get()
    assert (report.step, report.place, report.note) == (0, None, "One thought.")


@pytest.mark.parametrize("body", [{}, {"step": 1}, {"step": 2}, {"step": 0, "place": 99}, {"step": 0, "place": 2}])
def test_an_impossible_cut_is_refused(address, in_two, annotator_client, refused, body):
    refused(annotator_client.post(address, {"kind": "steps", **body}, format="json"), 400, "no_such_step")
    assert not Report.objects.exists()


@pytest.mark.parametrize("body", [{"step": -1}, {"step": "x"}, {"step": 0, "place": 0}, {"step": 2**15}])
def test_no_step_at_all_is_refused(address, annotator_client, refused, body):
    refused(annotator_client.post(address, {"kind": "steps", **body}, format="json"), 400, "invalid")


def test_steps_cannot_be_reported_in_a_phase_of_alternatives(address, in_two, phase, annotator_client, refused):
    type(phase).objects.filter(pk=phase.pk).update(kind="alternatives")
    refused(annotator_client.post(address, {"kind": "steps", "step": 0}, format="json"), 400, "no_such_step")
