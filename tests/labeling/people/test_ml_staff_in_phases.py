"""ML staff of a phase: how they join and leave, and that they label nothing there."""

import pytest
from django.utils import timezone

from annotate import allocation
from labeling.campaign import gold
from labeling.models import Assignment, Membership, Phase, User
from labeling.people import accounts
from tests.labeling.people.test_invitations import NEW


def role_of(person, phase):
    return phase.memberships.get(user=person).role


def mine(phase, person):
    return Phase.objects.run_by(person).filter(pk=phase.pk).exists()


@pytest.fixture
def stella(db):
    """ML staff of no phase yet."""
    return User.objects.create(username="stella", role="ml_staff")


@pytest.fixture
def add(phase, admin_client):
    def act(person):
        address = f"/api/phases/{phase.pk}/members/"
        assert admin_client.post(address, {"usernames": [person.username]}).status_code == 204

    return act


@pytest.fixture
def change(phase, admin_client):
    def act(person, role):
        return admin_client.patch(f"/api/phases/{phase.pk}/members/{person.pk}/", {"role": role})

    return act


def test_ml_staff_are_added_to_run_the_phase(add, phase, stella, outsider, signed_in):
    assert signed_in(stella).get("/api/session/").json()["user"]["phases_run"] == []
    add(stella)
    add(outsider)
    assert (role_of(stella, phase), role_of(outsider, phase)) == ("ml_staff", "annotator")
    assert signed_in(stella).get("/api/session/").json()["user"]["phases_run"] == [str(phase.pk)]


def test_admins_and_superusers_act_in_all(phase, admin_client, superuser_client):
    for client in (admin_client, superuser_client):
        assert client.get("/api/session/").json()["user"]["phases_run"] is None


def test_others_do_not_become_ml_staff_of_a_phase(change, phase, annotator, refused):
    refused(change(annotator, "ml_staff"), 409, "not_ml_staff")
    assert role_of(annotator, phase) == "annotator"


def test_a_superuser_may_become_ml_staff_of_a_phase(add, change, phase, superuser):
    add(superuser)
    assert change(superuser, "ml_staff").json()["role"] == "ml_staff"


def test_ml_staff_may_label_instead(add, change, phase, open_round, stella):
    add(stella)
    assert change(stella, "annotator").status_code == 200
    assert not mine(phase, stella)
    assert allocation.claim_next(phase=phase, annotator=stella, now=timezone.now()).task


def test_their_task_in_hand_goes_back(add, change, phase, open_round, stella, refused, signed_in):
    add(stella)
    change(stella, "annotator")
    held = allocation.claim_next(phase=phase, annotator=stella, now=timezone.now())
    assert change(stella, "ml_staff").status_code == 200
    assert not Assignment.objects.in_hand(now=timezone.now()).filter(pk=held.pk).exists()
    sent = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error"}
    refused(signed_in(stella).post(f"/api/assignments/{held.pk}/submit/", sent), 403, "not_a_member")


def test_they_get_no_tasks(add, phase, open_round, stella, now, signed_in):
    add(stella)
    with pytest.raises(allocation.NotAMember):
        allocation.claim_next(phase=phase, annotator=stella, now=now)
    shown = signed_in(stella).get("/api/phases/").json()["results"][0]
    assert (shown["is_member"], shown["screening"]) == (False, "")


def test_they_are_no_annotators(make, stella, admin_client):
    """They count neither for screening, nor for overlap, nor for known gold."""
    phase = make.phase(make.user(), shared_rate=1)
    make.screening(phase)
    round_ = make.round(phase, 2)
    assert set(round_.tasks.values_list("overlap", flat=True)) == {1}
    rows = admin_client.get(f"/api/rounds/?phase={phase.pk}").json()["results"]
    assert {row["number"]: row["labellings_wanted"] for row in rows} == {-1: 1, 0: 2}
    make.gold(1, solution=make.task(solution=(known := make.solution())).solution, gold_set="g")
    make.labelling(make.task(solution=known), 1, annotator=stella)
    assert gold.fresh(phase=phase, gold_set="g").count() == 1
    member = admin_client.get(f"/api/phases/{phase.pk}/members/").json()["results"][-1]
    assert (member["username"], member["screening"]) == ("stella", "")


@pytest.mark.parametrize("role", ["annotator", "admin"])
def test_former_ml_staff_leave_their_phases(add, phase, stella, admin_client, role):
    add(stella)
    assert admin_client.patch(f"/api/people/{stella.pk}/", {"role": role}).status_code == 200
    assert not phase.memberships.filter(user=stella).exists()
    add(stella)
    assert role_of(stella, phase) == "annotator"


def test_a_former_annotator_is_added_as_ml_staff(add, phase, annotator, admin, now):
    accounts.remove_member(membership=phase.memberships.get(user=annotator), now=now, by=admin)
    User.objects.filter(pk=annotator.pk).update(role="ml_staff")
    add(annotator)
    assert role_of(annotator, phase) == "ml_staff"


def test_an_invitation(phase, admin_client, signed_out_client, refused):
    asked = {"phase": str(phase.pk), "role": "ml_staff"}
    made = admin_client.post("/api/invitations/", asked)
    assert made.json()["phase_role"] == "ml_staff"
    assert signed_out_client.post(f"/api/invite/{made.json()['secret']}/", NEW).status_code == 201
    assert mine(phase, User.objects.get(username="petra"))
    body = refused(admin_client.post("/api/invitations/", {"role": "admin", "phase_role": "ml_staff"}), 400, "invalid")
    assert body["errors"] == {"phase_role": ["Only ML staff run a phase."]}


def test_a_roster(phase, admin_client):
    table = "username,role,phases,phase_role\notto,ml_staff,Arithmetic,\nx,,Arithmetic,ML_staff\ny,ml_staff,,expert"
    otto, *rest = admin_client.post("/api/people/import/preview/", {"table": table}).json()
    assert (otto["phase_role"], otto["problems"]) == ("ml_staff", [])
    assert [row["problems"] for row in rest] == [["Only ML staff run a phase."], ["An expert needs a phase."]]


def test_their_own_phases_come_first(make, signed_in, stella):
    first, second = (make.phase(name=name) for name in ("First", "Second"))
    Membership.objects.filter(phase=second).delete()
    names = [row["name"] for row in signed_in(stella).get("/api/phases/").json()["results"]]
    assert names == ["First", "Second"]
    Membership.objects.filter(phase=first).update(phase=second)
    names = [row["name"] for row in signed_in(stella).get("/api/phases/").json()["results"]]
    assert names == ["Second", "First"]
