"""Submitting a labelling: once, whole, in one transaction. A revision supersedes; it never overwrites.

Locks, in this order: the annotator's seat (`allocation.held`), their tally, in screening their membership. The seat's
lock makes two submissions of one task take turns, so that the second finds what the first has stored.
"""

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import transaction

from annotate import allocation, history, queries
from annotate.drafts import AlreadySubmitted
from labeling import statements
from labeling.campaign import phases, screening
from labeling.completions import sets
from labeling.completions.sets import Place
from labeling.counts import tallies
from labeling.data.importing import bulk
from labeling.models import (
    Assignment,
    AssignmentKind,
    CompletionPurpose,
    Critique,
    Labelling,
    PhaseKind,
    RatedCompletion,
    User,
)
from labeling.rules import checks, ratings
from labeling.rules.ratings import ERROR, InvalidLabelling, Judgement
from labeling.rules.texts.answers import extract_answer
from labeling.rules.words import Check

RATED = ("step", "completion", "text", "rating", "is_flagged", "is_chosen", "is_human", "note", *ERROR)
rated_columns = attrgetter(*RATED)


@dataclass(frozen=True)
class Submission:
    """An annotator's submission: the judgement, and its history.

    `revises`: the labelling it replaces; `guidelines_version`: the one that was shown, if the client says.
    """

    judgement: Judgement
    active_ms: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    guidelines_version: int | None = None
    revises: UUID | None = None


@transaction.atomic
def submit(*, assignment_id: UUID, annotator: User, submission: Submission, now: datetime) -> Labelling:
    """Stores the labelling and ends the lease. The same submission again returns what is stored.

    Raises InvalidLabelling if it breaks the protocol, AlreadySubmitted if a different labelling is stored that this one
    does not revise, and what `allocation.held` and `allocation.check_may_work` raise.
    """
    assignment = allocation.held(assignment_id=assignment_id, annotator=annotator)
    stored = _stored(assignment)
    own = _own_steps(assignment)
    submission = _with_own_texts(submission, own)
    # Before all checks: a client whose response was lost sends the same again, perhaps after the round was closed, and
    # must hear that its work is stored.
    if stored is not None and _is_same(stored, submission.judgement):
        return stored
    if stored is not None and stored.pk != submission.revises:
        raise AlreadySubmitted("This task has already been submitted with other ratings.")
    allocation.check_may_work(assignment)
    if _is_screening(assignment) and stored is not None:
        raise AlreadySubmitted("A screening task can't be changed once it is submitted.")
    _check_submission(assignment, submission, own)
    submission = replace(submission, guidelines_version=_guidelines_given(assignment, submission, stored))
    if stored is not None:
        stored.superseded_at = now
        stored.save(update_fields=["superseded_at"])
    with statements.sent_together():
        # In the transaction that stores the labelling: there is always the draft or the labelling, never neither.
        queries.DRAFT_DELETED.execute(task=assignment.task_id, annotator=annotator.pk)
        # A revision stays on the seat that the first submission took.
        if stored is None:
            assignment.submitted_at, assignment.lease_expires_at = now, None
            queries.LEASE_ENDED.execute(seat=assignment.pk, now=now)
        labelling = _store_labelling(assignment, submission, now)
        tallies.submitted(labelling=labelling, round_id=assignment.round_id, replaces=stored)
    if _is_screening(assignment):
        screening.settle(labelling=labelling, now=now)
    return labelling


def _stored(assignment: Assignment) -> Labelling | None:
    """The current labelling of the assignment; None if it was not submitted yet."""
    if assignment.submitted_at is None:
        return None
    stored: Labelling | None = Labelling.objects.current().filter(assignment=assignment).first()
    if stored is not None:
        # Both are read already; otherwise each use would be a query while the seat is locked.
        stored.assignment, stored.task = assignment, assignment.task
    return stored


def _is_screening(assignment: Assignment) -> bool:
    return assignment.kind == AssignmentKind.SCREENING


def _own_steps(assignment: Assignment) -> list[str]:
    """The steps that the annotator was given to rate; none in kind `alternatives`."""
    is_trajectory = assignment.round.phase.kind == PhaseKind.ALTERNATIVES
    return [] if is_trajectory else list(assignment.task.solution.steps)


def _with_own_texts(submission: Submission, own: Sequence[str]) -> Submission:
    """Returns the submission with the solution's own texts in the ratings of its steps, whatever the client sent."""
    # The client leaves out texts that it was given; and if it sends some, they are not believed.
    ratings = [
        replace(item, text=own[item.step]) if item.completion == 0 and item.step < len(own) else item
        for item in submission.judgement.ratings
    ]
    return replace(submission, judgement=replace(submission.judgement, ratings=ratings))


def _is_same(stored: Labelling, judgement: Judgement) -> bool:
    ending = attrgetter("finish_reason", "finish_note", "solution_progress", "result")
    critiques = stored.critiques.order_by("number").values_list("text", "rating", "is_human")
    # Ratings as sets, since the database returns them in any order. Critiques have an order of their own.
    return (
        ending(stored) == ending(judgement)
        and set(stored.completions.values_list(*RATED)) == set(map(rated_columns, judgement.ratings))
        and list(critiques) == [astuple(item) for item in judgement.critiques]
    )


