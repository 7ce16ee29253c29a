"""`make bench-load`: many annotators at once on a round of many open tasks, beside Label Studio.

Starts a PostgreSQL (with fsync) and a Redis of its own and the product as it is deployed, with two web processes;
fills it through the product's own import, selection and publication; runs 1, 8, 32 and 128 annotators, who send the
page's requests as fast as they are answered; times the staff's pages; and checks that everything acknowledged is in the
database, once. Then measures Label Studio in the same way, if it can be installed.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from time import monotonic

import psycopg
from rich.console import Console

from benchmarks import label_studio, loop
from benchmarks.label_studio import LabelStudioError
from benchmarks.load import annotators, on_label_studio
from benchmarks.load.annotators import Person, Played, Player
from benchmarks.load.report import COMPARED, CROWD, SMALL_ROUND, Record, percentiles, show, submission, targets
from benchmarks.load.usage import Usage
from benchmarks.targets import tell
from tests.running import product, servers
from tests.running.product import Client, Product

ROOT = Path(__file__).resolve().parents[2]
RESULT = Path(__file__).parents[1] / "results" / "load.json"
PEOPLE = (1, 8, COMPARED, CROWD)
STEPS = 8
STAFF_TIMES = 20
WEB_PROCESSES = 2
LABEL_STUDIO_TASKS = 20_000
STAFF_PAGES = [
    "phases/",
    "phases/{phase}/settings/",
    "phases/{phase}/dashboard/",
    "phases/{phase}/members/",
    "phases/{phase}/loop/",
    "rounds/?phase={phase}",
    "rounds/{round}/",
    "rounds/{round}/tasks/",
    "rounds/{round}/agreement/",
    "labellings/?phase={phase}",
    "adjudication/",
    "pool/",
    "pool/solutions/",
    "solutions/",
    "runs/",
    "changes/",
    "people/",
]
# Each labelling that was acknowledged is there once, with as many ratings as were sent; no task is over its overlap.
CHECK = """
select count(*) filter (where rated.labelling_id is null), count(*) filter (where rated.ratings <> sent.ratings)
  from sent left join (select labelling_id, count(*) ratings from labeling_ratedcompletion group by 1) rated
    on rated.labelling_id = sent.labelling
"""
OVER = """
select count(*) from (select task_id from labeling_labelling where superseded_at is null group by task_id
  having count(*) > (select overlap from labeling_task where id = task_id)) over
