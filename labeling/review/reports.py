"""Reports: an annotator says that a reference answer or gold looks wrong; adjudication.py resolves them."""

from labeling.campaign import screening
from labeling.errors import DomainError
from labeling.models import Labelling, Report, ReportKind, Task, User


class AlreadyResolved(DomainError):
    code = "already_resolved"
    status = 409


class NothingToDispute(DomainError):
    code = "nothing_to_dispute"
    status = 409


def file(*, task: Task, annotator: User, note: str, kind: str = ReportKind.REFERENCE_ANSWER) -> Report:
    """Tells the admins. A second report changes the note. Raises AlreadyResolved once an admin has resolved it,
    NothingToDispute if the annotator was not shown gold.
    """
    own = Labelling.objects.filter(task=task, annotator=annotator, task__round__number=screening.SCREENING)
    if kind == ReportKind.GOLD and not own.exists():
        raise NothingToDispute("Experts' labels can be disputed on a screening task that you have submitted.")
    key = {"task": task, "annotator": annotator, "kind": kind}
    report, is_new = Report.objects.get_or_create(**key, defaults={"note": note})
    if not is_new and not Report.objects.filter(pk=report.pk, resolved_at=None).update(note=note):
        raise AlreadyResolved("An admin has already resolved this report.")
    report.refresh_from_db()
    return report
