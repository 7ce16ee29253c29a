"""The sign-in throttle: by name and by address, for all web processes; attempts are in the audit log."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from labeling.models import Change, FailedSignIns, User
from labeling.people import accounts, sign_in
from labeling.people.sign_in import Visitor

ADDRESS = "/api/session/"
PASSWORD = "four steps to gold"


@pytest.fixture
def person(db):
    return accounts.add_person(username="petra", password=PASSWORD)


def enter(browser=None, username="petra", password=PASSWORD, address="192.0.2.1", **headers):
    body = {"username": username, "password": password}
    return (browser or APIClient()).post(ADDRESS, body, REMOTE_ADDR=address, **headers)


def fail(times, **options):
    for _ in range(times):
        assert enter(**{"password": "wrong"} | options).status_code == 400


def test_guesses_at_a_name_are_slowed_down_wherever_they_come_from(person, refused):
    for number in range(10):
        fail(1, address=f"192.0.2.{number}")
    answer = enter(address="198.51.100.1", password="wrong")
    refused(answer, 429, "throttled")
    assert 0 < int(answer["Retry-After"]) <= 15 * 60
    refused(enter(), 429, "throttled")  # the right password, too, or guesses would find it
    assert enter(username="olga", password="x").status_code == 400  # nobody else waits


def test_a_names_spellings_count_together(person, refused):
    for spelling in ("petra", "PETRA", "Реtrа", "ｐｅｔｒａ") * 3:
        answer = enter(username=spelling, password="wrong")
    refused(answer, 429, "throttled")


def test_unknown_names_are_slowed_down_as_well(db, refused):
    fail(10, username="nobody")
    refused(enter(username="nobody"), 429, "throttled")


def test_guesses_from_an_address_are_slowed_down_whatever_the_name(person, refused, settings):
    settings.SIGN_IN_FAILURES_PER_ADDRESS = 20
    for number in range(20):
        fail(1, username=f"guess-{number}")
    refused(enter(username="another", password="x"), 429, "throttled")
    assert enter(address="192.0.2.2").status_code == 200


def test_an_ipv6_network_counts_as_one_address(person, refused, settings):
    settings.SIGN_IN_FAILURES_PER_ADDRESS = 5
    for number in range(5):
        fail(1, username=f"guess-{number}", address=f"2001:db8:1:2::{number}")
    refused(enter(address="2001:db8:1:2:ffff::1"), 429, "throttled")
    assert enter(address="2001:db8:1:3::1").status_code == 200


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::/64"), ("x", "unknown")],
)
def test_networks(address, network):
    assert sign_in.network(address) == network


@pytest.mark.any_database
def test_headers_do_not_change_the_address(person, refused, settings):
    settings.SIGN_IN_FAILURES_PER_ADDRESS = 20
    for number in range(20):
        headers = {"HTTP_X_FORWARDED_FOR": f"203.0.113.{number}", "HTTP_X_REAL_IP": f"203.0.113.{number}"}
        fail(1, username=f"guess-{number}", **headers)
    refused(enter(username="x", HTTP_X_FORWARDED_FOR="203.0.113.99"), 429, "throttled")


def test_a_trusted_proxys_address_is_used(person, refused, settings):
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": 1}
    settings.SIGN_IN_FAILURES_PER_ADDRESS = 5
    for number in range(5):
        forged = f"203.0.113.{number}, 198.51.100.7"  # the proxy writes the last one
        fail(1, username=f"guess-{number}", HTTP_X_FORWARDED_FOR=forged)
    refused(enter(HTTP_X_FORWARDED_FOR="203.0.113.9, 198.51.100.7"), 429, "throttled")
    assert enter(HTTP_X_FORWARDED_FOR="198.51.100.8").status_code == 200
    assert Change.objects.filter(act="sign in").get().after == {"address": "198.51.100.8"}


@pytest.mark.any_database
def test_a_class_of_200_signs_in_from_one_address(db):
    for number in range(200):
        accounts.add_person(username=f"pupil-{number}", password=PASSWORD)
    for number in range(200):
        if number % 4 == 0:
            fail(1, username=f"pupil-{number}")  # every fourth person mistypes
        assert enter(username=f"pupil-{number}").status_code == 200


def test_a_stranger_locks_nobody_out_of_their_own_browser(person, refused):
    own = APIClient()
    assert enter(own).status_code == 200
    own.delete(ADDRESS)
    fail(10, address="198.51.100.1")
    refused(enter(), 429, "throttled")
    fail(1, browser=own)
    assert enter(own).status_code == 200


def test_a_known_browser_is_slowed_down_separately(person, refused):
    own = APIClient()
    enter(own)
    fail(10, browser=own)
    refused(enter(own), 429, "throttled")
    assert enter().status_code == 200


def test_a_browser_is_known_for_one_name_only_and_the_mark_is_signed(person, refused):
    accounts.add_person(username="olga", password=PASSWORD)
    own = APIClient()
    enter(own, username="olga")
    fail(10, address="198.51.100.1")
    refused(enter(own), 429, "throttled")
    own.cookies["known_browser"] = f"{sign_in.hashed('petra')}:abc:1abcde:forged"
    refused(enter(own), 429, "throttled")
    assert own.cookies["known_browser"].value
    assert enter(own, username="olga").cookies["known_browser"]["httponly"]


def test_the_throttle_ends_after_a_quarter_of_an_hour(person, now):
    visitor = Visitor("192.0.2.1")

    def attempt(at, check=lambda: None):
        return sign_in.attempt(username="petra", visitor=visitor, check=check, now=at)

    for minute in range(10):
        attempt(now + timedelta(minutes=minute))
    with pytest.raises(sign_in.TooManyFailures) as refusal:
        attempt(now + timedelta(minutes=14))
    assert refusal.value.wait == timedelta(minutes=1)
    assert attempt(now + timedelta(minutes=15), check=lambda: person) == person
    attempt(now + timedelta(minutes=16))
    assert set(FailedSignIns.objects.values_list("times", flat=True)) == {1}


def test_refused_attempts_check_no_password_and_extend_no_wait(person, now):
    for _ in range(10):
        sign_in.attempt(username="petra", visitor=Visitor("192.0.2.1"), check=lambda: None, now=now)
    with pytest.raises(sign_in.TooManyFailures):
        sign_in.attempt(username="petra", visitor=Visitor("192.0.2.1"), check=lambda: 1 / 0, now=now)
    assert FailedSignIns.objects.get(pk__startswith="name").times == 10


@pytest.mark.django_db(transaction=True)
def test_failures_at_once_are_all_counted(at_once):
    def attempt(number):
        visitor = Visitor(f"192.0.2.{number}")
        return sign_in.attempt(username="petra", visitor=visitor, check=lambda: None, now=timezone.now())

    at_once(attempt, range(8))
    assert FailedSignIns.objects.get(pk__startswith="name").times == 8


def test_other_endpoints_that_check_the_password_are_throttled_too(person, refused):
    browser = APIClient()
    browser.force_login(person)
    for _ in range(5):
        refused(browser.post("/api/session/confirm/", {"password": "x"}), 400, "invalid")
        refused(browser.post("/api/session/password/", {"password": "x", "new_password": PASSWORD}), 400, "invalid")
    refused(
        browser.post("/api/session/password/", {"password": PASSWORD, "new_password": "another horse"}),
        429,
        "throttled",
    )


# The audit log


def test_every_attempt_is_in_the_audit_log(person, admin_client):
    enter()
    fail(1, address="198.51.100.1")
    fail(1, username="nobody")
    lines = [line for line in admin_client.get("/api/changes/").json()["results"] if "sign in" in line["act"]]
    shown = [(line["act"], line["by"], line["name"], line["subject"], line["after"]["address"]) for line in lines]
    assert shown == [
        ("fail to sign in", None, "nobody", "", "192.0.2.1"),
        ("fail to sign in", None, "petra", str(person.pk), "198.51.100.1"),
        ("sign in", "petra", "petra", str(person.pk), "192.0.2.1"),
    ]
    assert PASSWORD not in str(list(Change.objects.values()))


def test_every_attempt_is_logged(person, caplog):
    with caplog.at_level("INFO", logger="labeling.people.sign_in"):
        enter()
        fail(1, username="x\ny", address="198.51.100.1")
    assert [record.getMessage() for record in caplog.records if record.name == "labeling.people.sign_in"] == [
        "'petra' signed in from 192.0.2.1",
        r"'x\ny' failed to sign in from 198.51.100.1",
    ]


def test_failed_attempts_never_fill_the_database(person, monkeypatch):
    monkeypatch.setattr(sign_in, "FAILURES_KEPT", 3)
    enter()
    for number in range(6):
        fail(1, username=f"guess-{number}")
    kept = Change.objects.filter(act="fail to sign in").order_by("at").values_list("name", flat=True)
    assert list(kept) == ["guess-3", "guess-4", "guess-5"]
    assert Change.objects.filter(act="sign in").count() == 1


# Names


def test_names_match_whatever_their_case_and_script(person):
    for spelling in ("Petra", "PETRA", "ｐｅｔｒａ", "реtrа"):
        assert enter(username=spelling).json()["user"]["username"] == "petra"


@pytest.mark.parametrize("taken", ["petra", "Petra", "ＰＥＴＲＡ", "рetrа", "ρetra"])
def test_a_name_that_looks_like_anothers_is_taken(person, admin_client, refused, taken):
    body = {"username": taken, "password": PASSWORD}
    assert list(refused(admin_client.post("/api/people/", body), 400, "invalid")["errors"]) == ["username"]
    assert User.objects.filter(name_key="petra").count() == 1


@pytest.mark.parametrize("free", ["petra2", "pe.tra", "Пётр", "петя"])
def test_names_that_look_different_are_free(person, admin_client, free):
    assert admin_client.post("/api/people/", {"username": free, "password": PASSWORD}).status_code == 201
    assert enter(username=free.upper()).status_code == 200


def test_a_name_too_long_once_normalised_is_refused(admin_client, refused):
    refused(admin_client.post("/api/people/", {"username": "ﷺ" * 20, "password": PASSWORD}), 400, "invalid")


def test_old_names_that_look_alike_sign_in_by_exact_spelling(db):
    for number, username in enumerate(("ada", "Ada", "ADA")):
        User.objects.bulk_create([User(username=f"x{number}", date_joined=timezone.now())])
        key = f"ada#{number}" if number else "ada"
        User.objects.filter(username=f"x{number}").update(username=username, name_key=key)
    for person in User.objects.all():
        person.set_password(f"{PASSWORD} {person.username}")
        person.save()  # keeps the key
    for username in ("ada", "Ada", "ADA"):
        answer = enter(username=username, password=f"{PASSWORD} {username}")
        assert answer.json()["user"]["username"] == username
    assert enter(username="aDa", password=f"{PASSWORD} ada").json()["user"]["username"] == "ada"


# Passwords


@pytest.mark.parametrize("password", [" four steps to gold ", "\tfour steps to gold"])
def test_a_passwords_spaces_are_kept_at_every_door(person, admin_client, password):
    admin_client.post("/api/people/", {"username": "otto", "password": password})
    assert enter(username="otto", password=password).status_code == 200
    assert enter(username="otto", password=password.strip()).status_code == 400
    link = admin_client.post("/api/invitations/", {}).json()["secret"]
    APIClient().post(f"/api/invite/{link}/", {"username": "ina", "password": password})
    assert enter(username="ina", password=password).status_code == 200
    browser = APIClient()
    browser.force_login(person)
    browser.post("/api/session/password/", {"password": PASSWORD, "new_password": password})
    assert enter(password=password).status_code == 200
    assert enter(password=password.strip()).status_code == 400
