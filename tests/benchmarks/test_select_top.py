"""`make bench-select` on a small pool: its SQL fits the tables, and each policy picks."""

import pytest
from django.db import connection

from benchmarks import scoring_pool, select_top
from prm_training.models import RewardModel, Selection

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.mark.every_case
@pytest.mark.skipif(connection.vendor == "sqlite", reason="it is filled by PostgreSQL")
@pytest.mark.parametrize("policy", select_top.POLICIES)
def test_each_policy_picks_from_its_pool(policy):
    model = select_top.fill(400)
    assert select_top.timed(model, policy, 10, 1)["seconds"] > 0
    assert Selection.objects.get().items.picked().count() == 10


def test_the_pool_of_the_workers_benchmark_is_filled(settings, tmp_path):
    settings.MODELS_ROOT = tmp_path
    model = RewardModel.objects.get(pk=scoring_pool.fill(40))
    assert (tmp_path / model.directory / "config.json").exists()
