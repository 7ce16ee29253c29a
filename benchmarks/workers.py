"""`make bench-workers`: one scoring run by one worker, and by two that share it.

The product as deployed, on a PostgreSQL and a Redis of its own; each worker has one thread, so that one worker does not
take the processors of both. Both numbers of workers score the same pool with the same model once unmeasured, to have
torch loaded. The gain from more workers is worked out on paper, from the seconds that each batch took and from
what the database needs for one: workers compute side by side, the database serves one at a time, the worst case.

`--small` does the same with a pool that takes seconds.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from heapq import heapify, heapreplace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.targets import Target, tell
from tests.running import product, servers
from tests.running.product import Client, Product

RESULTS = Path(__file__).parent / "results"
TIMES = 1.8
SOLUTIONS, SMALL = 12_000, 1_500
PAPER_WORKERS, PAPER_SOLUTIONS, BATCH = (2, 16, 64), 1_000_000, 512  # as `prm_training.work.scoring` cuts them
RUN_WITHIN_SECONDS = 3 * 3600


def main() -> None:
    options = parse()
    if why := servers.missing():
        sys.exit(why)
    with TemporaryDirectory() as folder, servers.postgres() as database, servers.redis(Path(folder)) as redis:
        environment = {
            "DATABASE_URL": database.url,
            "REDIS_URL": redis.url,
            "OMP_NUM_THREADS": "1",
            "WORKER_QUEUES": "cpu,gpu",
        }
        with product.running(Path(folder) / "product", environment) as started:
            result = measure(started, SMALL if options.small else SOLUTIONS)
    show(result)
    options.result.write_text(json.dumps(result, indent=1) + "\n")
    sys.exit(tell(targets(result)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-workers", description=__doc__)
    parser.add_argument("--small", action="store_true", help="a pool of seconds")
    parser.add_argument("--result", type=Path, help="file to write (results/workers.json, or workers_small.json)")
    options = parser.parse_args()
    options.result = options.result or RESULTS / ("workers_small.json" if options.small else "workers.json")
    return options


def measure(started: Product, solutions: int) -> dict[str, Any]:
    model = called(started, f"fill({solutions})")
    runs = [scored(started, model, workers) for workers in (1, 2)]
    one, two = runs
    database = called(started, f"cost_of_batches({model!r})")
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "solutions": solutions,
        "runs": [{name: found for name, found in run.items() if name != "batches"} for run in runs],
        "times_as_fast": round(one["seconds"] / two["seconds"], 2),
        "database": database,
        "on_paper": [on_paper(one, database["seconds"], workers) for workers in PAPER_WORKERS],
    }


def scored(started: Product, model: str, workers: int) -> dict[str, Any]:
    """Scores the pool by so many workers, all warmed up. Returns the measurements."""
    started.stop()
    started.start("--workers", str(workers))
    with closing(Client(started.address, "root", called(started, "PASSWORD"))) as client:
        product_scores(started, client, model)
        run = product_scores(started, client, model)
    return dict(called(started, f"timed({run['id']!r})"))


def product_scores(started: Product, client: Client, model: str) -> dict[str, Any]:
    called(started, f"forget_scores({model!r})")
    run = client.call("POST", "scoring-runs/", {"reward_model": model})
    ends_by = monotonic() + RUN_WITHIN_SECONDS
    while run["status"] in {"queued", "running"} and monotonic() < ends_by:
        product.wait(0.5)
        run = client.call("GET", f"runs/{run['id']}/")
    if run["status"] != "done":
        raise product.ProductError(f"the run is {run['status']}: {run['error']}")
    return dict(run)


def called(started: Product, call: str) -> Any:
    """Calls a function of `benchmarks.scoring_pool` within the product. Returns its result."""
    code = f"import json; from benchmarks import scoring_pool; print(json.dumps(scoring_pool.{call}))"
    return json.loads(started.manage("shell", "--no-imports", "-c", code).splitlines()[-1])


def on_paper(run: dict[str, Any], database: float, workers: int) -> dict[str, Any]:
    """Estimates the time for a million solutions, in batches as fast per solution as the measured ones."""
    number = PAPER_SOLUTIONS // BATCH
    each = (BATCH * batch["seconds"] / batch["solutions"] for batch in cycle(run["batches"]))
    seconds = list(islice(each, number))
    alone, together = (makespan(seconds, some, database) for some in (1, workers))
    return {
        "workers": workers,
        "hours": round(together / 3600, 2),
        "times_as_fast": round(alone / together, 1),
        "database_busy": round(number * database / together, 3),
        "idle": round(1 - sum(seconds) / (workers * together), 3),
        "workers_that_fill_the_database": round(alone / number / database) if database else None,
    }


def makespan(batches: Sequence[float], workers: int, database: float) -> float:
    """Returns the seconds until all batches are done: a free worker computes the next, then queues at the database."""
    free, served = [0.0] * workers, 0.0
    heapify(free)
    for seconds in batches:
        served = max(served, free[0] + seconds) + database
        heapreplace(free, served)
    return max(free)


def show(result: dict[str, Any]) -> None:
    for title, rows in (("Measured", result["runs"]), ("On paper, a million solutions", result["on_paper"])):
        table = Table(*(name.replace("_", " ") for name in rows[0]), title=title)
        for row in rows:
            table.add_row(*map(str, row.values()))
        Console().print(table)
    Console().print(f"The database, for a batch: {result['database']}")


def targets(result: dict[str, Any]) -> Iterator[Target]:
    yield Target("times as fast with two workers", result["times_as_fast"], least=TIMES)
    two = result["runs"][1]
    yield Target("workers that had batches, of two", two["workers"], least=2)
    lost = abs(two["scores"] - result["runs"][0]["scores"])
    yield Target("scores that two workers lost or doubled", lost, most=0)


if __name__ == "__main__":
    main()
