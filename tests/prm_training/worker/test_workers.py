"""/api/workers/: whether any worker is running."""

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.models import Worker

ADDRESS = "/api/workers/"


@pytest.fixture
def worker(db):
    def make(name, seconds_ago):
        seen = timezone.now() - timedelta(seconds=seconds_ago)
        return Worker.objects.create(name=name, queues="cpu, gpu", started_at=seen, last_seen_at=seen)

    return make


def test_it_works(worker, admin_client):
    worker("silent", 3600)
    worker("alive", 1)
    body = admin_client.get(ADDRESS).json()
    assert body["is_alive"] is True
    assert [(row["name"], row["is_alive"]) for row in body["workers"]] == [("alive", True), ("silent", False)]


def test_there_is_no_worker(ml_staff_client):
    assert ml_staff_client.get(ADDRESS).json() == {"is_alive": False, "workers": []}


def test_silent_workers_do_not_count(worker, ml_staff_client, settings):
    settings.WORKER_SILENT_SECONDS = 10
    worker("silent", 11)
    assert ml_staff_client.get(ADDRESS).json()["is_alive"] is False


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_are_refused(who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(ADDRESS), 403, "permission_denied")


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")


def test_queries_do_not_grow(worker, admin_client, django_assert_num_queries):
    for number in range(4):
        worker(f"worker {number}", 1)
    with django_assert_num_queries(3):  # session, user, workers
        assert len(admin_client.get(ADDRESS).json()["workers"]) == 4
