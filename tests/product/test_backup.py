"""`backup` of a running product, and `restore` elsewhere: equal rows, equal files, and nothing that was acknowledged
before is lost. And what `doctor` says of a running product."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from tests.product.words import ANNOTATORS, PASSWORD
from tests.product.world import IMPATIENT, Row, World
from tests.running import product
from tests.running.product import Client, Product, ProductError

pytestmark = pytest.mark.product
# Each table with its rows in any order, as text: what a database gives for equal rows is equal.
ROWS = """
import hashlib, json
from django.db import connection
with connection.cursor() as cursor:
    found = {}
    for table in connection.introspection.table_names(cursor):
        cursor.execute(f'SELECT * FROM "{table}"')
        columns = [column.name if hasattr(column, "name") else column[0] for column in cursor.description]
        rows = sorted(repr(sorted(zip(columns, map(str, row)))) for row in cursor)
        found[table] = [len(rows), hashlib.sha256("".join(rows).encode()).hexdigest()]
print(json.dumps(found))
"""
LABELLINGS = """
from labeling.models import Labelling
print(" ".join(str(pk) for pk in Labelling.objects.values_list("assignment", flat=True)))
"""
RECORD = """
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
(newest,) = MigrationLoader(connection).graph.leaf_nodes("prm_training")
MigrationRecorder(connection).{}(*newest)
"""


def files_of(folder: Path) -> dict[str, bytes]:
    """Returns all files except for the database's and the broker's."""
    found = [path for name in ("files", "models") for path in (folder / name).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in [*found, folder / "secret_key"]}


@contextmanager
def restored(archive: Path, folder: Path) -> Iterator[Product]:
    """Yields another installation, not started yet."""
    with product.empty(folder, IMPATIENT) as another:
        said = another.manage("restore", str(archive))
        assert "Next: start it with `stepmark run`." in said, said
        yield another


def test_a_quiet_backup_is_restored_row_by_row_and_byte_by_byte(world: World, labels: Row, tmp_path: Path) -> None:
    model = world.ended("training-runs", world.train("backed up"))["reward_model"]
    world.evaluated(model)
    archive = tmp_path / "backup.zip"
    world.product.stop()
    said = world.product.manage("backup", str(archive))
    assert "and the secret key." in said
    assert archive.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ProductError, match="exists already"):
        world.product.manage("backup", str(archive))
    with pytest.raises(ProductError, match="into an empty installation only; here is the table"):
        world.product.manage("restore", str(archive))
    with restored(archive, tmp_path / "another") as another:
        assert json.loads(another.shell(ROWS)) == json.loads(world.product.shell(ROWS))
        files = files_of(another.folder)
        assert files == files_of(world.product.folder)
        assert {name.split("/")[0] for name in files} == {"files", "models", "secret_key"}
        another.start()
        with closing(Client(another.address, "ada", PASSWORD)) as ada:
            assert ada.call("GET", "session/")["user"]["username"] == "ada"
        with closing(Client(another.address)) as mika:  # the key is the same: so is a session that began before
            mika.cookies.update(world.people["mika"].cookies)
            assert mika.call("GET", f"reward-models/{model}/")["id"] == model
        with pytest.raises(ProductError, match="into an empty installation only"):
            another.manage("restore", str(archive))


def test_what_was_acknowledged_before_a_backup_under_load_is_in_it(world: World, tmp_path: Path) -> None:
    phase = world.new_phase("Under load")
    world.publish(phase, policy="uniform", size=120)
    acknowledged: list[tuple[float, str]] = []
    over = Event()

    def label(username: str) -> None:
        for assignment in world.label(world.people[username], phase):
            acknowledged.append((monotonic(), assignment["id"]))
            if over.is_set():
                return

    with ThreadPoolExecutor(len(ANNOTATORS)) as people:
        running = [people.submit(label, username) for username in ANNOTATORS]
        while len(acknowledged) < 10 and not any(future.done() for future in running):
            product.wait(0.01)
        began_at = monotonic()
        world.product.manage("backup", str(tmp_path / "backup.zip"))
        ended_at = monotonic()
        over.set()
        for future in running:
            future.result()
    before = {name for at, name in acknowledged if at < began_at}
    assert len(before) >= 10
    assert [at for at, _ in acknowledged if began_at < at < ended_at], "nobody labelled meanwhile"
    with restored(tmp_path / "backup.zip", tmp_path / "another") as another:
        assert before <= set(another.shell(LABELLINGS).split())
        another.start()
        with closing(Client(another.address, "ben", PASSWORD)) as ben:
            assert ben.call("POST", f"phases/{phase['id']}/claim/")


@pytest.mark.servers_if_any
def test_the_doctor_says_what_is_wrong(world: World) -> None:
    said = world.product.manage("doctor")
    assert "WRONG" not in said
    assert "Its tables are those of this version." in said
    world.product.shell(RECORD.format("record_unapplied"))
    try:
        with pytest.raises(ProductError, match=r"WRONG database +The database lacks"):
            world.product.manage("doctor")
    finally:
        world.product.shell(RECORD.format("record_applied"))
