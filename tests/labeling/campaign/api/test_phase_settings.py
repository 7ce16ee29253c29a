"""/api/phases/{id}/settings/: all settings, for staff, and the effects of a change."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate import allocation
from labeling.models import Change, Guidelines, Phase, Round


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/settings/"


def effect(client, address, change):
    body = client.patch(f"{address}?dry_run=true", change).json()
    (found,) = body["effects"]
    return found


def test_it_works(address, phase, admin_client):
    body = admin_client.patch(address, {"overlap": 3, "time_limit_minutes": 60}).json()
    assert (body["settings"]["overlap"], body["settings"]["time_limit_minutes"]) == (3, 60)
    assert admin_client.get(address).json() == body["settings"]
    assert [row["setting"] for row in body["effects"]] == ["overlap", "time_limit_minutes"]
    phase.refresh_from_db()
    assert (phase.overlap, phase.time_limit_minutes, phase.name) == (3, 60, "Arithmetic")


def test_a_dry_run_changes_nothing(address, phase, admin_client):
    body = admin_client.patch(f"{address}?dry_run=true", {"overlap": 3, "name": "Other"}).json()
    assert [(row["setting"], row["before"], row["after"]) for row in body["effects"]] == [
        ("name", "Arithmetic", "Other"),
        ("overlap", 1, 3),
    ]
    assert body["settings"]["overlap"] == 1
    assert Phase.objects.get() == phase
    assert Phase.objects.get().overlap == 1
    assert not Change.objects.exists()


@pytest.mark.parametrize("yes", ["true", "True", "TRUE", "1", "yes"])
def test_yes_is_yes_however_it_is_written(address, admin_client, yes):
    assert admin_client.patch(f"{address}?dry_run={yes}", {"overlap": 3}).status_code == 200
    assert Phase.objects.get().overlap == 1


@pytest.mark.parametrize("no", ["false", "False", "0", "No"])
def test_no_is_no_however_it_is_written(address, admin_client, no):
    admin_client.patch(f"{address}?dry_run={no}", {"overlap": 3})
    assert Phase.objects.get().overlap == 3


@pytest.mark.parametrize("unclear", ["", "ture", "2", "on", "null", "%00", "-1"])
def test_other_words_than_yes_and_no_change_nothing(address, admin_client, refused, unclear):
    refused(admin_client.patch(f"{address}?dry_run={unclear}", {"overlap": 3}), 400, "invalid")
    assert Phase.objects.get().overlap == 1


def test_the_same_again_affects_nothing(address, admin_client):
    assert admin_client.patch(address, {"overlap": 1}).json()["effects"] == []


def test_it_says_how_many_tasks_and_people_are_touched(address, phase, open_round, annotator, admin_client):
    allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now())
    assert effect(admin_client, address, {"asks_progress": True}) == {
        "setting": "asks_progress",
        "before": False,
        "after": True,
        "applies": "at_once",
        "tasks_in_hand": 1,
        "people": 2,
    }
    later = effect(admin_client, address, {"overlap": 2})
    assert (later["applies"], later["tasks_in_hand"]) == ("next_round", 0)
    assert effect(admin_client, address, {"lease_minutes": 5})["applies"] == "next_claim"


def test_a_pass_mark_affects_people_whose_result_it_changes(address, phase, annotator, now, admin_client):
    phase.memberships.filter(user=annotator).update(screened_at=now, screening_agreement=0.7)
    assert effect(admin_client, address, {"pass_mark": 0.72})["people"] == 0
    assert effect(admin_client, address, {"pass_mark": 0.7})["people"] == 1


@pytest.mark.parametrize(
    "moves",
    [["paused", "running", "closed", "archived", "closed", "running"], ["closed"]],
)
def test_allowed_status_changes_work(address, admin_client, moves):
    for status in moves:
        assert admin_client.patch(address, {"status": status}).json()["settings"]["status"] == status


def test_a_draft_is_started(make, admin_client):
    draft = make.phase(status="draft")
    body = admin_client.patch(f"/api/phases/{draft.pk}/settings/", {"status": "running"}).json()
    assert body["settings"]["status"] == "running"


@pytest.mark.every_case
@pytest.mark.parametrize("dry_run", ["true", "false"])
@pytest.mark.parametrize(("before", "after"), [("running", "archived"), ("running", "draft"), ("archived", "running")])
def test_a_move_that_does_not_exist_is_refused(make, admin_client, refused, before, after, dry_run):
    address = f"/api/phases/{make.phase(status=before).pk}/settings/?dry_run={dry_run}"
    refused(admin_client.patch(address, {"status": after}), 409, "no_such_move")
    assert Phase.objects.get().status == before


def test_closing_a_phase_closes_its_rounds(address, make, phase, open_round, admin_client):
    make.screening(phase)
    admin_client.patch(address, {"status": "closed"})
    assert set(Round.objects.values_list("status", flat=True)) == {"closed"}


def test_opened_again_a_phase_screens_newcomers_as_before(address, make, phase, open_round, admin_client):
    make.screening(phase)
    for status in ("closed", "running"):
        assert admin_client.patch(address, {"status": status}).status_code == 200
    assert dict(Round.objects.values_list("number", "status")) == {-1: "open", open_round.number: "closed"}


def test_annotators_see_neither_drafts_nor_archived_phases(make, annotator, annotator_client, admin_client):
    for status in ("draft", "archived", "paused"):
        make.phase(annotator, status=status)
    assert [row["status"] for row in annotator_client.get("/api/phases/").json()["results"]] == ["paused"]
    assert admin_client.get("/api/phases/").json()["count"] == 3
    assert admin_client.get("/api/phases/", {"status": "draft"}).json()["count"] == 1


def test_new_guidelines_are_a_new_version(address, phase, admin_client):
    for text in ("Be strict.", "Be strict.", "Be kind."):
        answer = admin_client.patch(address, {"instructions": text})
    assert answer.json()["settings"]["guidelines_version"] == 3
    versions = Guidelines.objects.order_by("version").values_list("version", "text")
    assert list(versions) == [(1, "Rate each step."), (2, "Be strict."), (3, "Be kind.")]


def test_nobody_sets_the_version(address, admin_client, refused):
    refused(admin_client.patch(address, {"guidelines_version": 9}), 400, "invalid")


def test_the_kind_is_fixed_once_there_are_rounds(address, phase, make, admin_client, refused):
    assert admin_client.patch(address, {"kind": "alternatives"}).json()["settings"]["kind"] == "alternatives"
    make.round(phase)
    assert admin_client.patch(address, {"kind": "alternatives"}).status_code == 200
    refused(admin_client.patch(address, {"kind": "solutions"}), 409, "kind_is_fixed")
    assert Phase.objects.get().kind == "alternatives"


@pytest.mark.parametrize(
    "change",
    [
        {"overlap": 0},
        {"time_limit_minutes": 0},
        {"status": "lost"},
        {"pass_mark": 2},
        {"name": ""},
        {"name": "Taken"},
        {"pass_mark": -1},
        {"generator_url": "http://gpu:8000/v1"},
    ],
)
def test_a_bad_body_is_refused(address, make, phase, admin_client, refused, change):
    make.phase(name="Taken")
    refused(admin_client.patch(address, change), 400, "invalid")
    phase.refresh_from_db()
    assert phase.name == "Arithmetic"


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_change_nothing(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).patch(address, {"name": "Mine"}), 403, "permission_denied")


def test_a_change_leaves_a_line(address, phase, admin, admin_client):
    admin_client.patch(address, {"overlap": 2, "name": "Arithmetic"})
    line = Change.objects.get()
    assert (line.by, line.act, line.kind, line.subject) == (admin, "change", "phase", str(phase.pk))
    assert (line.before, line.after) == ({"overlap": 1}, {"overlap": 2})


# The time limit


def test_no_renewal_goes_beyond_the_time_limit(make, annotator, now):
    phase = make.phase(annotator, lease_minutes=30, time_limit_minutes=45)
    make.round(phase)
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    assert held.lease_expires_at == now + timedelta(minutes=30)
    for minutes in (20, 44):
        later = now + timedelta(minutes=minutes)
        held = allocation.renew(assignment_id=held.pk, annotator=annotator, now=later)
    assert held.lease_expires_at == now + timedelta(minutes=45)
    again = allocation.claim_next(phase=phase, annotator=annotator, now=later)
    assert (again, again.lease_expires_at) == (held, held.lease_expires_at)


def test_every_version_of_the_guidelines_is_there(address, phase, admin_client, ml_staff_client):
    for text in ("One.", "Two."):
        admin_client.patch(address, {"instructions": text})
    rows = ml_staff_client.get(address.replace("settings", "guidelines")).json()["results"]
    assert [(row["version"], row["text"]) for row in rows] == [(3, "Two."), (2, "One."), (1, "Rate each step.")]
