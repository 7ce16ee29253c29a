"""The report of `make bench-load`: targets and tables."""

from collections.abc import Callable, Iterator
from statistics import quantiles
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import label_studio
from benchmarks.load import annotators, on_label_studio
from benchmarks.targets import Target

COMPARED = 32  # annotators: as many are played in both programs
CROWD = 128
SMALL_ROUND = 10_000  # tasks; big rounds are compared with it
TITLE = "Under load: CPU of all servers a task; what a submission waits for, in ms"
Record = dict[str, Any]


def percentiles(seconds: list[float]) -> Record:
    if len(seconds) < 2:
        return dict.fromkeys(("count", "p50", "p95", "p99", "worst"))
    cuts = quantiles(seconds, n=100)
    picked = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "worst": max(seconds)}
    return {"count": len(seconds)} | {key: round(1000 * value, 1) for key, value in picked.items()}


def targets(result: Record) -> Iterator[Target]:
    """Yields the targets: of the largest round, and its comparison with a small one."""
    largest = result["stepmark"][-1]
    runs = {run["people"]: run for run in largest["runs"]}
    if (own := runs.get(COMPARED)) is not None:
        if not isinstance(result["label_studio"], str):
            other = next(run for run in result["label_studio"]["runs"] if run["people"] == COMPARED)
            yield Target("tasks a second, of Label Studio's", ratio(own, other, speed), least=10)
            yield Target("CPU a task, of Label Studio's", ratio(own, other, cpu), most=0.1)
        yield Target("CPU a task, ms", cpu(own), most=12)
        yield Target(f"p95 of a submission, {COMPARED} annotators, ms", submission(own)["p95"], most=150)
        if len(result["stepmark"]) > 1:
            small = next(run for run in result["stepmark"][0]["runs"] if run["people"] == COMPARED)
            name = f"CPU a task with {largest['tasks']:,} open tasks, of that with {SMALL_ROUND:,}"
            yield Target(name, ratio(own, small, cpu), most=1.2)
    if (crowd := runs.get(CROWD)) is not None:
        worst = max(waited["worst"] for waited in crowd["waited_ms"].values())
        yield Target(f"longest wait, {CROWD} annotators, ms", worst, most=1000)
    yield Target("errors", sum(len(run["errors"]) for run in largest["runs"]), most=0)
    lost_ = largest["lost"]
    yield Target("lost or doubled", lost_["missing"] + lost_["with other ratings"] + lost_["over overlap"], most=0)
    slowest = max(largest["staff"], key=lambda path: largest["staff"][path]["p95"])
    yield Target(f"slowest staff request's p95, ms ({slowest})", largest["staff"][slowest]["p95"], most=300)


def submission(run: Record) -> Record:
    """Returns the waiting times for a submission, in either program."""
    waited: Record = run["waited_ms"]
    return dict(waited.get(annotators.SUBMIT) or waited.get(on_label_studio.SUBMIT) or percentiles([]))


def speed(run: Record) -> float:
    return float(run["tasks_a_second"])


def cpu(run: Record) -> float:
    """Returns the processor time of the product and PostgreSQL, in ms."""
    return float(sum(run["cpu_ms_a_task"].values()))


def ratio(one: Record, other: Record, figure: Callable[[Record], float]) -> float:
    return figure(one) / figure(other)


def show(result: Record, console: Console) -> None:
    table = Table("", "tasks", "people", "tasks/s", "CPU ms", "p50", "p95", "p99", "MB", "errors", title=TITLE)
    rows = [("Stepmark", each) for each in result["stepmark"]]
    if not isinstance(result["label_studio"], str):
        rows.append((label_studio.RELEASE, result["label_studio"]))
    for system, found in rows:
        for run in found["runs"]:
            waited = submission(run)
            figures = (
                run["people"],
                speed(run),
                round(cpu(run), 1),
                *(waited.get(key) for key in ("p50", "p95", "p99")),
            )
            memory = sum(run["memory_mb"].values())
            table.add_row(system, f"{found['tasks']:,}", *map(str, figures), str(memory), str(len(run["errors"])))
    console.print(table)
    pages = Table("staff's request", *(f"p95 ms, {each['tasks']:,} tasks" for each in result["stepmark"]))
    for path in result["stepmark"][0]["staff"]:
        pages.add_row(path, *(str(each["staff"][path]["p95"]) for each in result["stepmark"]))
    console.print(pages)
    if isinstance(result["label_studio"], str):
        console.print(f"Nothing to compare with: {result['label_studio']}")
