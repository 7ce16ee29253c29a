"""Inserting many rows: COPY on PostgreSQL, one statement for few rows; on SQLite one that Django doesn't parse. Several
times as fast as bulk_create.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from sqlite3 import SQLITE_LIMIT_VARIABLE_NUMBER
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import DEFAULT_DB_ALIAS, connection, connections, models

from labeling import statements

AS_IT_IS = (models.CharField, models.TextField, models.IntegerField, models.BooleanField, models.UUIDField)
ROWS = 2000  # of one statement


class _Target(NamedTuple):
    """The table: first the columns whose values all rows share, then those that differ."""

    table: str
    columns: str
    shared: list[Any]
    skip_known: bool


def insert(
    model: type[models.Model],
    names: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    skip_known: bool = False,
    are_few: bool = False,
) -> int:
    """Inserts rows with the values of the named fields, defaults in all others, in the caller's transaction; returns
    how many.

    ``skip_known`` skips rows that a unique constraint has already; without it, IntegrityError is raised. ``are_few``
    avoids COPY, which takes three messages and is planned each time; not for JSON columns, nor with ``skip_known``.
    """
    given: list[Any] = [model._meta.get_field(name) for name in names]
    blank = model()
    others = [field for field in model._meta.concrete_fields if field not in given and not field.primary_key]
    quote, source = connection.ops.quote_name, iter(rows)
    target = _Target(
        table=quote(model._meta.db_table),
        columns=", ".join(quote(str(field.column)) for field in (*others, *given)),
        shared=[_prepared(field)(field.pre_save(blank, True)) for field in others],
        skip_known=skip_known,
    )
    prepare = [_prepared(field) for field in given]
    is_postgres, stored = connection.vendor == "postgresql", 0
    size = ROWS if is_postgres else min(ROWS, _most_values() // len(model._meta.concrete_fields))
    while batch := list(islice(source, size)):
        store = _insert_many if not is_postgres else _insert_few if are_few else _copy
        # Column by column: most need no conversion, and the others are converted by `map`, without a loop in Python.
        given_values = zip(*batch, strict=True)
        values = [
            column if as_is is _same else map(as_is, column)
            for as_is, column in zip(prepare, given_values, strict=True)
        ]
        stored += store(target, zip(*values, strict=True), len(batch))
    return stored


def _prepared(field: Any) -> Callable[[Any], Any]:
    """Returns the function that converts the field's values for the database."""
    field = getattr(field, "target_field", field)
    if isinstance(field, models.UUIDField) and not connection.features.has_native_uuid_field:
        return _hexadecimal
    if isinstance(field, AS_IT_IS):
        return _same
    if isinstance(field, models.JSONField):
        return _json
    return partial(field.get_db_prep_save, connection=connections[DEFAULT_DB_ALIAS])


def _same(value: Any) -> Any:
    return value


def _hexadecimal(value: UUID | None) -> str | None:
    return None if value is None else value.hex


def _json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def _insert_few(target: _Target, rows: Iterator[tuple[Any, ...]], count: int) -> int:
    table, columns, shared, _ = target
    names = [name.strip('"') for name in columns.split(", ")]
    records = msgspec.json.encode([dict(zip(names, (*shared, *row), strict=True)) for row in rows]).decode()
    with statements.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s)",
            [records],
        )
    return count


def _copy(target: _Target, rows: Iterator[tuple[Any, ...]], _count: int) -> int:
    """Inserts by COPY; to skip known rows, which COPY can't, by way of a temporary table."""
    table, columns, shared, skip_known = target
    into = "incoming" if skip_known else table
    with connection.cursor() as cursor:
        if skip_known:
            # An earlier batch of the same transaction has left one: ON COMMIT DROP comes only at its end.
            cursor.execute("DROP TABLE IF EXISTS pg_temp.incoming")
            like = f"SELECT {columns} FROM {table} WITH NO DATA"
            cursor.execute(f"CREATE TEMPORARY TABLE incoming ON COMMIT DROP AS {like}")
        with cursor.copy(f"COPY {into} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row((*shared, *row))
        if skip_known:
            cursor.execute(f"INSERT INTO {table} ({columns}) SELECT * FROM incoming ON CONFLICT DO NOTHING")
        return int(cursor.rowcount)


def _most_values() -> int:
    """The most values that a statement may bind: 250,000 in Debian's SQLite, 32,766 in others."""
    connection.ensure_connection()
    return int(connection.connection.getlimit(SQLITE_LIMIT_VARIABLE_NUMBER))


def _insert_many(target: _Target, rows: Iterator[tuple[Any, ...]], count: int) -> int:
    """Inserts by one statement, during which SQLite releases Python's lock; Django would parse all its placeholders.

    Values that the rows share are bound once, as ?1, ?2, ...; a plain ? takes the next number.
    """
    table, columns, shared, skip_known = target
    values = [*shared, *chain.from_iterable(rows)]
    marks = [f"?{number}" for number in range(1, len(shared) + 1)]
    marks += ["?"] * ((len(values) - len(shared)) // count)
    end = " ON CONFLICT DO NOTHING" if skip_known else ""
    values_of_a_row = f"({', '.join(marks)})"
    statement = f"INSERT INTO {table} ({columns}) VALUES {', '.join([values_of_a_row] * count)}{end}"
    with connection.wrap_database_errors:
        return int(connection.connection.execute(statement, values).rowcount)
