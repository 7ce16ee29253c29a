"""`python -m tests.releases.keep FOLDER`: keeps the filled database of a release, for the tests of upgrades.

FOLDER is the data folder of an installation on SQLite whose tables the product has filled: that of the browser's tests
(`pytest tests/browser --basetemp=/tmp/kept`, then `/tmp/kept/browser0`). Large imports are left out; the tables that
those tests leave empty get plain rows. Writes `tests/releases/VERSION/`: the database for SQLite, the same rows for
PostgreSQL, and the digests of the release's migrations, which are frozen by it.
"""
# ruff: noqa: T201  what it prints is what it is for

import gzip
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.running import product

ROOT = Path(__file__).resolve().parents[2]
APPS = ("annotate", "labeling", "prm_training")
SERVER = os.environ.get("STEPMARK_TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/test")
NOW = datetime(2026, 11, 26, tzinfo=UTC)
OTHERS = 50  # of the pool's solutions that nothing uses
# What a machine is called, and its folders, say nothing of a release.
ANONYMOUS = [
    "UPDATE labeling_run SET worker = CASE worker WHEN '' THEN '' ELSE 'machine-1-a' END",
    "UPDATE labeling_run SET error = '', device_slot = '', resolved = '{}'",
    "UPDATE labeling_batch SET worker = CASE worker WHEN '' THEN '' ELSE 'machine-1-a' END",
    "UPDATE prm_training_trainingrun SET base = 'base'",
    "UPDATE labeling_logline SET text = 'A line.'",
    "DELETE FROM labeling_worker",
    "DELETE FROM django_session",
]


def main(folder: Path) -> None:
    release = Path(__file__).parent / version("stepmark")
    release.mkdir(exist_ok=True)
    files = [path for app in APPS for path in sorted((ROOT / app / "migrations").glob("[0-9]*.py"))]
    digests = {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (release / "migrations.json").write_text(json.dumps(digests, indent=2) + "\n")
    with TemporaryDirectory() as place:
        kept, here = Path(place) / product.DATABASE, product.Product(Path(place))
        with closing(sqlite3.connect(folder / product.DATABASE)) as there, closing(sqlite3.connect(kept)) as copy:
            there.backup(copy)
        here.manage("shell", "--no-imports", "-c", "from tests.releases import keep; keep.cut_down(); keep.complete()")
        with closing(sqlite3.connect(kept, isolation_level=None)) as copy:
            for statement in [*ANONYMOUS, "VACUUM", "PRAGMA journal_mode = DELETE"]:
                copy.execute(statement)
        (release / "sqlite3.gz").write_bytes(gzip.compress(kept.read_bytes(), mtime=0))
        (release / "postgresql.sql.gz").write_bytes(gzip.compress(_for_postgresql(here), mtime=0))
    for path in sorted(release.iterdir()):
        print(f"{path.stat().st_size:9,} bytes  {path.name}")


def _for_postgresql(here: product.Product) -> bytes:
    rows = here.folder / "rows.json"
    here.manage("dumpdata", "--all", "--output", str(rows), "--exclude", "contenttypes", "--exclude", "auth.permission")
    with product.own_servers({"DATABASE_URL": SERVER}) as environment:
        there = product.Product(here.folder, environment)
        there.manage("migrate", "--verbosity", "0")
        there.manage("loaddata", str(rows))
        dump = ["pg_dump", "--no-owner", "--no-privileges", environment["DATABASE_URL"]]
        return subprocess.run(dump, check=True, capture_output=True).stdout


def cut_down() -> None:
    """Deletes most of the solutions that nothing but scores depends on."""
    from labeling.models import Gold, Labelling, Problem, ProblemBand, Sample, Solution, Task
    from prm_training.models import Score, SelectionItem

    used = {*Task.objects.values_list("solution", flat=True), *Gold.objects.values_list("solution", flat=True)}
    used |= {*SelectionItem.objects.values_list("solution", flat=True)}
    used |= {*Solution.objects.exclude(pk__in=used).order_by("pk").values_list("pk", flat=True)[:OTHERS]}
    gone = [pk for pk in Solution.objects.values_list("pk", flat=True) if pk not in used]
    for at in range(0, len(gone), 500):
        part = gone[at : at + 500]
        for rows in (Score.objects.filter(solution__in=part), Sample.objects.filter(solution__in=part)):
            rows._raw_delete("default")
        Solution.objects.filter(pk__in=part)._raw_delete("default")
    held = {*Solution.objects.values_list("problem", flat=True)}
    rest = [pk for pk in Problem.objects.values_list("pk", flat=True) if pk not in held]
    for at in range(0, len(rest), 500):
        ProblemBand.objects.filter(problem__in=rest[at : at + 500])._raw_delete("default")
        Problem.objects.filter(pk__in=rest[at : at + 500])._raw_delete("default")
    for solution in Solution.objects.filter(text_hash__regex=".{65}"):  # of the tests' own making
        Solution.objects.filter(pk=solution.pk).update(
            text_hash=hashlib.sha256(solution.text_hash.encode()).hexdigest()
        )
    assert Labelling.objects.exists()


def complete() -> None:
    """Makes a row in each table that has none."""
    from labeling import models as ours
    from prm_training import models as loops

    person, phase = ours.User.objects.get(username="ada"), ours.Phase.objects.order_by("created_at")[0]
    problem, model = ours.Problem.objects.order_by("pk")[0], loops.RewardModel.objects.order_by("created_at")[0]
    labelling = ours.Labelling.objects.order_by("pk")[0]
    benchmark = ours.Benchmark.objects.create(name="A benchmark")
    ours.Registration.objects.create(benchmark=benchmark, problem=problem)
    ours.ApiToken.objects.create(user=person, name="A script", secret_hash="0" * 64)
    ours.FormerMember.objects.create(phase=phase, user=ours.User.objects.get(username="alma"), membership={})
    ours.FailedSignIns.objects.create(key="name:nobody", since=NOW, times=1)
    ours.Withdrawal.objects.create(problem=problem, by=person, why="It has no answer.", at=NOW)
    ours.Rollup.objects.get_or_create(kind="pool", subject=ours.counts.ALL)
    loops.Generation.objects.create(name="generated", generator_model="a model")
    loops.PolicyReplay.objects.create(phase=phase, reward_model=model)
    loops.Verification.objects.create(phase=phase, reward_model=model, problem="1 + 1?", solutions=[["2"]])
    autopilot = loops.Autopilot.objects.create(phase=phase)
    loops.Notice.objects.create(autopilot=autopilot, to="ada@example.org", news={}, next_try_at=NOW)
    looked_at = {"step": 0, "first_rating": 1, "rating": -1, "chance": 0.2}
    loops.SecondLook.objects.create(labelling=labelling, person=person, reward_model=model, **looked_at)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
