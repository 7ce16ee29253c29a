"""Acts of adjudication: note something on a case, or settle it. Its effects are traced to the case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest

from django.db import transaction

from labeling import audit
from labeling.campaign import consensus, gold, screening
from labeling.campaign.gold import Expertise
from labeling.errors import DomainError
from labeling.models import (
    Case,
    Consensus,
    ConsensusMethod,
    Labelling,
    Outcome,
    PhaseKind,
    Problem,
    Queue,
    Report,
    ReportKind,
    Solution,
    Task,
    User,
)
from labeling.models.consensus import OF_ERRORS  # of a Ruling, too
from labeling.review import cases, corrections
from labeling.rules.audited import AuditAct
from labeling.rules.ratings import InvalidLabelling, StepRating, check_error, contradicts

ADJUDICATED = "adjudicated"  # the grader's version of a verdict that was ruled


class NothingWaits(DomainError, code="nothing_waits", status=409):
    """The case is settled already."""


class OwnDisagreement(DomainError, code="own_disagreement", status=403):
    """Nobody rules on a disagreement that their own labelling is part of."""


class InvalidRuling(DomainError, code="invalid_ruling"):
    """The ruling does not fit the case."""


class CannotReopen(DomainError, code="cannot_reopen", status=409):
    """The ruling is not the newest on its task, or can't be taken back."""


@dataclass(frozen=True)
class Ruling:
    """An outcome with what it needs: `ratings` (and a `gold_set`), a `verdict`, or the problem's new `texts`.

    Per step, perhaps for the first ones only, empty or None where nothing is said: `error_kinds`, the key of its kind
    of error; `error_words`, where its wrong words begin and end, in characters; `root_causes`, the earlier step to
    blame. `result`: whether the final result is right, empty where that is left to the labellings.
    """

    outcome: str
    note: str = ""
    ratings: Sequence[int] = ()
    error_kinds: Sequence[str] = ()
    error_words: Sequence[Sequence[int] | None] = ()
    root_causes: Sequence[int | None] = ()
    result: str = ""
    gold_set: str = "gold"
    verdict: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)


@transaction.atomic
def refer(*, task: Task, why: str, by: User, now: datetime) -> None:
    """Asks for a ruling on the task: a second look disagrees with its label. Referring it again restarts its wait."""
    waits = {"note": why, "by": by, "created_at": now}
    case, _ = Case.objects.update_or_create(task=task, queue=Queue.SECOND_LOOK, settled_at=None, defaults=waits)
    audit.record(by=by, act=AuditAct.REFER, on=case, after={"note": why})


@transaction.atomic
def note(*, task: Task, queue: str, text: str, by: User) -> Case:
    """Keeps a note on the open case. Raises NothingWaits."""
    _check_waits(task, queue)
    case, _ = Case.objects.update_or_create(task=task, queue=queue, settled_at=None, defaults={"note": text, "by": by})
    audit.record(by=by, act=AuditAct.NOTE, on=case, after={"note": text})
    return case


def settle(*, task: Task, queue: str, ruling: Ruling, now: datetime, by: User) -> Case:
    """Carries the ruling out. Raises NothingWaits (somebody was faster), OwnDisagreement, InvalidRuling, InvalidGold,
    and what corrections.fix raises.
    """
    if is_own_disagreement(task, by):
        raise OwnDisagreement("You have labelled this task yourself: another expert settles the disagreement.")
    problem = task.solution.problem
    grades = corrections.regraded(problem, ruling.texts) if ruling.outcome == Outcome.FIX else {}  # slow: outside
    with transaction.atomic():
        # Locks the problem before rounds and tasks, which fixing it withdraws, in other phases, too.
        Problem.objects.select_for_update().get(pk=problem.pk)
        _check_waits(task, queue)
        columns = {"note": ruling.note, "by": by, "outcome": ruling.outcome, "settled_at": now}
        case, _ = Case.objects.update_or_create(task=task, queue=queue, settled_at=None, defaults=columns)
        with audit.because_of(case):
            audit.record(by=by, act=AuditAct.SETTLE, on=case, after={"outcome": ruling.outcome, "note": ruling.note})
            if ruling.outcome == Outcome.FIX:
                corrections.fix(problem=problem, texts=ruling.texts, grades=grades, now=now, by=by)
            elif ruling.outcome == Outcome.VERDICT:
                _rule_on_answer(task.solution, ruling.verdict, by)
            elif ruling.outcome == Outcome.GOLD:
                _make_gold(case, ruling, now)
            elif ruling.outcome == Outcome.RATINGS:
                _rule_on_ratings(case, ruling, now)
            _resolve_reports(case, now)
    return case


