"""Migrations: those of a release never change, and later ones expand before they contract, so that processes of the
release before can serve meanwhile.
"""

import hashlib
import json
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from django.db import models
from django.db.migrations import operations

ROOT = Path(__file__).resolve().parents[2]
RELEASES = sorted((ROOT / "tests" / "releases").glob("*.*.*"))
TAKES_AWAY = (operations.RemoveField, operations.DeleteModel, operations.RenameField, operations.RenameModel)
FIRST = "0001_tables"
APPS = ("annotate", "labeling", "prm_training")


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_migrations_of_a_release_never_change(release: Path) -> None:
    frozen = json.loads((release / "migrations.json").read_text())
    assert frozen
    assert {path: hashlib.sha256((ROOT / path).read_bytes()).hexdigest() for path in frozen} == frozen


def faults(migration: type) -> list[str]:
    """Returns what the migration would do to processes of the release before."""
    unused_since = getattr(migration, "unused_since", None)
    found = []
    for operation in migration.operations:
        if isinstance(operation, TAKES_AWAY) and (unused_since is None or unused_since >= version("stepmark")):
            found.append(f"{operation.describe()}: processes of the release before use it; see docs/how-to/upgrade.md")
        if isinstance(operation, operations.AddField) and not (
            operation.field.null or operation.field.has_db_default() or operation.field.many_to_many
        ):
            found.append(f"{operation.describe()}: rows of the release before lack it; give it a db_default")
    return found


def test_later_migrations_expand_first() -> None:
    files = [path for app in APPS for path in sorted((ROOT / app / "migrations").glob("[0-9]*.py"))]
    assert len(files) >= len(APPS)
    later = {path: import_module(f"{path.parts[-3]}.migrations.{path.stem}") for path in files if path.stem != FIRST}
    assert {str(path): faults(module.Migration) for path, module in later.items() if faults(module.Migration)} == {}


@pytest.mark.parametrize(
    ("operation", "is_fault"),
    [
        (operations.AddField("task", "later", models.IntegerField()), True),
        (operations.AddField("task", "later", models.IntegerField(default=1)), True),  # of Python, not of the database
        (operations.AddField("task", "later", models.IntegerField(db_default=1)), False),
        (operations.AddField("task", "later", models.IntegerField(null=True)), False),
        (operations.RemoveField("task", "seats"), True),
        (operations.RenameField("task", "seats", "places"), True),
        (operations.DeleteModel("critique"), True),
    ],
)
def test_what_would_stop_old_processes_is_found(operation, is_fault) -> None:
    migration = type("Migration", (), {"operations": [operation]})
    assert bool(faults(migration)) == is_fault
    migration.unused_since = "0.0.9"
    assert bool(faults(migration)) == (is_fault and isinstance(operation, operations.AddField))
