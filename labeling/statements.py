"""Statements in SQL, for what every request of an annotator asks.

Django takes longer to compile such a query than the database to answer it, and writes the values into its text, so that
PostgreSQL plans it anew each time. The same text runs on PostgreSQL and SQLite:

    SEATS = Statement("SELECT seat.*, task.* FROM … WHERE seat.round_id = %(round)s", seat=Assignment, task=Task)
    for seat, task in SEATS.rows(round=round_.pk):
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple, cast
from uuid import UUID

import msgspec
import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model

IS_POSTGRES = connection.vendor == "postgresql"
LOCK = re.compile(r"FOR UPDATE( OF \w+)?( SKIP LOCKED)?")


class _Part(NamedTuple):
    """The columns of a row that are one object; `key` is the place of its primary key."""

    model: type[Model]
    names: list[str]
    columns: slice
    key: int

    def read(self, row: list[Any]) -> Model | None:
        if row[self.key] is None:
            return None
        return self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.columns])


class Statement:
    """SQL with its values as `%(name)s`. Each model's `name.*` stands for the columns of the model's fields; rows begin
    with these, in the order in which the models are given.
    """

    def __init__(self, sql: str, **models: type[Model]) -> None:
        parts, columns = list[_Part](), list[Any]()
        for name, model in models.items():
            fields, start = model._meta.concrete_fields, len(columns)
            columns += [field.get_col(name) for field in fields]
            names, key = [field.attname for field in fields], fields.index(cast(Any, model._meta.pk))
            parts.append(_Part(model, names, slice(start, len(columns)), start + key))
            sql = sql.replace(f"{name}.*", ", ".join(f'{name}."{field.column}"' for field in fields))
        # SQLite locks no rows: one transaction writes at a time.
        self._sql = sql if IS_POSTGRES else LOCK.sub("", sql)
        self._parts, self._width = parts, len(columns)
        # JSON is text, and on SQLite so are ids and times.
        self._converters = [
            (place, convert, column)
            for place, column in enumerate(columns)
            for convert in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection))
        ]

    def execute(self, **values: Any) -> None:
        """Runs the statement; its rows, if any, are left unread."""
        with cursor() as opened:
            opened.execute(self._sql, {name: _adapted(value) for name, value in values.items()})

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Returns rows as tuples: an object per model, or None where a LEFT JOIN found nothing; then other values."""
        with cursor() as opened:
            opened.execute(self._sql, {name: _adapted(value) for name, value in values.items()})
            return [self._read(list(row)) for row in opened.fetchall()]

    def first(self, **values: Any) -> tuple[Any, ...] | None:
        """The first row, or None if there is none."""
        return next(iter(self.rows(**values)), None)

    def _read(self, row: list[Any]) -> tuple[Any, ...]:
        for place, convert, column in self._converters:
            row[place] = convert(row[place], column, connection)
        return (*(part.read(row) for part in self._parts), *row[self._width :])


def insert(row: Model) -> None:
    """Inserts a new object as its `save` does."""
    fields = row._meta.concrete_fields
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]
    with cursor() as opened:
        marks = ", ".join(["%s"] * len(fields))
        opened.execute(f"INSERT INTO {row._meta.db_table} ({columns}) VALUES ({marks})", values)
    row._state.adding = False


@contextmanager
def sent_together() -> Iterator[None]:
    """Sends statements to PostgreSQL without waiting for the answer to each. An error of one is raised by a later one,
    or at the end; the number of rows that one changed is unknown until then, and COPY is refused.
    """
    if not IS_POSTGRES:
        yield
        return
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


@contextmanager
def cursor() -> Iterator[Any]:
    """Yields a cursor; on PostgreSQL one that sends values beside the statement, which is then planned only a few
    times.

    Statements that are logged are logged with their values.
    """
    database = connections[DEFAULT_DB_ALIAS]  # found once: `connection` looks for it at each use
    if not IS_POSTGRES or database.queries_logged:
        with database.cursor() as djangos:
            yield djangos
        return
    database.close_if_health_check_failed()
    database.ensure_connection()
    with database.wrap_database_errors, psycopg.Cursor(database.connection) as direct:
        yield direct


def _adapted(value: Any) -> Any:
    """Returns the value as the database takes it."""
    if isinstance(value, dict | list):
        return msgspec.json.encode(value).decode()
    if IS_POSTGRES:
        return value
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value.hex if isinstance(value, UUID) else value
