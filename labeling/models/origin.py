"""Where rows came from."""

from django.db import models
from django.db.models import Q


class Imported(models.Model):
    """A row that an import may have added. By `origin`, the run's id, the import can be undone."""

    origin = models.UUIDField(
        null=True, blank=True, editable=False, help_text="The import or generation that added it; null: neither."
    )

    class Meta:
        abstract = True


def by_origin(name: str) -> models.Index:
    """An index for undoing an import, for large tables."""
    return models.Index(fields=["origin"], condition=Q(origin__isnull=False), name=name)
