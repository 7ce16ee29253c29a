"""Where rows came from."""

from django.db import models
from django.db.models import Q


class Imported(models.Model):
    """A row that an import may have brought. By `origin`, the id of the run, the import can be undone."""

    origin = models.UUIDField(
        null=True, blank=True, editable=False, help_text="The import or generation that brought it; null: neither."
    )

    class Meta:
        abstract = True


def by_origin(name: str) -> models.Index:
    """What a run brought, of rows that may be many."""
    return models.Index(fields=["origin"], condition=Q(origin__isnull=False), name=name)
