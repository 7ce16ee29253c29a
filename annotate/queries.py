"""The few SQL statements of every claim and submission."""

from annotate.models import Draft
from labeling.campaign.screening import SCREENING
from labeling.models import (
    Assignment,
    AssignmentKind,
    Membership,
    Phase,
    PhaseRole,
    Problem,
    Report,
    ReportKind,
    Round,
    RoundStatus,
    Solution,
    Task,
)
from labeling.statements import Statement

ITS_TASK = """
    JOIN labeling_task task ON task.id = seat.task_id
    JOIN labeling_solution solution ON solution.id = task.solution_id
    JOIN labeling_problem problem ON problem.id = solution.problem_id
"""
OPEN_SCREENING = f"""
    LEFT JOIN labeling_round screening ON screening.phase_id = phase.id
        AND screening.status = '{RoundStatus.OPEN}' AND screening.number = {SCREENING}
"""

# The membership of a person who labels, with its phase, its open round and its open screening, if they exist.
MEMBERSHIP = Statement(
    f"""
    SELECT member.*, phase.*, current_round.*, screening.*
    FROM labeling_membership member
    JOIN labeling_phase phase ON phase.id = member.phase_id
    LEFT JOIN labeling_round current_round ON current_round.phase_id = phase.id
        AND current_round.status = '{RoundStatus.OPEN}' AND current_round.number >= 0
    {OPEN_SCREENING}
    WHERE member.phase_id = %(phase)s AND member.user_id = %(annotator)s AND member.role <> '{PhaseRole.ML_STAFF}'
    """,
    member=Membership,
    phase=Phase,
    current_round=Round,
    screening=Round,
)

# The oldest first, in an order that no renewal changes, or two tabs could deadlock.
OWN_SEATS = Statement(
    """
    SELECT seat.* FROM labeling_assignment seat
    WHERE seat.round_id = %(round)s AND seat.annotator_id = %(annotator)s AND seat.submitted_at IS NULL
    ORDER BY seat.leased_at, seat.position, seat.id
    FOR UPDATE
    """,
    seat=Assignment,
)

# Finds, locks and takes the first free seat of a task that the annotator has no part in. Gold's seats are taken like
# any other, in the same time. It skips seats being claimed by others; locks on tasks would make people wait.
SEAT_TAKEN = Statement(
    f"""
    UPDATE labeling_assignment
    SET annotator_id = %(annotator)s, place = %(place)s, leased_at = %(now)s, lease_expires_at = %(end)s
    WHERE id = (
        SELECT free.id FROM labeling_assignment free
        WHERE free.round_id = %(round)s
            AND free.submitted_at IS NULL
            AND (free.lease_expires_at IS NULL OR free.lease_expires_at < %(now)s)
            AND free.kind <> '{AssignmentKind.SCREENING}'
            AND NOT EXISTS (
                SELECT 1 FROM labeling_assignment own
                WHERE own.task_id = free.task_id AND own.annotator_id = %(annotator)s
            )
        ORDER BY free.position LIMIT 1
        FOR UPDATE SKIP LOCKED
    )
    RETURNING labeling_assignment.*
    """,
    labeling_assignment=Assignment,
)

SEAT_KEPT = Statement(
    "UPDATE labeling_assignment SET place = %(place)s, lease_expires_at = %(end)s WHERE id = %(seat)s"
)

# Marks the seat as submitted, which ends the lease.
LEASE_ENDED = Statement(
    "UPDATE labeling_assignment SET submitted_at = %(now)s, lease_expires_at = NULL WHERE id = %(seat)s"
)

DRAFT_DELETED = Statement("DELETE FROM annotate_draft WHERE task_id = %(task)s AND annotator_id = %(annotator)s")

# One seat to three, with the annotator's work so far: the draft, their report on the reference answer, and whether a
# question of theirs has an answer.
CONTENT = Statement(
    f"""
    SELECT seat.*, task.*, solution.*, problem.*, draft.*, report.*, EXISTS (
        SELECT 1 FROM labeling_report question
        WHERE question.task_id = seat.task_id AND question.annotator_id = seat.annotator_id
            AND question.kind = '{ReportKind.QUESTION}'
            AND question.resolved_at IS NOT NULL AND question.resolution <> ''
    )
    FROM labeling_assignment seat
    {ITS_TASK}
    LEFT JOIN annotate_draft draft ON draft.task_id = seat.task_id AND draft.annotator_id = seat.annotator_id
    LEFT JOIN labeling_report report ON report.task_id = seat.task_id AND report.annotator_id = seat.annotator_id
        AND report.kind = '{ReportKind.REFERENCE_ANSWER}'
    WHERE seat.id IN (%(first)s, %(second)s, %(third)s)
    """,
    seat=Assignment,
    task=Task,
    solution=Solution,
    problem=Problem,
    draft=Draft,
    report=Report,
)

# The annotator's seat with everything about it, their membership, and the open screening.
_OWN_SEAT = f"""
    SELECT seat.*, task.*, solution.*, problem.*, round.*, phase.*, member.*, screening.*
    FROM labeling_assignment seat
    {ITS_TASK}
    JOIN labeling_round round ON round.id = seat.round_id
    JOIN labeling_phase phase ON phase.id = round.phase_id
    LEFT JOIN labeling_membership member ON member.phase_id = phase.id AND member.user_id = %(annotator)s
        AND member.role <> '{PhaseRole.ML_STAFF}'
    {OPEN_SCREENING}
    WHERE seat.id = %(seat)s AND seat.annotator_id = %(annotator)s
"""
_ITS_PARTS = {
    "seat": Assignment,
    "task": Task,
    "solution": Solution,
    "problem": Problem,
    "round": Round,
    "phase": Phase,
    "member": Membership,
    "screening": Round,
}
OWN = Statement(_OWN_SEAT, **_ITS_PARTS)
# Only the seat is locked: locks on the round and the phase would make annotators wait for one another.
HELD = Statement(f"{_OWN_SEAT} FOR UPDATE OF seat", **_ITS_PARTS)
