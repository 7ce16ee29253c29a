"""The audit log: every act of staff leaves a line."""

from typing import Any

from django.db.models import Model

from labeling.models import Change, User


def record(
    *, by: User | None, act: str, on: Model, before: dict[str, Any] | None = None, after: dict[str, Any] | None = None
) -> None:
    """In the act's own transaction: what is rolled back leaves no line."""
    Change.objects.create(
        by=by,
        act=act,
        kind=on._meta.model_name or "",
        subject=str(on.pk),
        name=str(on)[:200],
        before=before or {},
        after=after or {},
    )
