"""Queries that are compiled once: Django takes longer to compile one than the database to answer it.

For what an annotator's every request asks. A query is written as ever, by a function of its parameters; its parameters
are ids and times, and how many there are of them never changes.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast
from uuid import UUID, uuid4

import psycopg
from django.db import connection
from django.db.models import QuerySet
from django.db.models.query import ValuesListIterable, get_related_populators

STAND_INS: dict[Any, Callable[[int], Any]] = {
    UUID: lambda number: uuid4(),
    datetime: lambda number: datetime(1900, 1, 1 + number, 3, 4, 5, 678_901, tzinfo=UTC),
}


class _Compiled(NamedTuple):
    """`names`: for each of the statement's parameters, the name of the one that takes its place, or none."""

    sql: str
    values: Sequence[Any]
    names: list[str | None]
    converters: list[tuple[int, list[Any], Any]]
    build: Callable[[Any], Any]


class Prepared:
    """`build` gives the query for parameters annotated as UUID or datetime."""

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self._build = build
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, **given: Any) -> list[Any]:
        known = self._compiled.get(connection.vendor)
        if known is None:
            known = self._compiled[connection.vendor] = _compile(self._build)
        adapted = {name: _adapted(value) for name, value in given.items()}
        values = [
            value if name is None else adapted[name] for name, value in zip(known.names, known.values, strict=True)
        ]
        with _cursor() as cursor:
            cursor.execute(known.sql, values)
            found = cursor.fetchall()
        return [known.build(row) for row in _converted(found, known.converters)]

    def first(self, **given: Any) -> Any:
        return next(iter(self.rows(**given)), None)


def _cursor() -> Any:
    """On PostgreSQL one that leaves values to the server, so that it, too, plans a statement only a few times.

    Whoever logs statements sees them with their values.
    """
    if connection.vendor != "postgresql" or connection.queries_logged:
        return connection.cursor()
    connection.ensure_connection()
    # Django's own cursors write values into the statement: each is a new one for the server.
    return cast(Any, connection)._prepare_cursor(psycopg.Cursor(connection.connection))


def _compile(build: Callable[..., QuerySet[Any, Any]]) -> _Compiled:
    parameters = inspect.signature(build).parameters.values()
    stand_ins = {each.name: STAND_INS[each.annotation](number) for number, each in enumerate(parameters)}
    query = build(**stand_ins)
    compiler = query.query.get_compiler(connection=connection)
    sql, values = compiler.as_sql()
    name_of = {_adapted(value): name for name, value in stand_ins.items()}
    names = [name_of.get(value) if isinstance(value, (str, UUID, datetime)) else None for value in values]
    converters = compiler.get_converters([each[0] for each in compiler.select])
    listed = [(place, convs, expression) for place, (convs, expression) in converters.items()]
    are_values = issubclass(query._iterable_class, ValuesListIterable)
    return _Compiled(sql, values, names, listed, tuple if are_values else _rows_of_models(compiler))


def _adapted(value: Any) -> Any:
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _converted(rows: Sequence[Any], converters: list[tuple[int, list[Any], Any]]) -> Iterator[list[Any]]:
    for row in rows:
        values = list(row)
        for place, convert, expression in converters:
            for each in convert:
                values[place] = each(values[place], expression, connection)
        yield values


def _rows_of_models(compiler: Any) -> Callable[[Any], Any]:
    """As Django's ModelIterable makes them."""
    info, select, annotated = compiler.klass_info, compiler.select, compiler.annotation_col_map or {}
    model, fields = info["model"], info["select_fields"]
    start, end = fields[0], fields[-1] + 1
    names = [each[0].target.attname for each in select[start:end]]
    populators = cast(Any, get_related_populators)(info, select, "default")

    def build(row: Sequence[Any]) -> Any:
        made = model.from_db("default", names, row[start:end])
        for populator in populators:
            populator.populate(row, made)
        for name, place in annotated.items():
            setattr(made, name, row[place])
        return made

    return build
