"""/api/session/second-factor/: codes at sign-in."""

import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from rest_framework.test import APIClient

from labeling.models import FailedSignIns
from tests.labeling.people.sign_in.conftest import PASSWORD

ADDRESS = "/api/session/second-factor/"


def code_of(secret):
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


@pytest.fixture
def browser(person, signed_in):
    return signed_in(person)


@pytest.fixture
def switched_on(browser):
    """Switches the second factor on. Returns the secret and the recovery codes."""
    secret = browser.post(ADDRESS).json()["secret"]
    answer = browser.put(ADDRESS, {"code": code_of(secret)})
    assert answer.status_code == 200, answer.content
    return secret, answer.json()["recovery_codes"]


def enter(person, **code):
    return APIClient().post("/api/session/", {"username": person.username, "password": PASSWORD, **code})


def test_it_works(person, browser, switched_on, refused):
    assert browser.get(ADDRESS).json() == {"is_on": True}
    refused(enter(person), 400, "code_required")
    code = code_of(switched_on[0])
    assert enter(person, code=f"{code[:3]} {code[3:]}").status_code == 200


def test_a_code_counts_once(person, switched_on, refused):
    for code in (code_of(switched_on[0]), switched_on[1][0]):
        assert enter(person, code=code).status_code == 200
        cache.clear()  # each process has its own
        refused(enter(person, code=code), 400, "invalid")


def test_wrong_codes_are_counted_like_wrong_passwords(person, switched_on, settings, refused):
    settings.SIGN_IN_FAILURES_PER_NAME = 2
    for _ in range(2):
        refused(enter(person, code="000000"), 400, "invalid")
    refused(enter(person, code=switched_on[1][0]), 429, "throttled")
    assert FailedSignIns.objects.exists()


def test_a_wrong_password_does_not_say_that_there_is_a_second_factor(person, switched_on, refused):
    answer = APIClient().post("/api/session/", {"username": person.username, "password": "wrong"})
    refused(answer, 400, "invalid")


def test_secrets_are_stored_encrypted(browser, switched_on):
    kept = Authenticator.objects.get(type="totp").data["secret"]
    assert switched_on[0] not in kept
    assert not any(code in str(Authenticator.objects.get(type="recovery_codes").data) for code in switched_on[1])


def test_nothing_changes_until_the_app_has_the_secret(browser, person, refused):
    refused(browser.put(ADDRESS, {"code": "123456"}), 400, "wrong_code")
    browser.post(ADDRESS)
    refused(browser.put(ADDRESS, {"code": "000000"}), 400, "wrong_code")
    assert enter(person).status_code == 200


def test_it_is_switched_off_again(person, browser, switched_on):
    assert browser.delete(ADDRESS).status_code == 204
    assert enter(person).status_code == 200


def test_an_admin_helps_whoever_lost_it(person, switched_on, admin_client, superuser, refused):
    assert admin_client.delete(f"/api/people/{person.pk}/second-factor/").status_code == 204
    assert enter(person).status_code == 200
    refused(admin_client.delete(f"/api/people/{superuser.pk}/second-factor/"), 409, "not_yours_to_change")
