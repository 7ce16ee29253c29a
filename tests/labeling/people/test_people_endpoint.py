"""/api/people/: everybody with an account, for admins."""

import csv
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from annotate import allocation, submission
from labeling.campaign import relabelling
from labeling.models import Change, Role, User
from labeling.people import accounts, tokens

ADDRESS = "/api/people/"
NEW = {"username": "petra", "password": "four steps to gold", "role": "ml_staff"}


def test_it_works(admin, admin_client):
    answer = admin_client.post(ADDRESS, NEW)
    assert answer.status_code == 201
    person = User.objects.get(username="petra")
    expected = {"id": str(person.pk), "username": "petra", "role": "ml_staff", "is_active": True}
    assert answer.json() == expected
    assert person.check_password(NEW["password"])
    assert not person.is_superuser
    assert not person.is_staff
    assert [row["username"] for row in admin_client.get(ADDRESS).json()["results"]] == ["alma", "petra"]


def test_the_role_is_annotator_unless_said(admin_client):
    assert admin_client.post(ADDRESS, NEW | {"role": "annotator"}).json()["role"] == "annotator"
    without = {"username": "otto", "password": NEW["password"]}
    assert admin_client.post(ADDRESS, without).json()["role"] == "annotator"


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_are_refused(who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(ADDRESS), 403, "permission_denied")
    refused(client.post(ADDRESS, NEW), 403, "permission_denied")
    assert not User.objects.filter(username="petra").exists()


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.post(ADDRESS, NEW), 401, "not_authenticated")


def test_twice_is_refused(admin_client, refused):
    admin_client.post(ADDRESS, NEW)
    body = refused(admin_client.post(ADDRESS, NEW), 400, "invalid")
    assert "username" in body["errors"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "a b/c"}, "username"),
        ({"username": "a\0"}, "username"),
        ({"username": "x" * 151}, "username"),
        ({"password": "short"}, "password"),
        ({"password": "password1"}, "password"),
        ({"password": None}, "password"),
        ({"role": "king"}, "role"),
    ],
)
def test_a_bad_body_is_refused(admin_client, refused, change, field):
    body = refused(admin_client.post(ADDRESS, NEW | change), 400, "invalid")
    assert list(body["errors"]) == [field]
    assert body["detail"].startswith(f"{field}: ")


@pytest.mark.parametrize("name", ["is_superuser", "is_staff", "is_active"])
def test_nobody_makes_a_superuser(admin_client, refused, name):
    refused(admin_client.post(ADDRESS, NEW | {name: True}), 400, "invalid")
    assert not User.objects.filter(username="petra").exists()


def test_queries_do_not_grow(admin_client, make, django_assert_num_queries):
    for _ in range(5):
        make.phase(make.user())
    with django_assert_num_queries(
        9
    ):  # session, user, gold count, work on gold; count, page, places, their phases, work
        assert len(admin_client.get(ADDRESS).json()["results"]) == 6


def test_page_after_page(admin_client, annotator):
    first = admin_client.get(ADDRESS, {"page_size": 1}).json()
    second = admin_client.get(first["next"]).json()
    assert [page["results"][0]["username"] for page in (first, second)] == ["ada", "alma"]
    assert second["next"] is None


def test_unknown_times_are_left_out_of_the_mean(make, phase, annotator, admin_client):
    make.labelling(make.task(phase), 1, annotator=annotator, active_ms=3000)
    make.labelling(make.task(phase, number=1), 1, annotator=annotator, submitted_at=None)
    (row,) = admin_client.get(f"{ADDRESS}?username=ada").json()["results"]
    assert (row["labellings"], row["active_ms"], row["mean_ms"]) == (2, 3000, 3000)


def test_pace_and_quality(make, phase, annotator, admin_client):
    solution = make.solution()
    make.gold(1, 1, 1, solution=solution)
    make.labelling(make.task(phase, solution=solution), 1, 1, 1, annotator=annotator, active_ms=3000)
    make.labelling(make.task(phase, number=1, solution=solution), 1, -1, annotator=annotator, active_ms=1000)
    (row,) = admin_client.get(f"{ADDRESS}?username=ada").json()["results"]
    expected = {"labellings": 2, "active_ms": 4000, "mean_ms": 2000, "gold_tasks": 2, "accuracy": 0.5}
    assert {name: row[name] for name in expected} == expected
    assert [place["phase_name"] for place in row["places"]] == ["Arithmetic"]
    detail = admin_client.get(f"{ADDRESS}{annotator.pk}/").json()
    assert detail["qualities"][0]["quality"]["accuracy"] == row["accuracy"]
    assert row["accuracy_interval"] == pytest.approx([0.0945, 0.9055], abs=1e-4), "two tasks prove little"


