"""Types of messages, read by several threads at once."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.any_database

# Each process forked is as a web process: what has been loaded is loaded, and its threads are its own.
FIRST_MESSAGES = """
import os, sys, threading
from stepmark import wsgi
from msgspec.json import decode
from annotate.api.messages import SubmissionMessage

def read(gate):
    gate.wait()
    decode(b'{"finish_reason": "solution", "ratings": [{"step": 0, "rating": 1}]}', type=SubmissionMessage)

def threads():
    sys.setswitchinterval(1e-6)
    gate = threading.Barrier(4)
    each = [threading.Thread(target=read, args=[gate]) for _ in range(4)]
    for thread in each: thread.start()
    for thread in each: thread.join()

threading.excepthook = lambda _: None
for _ in range(int(sys.argv[1])):
    process = os.fork()
    if not process:
        threads()
        os._exit(0)
    _, status = os.waitpid(process, 0)
    assert status == 0, f"it ended with status {status}"
"""


def test_the_first_messages_of_a_web_process_may_come_at_once():
    subprocess.run([sys.executable, "-c", FIRST_MESSAGES, "60"], check=True)
