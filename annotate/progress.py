"""An annotator's own progress: how much, how fast, how well; nothing that tells a gold task from a real one."""

from dataclasses import dataclass
from datetime import date, datetime
from statistics import mean, median

from annotate.workplaces import Workplace
from labeling.campaign import screening
from labeling.counts import tallies
from labeling.models import Labelling, Membership, Phase, PhaseKind, ReportKind, Round, RoundStatus, Tally, User
from labeling.statements import Statement

RECENT = 50
FEWEST_GOLD = 10
STEPS = 20
KEPT_FOR = 10  # submissions

# The annotator's tallies in the phase, if any; each with everybody's total in the round, and the number of answers to
# the annotator's questions that they have not read yet.
TALLIES = Statement(
    f"""
    SELECT tally.*, (
        SELECT SUM(everybodys.done + everybodys.on_gold) FROM labeling_tally everybodys
        WHERE everybodys.round_id = %(round)s
    ), (
        SELECT COUNT(*) FROM labeling_report question
        JOIN labeling_task task ON task.id = question.task_id
        JOIN labeling_round round ON round.id = task.round_id
        WHERE question.annotator_id = %(annotator)s AND round.phase_id = %(phase)s
            AND question.kind = '{ReportKind.QUESTION}'
            AND question.resolved_at IS NOT NULL AND question.resolution <> '' AND question.read_at IS NULL
    )
    FROM (SELECT 1) one_row_at_least
    LEFT JOIN labeling_tally tally ON tally.annotator_id = %(annotator)s
        AND tally.round_id IN (SELECT id FROM labeling_round WHERE phase_id = %(phase)s)
    """,
    tally=Tally,
)

OWN_LABELLINGS = """
    FROM labeling_labelling labelling
    JOIN labeling_task task ON task.id = labelling.task_id
    JOIN labeling_round round ON round.id = task.round_id
    WHERE labelling.annotator_id = %(annotator)s AND round.phase_id = %(phase)s
"""
# The active times of the annotator's last labellings.
TIMES = Statement(
    f"""
    SELECT labelling.active_ms {OWN_LABELLINGS}
        AND labelling.superseded_at IS NULL AND labelling.active_ms IS NOT NULL
    ORDER BY labelling.submitted_at DESC LIMIT {RECENT}
    """
)
# A row if the annotator has labelled anything before a time.
EARLIER = Statement(f"SELECT 1 {OWN_LABELLINGS} AND labelling.submitted_at < %(before)s LIMIT 1")


@dataclass(frozen=True)
class OwnProgress:
    """`quality` is the agreement with gold up to yesterday, in steps of 5 %, from 10 gold tasks on. `answers`: to
    questions, not read yet.

    What is done and needed includes everybody's work on gold: a number that does not rise would give gold away.
    """

    today: int
    this_round: int
    total: int
    round_number: int | None
    round_done: int
    round_wanted: int
    median_ms: int | None
    quality: float | None
    answers: int


def own_progress(*, phase: Phase, annotator: User, now: datetime) -> OwnProgress:
    current = phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).first()
    member = Membership.objects.filter(phase=phase, user=annotator).first()
    return in_round(current, phase=phase, annotator=annotator, now=now, member=member)


def of(workplace: Workplace | None, *, phase: Phase, annotator: User, now: datetime) -> OwnProgress:
    """The annotator's progress after a submission; numbers that are slow to compute may be a few submissions old."""
    if workplace is None:
        return own_progress(phase=phase, annotator=annotator, now=now)
    return in_round(workplace.current, phase=phase, annotator=annotator, now=now, member=workplace.membership)


def in_round(
    current: Round | None, *, phase: Phase, annotator: User, now: datetime, member: Membership | None = None
) -> OwnProgress:
    """The annotator's progress, from the round's counters; rows are not counted. A `member`'s slow numbers are
    cached.
    """
    today, here = tallies.day_of(now), current or Round()
    found = TALLIES.rows(phase=phase.pk, round=here.pk, annotator=annotator.pk)
    own = [tally for tally, *_ in found if tally is not None]
    _, everybodys, answers = found[0]
    total = sum(tally.done + tally.on_gold for tally in own)
    median_ms, quality = _median_and_quality(phase, annotator, today, total, member)
    return OwnProgress(
        today=sum(tally.on_day for tally in own if tally.day == today),
        this_round=sum(tally.done + tally.on_gold for tally in own if tally.round_id == here.pk),
        total=total,
        round_number=here.number,
        round_done=everybodys or 0,
        round_wanted=here.seat_count + here.gold_seats,
        median_ms=median_ms,
        quality=quality,
        answers=answers,
    )


def _median_and_quality(
    phase: Phase, annotator: User, today: date, total: int, member: Membership | None
) -> tuple[int | None, float | None]:
    """Returns the median time and the quality. A member's are cached: for some submissions, and for the day."""
    kept = (member.figures if member else None) or {}
    is_todays = kept.get("day") == today.isoformat()
    # Early in a phase nothing is cached: each labelling moves the median, and few rows are read. A total that fell,
    # after a failed screening, makes the cached numbers useless.
    if is_todays and total >= KEPT_FOR and 0 <= total - kept["total"] < KEPT_FOR:
        return kept["median_ms"], kept["quality"]
    quality = kept["quality"] if is_todays else _quality(phase, annotator, tallies.midnight(today))
    median_ms = _median_ms(phase, annotator)
    if member:
        found = {"day": today.isoformat(), "total": total, "median_ms": median_ms, "quality": quality}
        if found != kept:
            Membership.objects.filter(pk=member.pk).update(figures=found)
    return median_ms, quality


def _median_ms(phase: Phase, annotator: User) -> int | None:
    recent = [ms for (ms,) in TIMES.rows(phase=phase.pk, annotator=annotator.pk)]
    return int(median(recent)) if recent else None


def _quality(phase: Phase, annotator: User, midnight: datetime) -> float | None:
    """Returns the mean agreement with gold up to midnight; None for trajectories, which have no gold. Updated with each
    submission, it would tell which one was gold.

    It changes once in ten gold tasks: if it changed with each one, whoever labels one task wrongly on purpose would
    learn from the next day's figure whether it was gold.
    """
    if phase.kind != PhaseKind.SOLUTIONS or not EARLIER.first(phase=phase.pk, annotator=annotator.pk, before=midnight):
        return None
    before = Labelling.objects.filter(annotator=annotator, task__round__phase=phase, submitted_at__lt=midnight)
    rows = before.judged().order_by("-submitted_at", "pk").select_related("task").prefetch_related("completions")
    too_new = rows.count() % FEWEST_GOLD
    judged = list(rows[too_new : too_new + RECENT])
    return round(mean(screening.agreements(judged).values()) * STEPS) / STEPS if judged else None
