"""Changes the markup of a source's texts; the texts themselves stay as they are."""

from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef

from labeling import audit
from labeling.errors import DomainError
from labeling.models import Problem, Sample, Solution, User
from labeling.rules.audited import AuditAct


class NoSuchSource(DomainError, code="no_such_source", status=404):
    """The pool has nothing of this source."""


class Changed(NamedTuple):
    """The numbers of rows that got another markup."""

    solutions: int
    problems: int


@transaction.atomic
def change_markup(*, source: str, steps: str = "", statements: str = "", by: User) -> Changed:
    """Sets the markup of the source's solutions and of their problems, unless it is empty. Raises NoSuchSource."""
    sample = Sample.objects.filter(source=source).first()
    if sample is None:
        raise NoSuchSource(f"There is no source called “{source}”.")
    solutions = Solution.objects.drawn_by(source=source)
    problems = Problem.objects.filter(Exists(solutions.filter(problem=OuterRef("pk"))))
    changed = Changed(
        solutions.exclude(markup=steps).update(markup=steps) if steps else 0,
        problems.exclude(markup=statements).update(markup=statements) if statements else 0,
    )
    after = {"source": source, "markup": steps, "statement_markup": statements, **changed._asdict()}
    given = {name: value for name, value in after.items() if value}
    audit.record(by=by, act=AuditAct.CHANGE, on=sample.solution, after=given)
    return changed
