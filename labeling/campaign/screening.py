"""Screening: annotators first label round -1, which has gold (design: generation -1)."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import mean
from typing import Literal
from uuid import UUID

from django.db import transaction

from labeling.counts import tallies
from labeling.models import Gold, Labelling, Membership, Phase, RatedCompletion, Round, User
from labeling.rules import error_kinds

SCREENING = -1
ScreeningState = Literal["", "pending", "passed", "failed"]


@dataclass(frozen=True)
class Standing:
    """An annotator's standing in the screening: tasks done, and the agreement so far, if they may know it."""

    done: int
    total: int
    agreement: float | None
    pass_mark: float
    state: Literal["pending", "passed", "failed"]


@dataclass(frozen=True)
class NamedMistake:
    """A statement about a mistake: the name of its kind, empty where none is, and the step that is the root cause,
    itself or an earlier one.
    """

    step: int
    kind: str
    root_cause: int | None

    @property
    def says_anything(self) -> bool:
        return bool(self.kind) or self.root_cause is not None


@dataclass(frozen=True)
class Feedback:
    """A screening labelling beside gold: the ratings of each step, up to gold's first negative, and what both say of
    mistakes.
    """

    gold: list[int]
    given: list[int | None]
    agreement: float
    rationale: str
    gold_mistakes: list[NamedMistake]
    given_mistakes: list[NamedMistake]


def step_agreement(*, given: Sequence[int | None], gold: Sequence[int]) -> float:
    """The share of steps rated alike, from 0 to 1, among the steps that either of the two rated.

    Gold that ends with its first negative says nothing of later steps, which a phase may have rated nevertheless.
    """
    if -1 in given[:-1] and -1 in gold[-1:]:
        given = given[: len(gold)]
    length = max(len(given), len(gold), 1)
    return sum(one == other for one, other in zip(given, gold, strict=False)) / length


def state(*, phase: Phase, membership: Membership, has_round: bool) -> ScreeningState:
    """Returns the member's state; "pending": is to label the screening, perhaps again; empty: there is no screening."""
    if membership.is_let_in:
        return "passed"
    if membership.screened_at is None:
        return "pending" if has_round else ""
    if (membership.screening_agreement or 0) >= phase.pass_mark:
        return "passed"
    return "pending" if has_round and membership.attempts < phase.screening_attempts else "failed"


def settle(*, labelling: Labelling, now: datetime) -> None:
    """Stores the screening's result once the annotator has labelled every task of it.

    Part of the submission's transaction. The lock makes two submissions at once take turns, so that the second one sees
    the first.
    """
    phase = labelling.task.round.phase
    membership = Membership.objects.select_for_update().get(phase=phase, user=labelling.annotator)
    agreed = _agreed(labelling.task.round, labelling.annotator)
    if len(agreed) == labelling.task.round.tasks.count():
        membership.screened_at = now
        membership.screening_agreement = round(mean(agreed.values()), 6)
        membership.attempts += 1
        membership.save(update_fields=["screened_at", "screening_agreement", "attempts"])


@transaction.atomic
def start_again(*, membership: Membership, screening: Round, now: datetime) -> None:
    """Starts another attempt if the last one is finished: its labellings are superseded, its tasks come again."""
    # Conditional: of several tabs that claim at once, one starts the attempt.
    finished = Membership.objects.filter(pk=membership.pk, screened_at__isnull=False)
    if finished.update(screened_at=None, screening_agreement=None):
        own = Labelling.objects.current().filter(task__round=screening, annotator=membership.user)
        own.update(superseded_at=now)
        tallies.superseded(round_id=screening.pk, annotator_id=membership.user_id)
        # Without their annotator the old assignments leave room for new ones: one per task and annotator. The
        # labellings keep pointing to them.
        screening.assignments.filter(annotator=membership.user).update(annotator=None, lease_expires_at=None)


