"""stepmark.telemetry.services: what Sentry and OpenTelemetry receive, by their own libraries, over a socket."""

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.core.exceptions import ImproperlyConfigured
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from stepmark.telemetry import services
from tests.running import libraries

pytestmark = pytest.mark.any_database
DECODE: dict[str | None, Any] = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}
ROOT = Path(__file__).resolve().parents[3]
# Pages, one of which fails, in a process that was forked from the one that started the services.
PROGRAM = """
import contextlib, logging, os, sys
sys.argv += ["createsuperuser", "--username", "yv" "es"]
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory, override_settings
def get(address):
    sent = {"HTTP_COOKIE": "sessionid=COOKIE", "HTTP_HOST": "localhost", "HTTP_REFERER": "http://localhost/?by=yv" "es"}
    at = {"REMOTE_ADDR": "203.0.113.7", "HTTP_X_FORWARDED_FOR": "203.0.113.7"}
    asked = RequestFactory().get(address, **sent, **at)
    list(get_wsgi_application()(asked.environ, lambda *_: None))
if (child := os.fork()) == 0:
    password = " ".join(["correct", "horse"])
    logging.getLogger("labeling.people.sign_in").info("'%s' signed in", "yv" "es")
    logging.getLogger("stepmark").error("At /invite/SECRET")
    get("/invite/SECRET")
    get("/api/session/?name=yv" "es")
    with override_settings(ROOT_URLCONF="nowhere"), contextlib.suppress(ImportError):  # as a web server goes on
        get("/api/people/?name=yv" "es")
    if "SENTRY_DSN" in os.environ:
        import sentry_sdk
        sentry_sdk.flush()
    else:
        from opentelemetry import trace
        trace.get_tracer_provider().force_flush()
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.fixture
def received() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Yields the address of a server, and what is sent to it: paths and bodies."""
    found: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.append((self.path, DECODE[self.headers["Content-Encoding"]](body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}", found
        server.shutdown()


def run(**environment: str) -> None:
    command, own = (
        [*libraries.python("django"), "manage.py", "shell", "--no-imports"],
        os.environ | {"LOG_LEVEL": "INFO"} | environment,
    )
    ended = subprocess.run(command, cwd=ROOT, env=own, input=PROGRAM, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_sentry_gets_errors_without_secrets(received: Any) -> None:
    address, found = received
    run(SENTRY_DSN=f"http://key@{address}/1")
    told = b"".join(body for _, body in found)
    assert found[0][0] == "/api/1/envelope/"
    assert b"At /invite/\\u2026" in told
    assert not any(secret in told for secret in (b"SECRET", b"correct horse", b"COOKIE", b"yves", b"203.0.113"))
    assert told.count(b"/api/people/")


def test_opentelemetry_gets_requests_without_secrets(received: Any) -> None:
    address, found = received
    run(OTEL_EXPORTER_OTLP_ENDPOINT=f"http://{address}", OTEL_EXPORTER_OTLP_COMPRESSION="gzip")
    assert {path for path, _ in found} == {"/v1/traces"}
    sent = [ExportTraceServiceRequest.FromString(body) for _, body in found]
    (resource,) = {str(each.resource.attributes) for one in sent for each in one.resource_spans}
    assert "stepmark" in resource
    spans = [span for one in sent for each in one.resource_spans for scope in each.scope_spans for span in scope.spans]
    assert "http://localhost/invite/…" in {each.value.string_value for span in spans for each in span.attributes}
    assert not any(secret in str(spans) for secret in ("SECRET", "COOKIE", "yves", "203.0.113"))


@pytest.mark.parametrize(("library", "named"), [("sentry_sdk", "SENTRY_DSN"), ("opentelemetry.sdk", "OTEL_EXPORTER")])
def test_without_its_library_the_setting_is_refused(library: str, named: str, monkeypatch: Any, settings: Any) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    settings.SENTRY_DSN = "http://key@127.0.0.1/1" if library == "sentry_sdk" else ""
    settings.OTEL_EXPORTER_OTLP_ENDPOINT = "" if settings.SENTRY_DSN else "http://127.0.0.1"
    with pytest.raises(ImproperlyConfigured, match=rf"{named}.* needs pip install 'stepmark"):
        services.start()


@pytest.mark.filterwarnings("ignore:The send_default_pii option")
def test_a_bad_address_is_refused_without_its_key(settings: Any) -> None:
    settings.SENTRY_DSN = "sentry.example.org/hunter2"
    with pytest.raises(ImproperlyConfigured, match=r"^SENTRY_DSN can't be read\.$") as refusal:
        services.start()
    assert refusal.value.__suppress_context__


def test_without_settings_nothing_is_loaded() -> None:
    told = "import sys; print([name for name in sys.modules if name.startswith(('sentry', 'opentelemetry'))])"
    command = [*libraries.python("django"), "manage.py", "shell", "--no-imports", "-c", told]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip() == "[]"
