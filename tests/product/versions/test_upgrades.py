"""A database of each release, filled by the product, becomes one of this version and is worked on."""

import gzip
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.product.words import PASSWORD
from tests.product.world import IMPATIENT, World
from tests.running import product
from tests.running.product import Client, Product

pytestmark = pytest.mark.product
RELEASES = sorted((Path(__file__).parents[2] / "releases").glob("*.*.*"))
OF_DJANGO = {"auth_group", "auth_group_permissions", "labeling_user_groups", "labeling_user_user_permissions"}
GROWING = {"auth_permission", "django_content_type", "django_migrations"}  # with each new table
PASSING = {"django_session", "labeling_worker"}  # not kept


@pytest.fixture(params=RELEASES, ids=lambda path: path.name)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Product]:
    """An installation of the release, on PostgreSQL if DATABASE_URL names it; nothing runs."""
    with product.own_servers(dict(IMPATIENT)) as environment:
        found = Product(tmp_path, environment | {"DJANGO_SUPERUSER_PASSWORD": PASSWORD})
        if address := environment.get("DATABASE_URL"):
            statements = gzip.decompress((request.param / "postgresql.sql.gz").read_bytes())
            product.tell_postgres("psql", "--quiet", "--set=ON_ERROR_STOP=1", address, given=statements)
        else:
            (tmp_path / product.DATABASE).write_bytes(gzip.decompress((request.param / "sqlite3.gz").read_bytes()))
        yield found
        found.close()


def counts(found: Product) -> dict[str, int]:
    """Returns the number of rows of each table."""
    if address := found.environment.get("DATABASE_URL", ""):
        with psycopg.connect(address) as there:
            names = there.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            count = sql.SQL("SELECT count(*) FROM {}")
            return {name: there.execute(count.format(sql.Identifier(name))).fetchone()[0] for (name,) in names}
    with closing(sqlite3.connect(found.folder / product.DATABASE)) as there:
        names = there.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name: there.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in names.fetchall()}


def steady(before: dict[str, int]) -> dict[str, int]:
    """Returns the counts of the tables whose rows a migration leaves as they are."""
    return {name: number for name, number in before.items() if name not in GROWING}


def test_every_table_of_a_release_has_rows(kept: Product) -> None:
    assert {name for name, number in counts(kept).items() if not number} <= OF_DJANGO | PASSING


def test_an_older_backup_is_restored_and_migrated(kept: Product) -> None:
    kept.manage("migrate", "sessions", "zero", "--verbosity", "0")  # so that even a release of today is older
    before, archive = counts(kept), str(kept.folder / "old.stepmark")
    kept.manage("backup", archive)
    with product.empty(kept.folder / "restored", IMPATIENT) as restored:
        said = restored.manage("restore", archive)
        assert re.search(r"Next: The database lacks \d+ migrations?: run `stepmark migrate` first\.", said)
        assert counts(restored) == before
        restored.manage("migrate", "--verbosity", "0")
        after = counts(restored)
        assert {name: after[name] for name in before if name not in GROWING} == steady(before)
        assert after["django_session"] == 0


def test_a_filled_release_is_upgraded_and_goes_on(kept: Product) -> None:
    before = counts(kept)
    kept.manage("migrate", "--verbosity", "0")
    after = counts(kept)
    assert {name: after.get(name) for name in before if name not in GROWING} == steady(before)
    assert all(after[name] >= before[name] for name in GROWING)
    kept.manage("createsuperuser", "--noinput", "--username", "new", "--email", "new@example.org")
    kept.start()
    with closing(Client(kept.address, "new", PASSWORD)) as new:
        world = World(kept, {"alma": new, "mika": new}, "")
        assert world.count_labellings() == new.call("GET", "labellings/?page_size=1")["count"] > 0
        phase = new.call("POST", "phases/", {"name": "After", "kind": "solutions"})
        new.call("POST", f"phases/{phase['id']}/members/", {"usernames": ["new"]})
        world.publish(phase, policy="uniform", size=3)
        assert len(list(world.label(new, phase))) == 3
        assert world.close_round(phase)["status"] == "closed"
        export = new.get("exports/", params={"file_format": "prm800k"})
        assert export.is_success, export.text
        assert zipfile.is_zipfile(BytesIO(export.content))