@pytest.mark.every_case
@pytest.mark.parametrize("query", ["role=ml_staff", "is_active=False", "username=nobody"])
def test_filters(admin_client, annotator, query):
    assert admin_client.get(f"{ADDRESS}?{query}").json()["results"] == []


def test_days_of_work(labelling, annotator, admin_client):
    days = admin_client.get(f"{ADDRESS}{annotator.pk}/").json()["days"]
    assert days == [{"day": "2026-03-02", "labellings": 1, "active_ms": 90_000}]
    days = admin_client.get(f"{ADDRESS}{annotator.pk}/", {"tz": "Pacific/Kiritimati"}).json()["days"]
    assert [row["day"] for row in days] == ["2026-03-03"], "noon of UTC is two o'clock on the next day there"


# Changing a person


@pytest.fixture
def address(annotator):
    return f"{ADDRESS}{annotator.pk}/"


def test_a_role_is_changed(address, annotator, admin, admin_client):
    assert admin_client.patch(address, {"role": "ml_staff"}).json()["role"] == "ml_staff"
    line = Change.objects.get()
    assert (line.by, line.act, line.before, line.after) == (
        admin,
        "change",
        {"role": "annotator"},
        {"role": "ml_staff"},
    )


def test_deactivation_returns_leases_and_ends_sessions_and_tokens(
    address, annotator, second_annotator, open_round, annotator_client, admin_client, refused
):
    held = allocation.claim_next(phase=open_round.phase, annotator=annotator, now=timezone.now())
    _, secret = tokens.make_token(user=annotator, name="script")
    assert admin_client.patch(address, {"is_active": False}).json()["is_active"] is False
    taken = allocation.claim_next(phase=open_round.phase, annotator=second_annotator, now=timezone.now())
    assert taken.pk == held.pk
    assert annotator_client.get("/api/session/").json()["user"] is None
    refused(APIClient().get("/api/phases/", HTTP_AUTHORIZATION=f"Token {secret}"), 401, "invalid_token")

    assert admin_client.patch(address, {"is_active": True}).json()["is_active"] is True
    assert annotator_client.get("/api/session/").json()["user"] is None
    refused(APIClient().get("/api/phases/", HTTP_AUTHORIZATION=f"Token {secret}"), 401, "invalid_token")


def test_nobody_locks_themselves_out(admin, admin_client, refused):
    refused(admin_client.patch(f"{ADDRESS}{admin.pk}/", {"is_active": False}), 409, "not_yours_to_change")


def test_an_admin_leaves_superusers_alone(superuser, admin_client, refused):
    refused(admin_client.patch(f"{ADDRESS}{superuser.pk}/", {"role": "annotator"}), 409, "not_yours_to_change")


@pytest.mark.parametrize("body", [{"role": "king"}, {"is_active": "perhaps"}])
def test_a_bad_change_is_refused(address, admin_client, refused, body):
    refused(admin_client.patch(address, body), 400, "invalid")


# Hours for pay


def table(answer):
    return list(csv.reader(answer.getvalue().decode().splitlines()))


def test_hours(labelling, admin_client):
    answer = admin_client.get(f"{ADDRESS}hours/")
    assert answer.streaming
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert table(answer) == [
        ["person", "day", "phase", "labellings", "hours"],
        ["ada", "2026-03-02", "Arithmetic", "1", "0.025"],
    ]


def test_a_revision_counts_once(labelling, annotator, all_great, admin_client, now):
    ratings = [replace(item, rating=0) for item in all_great.judgement.ratings]
    judgement = replace(all_great.judgement, ratings=ratings)
    revised = replace(all_great, judgement=judgement, active_ms=180_000, revises=labelling.pk)
    later = now + timedelta(days=1)
    submission.submit(assignment_id=labelling.assignment_id, annotator=annotator, submission=revised, now=later)
    assert table(admin_client.get(f"{ADDRESS}hours/"))[1:] == [["ada", "2026-03-02", "Arithmetic", "1", "0.05"]]


def test_a_labelling_requested_again_still_counts_as_work(
    labelling, annotator, all_great, phase, admin, admin_client, now
):
    later = now + timedelta(days=1)
    relabelling.request_again(labelling_ids=[labelling.pk], now=later, by=admin)
    first = ["ada", "2026-03-02", "Arithmetic", "1", "0.025"]
    assert table(admin_client.get(f"{ADDRESS}hours/"))[1:] == [first]
    again = allocation.claim_next(phase=phase, annotator=annotator, now=later)
    submission.submit(assignment_id=again.pk, annotator=annotator, submission=all_great, now=later + timedelta(hours=1))
    assert table(admin_client.get(f"{ADDRESS}hours/"))[1:] == [first, ["ada", "2026-03-03", "Arithmetic", "1", "0.025"]]


