"""Errors outside of any rule: crashes, refusals by the database, requests that Django itself rejects."""

import errno
import io
import json
import logging
import re

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DataError, IntegrityError, OperationalError, transaction
from django.http import Http404
from django.test import Client
from django.utils import timezone

from labeling.campaign import phases
from labeling.models import Phase
from labeling.outages import Outage
from labeling.people import invitations
from stepmark.web import errors


@pytest.fixture
def log(monkeypatch):
    """Collects the server's log lines, as its own handler writes them."""
    (handler,) = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]
    stream, requests = io.StringIO(), logging.getLogger("django.request")
    monkeypatch.setattr(handler, "stream", stream)
    level = requests.level
    requests.setLevel(logging.WARNING)
    yield stream.getvalue
    requests.setLevel(level)


@pytest.fixture
def broken(monkeypatch):
    """Makes the creation of a phase raise an error."""

    def break_with(error):
        def create(**_):
            raise error

        monkeypatch.setattr(phases, "create", create)

    return break_with


@pytest.fixture
def create(admin_client):
    """Creates a phase through a client that returns crashes as answers."""
    admin_client.raise_request_exception = False
    return lambda: admin_client.post("/api/phases/", {"name": "Algebra"})


def test_a_crash_has_an_id_that_the_log_knows(create, broken, refused, log):
    broken(RuntimeError("the shelf fell down"))
    body = refused(create(), 500, "crash")
    assert re.fullmatch(r"[0-9a-f]{12}", body["id"])
    assert body["detail"] == f"Something went wrong (id {body['id']})."
    assert "shelf" not in str(body)
    (line,) = [line for line in log().splitlines() if body["id"] in line]
    assert "ERROR" in line
    assert "/api/phases/" in line
    assert "RuntimeError: the shelf fell down" in log().split(line)[1], "the traceback follows"


def test_a_crash_has_the_requests_own_id(create, broken, admin_client, log):
    broken(RuntimeError("the shelf fell down"))
    admin_client.defaults["HTTP_X_REQUEST_ID"] = "script-7.1"
    answer = create()
    assert answer.json()["id"] == answer["X-Request-ID"] == "script-7.1"
    assert "/api/phases/ (id script-7.1)" in log()


@pytest.mark.parametrize("given", ["", "a b", "%s", "x" * 65, "a\\nb", "ü", "<b>"])
def test_each_answer_has_an_id_and_takes_plain_ones_only(given, client):
    answer = client.get("/api/nowhere/", headers={"x-request-id": given})
    assert re.fullmatch(r"[0-9a-f]{12}", answer["X-Request-ID"])


def test_two_crashes_have_two_ids(create, broken):
    broken(KeyError("x"))
    assert create().json()["id"] != create().json()["id"]


def test_a_crash_outside_the_api_has_an_id_too(settings, log, db):
    settings.FRONTEND_DIST = None
    answer = Client(raise_request_exception=False).get("/")
    assert (answer.status_code, answer["Content-Type"]) == (500, "text/plain")
    assert re.search(r"\(id (\w{12})\)", answer.content.decode())[0] in log()


@pytest.mark.parametrize("error", [DataError("value too long"), OverflowError("int too large")])
def test_values_that_the_database_cannot_hold_are_a_bad_request(create, broken, refused, error):
    broken(error)
    refused(create(), 400, "invalid")


OUTAGES = {
    "database": OperationalError("connection refused"),
    "disk": OSError(errno.ENOSPC, "No space left on device"),
}


@pytest.mark.parametrize("error", OUTAGES.values(), ids=OUTAGES)
def test_an_outage_is_no_crash_and_says_when_to_try_again(create, broken, refused, log, error):
    broken(error)
    answer = create()
    assert refused(answer, 503, "unavailable")["detail"] in {outage.text for outage in Outage}
    assert int(answer["Retry-After"]) > 0
    (line,) = log().splitlines()
    assert "/api/phases/" in line and str(error) in line and answer["X-Request-ID"] in line


