"""/api/sessions/ and /api/people/{id}/sessions/: a person's sessions; time-outs; confirming the password."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from rest_framework.test import APIClient

from labeling import clock
from labeling.api import permissions
from labeling.models import BrowserSession, Change
from labeling.people import sessions, tokens
from labeling.people.sessions import SessionStore
from tests.labeling.people.sign_in.conftest import PASSWORD

ADDRESS = "/api/sessions/"


def enter(person, agent="Firefox", **options):
    browser = APIClient(HTTP_USER_AGENT=agent, REMOTE_ADDR="203.0.113.7")
    answer = browser.post("/api/session/", {"username": person.username, "password": PASSWORD, **options})
    assert answer.status_code == 200, answer.content
    return browser


def is_in(browser):
    return browser.get("/api/session/").json()["user"] is not None


def test_it_works(person):
    browser = enter(person)
    enter(person, "Chrome")
    listed = browser.get(ADDRESS).json()
    assert {(each["browser"], each["address"], each["is_this"]) for each in listed} == {
        ("Firefox", "203.0.113.7", True),
        ("Chrome", "203.0.113.7", False),
    }


def test_one_session_is_ended(person):
    browser, other = enter(person), enter(person, "Chrome")
    (listed,) = (each for each in browser.get(ADDRESS).json() if not each["is_this"])
    assert browser.delete(f"{ADDRESS}{listed['id']}/").status_code == 204
    assert (is_in(browser), is_in(other)) == (True, False)
    assert Change.objects.get(act="end sessions").by == person


def test_all_others_are_ended(person):
    browser, other, unlisted = enter(person), enter(person), enter(person)
    BrowserSession.objects.latest("started_at").delete()
    assert browser.post(f"{ADDRESS}end-others/").status_code == 204
    assert [is_in(each) for each in (browser, other, unlisted)] == [True, False, False]
    assert [each["is_this"] for each in browser.get(ADDRESS).json()] == [True]


def test_an_admin_ends_somebodys_session(person, admin_client):
    browser = enter(person)
    address = f"/api/people/{person.pk}/sessions/"
    (listed,) = admin_client.get(address).json()
    assert admin_client.delete(f"{address}{listed['id']}/").status_code == 204
    assert not is_in(browser)


def test_nobody_ends_anothers(person, second_annotator_client, refused):
    enter(person)
    listed = BrowserSession.objects.get()
    refused(second_annotator_client.delete(f"{ADDRESS}{listed.pk}/"), 404, "not_found")
    assert second_annotator_client.get(ADDRESS).json() == []


def test_a_changed_password_keeps_the_session_listed(person):
    browser = enter(person)
    (before,) = browser.get(ADDRESS).json()
    browser.post("/api/session/password/", {"password": PASSWORD, "new_password": "battery staple"})
    (after,) = browser.get(ADDRESS).json()
    assert after | {"seen_at": ""} == before | {"seen_at": ""}


def expiry():
    return Session.objects.get().expire_date - timezone.now()


def lasts(**time):
    """Returns whether the session expires after this time, within a minute."""
    return abs(expiry() - timedelta(**time)) < timedelta(minutes=1)


def test_requests_extend_a_session_but_not_each_time(person, settings):
    settings.SESSION_IDLE_MINUTES = 60
    browser = enter(person)
    assert lasts(minutes=60)
    for left, after in ((58, 58), (50, 60)):
        Session.objects.update(expire_date=timezone.now() + timedelta(minutes=left))
        BrowserSession.objects.update(seen_at=timezone.now() - timedelta(hours=1))
        assert is_in(browser)
        assert lasts(minutes=after)
        assert (timezone.now() - BrowserSession.objects.get().seen_at < timedelta(minutes=1)) == (left != after)


def test_a_session_ends_without_requests(person, settings):
    settings.SESSION_IDLE_MINUTES = 0
    assert not is_in(enter(person))


def test_a_session_has_a_longest_duration(person, settings):
    settings.SESSION_IDLE_MINUTES, settings.SESSION_LONGEST_HOURS = 60, 2
    browser = enter(person)
    store = SessionStore(BrowserSession.objects.get().session_id)
    store[sessions.STARTED_AT] -= 90 * 60
    store.save()
    assert is_in(browser)
    assert lasts(minutes=30)


def test_its_times_are_the_databases(person, monkeypatch):
    """A web server's own clock may be a day ahead."""
    ahead = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: ahead)
    store = enter(person).session
    assert store[sessions.STARTED_AT] == store[permissions.CONFIRMED_AT] == ahead.timestamp()


def test_on_a_shared_computer_it_ends_with_the_browser_and_keeps_others_work(person):
    browser = enter(person, is_shared=True)
    assert browser.cookies["sessionid"]["max-age"] == ""
    assert lasts(minutes=30)
    assert browser.delete("/api/session/")["Clear-Site-Data"] == '"cache"'


ACTS = [
    ("post", "/api/tokens/", {"name": "x"}),
    ("patch", "/api/people/{ben}/", {"role": "admin"}),
    ("post", "/api/people/{ben}/password/", None),
    ("post", "/api/people/{ben}/erase/", {"username": "ben"}),
    ("post", "/api/people/", {"username": "new", "password": "a long sentence"}),
    ("post", "/api/people/import/", {"table": "username\nnew"}),
    ("post", "/api/invitations/", {"role": "admin"}),
    ("patch", "/api/phases/{phase}/members/{ben}/", {"role": "expert"}),
    ("post", "/api/phases/{phase}/members/", {"usernames": ["ben"]}),
    ("delete", "/api/people/{ben}/tokens/{token}/", None),
]


@pytest.fixture
def named(phase, second_annotator):
    """Ids of the rows named in the addresses."""
    token, _ = tokens.make_token(user=second_annotator, name="script")
    return {"ben": second_annotator.pk, "phase": phase.pk, "token": token.pk}


@pytest.mark.parametrize(("method", "address", "body"), ACTS)
def test_granting_rights_needs_the_password_again(method, address, body, admin, named, signed_in, settings, refused):
    admin.set_password(PASSWORD)
    admin.save()
    browser, address = signed_in(admin), address.format(**named)
    settings.CONFIRM_AFTER_MINUTES = -1
    refused(getattr(browser, method)(address, body), 403, "confirm_password")
    settings.CONFIRM_AFTER_MINUTES = 60
    session = browser.session
    session[permissions.CONFIRMED_AT] = 0
    session.save()
    refused(getattr(browser, method)(address, body), 403, "confirm_password")
    refused(browser.post("/api/session/confirm/", {"password": "wrong"}), 400, "invalid")
    assert browser.post("/api/session/confirm/", {"password": PASSWORD}).status_code == 204
    assert getattr(browser, method)(address, body).status_code < 300


@pytest.mark.parametrize(("method", "address", "body"), ACTS)
def test_a_person_without_a_password_must_sign_in_again(
    method, address, body, admin, named, signed_in, settings, refused
):
    admin.set_unusable_password()
    admin.save()
    settings.CONFIRM_AFTER_MINUTES = -1
    answer = getattr(signed_in(admin), method)(address.format(**named), body)
    assert "sign in again" in refused(answer, 403, "sign_in_again")["detail"]
