"""/api/invitations/ and /api/invite/: a link lets one person in, once."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from labeling.models import Change, Invitation, User
from labeling.people import invitations
from labeling.people.invitations import InvitationOver

ADDRESS = "/api/invitations/"
NEW = {"username": "petra", "password": "four steps to gold"}


@pytest.fixture
def invite(admin, phase):
    def made(days=7, **place):
        return invitations.invite(**{"phase": phase} | place, days=days, now=timezone.now(), by=admin)

    return made


@pytest.fixture
def link(invite):
    return f"/api/invite/{invite()[1]}/"


def test_it_works(phase, admin, admin_client, signed_out_client):
    made = admin_client.post(ADDRESS, {"phase": str(phase.pk), "phase_role": "expert", "days": 3})
    assert made.status_code == 201
    link = f"/api/invite/{made.json()['secret']}/"
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert (row["phase_name"], row["by"], row["role"]) == ("Arithmetic", "alma", "annotator")
    assert signed_out_client.get(link).json() == row

    accepted = signed_out_client.post(link, NEW)
    assert accepted.status_code == 201
    assert accepted.json()["user"]["username"] == "petra"
    assert signed_out_client.get("/api/session/").json()["user"]["username"] == "petra"
    person = User.objects.get(username="petra")
    assert person.memberships.get().role == "expert"
    assert admin_client.get(ADDRESS).json()["results"] == []
    lines = Change.objects.order_by("at").values_list("act", "kind", "by__username")
    assert list(lines) == [
        ("invite", "invitation", "alma"),
        ("add", "user", "alma"),
        ("accept", "invitation", "petra"),
        ("sign in", "user", "petra"),
    ]


def test_a_role_without_a_phase(invite, signed_out_client):
    signed_out_client.post(f"/api/invite/{invite(role='ml_staff', phase=None)[1]}/", NEW)
    person = User.objects.get(username="petra")
    assert person.role == "ml_staff"
    assert not person.memberships.exists()


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": "ml_staff"}])
def test_a_former_admins_invitation_is_over(link, admin, superuser_client, signed_out_client, refused, change):
    superuser_client.patch(f"/api/people/{admin.pk}/", change)
    refused(signed_out_client.get(link), 410, "invitation_over")
    refused(signed_out_client.post(link, NEW), 410, "invitation_over")
    assert not User.objects.filter(username="petra").exists()


def test_twice_is_refused(link, signed_out_client, refused):
    signed_out_client.post(link, NEW)
    refused(APIClient().post(link, NEW | {"username": "otto"}), 410, "invitation_over")
    refused(APIClient().get(link), 410, "invitation_over")
    assert not User.objects.filter(username="otto").exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_let_one_in(invite, at_once, crowd):
    invitation, _ = invite()
    names = [f"person-{number}" for number in range(crowd)]

    def accept(name):
        return invitations.accept(invitation=invitation, username=name, password="x", now=timezone.now())

    outcomes = at_once(accept, names)
    assert sum(isinstance(each, InvitationOver) for each in outcomes) == crowd - 1
    assert User.objects.filter(username__in=names).count() == 1


def test_a_taken_name_is_refused_and_the_link_still_works(link, annotator, signed_out_client, refused):
    assert "username" in refused(signed_out_client.post(link, NEW | {"username": "ada"}), 400, "invalid")["errors"]
    assert signed_out_client.post(link, NEW).status_code == 201


@pytest.mark.parametrize("change", [{"password": "short"}, {"password": "password1"}, {"username": ""}])
def test_a_bad_body_is_refused(link, change, signed_out_client, refused):
    refused(signed_out_client.post(link, NEW | change), 400, "invalid")


def test_a_password_like_the_name_is_refused_with_either_kind_of_link(make, invite, signed_out_client, refused):
    waiting = make.user(username="petra.petrova")
    waiting.set_unusable_password()
    waiting.save()
    password = "petra.petrova1"
    for secret, chosen in (
        (invite()[1], {"username": "petra.petrovka"}),
        (invite(person=waiting)[1], {}),
        (invite(person=waiting)[1], {"username": "somebody-else"}),
    ):
        answer = signed_out_client.post(f"/api/invite/{secret}/", {"password": password} | chosen)
        assert list(refused(answer, 400, "invalid")["errors"]) == ["password"]


def test_an_expired_invitation_is_refused(link, signed_out_client, refused):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    refused(signed_out_client.get(link), 410, "invitation_over")
    refused(signed_out_client.post(link, NEW), 410, "invitation_over")


def test_a_revoked_invitation_is_refused(link, admin_client, signed_out_client, refused):
    address = f"{ADDRESS}{Invitation.objects.get().pk}/"
    assert admin_client.delete(address).status_code == 204
    refused(signed_out_client.post(link, NEW), 410, "invitation_over")
    refused(admin_client.delete(address), 410, "invitation_over")


def test_another_sites_form_is_refused(link, refused):
    refused(APIClient(enforce_csrf_checks=True).post(link, NEW), 403, "permission_denied")


@pytest.mark.parametrize("body", [{"role": "king"}, {"days": 0}, {"days": 91}, {"phase": "x"}, {"phase_role": "king"}])
def test_a_bad_invitation_is_refused(body, admin_client, refused):
    refused(admin_client.post(ADDRESS, body), 400, "invalid")


def test_the_secret_is_nowhere(invite):
    _, secret = invite()
    assert secret not in str(list(Invitation.objects.values())) + str(list(Change.objects.values()))