def test_an_outage_outside_of_the_api_is_no_crash_either(settings):
    class Unmounted:
        def __truediv__(self, name):
            raise OSError(errno.EIO, "Input/output error")

    settings.FRONTEND_DIST = Unmounted()
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 503
    assert answer.content.decode() == Outage.DISK.text
    assert int(answer["Retry-After"]) > 0


def test_a_row_that_must_be_unique_is_a_conflict(create, refused, monkeypatch, admin_client):
    """Two requests at the same moment are not seen by each other's check."""
    Phase.objects.create(name="Algebra")
    monkeypatch.setattr("labeling.campaign.api.settings.NAME_IS_FREE.queryset", Phase.objects.none())
    assert "already exists" in refused(create(), 409, "conflict")["detail"]


@pytest.mark.parametrize("changes", [{"overlap": None}, {"kind": "neither"}], ids=["NOT NULL", "CHECK"])
def test_any_other_integrity_error_is_a_crash(create, broken, make, changes):
    """A client would take a conflict as final, and offer to discard finished work."""
    phase = make.phase()
    with pytest.raises(IntegrityError) as failed, transaction.atomic():
        Phase.objects.filter(pk=phase.pk).update(**changes)
    broken(failed.value)
    answer = create()
    assert (answer.status_code, answer.json()["code"]) == (500, "crash")


@pytest.fixture
def secret(admin):
    return invitations.invite(days=7, now=timezone.now(), by=admin)[1]


def crash_in_the_browser(client, secret):
    crash = {"message": f"at https://here/invite/{secret}", "path": f"/invite/{secret}", "stack": f"/invite/{secret}:1"}
    client.post("/api/crashes/", crash, content_type="application/json")


def log_a_traceback(client, secret):
    try:
        raise ValueError(f"'/api/invite/{secret}/'")
    except ValueError:
        logging.getLogger("gunicorn.error").exception("Error handling request /api/invite/%s/", secret)


@pytest.mark.parametrize(
    "act",
    [
        lambda client, secret: client.post(f"/api/invite/{secret}/", {"username": "petra", "password": "x"}),
        lambda client, secret: client.put(f"/api/invite/{secret}/"),
        lambda client, secret: client.get(f"/api/invite/{secret}/nowhere"),
        crash_in_the_browser,
        log_a_traceback,
    ],
    ids=["a weak password", "another method", "an unknown address", "a crash in the browser", "a traceback"],
)
def test_the_log_tells_no_secret_of_an_invitation(act, secret, log):
    act(Client(), secret)
    assert "/invite/…" in log()
    assert secret not in log()


def test_an_unknown_host_is_told_so(refused, db):
    refused(Client().get("/api/session/", headers={"host": "evil.example"}), 400, "bad_request")
    assert Client().get("/", headers={"host": "evil.example"})["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (lambda request: errors.csrf_failure(request, "CSRF token missing."), 403, "permission_denied"),
        (lambda request: errors.permission_denied(request, PermissionDenied()), 403, "permission_denied"),
        (lambda request: errors.page_not_found(request, Http404()), 404, "not_found"),
        (lambda request: errors.bad_request(request, SuspiciousOperation()), 400, "bad_request"),
    ],
)
def test_django_answers_in_the_same_form_under_api_and_with_its_pages_elsewhere(rf, answer, status, code):
    told = answer(rf.post("/api/session/"))
    assert (told.status_code, told["Content-Type"]) == (status, "application/problem+json")
    assert json.loads(told.content)["code"] == code
    page = answer(rf.post("/label/"))
    assert (page.status_code, page["Content-Type"].split(";")[0]) == (status, "text/html")


def test_a_form_without_its_csrf_token_is_refused():
    assert Client(enforce_csrf_checks=True).post("/sw.js").status_code == 403


@pytest.mark.parametrize("asked", ["dryrun=true", "dry_run=true&x=", "DRY_RUN=1", "dry-run=1"])
def test_an_act_with_an_unknown_parameter_is_refused(phase, admin_client, refused, asked):
    answer = admin_client.patch(f"/api/phases/{phase.pk}/settings/?{asked}", {"overlap": 3})
    assert "Nothing was done" in refused(answer, 400, "invalid")["detail"]
    assert Phase.objects.get().overlap == 1