def is_own_disagreement(task: Task, by: User) -> bool:
    """Returns whether people disagree on the task, and `by` is one of them."""
    own = Labelling.objects.current().filter(task=task, annotator=by)
    return own.exists() and consensus.disputed(Task.objects.filter(pk=task.pk)).exists()


@transaction.atomic
def reopen(*, task: Task, queue: str, now: datetime, by: User) -> Case:
    """Puts the task back in the queue where it was settled last, with the reports that this resolved.

    The ruling stands until the task is settled again: an export that runs meanwhile misses no label, and has none
    twice. Raises CannotReopen.
    """
    problem = Problem.objects.select_for_update().get(pk=task.solution.problem_id)  # locked first, as `settle` does
    last = Case.objects.filter(task=task, settled_at__isnull=False).order_by("settled_at").last()
    is_last = last is not None and last.queue == queue and not hasattr(last, "reopened_as")
    if last is None or not is_last or cases.waiting(queue, Task.objects.filter(pk=task.pk)).exists():
        raise CannotReopen("Only the newest ruling on a task can be reopened, and only once.")
    if problem.replaced_by_id is not None:
        raise CannotReopen("The problem has a newer version, which can be fixed in turn.")
    again = {"note": last.note, "by": by, "created_at": now, "reopens": last}
    case, _ = Case.objects.update_or_create(task=task, queue=queue, settled_at=None, defaults=again)
    audit.record(by=by, act=AuditAct.REOPEN, on=last, before={"outcome": last.outcome, "settled_at": last.settled_at})
    with audit.because_of(case):
        resolved = last.effects.filter(act=AuditAct.RESOLVE).values_list("subject", flat=True)
        for report in Report.objects.filter(pk__in=list(resolved)):
            audit.record(by=by, act=AuditAct.REOPEN, on=report, before={"resolution": report.resolution})
            Report.objects.filter(pk=report.pk).update(resolved_at=None, resolved_by=None, resolution="")
    return case


def _check_waits(task: Task, queue: str) -> None:
    if not cases.waiting(queue, Task.objects.filter(pk=task.pk)).exists():
        raise NothingWaits("This is settled already: somebody was faster, or the case has changed.")


def _rule_on_answer(solution: Solution, verdict: str, by: User) -> None:
    if not verdict:
        raise InvalidRuling("Say whether the final answer is right, wrong or unsure.")
    before = {"verdict": solution.verdict, "grader_version": solution.grader_version}
    after = {"verdict": verdict, "grader_version": ADJUDICATED}
    Solution.objects.filter(pk=solution.pk).update(**after)
    audit.record(by=by, act=AuditAct.GRADE, on=solution, before=before, after=after)


def _make_gold(case: Case, ruling: Ruling, now: datetime) -> None:
    """Makes the ruling gold, unless the task is hidden gold or screening, where it corrects the experts' labels."""
    phase = case.task.round.phase
    said = zip_longest(range(len(ruling.ratings)), ruling.error_kinds, ruling.root_causes)
    mistakes = screening.named_mistakes(phase, ((step, kind or "", cause) for step, kind, cause in said))
    expertise = Expertise(ruling.ratings, ruling.note, ruling.gold_set, phase.rates_all_steps, mistakes)
    gold.put(solution=case.task.solution, expertise=expertise, by=case.by)
    _check_errors(ruling, case.task)
    if not case.task.is_gold and case.task.round.number >= 0:
        _rule_on_ratings(case, ruling, now)


