"""Statements that are compiled once: Django takes longer to compile one than the database to answer it.

For what every request of an annotator reads. A query is written as usual, by a function of its parameters.

It is built once with stand-ins, values that occur nowhere else. Where a stand-in turns up among the compiled
statement's parameters, later calls put the real value. So a query must not change with its values: no `if` on a
parameter, no list of varying length.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Literal, NamedTuple, cast
from uuid import UUID, uuid4

import psycopg
from django.db import connection
from django.db.models import QuerySet
from django.db.models.query import ValuesListIterable, get_related_populators
from django.db.models.sql import DeleteQuery, Query, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

# Distinct for each parameter, and unlike any constant in a query: a stand-in is recognised by its value alone.
STAND_INS: dict[Any, Callable[[int], Any]] = {
    UUID: lambda number: uuid4(),
    datetime: lambda number: datetime(1900, 1, 1 + number, 3, 4, 5, 678_901, tzinfo=UTC),
    date: lambda number: date(1901, 1, 1 + number),
    int: lambda number: 1_234_567_000 + number,
    str: lambda number: f"parameter {number}",
}
DELETED: Literal["deleted"] = "deleted"
Changes = dict[str, Any] | Literal["deleted"]
Statement = tuple[str, Sequence[Any], list[Any], Callable[[Any], Any]]  # SQL, parameters, columns, row maker


class _Compiled(NamedTuple):
    """`names`: for each parameter of the statement, the name of the argument that replaces it, or None."""

    sql: str
    values: Sequence[Any]
    names: list[str | None]
    converters: list[tuple[int, list[Any], Any]]
    build: Callable[[Any], Any]

    def with_values(self, given: dict[str, Any]) -> list[Any]:
        # The statement's own values were adapted when it was compiled; those that replace stand-ins are adapted here.
        adapted = {name: _adapted(value) for name, value in given.items()}
        pairs = zip(self.names, self.values, strict=True)
        return [value if name is None else adapted[name] for name, value in pairs]


class Prepared:
    """`build` takes parameters annotated with one of STAND_INS.

    It returns a query; or, for one table, a query and the changes to its rows (or DELETED): the rows returned are then
    the changed ones, as they are now.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any] | tuple[QuerySet[Any, Any], Changes]]) -> None:
        self._build = build
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, **given: Any) -> list[Any]:
        # Threads may compile the same statement twice; either result will do, so there is no lock.
        known = self._compiled.get(connection.vendor)
        if known is None:
            known = self._compiled[connection.vendor] = self._compile()
        with cursor() as opened:
            opened.execute(known.sql, known.with_values(given))
            found = opened.fetchall()
        return [known.build(row) for row in _converted(found, known.converters)]

    def first(self, **given: Any) -> Any:
        return next(iter(self.rows(**given)), None)

    def _compile(self) -> _Compiled:
        parameters = inspect.signature(self._build).parameters.values()
        stand_ins = {each.name: STAND_INS[each.annotation](number) for number, each in enumerate(parameters)}
        built = self._build(**stand_ins)
        sql, values, columns, build = _changing(*built) if isinstance(built, tuple) else _selecting(built)
        # Compared as the database takes them: on SQLite a UUID is its hex digits by now.
        name_of = {_adapted(value): name for name, value in stand_ins.items()}
        names = [name_of.get(value) if isinstance(value, tuple(STAND_INS)) else None for value in values]
        assert set(names) >= set(stand_ins), "a parameter does not appear unchanged in the statement"
        # What Django's compiler does to each value that it reads: on SQLite, text back into dates and ids.
        converters = SQLCompiler(Query(None), connection, None).get_converters(columns)
        listed = [(place, convert, expression) for place, (convert, expression) in converters.items()]
        return _Compiled(sql, values, names, listed, build)


def _selecting(query: QuerySet[Any, Any]) -> Statement:
    compiler = query.query.get_compiler(connection=connection)
    sql, values = compiler.as_sql()
    are_values = issubclass(query._iterable_class, ValuesListIterable)
    return sql, values, [each[0] for each in compiler.select], tuple if are_values else _rows_of_models(compiler)


def _changing(query: QuerySet[Any, Any], changes: Changes) -> Statement:
    statement: Any = query.query.chain(DeleteQuery if changes == DELETED else UpdateQuery)
    if isinstance(changes, dict):
        statement.add_update_values(changes)
    sql, values = statement.get_compiler(connection=connection).as_sql()
    model, asked = query.model, cast(Any, query)._fields
    fields: list[Any] = [model._meta.get_field(name) for name in asked] if asked else [*model._meta.concrete_fields]
    returned = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    build = tuple if asked else partial(model.from_db, "default", [field.attname for field in fields])
    # One statement changes and reads: no other transaction comes between the two.
    return f"{sql} RETURNING {returned}", values, [field.cached_col for field in fields], build


def cursor() -> Any:
    """A cursor; on PostgreSQL one that sends values separately, so that the server plans a statement only a few times.

    Statements that are logged are logged with their values.
    """
    if connection.vendor != "postgresql" or connection.queries_logged:
        return connection.cursor()
    connection.ensure_connection()
    # Django's own cursors write the values into the statement, which makes each one new to the server.
    return cast(Any, connection)._prepare_cursor(psycopg.Cursor(connection.connection))


def _adapted(value: Any) -> Any:
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return connection.ops.adapt_datefield_value(value) if isinstance(value, date) else value


def _converted(rows: Sequence[Any], converters: list[tuple[int, list[Any], Any]]) -> Iterator[list[Any]]:
    for row in rows:
        values = list(row)
        for place, convert, expression in converters:
            for each in convert:
                values[place] = each(values[place], expression, connection)
        yield values


def _rows_of_models(compiler: Any) -> Callable[[Any], Any]:
    """As Django's ModelIterable makes them: objects of the main table, then of those joined, then annotations."""
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
