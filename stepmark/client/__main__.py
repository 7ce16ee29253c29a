"""`stepmark loop`: the client's command line, which needs neither settings nor a database."""

import logging
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from stepmark.client import Client, StepmarkError
from stepmark.client.runs import Row

WHAT = """Does what a phase's page says is due, on a running installation, until its next round is open: waits until the
open one is labelled, closes it, trains, evaluates, promotes the model if it is no worse, scores, selects, publishes."""
THEN = "Interrupted with Ctrl-C, what was started goes on, and the same command takes it up."


def parser(prog: str) -> ArgumentParser:
    made = ArgumentParser(prog, description=WHAT, epilog=THEN)
    made.add_argument("phase", help="its name or id")
    made.add_argument("--server", metavar="URL", help="default: STEPMARK_URL, or else http://127.0.0.1:8000")
    made.add_argument("--token", help="of a superuser, or of ML staff in the phase; default: STEPMARK_TOKEN")
    made.add_argument("--rounds", type=int, default=1, help="how many rounds to publish (default: %(default)s)")
    made.add_argument("--now", action="store_true", help="close the open round as it stands, and do without rulings")
    made.add_argument("--base", default="", help="model to train from; default: a small one made on the spot")
    made.add_argument("--size", type=int, default=100, help="solutions of a round (default: %(default)s)")
    made.add_argument(
        "--policy", default="convincing", help="of selections, once there is a model (default: %(default)s)"
    )
    return made


def main(arguments: Sequence[str], prog: str) -> None:
    given = parser(prog).parse_args(arguments)
    logging.basicConfig(format="%(message)s")
    logging.getLogger("stepmark.client").setLevel(logging.INFO)
    how = {"training": {"base": given.base}, "size": given.size, "policy": given.policy}
    try:
        with Client(given.server, given.token) as client:
            phase = find(client, given.phase)
            for number in range(given.rounds):
                round_ = client.next_round(phase, waits=number > 0 or not given.now, **how)
                sys.stdout.write(f"Round {round_['number']} is open.\n")
                sys.stdout.flush()
    except StepmarkError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("Interrupted. What was started goes on; the same command takes it up.")


def find(client: Client, named: str) -> Row:
    """Returns the phase of this name or id. Raises StepmarkError without one."""
    for phase in client.phases():
        if named in (phase["name"], phase["id"]):
            return phase
    raise StepmarkError(f"There is no phase “{named}” that this token's owner may see.")
