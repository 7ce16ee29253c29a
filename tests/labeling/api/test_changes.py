"""/api/changes/: the audit log."""

from datetime import UTC, datetime

import pytest

from labeling import audit
from labeling.campaign import rounds
from labeling.models import Change
from labeling.rules.audited import AuditAct

ADDRESS = "/api/changes/"


def found(client, **asked):
    return [(row["act"], row["name"]) for row in client.get(ADDRESS, asked).json()["results"]]


def test_it_works(open_round, phase, admin, admin_client, now):
    Change.objects.all().delete()
    rounds.close(round_id=open_round.pk, now=now, by=admin)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row == {
        "id": row["id"],
        "at": row["at"],
        "by": "alma",
        "act": "close",
        "kind": "round",
        "subject": str(open_round.pk),
        "name": "Arithmetic, round 0",
        "before": {},
        "after": {},
        "case": None,
    }


@pytest.fixture
def log(phase, open_round, admin):
    Change.objects.all().delete()
    audit.record(by=admin, act=AuditAct.CHANGE, on=phase, before={"overlap": 1}, after={"overlap": 2})
    audit.record(by=None, act=AuditAct.CLOSE, on=open_round)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("asked", "acts"),
    [
        ({"by": "alma"}, ["change"]),
        ({"act": "close"}, ["close"]),
        ({"kind": "phase"}, ["change"]),
        ({"name": "round 0"}, ["close"]),
        ({"from": "2000-01-01", "to": "2100-01-01"}, ["close", "change"]),
        ({"to": "2000-01-01"}, []),
    ],
)
def test_it_is_searched(log, admin_client, asked, acts):
    assert [act for act, _ in found(admin_client, **asked)] == acts


def test_days_are_in_the_readers_time_zone(log, admin_client):
    """23:30 UTC is the next day in Berlin, one hour ahead."""
    Change.objects.update(at=datetime(2026, 3, 2, 23, 30, tzinfo=UTC))
    for zone, day in (("Europe/Berlin", "2026-03-03"), ("UTC", "2026-03-02"), ("America/New_York", "2026-03-02")):
        assert len(found(admin_client, **{"from": day, "to": day, "tz": zone})) == 2
    assert found(admin_client, **{"to": "2026-03-02", "tz": "Europe/Berlin"}) == []


def test_it_is_filtered_by_subject(log, phase, admin_client):
    assert found(admin_client, subject=str(phase.pk)) == [("change", "Arithmetic")]


@pytest.mark.parametrize(
    "asked",
    [
        {"from": "soon"},
        {"by": "\0"},
        {"tz": "Berlin"},
        {"from": "2026-03-03", "to": "2026-03-02"},
        {"act": "closed"},
        {"kind": "lease"},
    ],
)
def test_a_bad_filter_is_refused(admin_client, refused, asked):
    refused(admin_client.get(ADDRESS, asked), 400, "invalid")


def test_a_refused_change_leaves_no_line(open_round, phase, make, admin_client):
    Change.objects.all().delete()
    admin_client.patch(f"/api/phases/{phase.pk}/settings/", {"status": "draft"})
    assert not Change.objects.exists()


def test_queries_do_not_grow(log, phase, admin, admin_client, django_assert_num_queries):
    for _ in range(3):
        audit.record(by=admin, act=AuditAct.CHANGE, on=phase)
    with django_assert_num_queries(4):  # session, user, count, page
        assert len(found(admin_client)) == 5
