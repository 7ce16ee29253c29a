"""/api/session/: sign in, sign out, who am I."""

import pytest
from django.contrib.sessions.backends.db import SessionStore
from rest_framework.test import APIClient

from labeling.people import accounts

ADDRESS = "/api/session/"
PASSWORD = "four steps to gold"


@pytest.fixture
def person(db):
    return accounts.add_person(username="petra", password=PASSWORD)


@pytest.fixture
def browser():
    """A client whose CSRF tokens are checked, as a real browser's are."""
    return APIClient(enforce_csrf_checks=True)


def token(browser):
    browser.get(ADDRESS)
    return {"HTTP_X_CSRFTOKEN": browser.cookies["csrftoken"].value}


def test_it_works(browser, person):
    answer = browser.post(ADDRESS, {"username": "petra", "password": PASSWORD}, **token(browser))
    assert answer.status_code == 200
    expected = {"id": str(person.pk), "username": "petra", "role": "annotator"}
    assert answer.json()["user"] == expected | {
        "is_superuser": False,
        "is_admin": False,
        "is_ml_staff": False,
        "is_expert": False,
        "phases_run": [],
        "preferences": {},
    }
    assert browser.get(ADDRESS).json() == answer.json()


def test_signed_out_there_is_no_user(db, browser):
    assert browser.get(ADDRESS).json() == {"user": None, "is_shared": False}


def test_signing_out_ends_the_session(browser, person):
    browser.post(ADDRESS, {"username": "petra", "password": PASSWORD}, **token(browser))
    assert browser.delete(ADDRESS, **token(browser)).status_code == 204
    assert browser.get(ADDRESS).json() == {"user": None, "is_shared": False}


def test_signing_out_twice_is_fine(browser, person):
    for _ in range(2):
        assert browser.delete(ADDRESS, **token(browser)).status_code == 204


def test_a_new_session_replaces_the_old_id(browser, person):
    """A session id planted before the sign-in is worthless after it."""
    planted = SessionStore()
    planted.save()
    browser.cookies["sessionid"] = planted.session_key
    browser.post(ADDRESS, {"username": "petra", "password": PASSWORD}, **token(browser))
    assert browser.cookies["sessionid"].value != planted.session_key
    assert not SessionStore().exists(planted.session_key)


@pytest.mark.parametrize("password", ["", "wrong", PASSWORD + " ", PASSWORD.upper()])
def test_a_wrong_password_is_refused(browser, person, refused, password):
    body = {"username": "petra", "password": password}
    refused(browser.post(ADDRESS, body, **token(browser)), 400, "invalid")
    assert browser.get(ADDRESS).json() == {"user": None, "is_shared": False}


def test_unknown_names_and_wrong_passwords_get_the_same_answer(browser, person, refused):
    """The answer does not tell which names exist."""
    sent = token(browser)
    unknown = browser.post(ADDRESS, {"username": "nobody", "password": PASSWORD}, **sent)
    wrong = browser.post(ADDRESS, {"username": "petra", "password": "wrong"}, **sent)
    assert refused(unknown, 400, "invalid") == refused(wrong, 400, "invalid")


def test_an_inactive_person_is_refused(browser, person, refused):
    person.is_active = False
    person.save()
    refused(browser.post(ADDRESS, {"username": "petra", "password": PASSWORD}, **token(browser)), 400, "invalid")


def test_someone_deactivated_while_signed_in_is_out(annotator, annotator_client):
    annotator.is_active = False
    annotator.save()
    assert annotator_client.get(ADDRESS).json() == {"user": None, "is_shared": False}


def test_signing_in_needs_the_csrf_token(browser, person, refused):
    body = {"username": "petra", "password": PASSWORD}
    refused(browser.post(ADDRESS, body), 403, "permission_denied")
    refused(browser.post(ADDRESS, body, HTTP_X_CSRFTOKEN="x" * 32), 403, "permission_denied")
    assert browser.get(ADDRESS).json() == {"user": None, "is_shared": False}


def test_writes_need_the_csrf_token(browser, person, refused):
    browser.post(ADDRESS, {"username": "petra", "password": PASSWORD}, **token(browser))
    refused(browser.delete(ADDRESS), 403, "permission_denied")
    refused(browser.post("/api/phases/", {"name": "x"}), 403, "permission_denied")
    assert browser.get(ADDRESS).json()["user"]["username"] == "petra"


def test_the_csrf_token_comes_with_the_first_look(db, browser):
    assert "csrftoken" in browser.get(ADDRESS).cookies


@pytest.mark.parametrize("body", [{}, {"username": "petra"}, {"username": [], "password": {}}, {"username": "a\0b"}])
def test_a_bad_body_is_refused(browser, person, refused, body):
    refused(browser.post(ADDRESS, body, **token(browser)), 400, "invalid")


def test_reading_the_session_takes_one_query_per_table(annotator_client, django_assert_num_queries):
    with django_assert_num_queries(3):  # the session, the user, whether they are an expert of a phase
        annotator_client.get(ADDRESS)


def test_the_password_is_never_in_an_answer(browser, person):
    answer = browser.post(ADDRESS, {"username": "petra", "password": PASSWORD}, **token(browser))
    assert PASSWORD not in answer.content.decode()
    assert "password" not in answer.content.decode()
