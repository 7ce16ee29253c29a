"""Acts on reports: an annotator says that the reference answer looks wrong, an admin looks into it."""

from datetime import datetime

from labeling.errors import DomainError
from labeling.models import Report, Task, User


class AlreadyResolved(DomainError):
    code = "already_resolved"
    status = 409


def file(*, task: Task, annotator: User, note: str) -> Report:
    """Tells the admins. Saying it again changes the note. Raises AlreadyResolved once an admin has looked into it."""
    report, is_new = Report.objects.get_or_create(task=task, annotator=annotator, defaults={"note": note})
    if not is_new and not Report.objects.filter(pk=report.pk, resolved_at=None).update(note=note):
        raise AlreadyResolved("An admin has looked into this report already.")
    report.refresh_from_db()
    return report


def resolve(*, report: Report, admin: User, resolution: str, now: datetime) -> Report:
    """Raises AlreadyResolved for the second admin."""
    outcome = {"resolved_at": now, "resolved_by": admin, "resolution": resolution}
    if not Report.objects.filter(pk=report.pk, resolved_at=None).update(**outcome):
        raise AlreadyResolved("Somebody has resolved this report already.")
    report.refresh_from_db()
    return report