def _rule_on_ratings(case: Case, given: Ruling, now: datetime) -> None:
    """Stores the ruling in place of the task's labellings, and marks those that differ from it."""
    if case.task.round.phase.kind != PhaseKind.SOLUTIONS:
        raise InvalidRuling("People's trajectories differ: no single ruling can apply to all of them.")
    ratings, rates_all = given.ratings, case.task.round.phase.rates_all_steps
    gold.check_ratings(ratings, step_count=len(case.task.solution.steps), rates_all_steps=rates_all)
    _check_errors(given, case.task)
    if given.result and not case.task.round.phase.asks_result:
        raise InvalidRuling("This phase does not ask whether the final result is right.")
    errors = {name: list(getattr(given, name)) or None for name in OF_ERRORS}
    labellings = Labelling.objects.current().complete().filter(task=case.task)
    ruling, _ = Consensus.objects.update_or_create(
        task=case.task,
        method=ConsensusMethod.ADJUDICATED,
        defaults={
            "ratings": list(ratings),
            **errors,
            "result": given.result,
            "confidence": [1.0] * len(ratings),
            "labellings": labellings.count(),
            "computed_at": now,
            "case": case,
        },
    )
    audit.record(
        by=case.by,
        act=AuditAct.RULE,
        on=ruling,
        after={"ratings": list(ratings)}
        | {name: said for name, said in {**errors, "result": given.result}.items() if said},
    )
    # Only mistakes count: a Great that the ruling calls Okay overrules nobody.
    for labelling in labellings.select_related("annotator").prefetch_related("completions"):
        is_overruled = contradicts(screening.given_ratings(labelling), ratings, rates_all_steps=rates_all)
        _overrule(labelling, case if is_overruled else None, case.by)


def _check_errors(ruling: Ruling, task: Task) -> None:
    """Raises InvalidRuling unless the errors are given as the phase asks its annotators to. They must name the kind; a
    ruling may leave it open.
    """
    if any(len(getattr(ruling, name)) > len(ruling.ratings) for name in OF_ERRORS):
        raise InvalidRuling("More is said of errors than there are rated steps.")
    steps = task.solution.steps
    protocol = task.round.phase.protocol(step_count=len(steps))
    said = zip_longest(ruling.ratings, *(getattr(ruling, name) for name in OF_ERRORS))
    for step, (rating, kind, words, cause) in enumerate(said):
        start, end = words or (None, None)
        item = StepRating(step, rating, text=steps[step], error_kind=kind or "", root_cause=cause)
        try:
            check_error(replace(item, error_start=start, error_end=end), protocol)
        except InvalidLabelling as error:
            raise InvalidRuling(str(error)) from None


def _overrule(labelling: Labelling, case: Case | None, by: User) -> None:
    before = labelling.overruled_by
    # It was not overruled before: there is nothing to reinstate, and nothing for the audit log.
    if before is None and case is None:
        return
    Labelling.objects.filter(pk=labelling.pk).update(overruled_by=case)
    of = {"annotator": labelling.annotator.username if labelling.annotator else None}
    audit.record(by=by, act=AuditAct.OVERRULE if case else AuditAct.REINSTATE, on=labelling, after=of)


def _resolve_reports(case: Case, now: datetime) -> None:
    """Resolves the reports of the case's own queue; fixing a problem resolves all on its reference answer."""
    reports = Report.objects.filter(task=case.task, kind=case.queue)
    if case.outcome == Outcome.FIX:
        about = {"task__solution__problem": case.task.solution.problem, "kind": Queue.REFERENCE_ANSWER}
        # Whoever reported the reference answer, on whatever task of the problem, meant what is fixed now.
        reports |= Report.objects.filter(**about)
    for report in reports.filter(resolved_at=None):
        # The case's note is for colleagues: what the annotator reads is written with `reports.answer`.
        resolution = "" if report.kind == ReportKind.QUESTION else case.note or case.get_outcome_display()
        outcome = {"resolved_at": now, "resolved_by": case.by, "resolution": resolution}
        Report.objects.filter(pk=report.pk).update(**outcome)
        audit.record(by=case.by, act=AuditAct.RESOLVE, on=report, after={"resolution": resolution})
