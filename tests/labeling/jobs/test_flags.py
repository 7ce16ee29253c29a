"""A flag that signal handlers can raise safely, whatever the interrupted thread is doing."""

import subprocess
import sys

from labeling.jobs.flags import Flag
from tests.running.product import ROOT

HAMMERED = """
import signal
from labeling.jobs.flags import Flag

flag, raised = Flag(), 0

def handle(*_):
    global raised
    raised += 1
    flag.set()

signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
while raised < 2000:
    flag.wait(0.001)
    flag.clear()
signal.setitimer(signal.ITIMER_REAL, 0)
"""


def test_it_is_raised_while_somebody_waits_for_it() -> None:
    """Sends 2,000 signals at any moment; with `threading.Event`, one of the first hundred hangs for ever."""
    subprocess.run([sys.executable, "-c", HAMMERED], cwd=ROOT, check=True, timeout=60)


def test_it_stays_raised_until_it_is_cleared() -> None:
    flag = Flag()
    assert (flag.is_set(), flag.wait(0.001)) == (False, False)
    flag.set()
    flag.set()
    assert (flag.wait(60), flag.wait(60), flag.is_set()) == (True, True, True)
    flag.clear()
    assert flag.wait(0.001) is False
