"""/api/labellings/relabel/, withdraw/ and table/: acts on many labellings, and their table."""

import csv

import pytest

from labeling.campaign import rounds, withdrawals
from labeling.models import Change, Labelling, Withdrawal
from labeling.review.api import labellings

RELABEL, WITHDRAW, TABLE = (f"/api/labellings/{act}/" for act in ("relabel", "withdraw", "table"))


def test_the_chosen_are_asked_for_again(make, labelling, admin_client):
    imported = make.labelling(make.task(), 1)
    answer = admin_client.post(RELABEL, {"labellings": [str(labelling.pk), str(imported.pk)]})
    assert answer.status_code == 200
    left = {"reason": "imported", "title": "imported: publish their solutions in a round", "number": 1}
    assert answer.json() == {"asked": 1, "left": [left]}
    assert list(Labelling.objects.current()) == [imported]


def test_all_labellings_that_match_are_requested_again(make, labelling, phase, admin_client):
    make.labelling(make.task(), 1)
    phase.guidelines_version = 2
    phase.save()
    assert admin_client.post(f"{RELABEL}?is_outdated=true&phase={phase.pk}").json() == {"asked": 1, "left": []}


def test_only_chosen_labellings_that_match_are_requested_again(make, labelling, admin_client, refused):
    body = {"labellings": [str(labelling.pk)]}
    refused(admin_client.post(f"{RELABEL}?annotator=ben", body), 409, "nothing_to_relabel")
    refused(admin_client.post(RELABEL, {"labellings": []}), 409, "nothing_to_relabel")


def test_a_closed_round_says_what_to_do(labelling, open_round, admin_client, refused, now):
    rounds.close(round_id=open_round.pk, now=now)
    problem = refused(admin_client.post(RELABEL), 409, "nothing_to_relabel")
    assert "1 in a closed round: reopen it first." in problem["detail"]


def test_too_many_are_refused(make, labelling, admin_client, refused, monkeypatch):
    make.labelling(make.task(), 1)
    monkeypatch.setattr(labellings, "MOST_AT_ONCE", 1)
    refused(admin_client.post(RELABEL), 400, "too_many")
    monkeypatch.setattr(labellings, "MOST_WITHDRAWN", 1)
    refused(admin_client.post(WITHDRAW, {"why": "unclear"}), 400, "too_many")
    assert Labelling.objects.current().count() == 2


def test_tasks_are_withdrawn_once(make, labelling, admin, admin_client, now):
    other = make.labelling(make.task(), 1)
    make.labelling(other.task, -1, annotator=make.user())
    answer = admin_client.post(WITHDRAW, {"why": "The rule was wrong."})
    assert (answer.status_code, answer.json()) == (200, {"withdrawn": 2, "left": 0})
    assert {each.why for each in Withdrawal.objects.all()} == {"The rule was wrong."}
    assert Change.objects.filter(act="withdraw", by=admin).count() == 2
    assert admin_client.post(WITHDRAW, {"why": "Again."}).json() == {"withdrawn": 0, "left": 2}
    withdrawals.undo(other.task, by=admin)


@pytest.mark.parametrize("body", [{}, {"why": ""}, {"why": "unclear", "labellings": ["x"]}, {"why": "x", "all": True}])
def test_a_bad_withdrawal_is_refused(labelling, admin_client, refused, body):
    refused(admin_client.post(WITHDRAW, body), 400, "invalid")


@pytest.mark.parametrize("path", [RELABEL, WITHDRAW])
def test_a_bad_filter_does_nothing(labelling, admin_client, refused, path):
    refused(admin_client.post(f"{path}?speed=1", {"why": "unclear"}), 400, "invalid")
    assert Labelling.objects.current().exists()


def test_only_admins_act(labelling, ml_staff_client, annotator_client, signed_out_client, refused):
    for path in (RELABEL, WITHDRAW):
        refused(ml_staff_client.post(path, {"why": "unclear"}), 403, "permission_denied")
        refused(annotator_client.post(path, {"why": "unclear"}), 403, "permission_denied")
        refused(signed_out_client.post(path, {"why": "unclear"}), 401, "not_authenticated")
    refused(annotator_client.get(TABLE), 403, "permission_denied")


def test_queries_of_requests_for_relabelling_do_not_grow(make, annotator, admin_client, django_assert_num_queries):
    for number in (1, 5):
        phase = make.phase()
        round_ = make.round(phase, number)
        for seat in round_.assignments.all():
            seat.annotator, seat.submitted_at = annotator, round_.opened_at
            seat.save()
            make.labelling(seat.task, 1, assignment=seat, annotator=annotator)
        # Session, user; savepoint twice; the chosen; rounds, rows, seats, current; superseded, retired, new seats; the
        # annotator's tally, in a savepoint of its own: made, locked, two counts, changed; the log.
        with django_assert_num_queries(21):
            answer = admin_client.post(f"{RELABEL}?phase={phase.pk}")
        assert answer.json() == {"asked": number, "left": []}


def test_the_table(make, labelling, ml_staff_client, ml_staff):
    make.labelling(make.task(), 1, -1, finish_note="=1+1")
    answer = ml_staff_client.get(TABLE, {"finish_reason": "found_error"})
    header, row = csv.reader(answer.getvalue().decode().splitlines())
    assert header[:3] == ["labelling", "task", "phase"]
    found = dict(zip(header, row, strict=True))
    assert (found["first_error"], found["note"], found["annotator"], found["guidelines_version"]) == (
        "1",
        "'=1+1",
        "",
        "",
    )
    (line,) = Change.objects.filter(act="export", by=ml_staff)
    assert line.after == {"file_format": "csv", "finish_reason": "found_error"}