"""
console = Console(highlight=False)


def main() -> None:
    options = parse()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="stepmark-bench-") as name:
        folder = Path(name)
        with servers.postgres(servers.SAFE) as database, servers.redis(folder) as redis:
            result: Record = {
                "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
                "seconds_each": options.seconds,
                "drafts_a_task": options.drafts,
                "stepmark": [
                    ours(folder / str(tasks), database.url, redis.url, tasks, options) for tasks in sizes(options)
                ],
                "label_studio": theirs(folder, database.url, options),
            }
    options.result.write_text(json.dumps(result, indent=2) + "\n")
    show(result, console)
    sys.exit(tell(targets(result)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-load", description=__doc__)
    parser.add_argument("--tasks", type=int, default=20_000, help="open ones; with more, 10,000 are measured first")
    parser.add_argument("--seconds", type=float, default=15, help="for each number of annotators")
    parser.add_argument("--drafts", type=int, default=1, help="sent of each task: one for each 15 seconds of work")
    parser.add_argument("--people", type=int, nargs="+", default=PEOPLE)
    parser.add_argument("--label-studio", type=Path, default=ROOT / "var" / "label-studio", help="its environment")
    parser.add_argument("--alone", action="store_true", help="without Label Studio")
    parser.add_argument("--result", type=Path, default=RESULT)
    return parser.parse_args()


def sizes(options: argparse.Namespace) -> list[int]:
    return [SMALL_ROUND, options.tasks] if options.tasks > 2 * SMALL_ROUND else [options.tasks]


def solutions() -> Iterator[Record]:
    """Yields distinct solutions without end, of eight steps each; every third is wrong."""
    for number in count(1):
        total = sum(number + place for place in range(STEPS))
        sums = [
            f"Day {day + 1}: ${number} + {day} = {number + day}$ apples are picked, so the baskets now hold "
            f"{sum(number + place for place in range(day + 1))} of them in all."
            for day in range(STEPS - 1)
        ]
        yield {
            "problem": f"A farm picks ${number}$ apples on the first day and one more on each day after it. "
            f"How many apples does it pick within {STEPS} days?",
            "reference_answer": str(total),
            "generator": "arithmetic",
            "steps": [*sums, f"The last day brings {number + STEPS - 1}. The answer is {total + (number % 3 == 0)}."],
        }


def ours(folder: Path, postgres: str, redis: str, tasks: int, options: argparse.Namespace) -> Record:
    """Measures the product under each number of annotators, on one round."""
    environment = {"DATABASE_URL": postgres, "REDIS_URL": redis, "WEB_CONCURRENCY": str(WEB_PROCESSES)}
    with product.running(folder, environment | {"LOG_LEVEL": "WARNING"}) as running:
        console.print(f"Stepmark, {tasks:,} open tasks")
        team, phase = filled(running, tasks, max(options.people))
        people = [
            Person(running.address, phase, name(at), loop.PASSWORD, drafts=options.drafts)
            for at in range(max(options.people))
        ]
        database = running.environment["DATABASE_URL"]
        played = list(under_load(running.web_pid, database, [(each.page, each.works) for each in people], options))
        return {
            "tasks": tasks,
            "runs": [measured for _, measured in played],
            "staff": staff(team.admin, phase),
            "lost": lost(database, [pair for each, _ in played for pair in each.log.acknowledged]),
        }


def filled(running: Product, tasks: int, people: int) -> tuple[loop.Team, str]:
    """Fills the product. Returns the staff, and the phase whose round is open."""
    path = running.folder / "solutions.jsonl"
    with path.open("w") as file:
        file.writelines(json.dumps(record) + "\n" for record in islice(solutions(), tasks))
    running.manage("import", str(path), "--source", "farm")
    team = loop.gather(running, lambda assignment: [])
    names = [name(at) for at in range(people)]
    for each in names:
        team.admin.call("POST", "people/", {"username": each, "password": loop.PASSWORD, "role": "annotator"})
    phase: Record = team.admin.call(
        "POST", "phases/", {"name": "Load", "kind": "solutions", "sources": ["farm"], "shared_rate": 0}
    )
    team.admin.call("POST", f"phases/{phase['id']}/members/", {"usernames": [*names, loop.ML_STAFF]})
    wanted = {"phase": phase["id"], "size": tasks, "policy": "uniform", "reward_model": None}
    loop.publish(team, loop.finish(team, "selections", wanted))
    return team, str(phase["id"])


def name(number: int) -> str:
    return f"annotator-{number}"


def under_load(
    web: int, database: str, team: Sequence[Player], options: argparse.Namespace
) -> Iterator[tuple[Played, Record]]:
    """Yields, for each number of annotators, their work and waiting times, and the processor time it took."""
    for people in options.people:
        usage = [Usage("web", web), Usage("PostgreSQL", postmaster(database))]
        played = annotators.play(team[:people], seconds=options.seconds)
        spent = {each.name: each.cpu_seconds() for each in usage}
        measured = {
            "people": people,
            "tasks_a_second": round(played.tasks / played.seconds, 1),
            "cpu_ms_a_task": {key: round(1000 * value / max(1, played.tasks), 1) for key, value in spent.items()},
            "waited_ms": {request: percentiles(seconds) for request, seconds in sorted(played.log.seconds.items())},
            "memory_mb": {each.name: round(each.memory_mb()) for each in usage},
            "errors": played.log.errors,
        }
        p95 = submission(measured)["p95"]
        console.print(f"  {people} annotators: {measured['tasks_a_second']} tasks a second, p95 {p95} ms")
        yield played, measured


def postmaster(database: str) -> int:
    with psycopg.connect(database) as connection:
        row = connection.execute("select pg_read_file('postmaster.pid')").fetchone()
    assert row is not None
    return int(row[0].split()[0])


def staff(admin: Client, phase: str) -> Record:
    """Returns the seconds that an admin waits for each page's requests."""
    round_ = next(admin.every(f"rounds/?phase={phase}"))["id"]
    found = {}
    for path in STAFF_PAGES:
        seconds = []
        for _ in range(STAFF_TIMES):
            started_at = monotonic()
            admin.call("GET", path.format(phase=phase, round=round_))
            seconds.append(monotonic() - started_at)
        found[path] = percentiles(seconds)
    return found


def lost(database: str, acknowledged: list[tuple[str, int]]) -> Record:
    """Counts acknowledged labellings that are missing or have other ratings, and tasks labelled too often."""
    with psycopg.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("create temporary table sent (labelling uuid primary key, ratings int)")
        with cursor.copy("copy sent from stdin") as copy:
            for pair in acknowledged:
                copy.write_row(pair)
        missing, other = cursor.execute(CHECK).fetchone() or (None, None)
        over = (cursor.execute(OVER).fetchone() or (None,))[0]
    return {"acknowledged": len(acknowledged), "missing": missing, "with other ratings": other, "over overlap": over}


def theirs(folder: Path, postgres: str, options: argparse.Namespace) -> Record | str:
    """Measures Label Studio. Returns its figures, or why there are none."""
    if options.alone:
        return "not asked for"
    tasks = min(options.tasks, LABEL_STUDIO_TASKS)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("create database label_studio")
    url = f"{postgres.removesuffix('/postgres')}/label_studio"
    most = max(options.people)
    console.print(f"{label_studio.RELEASE}, {tasks:,} open tasks")
    try:
        place = folder / "label-studio"
        with on_label_studio.served(options.label_studio, place, url, people=most, processes=WEB_PROCESSES) as served:
            on_label_studio.fill(served, [label_studio.task(each) for each in islice(solutions(), tasks)])
            team = [on_label_studio.Annotator(served, at) for at in range(most)]
            workers = [(each.page, each.works) for each in team]
            return {"tasks": tasks, "runs": [run for _, run in under_load(served.pid, url, workers, options)]}
    except LabelStudioError as error:
        return f"{label_studio.RELEASE}: {error}"


if __name__ == "__main__":
    main()