def compared(labelling: Labelling) -> tuple[Feedback, Standing] | tuple[None, None]:
    """Returns a screening labelling beside gold, and its annotator's standing; (None, None) for any other labelling."""
    task = labelling.task
    if task.round.number != SCREENING:
        return None, None
    agreed = _agreed(task.round, labelling.annotator)
    ((_, given, gold),) = beside_gold([labelling])
    expected = [NamedMistake(**said) for said in gold.mistakes]
    own = given_mistakes(labelling)
    feedback = Feedback(gold.ratings, given, agreed[labelling.pk], gold.rationale, expected, own)
    return feedback, _standing(task.round, labelling.annotator, agreed.values())


def _standing(screening: Round, annotator: User | None, agreed: Collection[float]) -> Standing:
    phase, total = screening.phase, screening.tasks.count()
    membership = Membership.objects.get(phase=phase, user=annotator)
    # Without feedback, the agreement after each task would tell how that one compares.
    is_known = phase.gives_feedback or len(agreed) == total
    return Standing(
        done=len(agreed),
        total=total,
        agreement=round(mean(agreed), 6) if is_known else None,
        pass_mark=phase.pass_mark,
        state=state(phase=phase, membership=membership, has_round=True) or "pending",
    )


def _agreed(screening: Round, annotator: User | None) -> dict[UUID, float]:
    own = Labelling.objects.current().filter(task__round=screening, annotator=annotator)
    return agreements(list(own.select_related("task").prefetch_related("completions")))


def agreements(labellings: Sequence[Labelling]) -> dict[UUID, float]:
    """The agreement of each labelling with the gold on its solution."""
    return {row.pk: step_agreement(given=given, gold=gold.ratings) for row, given, gold in beside_gold(labellings)}


def beside_gold(labellings: Sequence[Labelling]) -> list[tuple[Labelling, list[int | None], Gold]]:
    """Each labelling with its ratings and the newest gold on its solution, if there is any."""
    golds = Gold.objects.newest().filter(solution__in={row.task.solution_id for row in labellings})
    gold_on = {gold.solution_id: gold for gold in golds}
    return [(row, given_ratings(row), gold_on[row.task.solution_id]) for row in labellings]


def given_ratings(labelling: Labelling) -> list[int | None]:
    """The ratings of the solution's own steps, in order; None where the annotator was unsure."""
    return [item.rating for item in _own_steps(labelling)]


def given_kind_keys(labelling: Labelling) -> dict[int, str]:
    """Returns the keys of the kinds of error that the solution's own steps were given, by step."""
    return {item.step: item.error_kind for item in _own_steps(labelling) if item.error_kind}


def given_mistakes(labelling: Labelling) -> list[NamedMistake]:
    """Returns the labelling's statements about mistakes in the solution's own steps, in order."""
    said = ((item.step, item.error_kind, item.root_cause) for item in _own_steps(labelling))
    return named_mistakes(labelling.task.round.phase, said)


def named_mistakes(phase: Phase, said: Iterable[tuple[int, str, int | None]]) -> list[NamedMistake]:
    """The mistakes, given steps with the keys of their kinds in the phase, empty for none, and their root causes."""
    return [
        NamedMistake(step, error_kinds.name_of(phase.error_kinds, key), cause)
        for step, key, cause in said
        if key or cause is not None
    ]


def given_kinds(labelling: Labelling) -> dict[Hashable, str]:
    """Returns the kinds of error, by a hash of the completion's text and path: the same for everybody who rated it."""
    rated = sorted(labelling.completions.all(), key=lambda item: item.step)
    path = [item.text for item in rated if item.is_chosen]
    return {hash((*path[: item.step], item.text)): item.error_kind for item in rated if item.error_kind}


def _own_steps(labelling: Labelling) -> list[RatedCompletion]:
    own = [item for item in labelling.completions.all() if item.completion == 0]
    return sorted(own, key=lambda item: item.step)
