"""`make faults`: an unattended deployment under load, in which everything fails in turn.

Starts PostgreSQL, Redis, two web servers, two workers and the shipped proxy, on hosts of their own (network namespaces,
where they can be made), with a service manager that starts again what ends. Scripted people label and publish rounds
meanwhile. Checks that every acknowledged labelling is stored once, that tasks have exactly as many as they need, and
that all runs end.
"""

import argparse
import json
import os
import platform
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from time import monotonic

from rich.console import Console

from benchmarks.faults import hosts, kinds, people
from benchmarks.faults.deployment import Deployment, deployed
from benchmarks.faults.kinds import Fault
from benchmarks.faults.people import Work
from benchmarks.faults.report import Record, counted, show, targets
from benchmarks.targets import tell
from tests.product.world import until
from tests.running import proxy, servers
from tests.running.product import wait

RESULT = Path(__file__).parents[1] / "results" / "faults.json"
ROUND_SIZE = 30
SOLUTIONS_A_FAULT = 60
RECOVERS_WITHIN_SECONDS = 120
QUIET_SECONDS = 0.5  # of work between two faults
console = Console(highlight=False)


def main() -> None:
    options = parse()
    if why := proxy.missing() or servers.missing():
        sys.exit(why)
    hosts.go_apart()
    started_at = monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="stepmark-faults-", dir=hosts.place()) as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL is another user's
        with deployed(folder, ROUND_SIZE + SOLUTIONS_A_FAULT * options.faults, options.people) as deployment:
            until(deployment.answers, "the deployment answers", within_seconds=120)
            trust = deployment.proxy.trust()
            crowd = {"people": options.people, "size": ROUND_SIZE, "trains": options.trains}
            with people.at_work(deployment.proxy.address, trust, **crowd) as work:
                until(lambda: work.acknowledged, "people are at work", within_seconds=120)
                console.print(f"People are at work after {monotonic() - started_at:.0f} s.")
                happened = list(struck(deployment, work, options))
            result: Record = {
                "machine": f"{platform.machine()}, {os.cpu_count()} cores",
                "seed": options.seed,
                "seconds": round(monotonic() - started_at),
                "faults": happened,
                "sent_again": work.errors,
                "lost_leases": work.lost_leases,
                "starts": {name: service.starts for name, service in deployment.services.items()},
                "left_out": kinds.missing(deployment),
                "refused": work.refused,
                "held": counted(deployment.database, work.acknowledged),
            }
            if options.logs:
                keep_logs(folder / "logs", options.logs)
    if options.result:
        options.result.write_text(json.dumps(result, indent=2) + "\n")
    show(result, console)
    sys.exit(tell(targets(result)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=100, help="how many (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=4, help="for which a fault lasts (default %(default)s)")
    parser.add_argument("--people", type=int, default=6, help="who label meanwhile (default %(default)s)")
    parser.add_argument("--trains", action="store_true", help="train models on the labels all the time, too")
    parser.add_argument("--seed", type=int, default=0, help="of their order")
    parser.add_argument("--only", nargs="+", default=[], help="kinds of faults, such as kill")
    parser.add_argument("--result", type=Path, help=f"file to write, such as {RESULT}")
    parser.add_argument("--logs", type=Path, help="folder in which to keep the logs of all programs")
    return parser.parse_args()


def struck(deployment: Deployment, work: Work, options: argparse.Namespace) -> Iterator[Record]:
    """Yields each fault with the seconds until people worked again, all programs being up; None if they never did."""
    for number, fault in enumerate(drawn(kinds.all_of(deployment), options), start=1):
        fault.act(options.seconds)
        recovered = seconds_until_well(deployment, work)
        told = "never" if recovered is None else f"{recovered:.1f} s"
        console.print(f"  {number}. {fault.kind} {fault.on}: {told}")
        yield {"kind": fault.kind, "on": fault.on, "recovered": recovered}
        if recovered is None:
            return
        wait(QUIET_SECONDS)


def drawn(faults: Sequence[Fault], options: argparse.Namespace) -> list[Fault]:
    """Returns as many faults as wanted, in random order: all before any repeats, and one of each kind first."""
    wanted = [fault for fault in faults if not options.only or fault.kind in options.only]
    if not wanted:
        sys.exit(f"None is of this kind; there are: {', '.join(sorted({fault.kind for fault in faults}))}.")
    dice = random.Random(options.seed)
    dice.shuffle(wanted)
    seen: dict[str, int] = {}
    order: list[tuple[int, int, Fault]] = []
    for fault in wanted:
        seen[fault.kind] = seen.get(fault.kind, 0) + 1
        order.append((seen[fault.kind], len(order), fault))
    by_turns = [fault for _, _, fault in sorted(order, key=lambda each: each[:2])]
    return list(islice(cycle(by_turns), options.faults))


def seconds_until_well(deployment: Deployment, work: Work) -> float | None:
    """Returns the seconds until every program is up and an annotator was answered; None if that takes too long."""
    mended_at = monotonic()
    while not (deployment.is_up() and work.last_at > mended_at and deployment.webs_answer()):
        if monotonic() - mended_at > RECOVERS_WITHIN_SECONDS:
            return None
        wait(0.05)
    return round(monotonic() - mended_at, 2)


def keep_logs(logs: Path, to: Path) -> None:
    to.mkdir(parents=True, exist_ok=True)
    for log in logs.glob("*.log"):
        (to / log.name).write_bytes(log.read_bytes())


if __name__ == "__main__":
    main()
