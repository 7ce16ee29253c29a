"""`make bench-io`: import solutions and labellings and export labels, compared with Label Studio.

75,000 solutions of 8 steps, on SQLite and on PostgreSQL, by the commands of the shell, whose start counts; a tenth of
them first, to see whether memory grows. The texts are those of GSM8K's model solutions (`gsm8k/` in STEPMARK_DATA, else
../shared/data), a number in each problem and answer making them differ; all answers are graded. Label Studio gets the
first of them, through its HTTP API, the start of its server not counted. Both use the same PostgreSQL.
"""

import argparse
import gzip
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import count, cycle, islice, product
from pathlib import Path
from time import monotonic
from typing import Any

import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks import label_studio
from benchmarks.label_studio import LabelStudioError
from benchmarks.targets import Target, tell
from tests.running import servers

ROOT = Path(__file__).resolve().parent.parent
RESULT = Path(__file__).parent / "results" / "io.json"
DATA = Path(os.environ.get("STEPMARK_DATA", ROOT / ".." / "shared" / "data"))
STEPS = 8
TARGETS = {"solutions": 1, "labellings": 5, "export": 10}  # times as fast as Label Studio, per task
PEAK_MB = 400
LABELERS = 50
Record = dict[str, Any]


def main() -> None:
    options = parse()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="stepmark-bench-") as name:
        folder = Path(name)
        with servers.postgres() as database:
            result: Record = {
                "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
                "steps": options.solutions * STEPS,
                "stepmark": ours(folder, database.url, options.solutions),
                "label_studio": theirs(folder, database.url, options),
            }
    result["ratios"] = ratios(result)
    options.result.write_text(json.dumps(result, indent=2) + "\n")
    show(result)
    sys.exit(tell(targets(result)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solutions", type=int, default=75_000)
    parser.add_argument("--tasks", type=int, default=10_000, help="for Label Studio")
    parser.add_argument("--label-studio", type=Path, default=ROOT / "var" / "label-studio", help="its environment")
    parser.add_argument("--result", type=Path, default=RESULT)
    return parser.parse_args()


def solutions(first: int = 1) -> Iterator[Record]:
    """Yields distinct solutions without end: eight real steps each, the last being a model's answer."""
    with gzip.open(DATA / "gsm8k" / "example_model_solutions.jsonl.gz", "rt") as lines:
        records = [json.loads(line) for line in lines]
    texts = [(record, name, part["solution"].split("\n")) for record in records for name, part in generated(record)]
    steps = cycle(step for _, _, solution in texts for step in solution[:-1] if step.strip())
    for tile in count(first):
        for record, name, solution in texts:
            yield {
                "problem": f"{record['question']} Add {tile}.",
                "reference_answer": shifted(record["ground_truth"].split("\n")[-1], tile),
                "generator": name,
                "steps": [*islice(steps, STEPS - 1), f"A: {shifted(solution[-1], tile)}"],
            }


def generated(record: Record) -> list[tuple[str, Record]]:
    return [(name, part) for name, part in record.items() if isinstance(part, dict)]


def shifted(line: str, tile: int) -> str:
    answer = line.removeprefix("A: ")
    return str(int(answer) + tile) if answer.isdecimal() else answer


def ratings(record: Record) -> list[int]:
    """Rates the steps: Bad for the last one of a wrong answer, Okay for every fourth, else Great."""
    is_right = record["steps"][-1] == f"A: {record['reference_answer']}"
    return [int(step % 4 != 3) for step in range(STEPS - 1)] + [1 if is_right else -1]


def labelled(number: int, record: Record) -> Record:
    """Returns the labelling as a record of PRM800K's phase 2."""
    rated = zip(record["steps"], ratings(record), strict=True)
    return {
        "labeler": f"labeler {number % LABELERS}",
        "timestamp": f"2022-08-{1 + number % 28:02}T12:00:00.{number % 1_000_000:06}",
        "generation": number % 10,
        "is_quality_control_question": False,
        "is_initial_screening_question": False,
        "question": {
            "problem": record["problem"],
            "ground_truth_answer": record["reference_answer"],
            "pre_generated_steps": record["steps"],
            "pre_generated_answer": record["steps"][-1].removeprefix("A: "),
        },
        "label": {
            "steps": [
                {
                    "completions": [{"text": text, "rating": rating, "flagged": False}],
                    "human_completion": None,
                    "chosen_completion": 0 if rating != -1 else None,
                }
                for text, rating in rated
            ],
            "total_time": 60_000 + number,
            "finish_reason": "found_error" if ratings(record)[-1] == -1 else "solution",
        },
    }


def written(path: Path, records: Iterable[Record]) -> Path:
    with path.open("w") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return path


def ours(folder: Path, postgres: str, most: int) -> list[Record]:
    """Measures the product: one run for each database and size."""
    found = []
    for tasks in (most // 10, most):
        pool = written(folder / "solutions.jsonl", islice(solutions(), tasks))
        labels = written(folder / "labels.jsonl", map(labelled, range(tasks), solutions(first=1000)))
        for database in ("SQLite", "PostgreSQL"):
            name = f"stepmark_{tasks}"
            place = folder / f"{database}-{tasks}"
            url = new_database(postgres, name) if database == "PostgreSQL" else f"sqlite:///{place}.sqlite3"
            Console().print(f"{database}, {tasks:,} solutions")
            acts = through_the_shell(place, url, pool, labels)
            found.append({"database": database, "tasks": tasks, **acts})
    return found


def new_database(server: str, name: str) -> str:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{server.removesuffix('/postgres')}/{name}"


def through_the_shell(place: Path, url: str, pool: Path, labels: Path) -> Record:
    """Imports the pool and the labels (of other solutions), then exports. Returns each command's cost."""
    environment = os.environ | {"DATABASE_URL": url, "STEPMARK_DATA_DIR": str(place)}
    manage(environment, "migrate", "--verbosity", "0")
    output = place / "labels.jsonl"
    found = {
        "solutions": manage(environment, "import", str(pool)),
        "labellings": manage(environment, "import", str(labels)),
        "export": manage(environment, "export", "--format", "prm800k", "--output", str(output)),
    }
    with labels.open("rb") as given, output.open("rb") as taken:
        assert sum(1 for _ in given) == sum(1 for _ in taken)
    return found


def manage(environment: dict[str, str], *arguments: str) -> Record:
    """Runs a management command. Returns its seconds and peak memory."""
    started = monotonic()
    command = [sys.executable, "manage.py", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    seconds = monotonic() - started
    cpu = usage.ru_utime + usage.ru_stime
    return {"seconds": round(seconds, 2), "cpu_seconds": round(cpu, 2), "peak_mb": usage.ru_maxrss // 1024}


def theirs(folder: Path, postgres: str, options: argparse.Namespace) -> list[Record] | str:
    """Measures Label Studio. Returns its runs, or why there are none."""
    given = list(islice(solutions(), options.tasks))
    files = {name: folder / f"{name}.json" for name in ("solutions", "labellings")}
    files["solutions"].write_text(json.dumps([label_studio.task(record) for record in given]))
    files["labellings"].write_text(json.dumps([label_studio.task(record, ratings(record)) for record in given]))
    urls = {"SQLite": "", "PostgreSQL": new_database(postgres, "label_studio")}
    found = []
    try:
        command = label_studio.program(options.label_studio)
        for database, url in urls.items():
            Console().print(f"Label Studio, {database}, {options.tasks:,} tasks")
            acts = label_studio.measure(command, folder / f"label-studio-{database}", url, files)
            found.append({"database": database, "tasks": options.tasks, **acts})
    except LabelStudioError as error:
        return f"{label_studio.RELEASE}: {error}"
    return found


def ratios(result: Record) -> list[Record]:
    """Compares tasks a second with Label Studio's, over all imported tasks, and adds the target."""
    if isinstance(result["label_studio"], str):
        return []
    most = max(run["tasks"] for run in result["stepmark"])
    mine = {run["database"]: run for run in result["stepmark"] if run["tasks"] == most}
    return [
        {
            "database": other["database"],
            "act": act,
            "times_as_fast": round(speed(mine[other["database"]], act) / speed(other, act), 1),
            "target": target,
        }
        for other in result["label_studio"]
        for act, target in TARGETS.items()
    ]


def speed(run: Record, act: str) -> float:
    return float(run["tasks"] / run[act]["seconds"])


def targets(result: Record) -> Iterator[Target]:
    for row in result["ratios"]:
        yield Target(f"{row['database']}, {row['act']}: times as fast", row["times_as_fast"], least=row["target"])
    peak = max(run[act]["peak_mb"] for run, act in product(result["stepmark"], TARGETS))
    yield Target("highest peak, MB", peak, most=PEAK_MB)


def show(result: Record) -> None:
    console, theirs = Console(), result["label_studio"]
    columns = ("tasks", "database", "act", "seconds", "tasks a second", "steps a second", "peak, MB")
    runs = {"Stepmark": result["stepmark"], label_studio.RELEASE: [] if isinstance(theirs, str) else theirs}
    for name, found in runs.items():
        table = Table(*columns, title=f"{name}; {result['machine']}")
        for run, act in product(found, TARGETS):
            numbers = (run[act]["seconds"], int(speed(run, act)), int(speed(run, act) * STEPS), run[act]["peak_mb"])
            table.add_row(f"{run['tasks']:,}", run["database"], act, *(f"{number:,}" for number in numbers))
        console.print(table)
    if isinstance(theirs, str):
        console.print(f"Nothing to compare with: {theirs}")


if __name__ == "__main__":
    main()
