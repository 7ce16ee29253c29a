"""Message types can be read by several threads at once."""

import subprocess
import sys

import pytest
from msgspec import Struct
from msgspec.json import decode

from labeling.data import structs

pytestmark = pytest.mark.any_database

# Each forked process has the types loaded, and reads its first messages of each type in four threads at once.
FIRST_MESSAGES = """
import os, sys, threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from msgspec import Struct, ValidationError
from msgspec.json import decode, encode

THREADS, TIMES = 4, 10

def read_first_ones(_=None):
    sys.setswitchinterval(1e-6)
    types = Struct.__subclasses__()
    gate = threading.Barrier(THREADS, timeout=60)
    def read(_):
        for each in types:
            message = encode(dict.fromkeys(each.__struct_encode_fields__))
            gate.wait()
            with suppress(ValidationError):
                decode(message, type=each)
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(read, range(THREADS)))

def in_web_process():
    from stepmark import wsgi
    return read_first_ones

def in_import():
    import django
    django.setup()
    from labeling.data.importing import reading
    reader = reading.Reader(Path(sys.argv[2]), read_first_ones)
    return lambda: reading.import_records(reader, None, is_dry=True).error_count

run = globals()[sys.argv[1]]()
for _ in range(TIMES):
    process = os.fork()
    if not process:
        os._exit(run() or 0)
    _, status = os.waitpid(process, 0)
    assert status == 0, f"it ended with status {status}"
"""


@pytest.mark.long("ten processes, each with all that a web process loads")
@pytest.mark.parametrize("where", ["in_web_process", "in_import"])
def test_first_messages_may_be_read_by_several_threads_at_once(where, tmp_path):
    file = tmp_path / "records.jsonl"
    file.write_text("{}\n")
    subprocess.run([sys.executable, "-c", FIRST_MESSAGES, where, str(file)], check=True)


def test_types_that_cannot_be_completed_are_skipped():
    class Unreadable(Struct):
        of: "Unknown"  # noqa: F821

    class Readable(Unreadable):
        of: int

    structs.complete_all()
    assert decode(b'{"of": 1}', type=Readable).of == 1
    with pytest.raises(NameError):
        decode(b"{}", type=Unreadable)
