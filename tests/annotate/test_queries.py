"""annotate.queries: its SQL finds the same rows as the querysets, and reads them unchanged."""

from datetime import timedelta
from itertools import product

import pytest

from annotate import allocation, progress, queries
from labeling.models import Assignment, AssignmentKind, Membership, PhaseRole, Report, ReportKind, Round, RoundStatus

HOUR = timedelta(hours=1)


def columns(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.mark.parametrize("role", PhaseRole.values)
def test_members_who_label_are_found(make, annotator, assignment, role):
    Membership.objects.filter(user=annotator).update(role=role)
    labels = Membership.objects.labelling().filter(user=annotator).exists()
    held = queries.HELD.first(seat=assignment.pk, annotator=annotator.pk)
    found = queries.MEMBERSHIP.first(phase=assignment.round.phase_id, annotator=annotator.pk)
    assert labels == (found is not None) == (held[-2] is not None)


@pytest.mark.parametrize("status", RoundStatus.values)
def test_open_rounds_are_found(make, annotator, now, status):
    phase = make.phase(annotator)
    for number in (-1, 0):
        Round.objects.create(phase=phase, number=number, status=status, opened_at=now)
    _, _, current, screening = queries.MEMBERSHIP.first(phase=phase.pk, annotator=annotator.pk)
    found = [each.number for each in (current, screening) if each]
    assert found == list(
        phase.rounds.filter(status=RoundStatus.OPEN).order_by("-number").values_list("number", flat=True)
    )


def test_claimable_seats_are_found_in_order(make, phase, now):
    round_ = Round.objects.create(phase=phase, number=0, opened_at=now)
    leases, submissions = [None, now - HOUR, now, now + HOUR], [None, now]
    for number, (kind, lease, submitted) in enumerate(product(AssignmentKind.values, leases, submissions)):
        Assignment.objects.create(
            task=make.task(phase, round_.number),
            round=round_,
            kind=kind,
            seat=0 if kind in {AssignmentKind.WORK, AssignmentKind.GOLD} else None,
            position=-number,
            annotator=make.user() if lease else None,
            lease_expires_at=lease,
            submitted_at=submitted,
        )
    claimable = list(Assignment.objects.claimable(now=now).order_by("position"))
    taken = [_taken(round_, make.user(), now) for _ in range(len(claimable) + 1)]
    assert len(claimable) == 6
    assert taken == [*claimable, None]


def _taken(round_, person, now):
    (seat,) = queries.SEAT_TAKEN.first(round=round_.pk, annotator=person.pk, place=0, now=now, end=now + HOUR) or (
        None,
    )
    return seat


@pytest.mark.parametrize("kind", ReportKind.values)
@pytest.mark.parametrize("resolution", ["", "Rate it."])
@pytest.mark.parametrize(("is_resolved", "is_read"), [(False, False), (True, False), (True, True)])
def test_answers_and_unread_ones_are_found(assignment, annotator, now, kind, resolution, is_resolved, is_read):
    own = {"task": assignment.task, "annotator": annotator, "kind": kind, "note": "Why?"}
    times = {"resolved_at": now if is_resolved else None, "read_at": now if is_read else None}
    Report.objects.create(**own, **times, resolution=resolution)
    (seat,) = allocation.with_content(assignment.pk)
    told = progress.own_progress(phase=assignment.round.phase, annotator=annotator, now=now)
    assert (seat.has_answer, told.answers) == (Report.objects.answered().exists(), Report.objects.unread().count())
    assert (seat.report is not None) == (kind == ReportKind.REFERENCE_ANSWER)


def test_rows_are_read_unchanged(assignment, annotator, labelling):
    content = {"first": assignment.pk, "second": assignment.pk, "third": assignment.pk}
    held = queries.HELD.first(seat=assignment.pk, annotator=annotator.pk)
    rows = [each for each in (*held, *queries.CONTENT.rows(**content)[0][:-1]) if each is not None]
    assert [columns(row) for row in rows] == [columns(type(row).objects.get(pk=row.pk)) for row in rows]
    assert len(rows) == 11
