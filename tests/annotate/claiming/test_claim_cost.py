"""A claim reads no more rows of a long queue than of a short one."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate import allocation
from labeling.models import Assignment, Task

OPEN = 20_000
INDEX = "open_seats_in_serving_order"
NEW_ID = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}


@pytest.fixture
def long_round(make, phase):
    """A round with 20,000 open seats, filled by SQL."""
    round_ = make.round(phase, 1)
    seat = round_.assignments.get()
    new_id, task = NEW_ID[connection.vendor], Task._meta.db_table
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OPEN})"
    columns = "round_id, solution_id, overlap, is_gold"
    with connection.cursor() as cursor:
        cursor.execute(
            f"{numbers} INSERT INTO {task} (id, {columns}) SELECT {new_id}, {columns} FROM {task}, n WHERE id = %s",
            [seat.task_id.hex if connection.vendor == "sqlite" else seat.task_id],
        )
        cursor.execute(
            f"INSERT INTO {Assignment._meta.db_table} (id, task_id, round_id, kind, seat, position, place)"
            f" SELECT {new_id}, id, round_id, 'work', 1, 1, 0 FROM {task}"
        )
        cursor.execute("ANALYZE")
    return round_


@pytest.fixture
def claim_queries(phase, annotator, now):
    """Returns the SQL that finds the annotator's own seats, and a free one."""
    with CaptureQueriesContext(
        connection,
    ) as sent:
        allocation.claim_next(phase=phase, annotator=annotator, now=now)
    own, free = [row["sql"] for row in sent if "ORDER BY" in row["sql"] and "lease" in row["sql"]]
    return own, free


def nodes(plan):
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


def sqlite_steps(query):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        return [row[-1] for row in cursor.fetchall()]


def test_claim_queries_use_the_queues_index(long_round, request):
    own, free = request.getfixturevalue("claim_queries")
    assert long_round.assignments.count() > OPEN
    if connection.vendor == "sqlite":
        assert any("one_assignment_per_annotator_and_place" in step for step in sqlite_steps(own))
        steps = sqlite_steps(free)
        assert any(INDEX in step for step in steps)
        assert not any("TEMP B-TREE" in step or step.startswith("SCAN") for step in steps)
        return
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {free}")
        plan = cursor.fetchone()[0]
    found = list(nodes((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]))
    assert INDEX in {node.get("Index Name") for node in found}
    assert {node["Node Type"] for node in found}.isdisjoint({"Sort", "Hash", "Seq Scan"})
