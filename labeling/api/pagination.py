"""Pages of 50 rows, 500 at most: numbered and counted, or one after the other where there may be a million rows."""

import sys
from typing import Any

from rest_framework.pagination import CursorPagination, PageNumberPagination


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500


class LongPages(CursorPagination):
    """In the queryset's own order, from where the last page ended: each costs what the first does, none is counted."""

    page_size = Pages.page_size
    page_size_query_param = Pages.page_size_query_param
    max_page_size = Pages.max_page_size
    offset_cutoff = sys.maxsize  # what an import brought at one moment may be more than 1,000 rows

    def get_ordering(self, request: Any, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(queryset.query.order_by)
