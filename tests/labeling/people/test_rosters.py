"""/api/people/import/: adds many people at once from a table. Admins see and revoke their tokens."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from labeling.models import ApiToken, Change, Invitation, Membership, User
from labeling.people import tokens

ADDRESS = "/api/people/import/"
PASSWORD = "four steps to gold"


@pytest.fixture
def table(make, phase):
    make.phase(name="Geometry")
    return (
        "username,role,phases,phase_role,access\r\n"
        "petra,Annotator,Arithmetic; Geometry,expert,link\r\n"
        "otto,ML staff,Geometry,,\r\n"
        "bot-1,,Arithmetic,,token\r\n"
        "bot-2,,,,Read-only token\r\n"
    )


def preview(client, table):
    return client.post(f"{ADDRESS}preview/", {"table": table})


def problems(client, *lines):
    return [row["problems"] for row in preview(client, "\n".join(lines)).json()]


def test_it_works(table, admin, admin_client):
    answer = admin_client.post(ADDRESS, {"table": table, "link_days": 3, "token_days": 30})
    assert answer.status_code == 201
    made = {row["username"]: row for row in answer.json()}
    assert [row["access"] for row in made.values()] == ["link", "link", "token", "read-only token"]
    petra, otto = User.objects.get(username="petra"), User.objects.get(username="otto")
    places = petra.memberships.order_by("phase__name").values_list("phase__name", "role")
    assert list(places) == [("Arithmetic", "expert"), ("Geometry", "expert")]
    assert (otto.role, otto.has_usable_password(), otto.memberships.get().role) == ("ml_staff", False, "ml_staff")
    bot = ApiToken.objects.get(user__username="bot-2")
    assert bot.is_read_only
    assert timedelta(days=29) < bot.expires_at - timezone.now() <= timedelta(days=30)
    assert tokens.find(secret=made["bot-1"]["secret"], now=timezone.now()).user.username == "bot-1"
    lines = Change.objects.values_list("act", "kind").distinct().order_by("act", "kind")
    assert set(lines) == {("add", "user"), ("add members", "phase"), ("invite", "invitation"), ("make", "apitoken")}
    assert made["petra"]["secret"] not in str(list(Change.objects.values()) + list(Invitation.objects.values()))


def test_a_link_lets_its_person_choose_a_password_once(table, admin_client, signed_out_client, refused):
    secret = admin_client.post(ADDRESS, {"table": table}).json()[0]["secret"]
    link = f"/api/invite/{secret}/"
    assert signed_out_client.get(link).json()["username"] == "petra"
    assert [row["username"] for row in admin_client.get("/api/invitations/").json()["results"]].count("petra") == 1
    assert signed_out_client.post(link, {"password": PASSWORD}).json()["user"]["username"] == "petra"
    assert APIClient().login(username="petra", password=PASSWORD)
    assert User.objects.filter(username="petra").count() == 1
    refused(APIClient().post(link, {"password": "another one, later"}), 410, "invitation_over")
    refused(APIClient().get(link), 410, "invitation_over")


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": True}])
def test_a_link_gives_no_account_that_has_a_password_or_is_deactivated(
    table, admin_client, signed_out_client, refused, change
):
    secret = admin_client.post(ADDRESS, {"table": table}).json()[0]["secret"]
    person = User.objects.get(username="petra")
    if "password" in change:
        admin_client.post(f"/api/people/{person.pk}/password/")
    else:
        admin_client.patch(f"/api/people/{person.pk}/", change)
    before = User.objects.get(pk=person.pk).password
    refused(signed_out_client.post(f"/api/invite/{secret}/", {"password": PASSWORD}), 410, "invitation_over")
    assert User.objects.get(pk=person.pk).password == before


def test_another_invitation_still_needs_a_name(admin_client, signed_out_client, refused):
    secret = admin_client.post("/api/invitations/", {}).json()["secret"]
    answer = signed_out_client.post(f"/api/invite/{secret}/", {"password": PASSWORD})
    assert list(refused(answer, 400, "invalid")["errors"]) == ["username"]


def test_the_preview_makes_nothing(table, admin, admin_client):
    first, *_, last = preview(admin_client, table).json()
    assert first == {
        **{"line": 2, "username": "petra", "role": "annotator", "phases": ["Arithmetic", "Geometry"]},
        **{"phase_role": "expert", "access": "link", "problems": []},
    }
    assert (last["line"], last["access"]) == (5, "read-only token")
    assert not User.objects.filter(username="petra").exists()


def test_each_line_says_what_is_wrong(annotator, admin_client):
    found = problems(
        admin_client,
        "username,role,phases,phase_role,access",
        "fine,,,,",
        "Ada,,,,",
        "FINE,,,,",
        "a b,,,,",
        ",admin,,,",
        "x,king,,,",
        "y,,Nowhere,,",
        "z,,,expert,",
        "q,,,,fax",
        "r,,,,,more",
        f"{'l' * 151},,,,",
    )
    words = ["", "Somebody has this name", "Line 2 has this name", "valid username", "blank", "valid role", "no phase"]
    words += ["needs a phase", "valid access", "more cells", "at most 150"]
    assert [not each for each in found] == [not word for word in words]
    for each, word in zip(found, words, strict=True):
        assert word in " ".join(each)


def test_a_table_with_an_error_adds_nobody(annotator, admin_client, refused):
    detail = refused(admin_client.post(ADDRESS, {"table": "username\nnew\nADA\n"}), 400, "invalid_roster")["detail"]
    assert detail.startswith("Line 3: ")
    assert not User.objects.filter(username="new").exists()


@pytest.mark.parametrize(
    "table",
    [
        "name\nada",
        "username,username\nx,y",
        "username,age\nx,3",
        "username\n",
        'username\n"x',
        "x",
        "username\n" + "x\n" * 1001,
    ],
)
def test_other_tables_are_refused(admin_client, refused, table):
    for address in (ADDRESS, f"{ADDRESS}preview/"):
        refused(admin_client.post(address, {"table": table}), 400, "invalid_roster")


@pytest.mark.parametrize("body", [{}, {"table": ""}, {"table": "username\nx", "link_days": 91}, {"table": "a\0"}])
def test_a_bad_body_is_refused(admin_client, refused, body):
    refused(admin_client.post(ADDRESS, body), 400, "invalid")


@pytest.mark.parametrize(
    "table", ["\ufeffusername;role\r\nx;annotator", "USERNAME\trole\nx\tannotator", 'username\n"x"\n\n']
)
def test_tables_are_read_as_spreadsheets_write_them(admin_client, table):
    assert [(row["username"], row["problems"]) for row in preview(admin_client, table).json()] == [("x", [])]


def test_two_hundred_at_once(phase, admin_client):
    table = "username,phases\n" + "".join(f"pupil-{number},Arithmetic\n" for number in range(200))
    secrets = {row["secret"] for row in admin_client.post(ADDRESS, {"table": table}).json()}
    assert len(secrets) == 200
    assert Membership.objects.filter(phase=phase, user__username__startswith="pupil-").count() == 200


# Tokens


def test_an_admin_sees_and_revokes_somebodys_tokens(annotator, second_annotator, admin_client, refused):
    token, secret = tokens.make_token(user=annotator, name="export")
    address = f"/api/people/{annotator.pk}/tokens/"
    (row,) = admin_client.get(address).json()
    assert (row["name"], row["last_used_at"]) == ("export", None)
    assert secret not in str(row)
    refused(admin_client.delete(f"/api/people/{second_annotator.pk}/tokens/{token.pk}/"), 404, "not_found")
    assert admin_client.delete(f"{address}{token.pk}/").status_code == 204
    assert admin_client.get(address).json() == []
    assert Change.objects.get(act="revoke").by.username == "alma"
