"""Pages of 50 rows, at most 500: numbered and counted, or one after the other where there may be a million rows."""

import json
import sys
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

Parts = Sequence[QuerySet[Any]]
MOST_COUNTED = 10_000


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500


class LongPages(CursorPagination):
    """Uncounted pages in the queryset's own order, each from where the last one ended: all cost as little as the
    first.
    """

    page_size = Pages.page_size
    page_size_query_param = Pages.page_size_query_param
    max_page_size = Pages.max_page_size
    offset_cutoff = sys.maxsize  # an import may have added more than 1,000 rows at one moment

    def get_ordering(self, request: Any, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(queryset.query.order_by)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except ValidationError:  # a cursor that no page returned
            raise NotFound(self.invalid_cursor_message) from None


class CountedPages(LongPages):
    """Numbered pages, with the number of rows on all of them, as far as counting them costs little."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        self.count = _count_rows(queryset)
        return super().paginate_queryset(queryset, request, view)

    def get_paginated_response(self, data: Any) -> Response:
        answer = super().get_paginated_response(data)
        answer.data = {"count": self.count, **answer.data}
        return answer

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = super().get_paginated_response_schema(schema)
        count = {"type": "integer", "description": f"{MOST_COUNTED + 1:,} where there are more than {MOST_COUNTED:,}."}
        return found | {
            "required": ["count", *found["required"]],
            "properties": {"count": count, **found["properties"]},
        }


class PagesInParts(CountedPages):
    """Pages of a list that no single order sorts: one part after the other, each a queryset in an index's order.

    Forward only; to go back, keep the address of the page before.
    """

    def paginate_queryset(self, parts: Any, request: Request, view: Any = None) -> list[Any]:
        self.count = min(sum(map(_count_rows, parts)), MOST_COUNTED + 1)
        size = self.get_page_size(request) or 0
        address = request.build_absolute_uri()
        # One row more than the page holds tells whether there is another page.
        found = _from(parts, *self._place(parts, request), size + 1)
        last = found[size - 1] if len(found) > size else None
        cursor = _encoded(last[0], parts[last[0]], last[1]) if last else ""
        self._next = replace_query_param(address, self.cursor_query_param, cursor) if cursor else None
        return [row for _, row in found[:size]]

    def _place(self, parts: Parts, request: Request) -> tuple[int, list[Any]]:
        """Returns the part to continue with, and the values of its order to continue after."""
        cursor = request.query_params.get(self.cursor_query_param)
        try:
            number, *values = json.loads(urlsafe_b64decode(cursor)) if cursor else [0]
            names = _names(parts[number])
            fields = [parts[number].model._meta.get_field(name) for name, _ in names]
            read = [field.to_python(value) for field, value in zip(fields, values, strict=bool(cursor))]
        except (ValueError, TypeError, IndexError, ValidationError):
            raise NotFound(self.invalid_cursor_message) from None
        return number, read

    def get_next_link(self) -> str | None:
        return self._next

    def get_previous_link(self) -> str | None:
        return None


def _count_rows(rows: QuerySet[Any]) -> int:
    return rows.order_by()[: MOST_COUNTED + 1].count()


def _from(parts: Parts, number: int, values: Sequence[Any], size: int) -> list[tuple[int, Any]]:
    found: list[tuple[int, Any]] = []
    for at, part in enumerate(parts[number:], number):
        rows = part.filter(_after_row(part, values)) if at == number and values else part
        found += [(at, row) for row in rows[: size - len(found)]]
        if len(found) == size:
            break
    return found


def _names(part: QuerySet[Any]) -> list[tuple[str, bool]]:
    """Returns the columns that order a part, the last one its key, and whether each descends."""
    key = part.model._meta.pk.name
    named = [(name.lstrip("-"), name[0] == "-") for name in map(str, part.query.order_by)]
    return [(key if name == "pk" else name, is_falling) for name, is_falling in named]


def _after_row(part: QuerySet[Any], values: Sequence[Any]) -> Q:
    """Selects what comes after the row with these values. The first condition alone lets the database start within an
    index.
    """
    names = list(zip(_names(part), values, strict=True))
    (first, falls), value = names[0]
    # In the order -submitted_at, pk, after the row (t, 7) come those at t with a key above 7, and all that are earlier
    # than t.
    after, equal = Q(), Q()
    for (name, is_falling), each in names:
        after |= equal & Q(**{f"{name}__{'lt' if is_falling else 'gt'}": each})
        equal &= Q(**{name: each})
    return Q(**{f"{first}__{'lte' if falls else 'gte'}": value}) & after


def _encoded(number: int, part: QuerySet[Any], row: Any) -> str:
    values = [number, *(str(getattr(row, name)) for name, _ in _names(part))]
    return urlsafe_b64encode(json.dumps(values).encode()).decode()
