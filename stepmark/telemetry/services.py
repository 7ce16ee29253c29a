"""Errors to Sentry and traces to OpenTelemetry, where the settings name them. Neither is told who did something, what
was asked for in a query, or what a body, a cookie or a local variable held.
"""

import os
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from stepmark.telemetry.logs import current_request_id, without_secrets

# Attributes of a request, by OpenTelemetry's older and newer names.
ADDRESSES = {"http.url", "http.target", "url.full", "url.path", "url.query"}
CLIENT = {"net.peer.ip", "net.peer.name", "net.peer.port", "http.client_ip", "client.address", "client.port"}
CLIENT |= {"network.peer.address", "network.peer.port"}


def start() -> None:
    """Starts the services that the settings name, also for processes forked later. Raises ImproperlyConfigured for a
    bad address, or if a package is missing, naming the command that installs it.
    """
    if settings.SENTRY_DSN:
        _start_service("SENTRY_DSN", "sentry", _sentry)
    if settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        _start_service("OTEL_EXPORTER_OTLP_ENDPOINT", "otel", _tracing)


def _start_service(setting: str, extra: str, service: Any) -> None:
    try:
        service()
    except ImportError as error:
        raise ImproperlyConfigured(f"{setting} needs pip install 'stepmark[{extra}]'.") from error
    except ValueError:  # which quotes the address, and the key in it
        raise ImproperlyConfigured(f"{setting} can't be read.") from None


def _sentry() -> None:
    import sentry_sdk  # noqa: PLC0415  an extra
    from sentry_sdk.integrations.argv import ArgvIntegration  # noqa: PLC0415

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        release=version("stepmark"),
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,  # earlier lines of the log say who signed in
        disabled_integrations=[ArgvIntegration()],  # a command's arguments name people and addresses
        before_send=_cleaned,
    )


def _cleaned(event: Any, _hint: Any) -> Any:
    """Removes the secrets of links, queries and headers (one is the page's address), and adds the request's id, which
    the person saw.
    """
    cleaned = _walked(event)
    for name in ("query_string", "headers"):
        cleaned.get("request", {}).pop(name, None)
    if known := current_request_id():
        cleaned.setdefault("tags", {})["request_id"] = known
    return cleaned


def _walked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _walked(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(each) for each in value]
    return without_secrets(value) if isinstance(value, str) else value


def _tracing() -> None:
    # Extras. How often they send, and a sample of requests, are their own variables: OTEL_BSP_…, OTEL_TRACES_SAMPLER.
    from opentelemetry import trace  # noqa: PLC0415
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.instrumentation.celery import CeleryInstrumentor  # noqa: PLC0415
    from opentelemetry.instrumentation.django import DjangoInstrumentor  # noqa: PLC0415
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor  # noqa: PLC0415
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    named = {
        SERVICE_NAME: os.environ.get("OTEL_SERVICE_NAME", "stepmark"),
        SERVICE_VERSION: version("stepmark"),
    }
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    DjangoInstrumentor().instrument(request_hook=_clean)
    CeleryInstrumentor().instrument()  # type: ignore[no-untyped-call]
    PsycopgInstrumentor().instrument()


def _clean(span: Any, _request: Any) -> None:
    """Removes the client's address, and the queries and secrets of a request's addresses."""
    for name, value in dict(span.attributes or {}).items():
        if name in CLIENT:
            span.set_attribute(name, "")
        elif isinstance(value, str) and name in ADDRESSES:
            span.set_attribute(name, without_secrets(value.partition("?")[0]))