def test_hours_of_a_period(labelling, admin_client):
    assert len(table(admin_client.get(f"{ADDRESS}hours/?from=2026-03-02&to=2026-03-02"))) == 2
    assert len(table(admin_client.get(f"{ADDRESS}hours/?from=2026-3-2&to=2026-03-02"))) == 2
    assert len(table(admin_client.get(f"{ADDRESS}hours/?from=2026-03-03"))) == 1


def test_hours_of_the_readers_days(labelling, admin_client):
    """Noon UTC on 2 March is already 3 March on Kiritimati, and still 2 March in Honolulu."""
    for zone, day in (("Pacific/Kiritimati", "2026-03-03"), ("Pacific/Honolulu", "2026-03-02"), ("", "2026-03-02")):
        asked = {"from": day, "to": day, "tz": zone}
        assert [row[1] for row in table(admin_client.get(f"{ADDRESS}hours/", asked))[1:]] == [day]
    asked = {"to": "2026-03-02", "tz": "Pacific/Kiritimati"}
    assert len(table(admin_client.get(f"{ADDRESS}hours/", asked))) == 1


@pytest.mark.parametrize("zone", ["Mars/Olympus", "Europe", "../../etc/passwd", "/etc/localtime", "\0"])
def test_an_unknown_time_zone_is_refused(annotator, admin_client, refused, zone):
    for address in (f"{ADDRESS}hours/", f"{ADDRESS}{annotator.pk}/"):
        assert "tz" in refused(admin_client.get(address, {"tz": zone}), 400, "invalid")["errors"]


@pytest.mark.parametrize("day", ["2026-02-30", "9999-12-31", "0001-01-01", "2026-03-02T00:00"])
def test_an_invalid_day_is_refused(admin_client, refused, day):
    refused(admin_client.get(f"{ADDRESS}hours/", {"to": day, "tz": "Pacific/Honolulu"}), 400, "invalid")


def test_a_bad_period_is_refused(admin_client, refused):
    refused(admin_client.get(f"{ADDRESS}hours/?from=yesterday"), 400, "invalid")
    refused(admin_client.get(f"{ADDRESS}hours/?from=2026-03-03&to=2026-03-02"), 400, "invalid")
    half_typed = admin_client.get(f"{ADDRESS}hours/?from=2026-03-03&to=2026-03").json()
    assert half_typed["errors"] == {"to": "“2026-03” is not a valid value."}


def test_a_name_is_escaped_in_spreadsheets(labelling, annotator, admin_client):
    User.objects.filter(pk=annotator.pk).update(username="+cmd")
    assert table(admin_client.get(f"{ADDRESS}hours/"))[1][0] == "'+cmd"


def test_the_log_has_the_role_before_the_change(annotator, admin, now):
    """True even if the act has an outdated copy of the row."""
    copy = User.objects.get(pk=annotator.pk)
    for row, role in ((annotator, Role.ADMIN), (copy, Role.ML_STAFF)):
        accounts.change_person(person=row, changes={"role": role}, now=now, by=admin)
    assert [line.before for line in Change.objects.order_by("at", "pk")] == [{"role": "annotator"}, {"role": "admin"}]


def test_only_their_own_sessions_end(address, annotator_client, second_annotator_client, admin_client):
    with CaptureQueriesContext(connection) as queries:
        admin_client.patch(address, {"is_active": False})
    assert sum("django_session" in each["sql"] for each in queries) == 1  # the admin's own
    assert annotator_client.get("/api/session/").json()["user"] is None
    assert second_annotator_client.get("/api/session/").json()["user"] is not None


def test_people_outside_a_phase_are_listed(make, phase, outsider, admin_client, refused):
    """The server filters, since a page of unfiltered people may hold only members."""
    names = [row["username"] for row in admin_client.get(f"{ADDRESS}?outside={phase.pk}").json()["results"]]
    assert names == ["alma", "olga"]
    elsewhere = {row["username"] for row in admin_client.get(f"{ADDRESS}?outside={make.phase().pk}").json()["results"]}
    assert elsewhere == {"ada", "alma", "ben", "olga"}
    refused(admin_client.get(f"{ADDRESS}?outside=there"), 400, "invalid")
