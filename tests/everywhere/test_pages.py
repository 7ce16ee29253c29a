"""Answers outside of the API: the client's page, headers, the schema."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from whitenoise import compress

from stepmark.web.middleware import POLICY
from stepmark.web.probes import PROBES
from stepmark.web.views import NOT_BUILT, PAGES

ROOT = Path(__file__).resolve().parents[2]
ADDRESSES = ["/", "/label/x", "/api/session/", "/api/nothing/", "/static/nothing.js"]


@pytest.fixture
def dist(settings, tmp_path):
    """A folder as Vite would have built the client."""
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@pytest.fixture
def built(dist):
    (dist / "index.html").write_text("<!doctype html><title>Stepmark</title>")


@pytest.mark.parametrize("address", ["/", "/label/", "/phases/7/tasks", "/invite/secret"])
def test_the_client_answers_at_every_address_of_its_own(client, built, address):
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"<title>Stepmark</title>" in answer.content
    assert answer["Cache-Control"] == "no-cache"


def test_the_server_knows_every_page_of_the_client():
    app = ROOT / "frontend" / "src" / "app"
    routes = "".join((app / name).read_text() for name in ("App.tsx", "staff/pages.ts"))
    found = re.findall(r"""(?:path="|page\("|also: \[")/([\w-]*)""", routes)
    assert len(found) > 20
    assert set(found) == PAGES


@pytest.mark.parametrize("address", ["/nothing", "/index.html", "/apis", "/v1x", "/vote", "/phasesx/"])
def test_an_unknown_address_is_not_found_and_says_so_in_a_browser(client, built, refused, address):
    refused(client.get(address, headers={"accept": "application/json"}), 404, "not_found")
    answer = client.get(address, headers={"accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert b"<title>Stepmark</title>" in answer.content


def test_the_page_brings_the_csrf_token(client, built):
    assert "csrftoken" in client.get("/").cookies


def test_a_client_that_is_not_built_says_so(client, dist):
    answer = client.get("/")
    assert (answer.status_code, answer.content.decode()) == (503, NOT_BUILT)


def test_a_missing_static_file_is_not_found(client, built):
    assert client.get("/static/assets/old-1234.js").status_code == 404


@pytest.mark.django_db  # closing a response checks the database's connection
def test_a_built_file_travels_compressed_and_is_kept_for_ever(settings, tmp_path):
    script = tmp_path / "assets" / "index-1234.js"
    script.parent.mkdir()
    script.write_text("console.log('again')\n" * 1000)
    compress.main([str(tmp_path), "--quiet"])
    settings.STATICFILES_DIRS, settings.WHITENOISE_USE_FINDERS = [tmp_path], True
    for accepted, encoding in (("gzip, deflate, br", "br"), ("gzip, deflate", "gzip")):
        answer = Client().get("/static/assets/index-1234.js", headers={"Accept-Encoding": accepted})
        assert (answer["Content-Encoding"], answer["Vary"]) == (encoding, "Accept-Encoding")
        assert answer["Content-Type"] == 'text/javascript; charset="utf-8"'
        assert "immutable" in answer["Cache-Control"]
        assert int(answer["Content-Length"]) < 200
        answer.close()


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_says_what_the_page_may_load(client, db, built, address):
    answer = client.get(address)
    assert answer["Content-Security-Policy"] == POLICY
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "strict-origin"


@pytest.mark.parametrize("address", [*ADDRESSES, *PROBES, "/static/assets/nothing.js"])
def test_no_answer_lets_a_page_use_the_camera(client, db, built, address):
    assert "camera=()" in client.get(address)["Permissions-Policy"]


@pytest.mark.parametrize(
    "address", ["session/", "session/data/", "exports/?file_format=trl", "people/", "no/", "docs/"]
)
def test_no_response_below_api_is_cached(admin_client, db, address):
    """Browsers cache neither files nor refusals."""
    for browser in (admin_client, Client()):
        assert browser.get(f"/api/{address}")["Cache-Control"] == "no-store"


def test_scripts_come_from_files_only():
    directives = dict(part.strip().split(" ", 1) for part in POLICY.split(";"))
    assert directives["default-src"] == directives["script-src"] == "'self'"
    assert directives["object-src"] == directives["base-uri"] == directives["frame-ancestors"] == "'none'"


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
@pytest.mark.parametrize(
    "address", ["/api", "/api/nothing/", "/v1", "/v1/chat/completions", "/v2/models/", "/graphql", "/.well-known/x"]
)
def test_an_address_for_programs_is_never_the_page_whatever_the_method(refused, built, method, address):
    client = Client(enforce_csrf_checks=True)
    refused(getattr(client, method)(address), 404, "not_found")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_sending_to_a_page_is_not_found(refused, built, method):
    refused(getattr(Client(enforce_csrf_checks=True), method)("/phases/7/"), 404, "not_found")


def test_the_schema_names_every_endpoint(settings):
    """`make check` compares the file with what is written anew."""
    named = {re.sub(r"{[^}]*}", "{}", path) for path in json.loads(settings.OPENAPI.read_text())["paths"]}
    assert {
        "/api/session/",
        "/api/phases/{}/claim/",
        "/api/assignments/{}/submit/",
        "/api/selections/{}/items/",
    } <= named
    assert len(named) > 30


def test_the_service_worker_is_served_at_the_root_and_asked_for_anew(client, dist):
    (dist / "sw.js").write_text("addEventListener('fetch', () => {})")
    answer = client.get("/sw.js")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript")
    assert (answer["Cache-Control"], answer["Service-Worker-Allowed"]) == ("no-cache", "/")
    assert "worker-src" not in answer["Content-Security-Policy"]  # what scripts may be, it may be


def test_a_client_without_service_worker_has_none(client, built):
    assert client.get("/sw.js").status_code == 404
