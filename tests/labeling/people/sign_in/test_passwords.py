"""/api/session/password/ and /api/people/{id}/password/: change one's password, and reset a forgotten one."""

import hashlib
from contextlib import nullcontext
from io import StringIO
from tempfile import NamedTemporaryFile

import pytest
from django.contrib.auth.management.commands import changepassword
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from labeling.models import Change, User
from labeling.people import tokens
from labeling.people.passwords import NotBreached
from tests.labeling.people.sign_in.conftest import PASSWORD

ADDRESS = "/api/session/password/"
NEW = "battery staple"


def browser_of(person):
    browser = APIClient()
    assert browser.login(username=person.username, password=PASSWORD)
    return browser


def can_sign_in(person, password):
    return Client().login(username=person.username, password=password)


def is_in(browser):
    return browser.get("/api/session/").json()["user"] is not None


def test_it_works_and_signs_other_browsers_out(person):
    browser, other = browser_of(person), browser_of(person)
    assert browser.post(ADDRESS, {"password": PASSWORD, "new_password": NEW}).status_code == 204
    assert (can_sign_in(person, PASSWORD), can_sign_in(person, NEW)) == (False, True)
    assert (is_in(browser), is_in(other)) == (True, False)
    assert Change.objects.get(act="change password").by == person


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"password": "wrong", "new_password": NEW}, "password"),
        ({"password": PASSWORD, "new_password": "short"}, "new_password"),
        ({"password": PASSWORD, "new_password": "password"}, "new_password"),
        ({"password": PASSWORD, "new_password": " " * 20}, "new_password"),
        ({"password": PASSWORD}, "new_password"),
    ],
)
def test_a_bad_body_is_refused(person, refused, given, field):
    assert list(refused(browser_of(person).post(ADDRESS, given), 400, "invalid")["errors"]) == [field]
    assert can_sign_in(person, PASSWORD)


def test_pages_are_told_the_shortest_length(person):
    browser = browser_of(person)
    least = browser.get("/api/session/ways/").json()["shortest_password"]
    for length, status in ((least - 1, 400), (least, 204)):
        new = ("Zq7-x" * 9)[:length]
        assert browser.post(ADDRESS, {"password": PASSWORD, "new_password": new}).status_code == status


def test_it_ends_tokens(person):
    tokens.make_token(user=person, name="x")
    browser_of(person).post(ADDRESS, {"password": PASSWORD, "new_password": NEW})
    assert not person.api_tokens.exists()


def test_djangos_own_command_ends_sessions_and_tokens_too(person, monkeypatch):
    browser, _ = browser_of(person), tokens.make_token(user=person, name="x")
    monkeypatch.setattr(changepassword.Command, "_get_pass", lambda *_, **__: NEW)
    call_command("changepassword", person.username, stdout=StringIO())
    assert can_sign_in(person, NEW)
    assert not (is_in(browser) or person.api_tokens.exists() or person.browser_sessions.exists())


def test_a_stronger_hash_of_the_same_password_ends_nothing(person, settings):
    tokens.make_token(user=person, name="x")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher", *settings.PASSWORD_HASHERS]
    assert can_sign_in(person, PASSWORD)
    person.refresh_from_db()
    assert person.password.startswith("pbkdf2_sha1$")
    assert person.api_tokens.exists()


def test_a_password_like_the_user_name_is_refused(admin_client, refused):
    body = {"username": "petra.petrova", "password": "petra.petrova1"}
    assert list(refused(admin_client.post("/api/people/", body), 400, "invalid")["errors"]) == ["password"]


@given(st.lists(st.text("abcdef", min_size=1), min_size=1, unique=True), st.text("abcdef"))
def test_a_breached_password_is_found_anywhere_in_the_file(breached, other):
    hashes = sorted(hashlib.sha1(each.encode()).hexdigest().upper() for each in breached)
    with NamedTemporaryFile("w") as file:
        file.write("".join(f"{each}:{number}\r\n" for number, each in enumerate(hashes)))
        file.flush()
        rule = NotBreached(file.name)
        for each in {*breached, other}:
            with pytest.raises(ValidationError) if each in breached else nullcontext():
                rule.validate(each)


def test_a_token_changes_none(person, refused):
    script = APIClient()
    script.credentials(HTTP_AUTHORIZATION=f"Token {tokens.make_token(user=person, name='x')[1]}")
    refused(script.post(ADDRESS, {"password": PASSWORD, "new_password": NEW}), 403, "permission_denied")


def test_an_admin_resets_a_forgotten_password(person, admin, admin_client):
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