def _check_submission(assignment: Assignment, submission: Submission, own: list[str]) -> None:
    judgement = submission.judgement
    last = next((item for item in reversed(judgement.ratings) if item.is_chosen), None)
    states_answer = not own and last is not None and bool(extract_answer(last.text))  # trajectories only
    protocol = assignment.round.phase.protocol(step_count=len(assignment.task.solution.steps))
    ratings.check_judgement(judgement, protocol, states_answer=states_answer)
    if not all(item.text.strip() for item in judgement.ratings):
        raise InvalidLabelling("A completion has no text.")
    _check_offered(assignment, judgement, own)
    if own:
        history.check_history(submission.history, judgement.ratings, step_count=len(own))
    _check_guidelines(assignment, submission.guidelines_version)


def _check_guidelines(assignment: Assignment, version: int | None) -> None:
    """Raises InvalidLabelling unless the version was in force at some time since the task was claimed."""
    phase = assignment.round.phase
    if version is None or version == phase.guidelines_version:
        return
    # Version 2 was in force until version 3 came; that must not have been before the task was leased.
    replaced = phase.guidelines.filter(version=version + 1, created_at__gte=assignment.leased_at)
    if version > phase.guidelines_version or not replaced.exists():
        raise InvalidLabelling(f"You were not given version {version} of the guidelines for this task.")


def _guidelines_given(assignment: Assignment, submission: Submission, revised: Labelling | None) -> int:
    """The version that was shown; if the client doesn't say, the one in force when the task was handed out, or at the
    time of a revision.
    """
    phase = assignment.round.phase
    if submission.guidelines_version is not None:
        return submission.guidelines_version
    # With one version only, as in most phases, there is nothing to look up.
    if revised is not None or assignment.leased_at is None or phase.guidelines_version == 1:
        return int(phase.guidelines_version)
    return phases.guidelines_in_force(phase=phase, at=assignment.leased_at)


def _check_offered(assignment: Assignment, judgement: Judgement, own: list[str]) -> None:
    """Raises InvalidLabelling unless every text that the annotator did not write was offered at its place."""
    problem = assignment.task.solution.problem
    path = own or [item.text for item in judgement.ratings if item.is_chosen]
    by_step = dict[int, list[str]]()
    for item in judgement.ratings:
        # In kind `solutions`, completion 0 is the solution's own step, which needs no offer.
        if not item.is_human and (item.completion > 0 or not own):
            by_step.setdefault(item.step, []).append(item.text)
    # A completion of step 2 was offered after the chosen texts of steps 0 and 1; critiques, after all rated steps.
    asked = [(Place(problem, path[:step]), texts) for step, texts in by_step.items()]
    critiques = [item.text for item in judgement.critiques if not item.is_human]
    # The path of critiques ends at the first mistake, which they are about, though later steps may be rated.
    mistakes = [item.step for item in judgement.ratings if item.is_chosen and item.rating == -1]
    rated = min(mistakes) + 1 if mistakes else len({item.step for item in judgement.ratings})
    asked.append((Place(problem, path[:rated], CompletionPurpose.CRITIQUE), critiques))
    unknown = sets.never_offered(asked)
    if unknown and unknown.purpose == CompletionPurpose.CRITIQUE:
        raise InvalidLabelling("One of the critiques was never offered here.")
    if unknown:
        raise InvalidLabelling(f"Step {len(unknown.path) + 1} has a completion that was never offered there.")


def _store_labelling(assignment: Assignment, submission: Submission, now: datetime) -> Labelling:
    cap, judgement = _longest_possible_ms(assignment, now), submission.judgement
    labelling = Labelling(
        task=assignment.task,
        assignment=assignment,
        annotator=assignment.annotator,
        finish_reason=judgement.finish_reason,
        finish_note=judgement.finish_note,
        solution_progress=judgement.solution_progress,
        result=judgement.result,
        guidelines_version=submission.guidelines_version,
        checks=_soft_checks(assignment, submission),
        active_ms=min(submission.active_ms, cap),
        submitted_at=now,
        history=history.in_time(submission.history, longest_ms=cap),
    )
    statements.insert(labelling)
    # One statement for all ratings, without a model object for each of them.
    rated = ((labelling.pk, *rated_columns(item), min(item.active_ms, cap)) for item in judgement.ratings)
    bulk.insert(RatedCompletion, ("labelling_id", *RATED, "active_ms"), rated, are_few=True)
    if judgement.critiques:
        Critique.objects.bulk_create(
            Critique(labelling=labelling, number=number, **asdict(item))
            for number, item in enumerate(judgement.critiques)
        )
    return labelling


def _soft_checks(assignment: Assignment, submission: Submission) -> list[Check]:
    """The soft checks; none in screening, where they would help, nor on a trajectory, which the annotator wrote."""
    solution = assignment.task.solution
    if _is_screening(assignment) or assignment.round.phase.kind == PhaseKind.ALTERNATIVES:
        return []
    return checks.soft_checks(
        judgement=submission.judgement,
        answer=None if assignment.round.phase.finishes_by_hand else solution.answer,
        words=sum(len(item.text.split()) for item in submission.judgement.ratings),
        active_ms=submission.active_ms,
        throw=allocation.DICE.random(),
    )


def _longest_possible_ms(assignment: Assignment, now: datetime) -> int:
    """Returns the longest active time: nobody is active for longer than they had the task."""
    held_for = now - assignment.leased_at if assignment.leased_at else None
    return max(0, int(held_for.total_seconds() * 1000)) if held_for else 0
