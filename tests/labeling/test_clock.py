"""labeling.clock: the database's, whatever a machine's own clock says."""

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
def test_a_web_server_whose_clock_is_ahead_gives_nobodys_task_away(
    open_round: Any, annotator: Any, second_annotator_client: Any, make: Any
) -> None:
    now = timezone.now() - timedelta(hours=1)
    held = [allocation.claim_next(phase=open_round.phase, annotator=annotator, now=now)]
    answer = second_annotator_client.post(f"/api/phases/{open_round.phase.pk}/claim/")
    assert answer.json().get("assignment", {}).get("id") not in {str(each.pk) for each in held}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's clock is this machine's")
@pytest.mark.usefixtures("ahead")
def test_what_a_machine_makes_whose_clock_is_ahead_is_not_of_the_future(make: Any) -> None:
    assert make.training_run().created_at <= clock.now()


@pytest.mark.any_database
def test_every_table_has_the_time_of_its_rows_from_it() -> None:
    fields = [field for model in apps.get_models() for field in model._meta.local_fields]
    own = [field for field in fields if field.model._meta.app_label in {"annotate", "labeling", "prm_training"}]
    by_machine = [field for field in own if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)]
    assert [str(field) for field in by_machine if not isinstance(field, CreatedAt)] == []


def test_it_is_read_seldom_and_goes_on_between(django_assert_num_queries: Any) -> None:
    before = clock.now()
    with django_assert_num_queries(0):
        after = clock.now()
    assert timedelta() <= after - before < timedelta(minutes=1)
