"""The API's reference: each operation says what it does and how it refuses, on a page that needs no network."""

import json
import re

import pytest
from django.conf import settings

from stepmark.schema.reference import LOGO, REASONS, refusals
from stepmark.web.middleware import POLICY

SCHEMA = json.loads(settings.OPENAPI.read_text())
OPERATIONS = [
    pytest.param(path, method, operation, id=operation["operationId"])
    for path, methods in SCHEMA["paths"].items()
    for method, operation in methods.items()
]


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_every_operation_says_what_it_does(path, method, operation):
    others = [each["description"] for other, each in SCHEMA["paths"][path].items() if other != method]
    assert operation["description"] not in others
    assert "msgspec" not in operation["description"]
    assert 3 <= len(operation["summary"]) <= 140


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_every_operation_says_how_it_refuses(path, method, operation):
    told = {int(status) for status in operation["responses"] if status >= "400"}
    assert told == refusals(path, method, operation)
    assert 400 in told
    assert (404 in told) == ("{" in path)
    assert {401, 403} <= told or path.startswith(("/api/session/", "/api/invite/", "/api/crashes/"))


def test_a_refusal_is_a_problem():
    assert SCHEMA["components"]["responses"].keys() == {f"Problem{status}" for status in REASONS}
    for response in SCHEMA["components"]["responses"].values():
        assert response["content"].keys() == {"application/problem+json"}


def test_the_page_is_made_of_our_own_files(client):
    answer = client.get("/api/docs/")
    assert answer.status_code == 200
    addresses = re.findall(r'(?:src|href|spec-url)="([^"]*)"', answer.content.decode())
    assert [address for address in addresses if not address.startswith(("/static/", "/api/"))] == []
    (script,) = (address for address in addresses if address.endswith(".js"))
    redoc = client.get(script)
    assert redoc["Content-Type"] == "text/javascript"
    assert b"Redoc" in redoc.content
    assert LOGO not in redoc.content


def test_the_page_reads_the_schema_that_was_written(client):
    (address,) = re.findall(r'spec-url="([^"]*)"', client.get("/api/docs/").content.decode())
    answer = client.get(address)
    assert answer["Content-Type"] == "application/json"  # Redoc takes most of a minute to read YAML
    assert answer.json() == SCHEMA


def test_only_its_page_may_make_workers(client):
    assert client.get("/api/docs/")["Content-Security-Policy"] == f"{POLICY}; worker-src blob:"
    assert "blob:" not in POLICY
