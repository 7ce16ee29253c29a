"""Processes of this version go on while the next one changes the tables, and after: it adds, and takes nothing away."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.product.world import World

pytestmark = [pytest.mark.product, pytest.mark.servers_if_any]
SIZE = 24
EXPAND = """
from django.apps import apps
from django.db import connection
with connection.cursor() as cursor:
    for model in apps.get_models(include_auto_created=True):
        cursor.execute(f'ALTER TABLE "{model._meta.db_table}" ADD COLUMN later integer NOT NULL DEFAULT 1')
"""


def test_annotators_and_workers_go_on_while_tables_grow(world: World) -> None:
    phase = world.new_phase("Growing", ["ada"])
    world.publish(phase, policy="uniform", size=SIZE)
    labelling = world.label(world.people["ada"], phase)
    done = [next(labelling) for _ in range(SIZE // 3)]  # each statement has been prepared by now
    with ThreadPoolExecutor(1) as beside:
        expanded = beside.submit(world.product.manage, "shell", "--no-imports", "-c", EXPAND)
        while not expanded.done() and len(done) < SIZE - 4:
            done.append(next(labelling))
        expanded.result()
    done += labelling
    assert len({each["id"] for each in done}) == SIZE
    world.close_round(phase)
    world.publish(phase, policy="uniform", size=2)
    world.product.stop()
    world.product.start()  # a newer database is no reason to refuse one
    assert len(list(world.label(world.people["ada"], phase))) == 2
