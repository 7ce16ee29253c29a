"""labeling.clock: the database's clock, used whatever a machine's own says."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from annotate import allocation
from labeling import clock
from labeling.models.origin import CreatedAt

pytestmark = pytest.mark.django_db


@pytest.fixture
def ahead(monkeypatch: Any) -> None:
    """Sets this machine's clock an hour ahead."""
    true_now = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: true_now() + timedelta(hours=1))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's clock is this machine's")
@pytest.mark.usefixtures("ahead")
def test_a_task_in_hand_is_not_given_away_by_a_clock_that_is_ahead(
    open_round: Any, annotator: Any, second_annotator_client: Any, make: Any
) -> None:
    now = timezone.now() - timedelta(hours=1)
    held = [allocation.claim_next(phase=open_round.phase, annotator=annotator, now=now)]
    answer = second_annotator_client.post(f"/api/phases/{open_round.phase.pk}/claim/")
    assert answer.json().get("assignment", {}).get("id") not in {str(each.pk) for each in held}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's clock is this machine's")
@pytest.mark.usefixtures("ahead")
def test_rows_are_not_dated_in_the_future_by_a_clock_that_is_ahead(make: Any) -> None:
    assert make.training_run().created_at <= clock.now()


@pytest.mark.any_database
def test_every_tables_times_come_from_the_database_clock() -> None:
    fields = [field for model in apps.get_models() for field in model._meta.local_fields]
    own = [field for field in fields if field.model._meta.app_label in {"annotate", "labeling", "prm_training"}]
    by_machine = [field for field in own if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)]
    assert [str(field) for field in by_machine if not isinstance(field, CreatedAt)] == []


def test_the_clock_advances_without_a_query(django_assert_num_queries: Any) -> None:
    before = clock.now()
    with django_assert_num_queries(0):
        after = clock.now()
    assert timedelta() <= after - before < timedelta(minutes=1)
