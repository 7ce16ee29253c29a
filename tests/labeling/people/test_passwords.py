"""/api/session/password/ and /api/people/{id}/password/: changing one's own, and resetting a forgotten one."""

import pytest
from django.test import Client
from rest_framework.test import APIClient

from labeling.models import Change, User
from labeling.people import tokens

ADDRESS = "/api/session/password/"
OLD, NEW = "correct horse", "battery staple"


@pytest.fixture
def person(annotator):
    annotator.set_password(OLD)
    annotator.save()
    return annotator


def browser_of(person):
    browser = APIClient()
    assert browser.login(username=person.username, password=OLD)
    return browser


def can_sign_in(person, password):
    return Client().login(username=person.username, password=password)


def is_in(browser):
    return browser.get("/api/session/").json()["user"] is not None


def test_it_works_and_signs_other_browsers_out(person):
    browser, other = browser_of(person), browser_of(person)
    assert browser.post(ADDRESS, {"password": OLD, "new_password": NEW}).status_code == 204
    assert (can_sign_in(person, OLD), can_sign_in(person, NEW)) == (False, True)
    assert (is_in(browser), is_in(other)) == (True, False)
    assert Change.objects.get(act="change password").by == person


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"password": "wrong", "new_password": NEW}, "password"),
        ({"password": OLD, "new_password": "short"}, "new_password"),
        ({"password": OLD, "new_password": "password"}, "new_password"),
        ({"password": OLD}, "new_password"),
    ],
)
def test_a_bad_body_is_refused(person, refused, given, field):
    assert list(refused(browser_of(person).post(ADDRESS, given), 400, "invalid")["errors"]) == [field]
    assert can_sign_in(person, OLD)


def test_a_token_changes_none(person, refused):
    script = APIClient()
    script.credentials(HTTP_AUTHORIZATION=f"Token {tokens.make_token(user=person, name='x')[1]}")
    refused(script.post(ADDRESS, {"password": OLD, "new_password": NEW}), 403, "permission_denied")


def test_an_admin_gives_one_to_who_forgot_theirs(person, admin, admin_client):
    browser = browser_of(person)
    answer = admin_client.post(f"/api/people/{person.pk}/password/")
    assert answer.status_code == 201
    assert can_sign_in(person, answer.json()["password"])
    assert not is_in(browser)
    assert Change.objects.get(act="change password").by == admin


@pytest.mark.parametrize("who", ["admin", "superuser"])
def test_admins_reset_neither_their_own_password_nor_a_superusers(who, request, admin_client, refused):
    person = request.getfixturevalue(who)
    refused(admin_client.post(f"/api/people/{person.pk}/password/"), 409, "not_yours_to_change")
    assert User.objects.get(pk=person.pk).password == person.password
