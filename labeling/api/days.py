"""Filters by the reader's days: `?from=2026-03-02&to=2026-03-06&tz=Europe/Berlin`; in UTC without a zone."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Model, QuerySet
from django.utils.dateparse import parse_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

Row = TypeVar("Row", bound=Model)
DAY = timedelta(days=1)
ZONE = OpenApiParameter("tz", OpenApiTypes.STR, description="IANA time zone, such as Europe/Berlin; UTC if empty.")
PERIOD = [*(OpenApiParameter(name, OpenApiTypes.DATE) for name in ("from", "to")), ZONE]


def zone_of(request: Request) -> tzinfo:
    """Returns the query's time zone. Raises ValidationError for an unknown one."""
    name = request.query_params.get("tz")
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # no such zone, no zone's name, a directory of zones
        raise ValidationError({"tz": f"“{name}” is not a time zone."}) from None


def on_days(rows: QuerySet[Row], request: Request, field: str) -> QuerySet[Row]:
    """Returns rows whose `field` is on the days `from` to `to`, inclusive; either may be missing.

    Raises ValidationError for invalid days, and if the last day is before the first.
    """
    zone = zone_of(request)
    first, last = (_day(request, name) for name in ("from", "to"))
    if first and last and first > last:
        raise ValidationError({"to": "This is before the first day."})
    if first:
        rows = rows.filter(**{f"{field}__gte": datetime.combine(first, time.min, zone)})
    if last:
        rows = rows.filter(**{f"{field}__lt": datetime.combine(last + DAY, time.min, zone)})
    return rows


def _day(request: Request, name: str) -> date | None:
    given = request.query_params.get(name)
    if not given:
        return None
    try:
        day = parse_date(given)
    except ValueError:  # the thirtieth of February
        day = None
    if day is None or not 1900 <= day.year < 3000:  # outside of these, some zones have no such moment
        raise ValidationError({name: f"“{given}” is not a valid value."})
    return day
