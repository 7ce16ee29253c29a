"""Fixing a problem: a new version, with its solutions graded again. What people saw stays as it was."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from labeling import audit
from labeling.campaign import gold, rounds
from labeling.campaign.gold import Expertise
from labeling.data.importing.pool import GIVEN, problem_hash
from labeling.data.problems import near
from labeling.errors import DomainError
from labeling.grading import grader
from labeling.models import (
    Assignment,
    Gold,
    Problem,
    ProblemBand,
    Registration,
    RoundStatus,
    Sample,
    Solution,
    Task,
    User,
)
from labeling.rules.audited import AuditAct
from labeling.rules.words import Grader

KEPT = ("conversation", "subject", "level", "split", "markup", "source", "external_id", "overlap")
DATES = ("trained_on_at", "held_out_at")
COPIED = ("generator", "steps", "turns", "markup", "answer", "source", "external_id", "text_hash")
SAMPLED = ("source", "generator", "external_id", "draw", "repeat")
TEXTS = ("statement", "reference_answer", "reference_solution")
Grades = dict[UUID, tuple[str, str]]  # verdict and grader's version, per solution


class CannotFix(DomainError, code="cannot_fix", status=409):
    """The problem was fixed already, or would equal another."""


def regraded(problem: Problem, texts: Mapping[str, str]) -> Grades:
    """Grades the pool's solutions by the new reference answer; verdicts given with a record stay. May take seconds."""
    reference = texts.get("reference_answer", problem.reference_answer)
    return {
        solution.pk: (solution.verdict, GIVEN) if solution.grader_version == GIVEN else _graded(solution, reference)
        for solution in problem.solutions.filter(in_pool=True, withdrawal=None)
    }


def _graded(solution: Solution, reference: str) -> tuple[str, str]:
    by = Grader.of_version(solution.grader_version)
    return grader.grade(solution.answer, reference, by), by.version


@transaction.atomic
def fix(*, problem: Problem, texts: Mapping[str, str], grades: Grades, now: datetime, by: User) -> Problem:
    """Creates the problem's next version (`texts`: those of TEXTS that change), with copies of its solutions in the
    pool.

    Labellings keep the version that people saw. Tasks of open rounds that still have free seats are withdrawn, and the
    copies replace them; gold on the old version goes out of service. Raises CannotFix.
    """
    old = Problem.objects.select_for_update().get(pk=problem.pk)
    before = {name: getattr(old, name) for name in TEXTS}
    if old.replaced_by_id or before | dict(texts) == before:
        raise CannotFix("Somebody has already fixed this problem." if old.replaced_by_id else "Nothing has changed.")
    new = _next_version(old, before | dict(texts))
    copies = _copy_solutions(old, new, grades)
    _replace_tasks(old, copies, now, by)
    for each in Gold.objects.newest().filter(solution__problem=old).exclude(gold_set=""):
        gold.put(solution=each.solution, expertise=Expertise(each.ratings, each.rationale, gold_set=""), by=by)
    regraded_ = {str(row.pk): [row.verdict, copies[row.pk].verdict] for row in old.solutions.filter(pk__in=copies)}
    changed = {pk: verdicts for pk, verdicts in regraded_.items() if verdicts[0] != verdicts[1]}
    after = {name: getattr(new, name) for name in texts} | {"version": new.version, "solutions": len(copies)}
    audit.record(by=by, act=AuditAct.FIX, on=new, before=before | {"id": old.pk}, after=after | {"verdicts": changed})
    return new


def _next_version(old: Problem, texts: Mapping[str, str]) -> Problem:
    """Creates the problem's next version; the old one gives up its hash, by which imports look for the newest."""
    if old.conversation and texts["statement"] != old.statement:
        raise CannotFix("This problem is a conversation: its statement can’t be changed.")
    text_hash = old.text_hash if texts["statement"] == old.statement else problem_hash(texts["statement"])
    if old.text_hash == text_hash:
        # The statement stays the same, and so would its hash, which is unique: the old version takes one that no file
        # can have.
        Problem.objects.filter(pk=old.pk).update(text_hash=problem_hash(f"{old.statement}\0{old.version}"))
    elif Problem.objects.filter(text_hash=text_hash).exists():
        raise CannotFix("Another problem has the same statement.")
    kept = {name: getattr(old, name) for name in (*KEPT, *DATES)}
    new = Problem.objects.create(**texts, **kept, text_hash=text_hash, version=old.version + 1)
    Problem.objects.filter(Q(pk=old.pk) | Q(replaced_by=old)).update(replaced_by=new)
    Registration.objects.bulk_create(
        Registration(benchmark_id=pk, problem=new) for pk in old.benchmarks.values_list("pk", flat=True)
    )
    rows = near.rows({new.pk: new.statement})
    ProblemBand.objects.bulk_create(ProblemBand(problem_id=pk, band=band) for pk, band in rows)
    return new


def _copy_solutions(old: Problem, new: Problem, grades: Grades) -> dict[UUID, Solution]:
    """Copies the solutions to the new problem; the originals leave the pool. Returns the copies by the original's
    id.
    """
    copies = {}
    for solution in old.solutions.filter(pk__in=grades):
        verdict, version = grades[solution.pk]
        columns = {name: getattr(solution, name) for name in COPIED}
        copies[solution.pk] = Solution(problem=new, verdict=verdict, grader_version=version, **columns)
    Solution.objects.bulk_create(copies.values())
    drawn = Sample.objects.filter(solution__in=copies).order_by("pk").values("solution_id", *SAMPLED)
    Sample.objects.bulk_create(Sample(solution=copies[row.pop("solution_id")], **row) for row in drawn)
    # All originals leave, even one that was imported after the grades were computed.
    old.solutions.update(in_pool=False)
    return copies


def _replace_tasks(old: Problem, copies: Mapping[UUID, Solution], now: datetime, by: User) -> None:
    is_open = {"round__status": RoundStatus.OPEN, "round__number__gte": 0, "withdrawn_at": None}
    free = Assignment.objects.claimable(now=now).filter(task=OuterRef("pk"))
    tasks: QuerySet[Any] = Task.objects.filter(Exists(free) | Q(is_gold=True), solution__problem=old, **is_open)
    for task in list(tasks):
        # Labellings in hand may still be submitted; whoever comes next gets the copy.
        rounds.withdraw_from_round(round_id=task.round_id, task_ids=[task.pk], now=now, by=by)
        if task.solution_id in copies and not task.is_gold:
            added = {"solution_ids": [copies[task.solution_id].pk], "overlap": task.overlap, "is_replacement": True}
            rounds.add_tasks(round_id=task.round_id, **added, first=False, by=by)
