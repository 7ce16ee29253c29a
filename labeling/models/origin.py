"""Base models and fields: a row's id, the time it was made, and its origin."""

import uuid
from datetime import datetime
from secrets import token_bytes
from time import time_ns
from typing import Any

from django.db import models
from django.db.models import Q

from labeling import clock

TIME = models.DateTimeField[datetime, datetime]()


class CreatedAt(models.DateTimeField[datetime, datetime]):
    """When the row was made, by the clock that all processes share: other rows' times are compared with it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"auto_now_add": True} | options)

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        if add:
            setattr(model_instance, self.attname, clock.now())
        return getattr(model_instance, self.attname)

    def get_col(self, alias: str, output_field: Any = None) -> Any:
        """Returns a column of a plain time: in expressions, Django mixes no two classes of fields."""
        return super().get_col(alias, output_field or TIME)

    def deconstruct(self) -> Any:
        """Describes the field for migrations as Django's own DateTimeField."""
        name, _, *rest = super().deconstruct()
        return name, "django.db.models.DateTimeField", *rest


class Identified(models.Model):
    """A row whose id nobody can guess."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True


class Imported(Identified):
    """A row that an import may have added. By `origin`, the run's id, the import can be undone."""

    origin = models.UUIDField(
        null=True, blank=True, editable=False, help_text="The import or generation that added it; null: neither."
    )

    class Meta:
        abstract = True


def by_origin(name: str) -> models.Index:
    """Returns an index for undoing an import, for large tables."""
    return models.Index(fields=["origin"], condition=Q(origin__isnull=False), name=name)


def new_ids(count: int) -> list[uuid.UUID]:
    """Returns ascending ids, later than earlier ones (UUID version 7, RFC 9562): neighbours stay close in indexes."""
    # One call for all random bytes: each call lets another thread run, and waits for it.
    at, drawn = time_ns() // 1_000_000, token_bytes(10 * count)
    random = sorted(int.from_bytes(drawn[start : start + 10], "big") >> 6 for start in range(0, len(drawn), 10))
    return [uuid.UUID(int=at << 80 | 7 << 76 | bits >> 62 << 64 | 2 << 62 | bits & (1 << 62) - 1) for bits in random]


def new_id() -> uuid.UUID:
    return new_ids(1)[0]
