"""`python -m tests.releases.keep FOLDER`: keeps the filled database of a release, for the tests of upgrades.

FOLDER is the data folder of an installation on SQLite whose every table the product has filled: that of the browser's
tests (`pytest tests/browser --basetemp=/tmp/kept`, then `/tmp/kept/browser0`). Writes `tests/releases/VERSION/`: the
database for SQLite, the same rows for PostgreSQL, and the digests of the release's migrations, which are frozen by it.
"""
# ruff: noqa: T201  what it prints is what it is for

import gzip
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.running import product

ROOT = Path(__file__).resolve().parents[2]
APPS = ("annotate", "labeling", "prm_training")
SERVER = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/test")
# A machine's names say nothing of a release.
ANONYMOUS = ["UPDATE labeling_run SET worker = 'machine-1-a' WHERE worker <> ''", "DELETE FROM labeling_worker"]
ANONYMOUS += ["UPDATE labeling_batch SET worker = 'machine-1-a' WHERE worker <> ''", "DELETE FROM django_session"]


def main(folder: Path) -> None:
    release = Path(__file__).parent / version("stepmark")
    release.mkdir(exist_ok=True)
    files = [path for app in APPS for path in sorted((ROOT / app / "migrations").glob("[0-9]*.py"))]
    digests = {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (release / "migrations.json").write_text(json.dumps(digests, indent=2) + "\n")
    with TemporaryDirectory() as place:
        kept = Path(place) / product.DATABASE
        with sqlite3.connect(folder / product.DATABASE) as there, sqlite3.connect(kept) as here:
            there.backup(here)
            for statement in ANONYMOUS:
                here.execute(statement)
            here.commit()
            here.execute("VACUUM")
            here.execute("PRAGMA journal_mode = DELETE")
            tables = [name for (name,) in here.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            empty = [name for name in tables if not here.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()]
        print("without rows:", ", ".join(empty) or "none")
        (release / "sqlite3.gz").write_bytes(gzip.compress(kept.read_bytes(), mtime=0))
        rows = Path(place) / "rows.json"
        at_home = product.Product(Path(place))
        made_by_migrate = ["--exclude", "contenttypes", "--exclude", "auth.permission"]
        at_home.manage("dumpdata", "--all", "--output", str(rows), *made_by_migrate)
        with product.own_servers({"DATABASE_URL": SERVER}) as environment:
            there_ = product.Product(Path(place), environment)
            there_.manage("migrate", "--verbosity", "0")
            there_.manage("loaddata", str(rows))
            dump = ["pg_dump", "--no-owner", "--no-privileges", "--inserts", environment["DATABASE_URL"]]
            sql = subprocess.run(dump, check=True, capture_output=True).stdout
        (release / "postgresql.sql.gz").write_bytes(gzip.compress(sql, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
