"""A persistent connection to PostgreSQL is reused without a query, unless the server closed it."""

import psycopg
import pytest
from django.db import connection
from django.db.backends.postgresql import base

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server"),
]


def test_it_costs_no_query(monkeypatch):
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda self: pytest.fail("it was asked"))
    connection.ensure_connection()
    assert connection.is_usable()


def test_one_that_the_server_ended_is_not_used():
    connection.ensure_connection()
    pid = connection.connection.info.backend_pid
    with psycopg.connect(**{**connection.get_connection_params(), "cursor_factory": psycopg.Cursor}) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    assert not connection.is_usable()
    connection.close()
