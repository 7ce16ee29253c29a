"""The findings of a run of faults: a row of each kind, and what must hold."""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks.targets import Target

Record = dict[str, Any]
# Each acknowledged labelling is there once, with as many ratings as were sent.
ACKNOWLEDGED = """
select count(*) filter (where rated.labelling_id is null), count(*) filter (where rated.ratings <> sent.ratings)
  from sent left join (select labelling_id, count(*) ratings from labeling_ratedcompletion group by 1) rated
    on rated.labelling_id = sent.labelling
"""
COUNTED = """
select count(*) filter (where labelled < overlap), count(*) filter (where labelled > overlap), count(*)
  from (select overlap, (select count(distinct labeling_labelling.annotator_id) from labeling_labelling
    join labeling_assignment on labeling_assignment.id = assignment_id
    where labeling_labelling.task_id = labeling_task.id and superseded_at is null) labelled from labeling_task) tasks
"""
DOUBLE = "select count(*) - count(distinct assignment_id) from labeling_labelling where superseded_at is null"
RUNS = "select status, count(*) from labeling_run group by 1"
ERRORS = "select kind, error from labeling_run where status = 'failed'"


def counted(database: str, acknowledged: Sequence[tuple[str, int]]) -> Record:
    """Returns what the database holds, compared with what was acknowledged."""
    with psycopg.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("create temporary table sent (labelling uuid primary key, ratings int)")
        with cursor.copy("copy sent from stdin") as copy:
            for pair in sorted(set(acknowledged)):
                copy.write_row(pair)
        missing, other = cursor.execute(ACKNOWLEDGED).fetchone() or (None, None)
        under, over, tasks = cursor.execute(COUNTED).fetchone() or (None, None, None)
        (double,) = cursor.execute(DOUBLE).fetchone() or (None,)
        runs: dict[str, int] = dict(cursor.execute(RUNS).fetchall())
        errors = [f"{kind}: {error}" for kind, error in cursor.execute(ERRORS).fetchall()]
    return {
        "acknowledged": len(acknowledged),
        "acknowledged_twice": len(acknowledged) - len({labelling for labelling, _ in acknowledged}),
        "missing": missing,
        "with_other_ratings": other,
        "tasks": tasks,
        "under_overlap": under,
        "over_overlap": over,
        "twice": double,
        "runs": runs,
        "run_errors": errors,
    }


def targets(result: Record) -> list[Target]:
    held, faults = result["held"], result["faults"]
    open_runs = sum(number for status, number in held["runs"].items() if status in {"queued", "running"})
    return [
        Target("acknowledged labellings", held["acknowledged"], least=len(faults)),
        Target("acknowledged labellings that are missing", held["missing"], most=0),
        Target("acknowledged labellings with other ratings", held["with_other_ratings"], most=0),
        Target("labellings stored twice", held["twice"], most=0),
        Target("tasks over their overlap", held["over_overlap"], most=0),
        Target("tasks under their overlap", held["under_overlap"], most=0),
        Target("runs without an end", open_runs, most=0),
        Target("failed runs", held["runs"].get("failed", 0), most=0),
        Target("finished work that was refused, or given up", len(result["refused"]), most=0),
        Target("faults that needed a hand", sum(each["recovered"] is None for each in faults), most=0),
    ]


def show(result: Record, console: Console) -> None:
    table = Table("fault", "on", "times", "people are answered after, s", "longest", title="Faults under load")
    for (kind, on), rows in _by_kind(result["faults"]):
        seconds = [row["recovered"] for row in rows if row["recovered"] is not None]
        shown = [f"{median(seconds):.1f}", f"{max(seconds):.1f}"] if len(seconds) == len(rows) else ["[red]never[/red]"]
        table.add_row(kind, on, str(len(rows)), *shown)
    console.print(table)
    for what in ("left_out", "refused"):
        for line in result[what]:
            console.print(f"{what.replace('_', ' ')}: {line}", markup=False)
    for line in result["held"]["run_errors"]:
        console.print(f"failed run: {line}", markup=False)


def _by_kind(faults: Iterable[Record]) -> list[tuple[tuple[str, str], list[Record]]]:
    found: dict[tuple[str, str], list[Record]] = {}
    for fault in faults:
        found.setdefault((fault["kind"], fault["on"]), []).append(fault)
    return sorted(found.items())
