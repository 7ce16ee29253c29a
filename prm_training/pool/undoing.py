"""Undoes an import, after checking that nothing depends on it."""

from django.db.models.fields.files import FieldFile

from labeling import clock
from labeling.data.importing import undo
from labeling.jobs.lifecycle import ReportProgress
from prm_training.models import Import, SecondLook, SelectionItem


def uses(run: Import) -> dict[str, int]:
    """Counts the rows that depend on the imported ones, by kind; scores don't count, since they are deleted too."""
    found = {
        "selections": SelectionItem.objects.filter(solution__in=undo.solutions_of(run.pk)).count(),
        "second_looks": SecondLook.objects.filter(labelling__origin=run.pk).count(),
    }
    return undo.uses(run.pk) | {name: number for name, number in found.items() if number}


def discard(file: FieldFile) -> None:
    if file.name:  # a command's import has none
        file.storage.delete(file.name)


def undo_import(run: Import, report: ReportProgress) -> None:
    """Removes the import's rows, batch by batch; resumes if interrupted. Raises InUse."""
    if found := uses(run):
        raise undo.InUse(undo.reason(found))
    done, total = 0, sum(undo.brought(run.pk).values())

    def on_rows(number: int) -> None:
        nonlocal done
        done += number
        report(stage="undoing", done=done, total=total)

    report(stage="undoing", done=0, total=total)
    undo.undo(run.pk, on_rows=on_rows)
    discard(run.file)
    report(stage="undone", done=total, total=total, undone_at=clock.now())
