"""Screening: annotators label round -1, which has gold, before they label for real (design: generation -1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from labeling.models import Gold, Labelling, Membership, Phase, Round, RoundStatus, User

SCREENING = -1
State = Literal["", "pending", "passed", "failed"]


@dataclass(frozen=True)
class Feedback:
    """How a screening labelling compares with gold: ratings per step, up to gold's first negative."""

    gold: list[int]
    given: list[int | None]
    agreement: float
    rationale: str
    done: int
    total: int
    state: State


def step_agreement(*, given: Sequence[int | None], gold: Sequence[int]) -> float:
    """The share of steps rated alike, from 0 to 1, over the steps that either of the two rated."""
    length = max(len(given), len(gold), 1)
    return sum(one == other for one, other in zip(given, gold, strict=False)) / length


def round_of(phase: Phase) -> Round | None:
    found: Round | None = phase.rounds.filter(number=SCREENING, status=RoundStatus.OPEN).first()
    return found


def state(*, phase: Phase, membership: Membership, has_round: bool) -> State:
    """Whether the member has to label the screening round first. Empty: the phase has none."""
    if membership.screened_at is not None:
        return "passed" if (membership.screening_agreement or 0) >= phase.pass_mark else "failed"
    return "pending" if has_round else ""


def settle(*, labelling: Labelling, annotator: User, now: datetime) -> Feedback | None:
    """After a screening labelling: its comparison with gold, and the verdict once all tasks are labelled.

    None outside screening, and for a task whose gold is gone.
    """
    task = labelling.task
    if task.round.number != SCREENING:
        return None
    own = Labelling.objects.current().filter(task__round=task.round_id, annotator=annotator)
    rows = list(own.select_related("task").prefetch_related("completions"))
    gold_of = _newest_gold(task.round)
    agreements = [
        step_agreement(given=given_ratings(row), gold=gold_of[row.task.solution_id].ratings)
        for row in rows
        if row.task.solution_id in gold_of
    ]
    total = task.round.tasks.count()
    membership = Membership.objects.get(phase=task.round.phase, user=annotator)
    if len(rows) == total and agreements:
        membership.screened_at = now
        membership.screening_agreement = sum(agreements) / len(agreements)
        membership.save(update_fields=["screened_at", "screening_agreement"])
    gold = gold_of.get(task.solution_id)
    if gold is None:
        return None
    given = given_ratings(labelling)
    return Feedback(
        gold=gold.ratings,
        given=given,
        agreement=step_agreement(given=given, gold=gold.ratings),
        rationale=gold.rationale,
        done=len(rows),
        total=total,
        state=state(phase=task.round.phase, membership=membership, has_round=True),
    )


def _newest_gold(screening: Round) -> dict[object, Gold]:
    golds = Gold.objects.filter(solution__tasks__round=screening).order_by("version")
    return {gold.solution_id: gold for gold in golds}


def given_ratings(labelling: Labelling) -> list[int | None]:
    """The ratings of the solution's own steps, in order; None where the annotator was unsure."""
    own = [item for item in labelling.completions.all() if item.completion == 0]
    return [item.rating for item in sorted(own, key=lambda item: item.step)]
