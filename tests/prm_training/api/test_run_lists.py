"""Lists and details of every kind of run, and who may see them."""

from datetime import timedelta

import pytest
from django.utils import timezone

KINDS = ["training-runs", "policy-replays", "scoring-runs", "selections", "publications", "generations"]


def makers(make):
    return {
        "training-runs": make.training_run,
        "policy-replays": make.policy_replay,
        "scoring-runs": make.scoring_run,
        "selections": make.selection,
        "publications": make.publication,
        "generations": make.generation,
    }


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def new(make, kind):
    return makers(make)[kind]


@pytest.mark.every_case
@pytest.mark.parametrize("who", ["admin", "ml_staff", "superuser"])
def test_it_works(new, kind, who, ml_staff, request, signed_in):
    client = signed_in(request.getfixturevalue(who))
    run = new(owner=ml_staff, stage="thinking", done=3, total=9)
    (row,) = client.get(f"/api/{kind}/").json()["results"]
    assert row == client.get(f"/api/runs/{run.pk}/").json()["details"]
    expected = {"id": str(run.pk), "status": "queued", "stage": "thinking", "done": 3, "total": 9, "owner": "mika"}
    assert expected.items() <= row.items()
    assert (row["error"], row["attempts"], row["cancel_requested_at"]) == ("", 0, None)


@pytest.mark.every_case
def test_the_latest_comes_first(new, kind, admin_client):
    runs = [new() for _ in range(3)]
    for days, run in enumerate(runs):
        type(run).objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(days=days))
    rows = admin_client.get(f"/api/{kind}/").json()["results"]
    assert [row["id"] for row in rows] == [str(run.pk) for run in runs]


@pytest.mark.every_case
def test_page_after_page(new, kind, admin_client):
    runs = [new() for _ in range(3)]
    page = admin_client.get(f"/api/{kind}/", {"page_size": 2}).json()
    last = admin_client.get(page["next"]).json()
    assert [row["id"] for row in page["results"] + last["results"]] == [str(run.pk) for run in reversed(runs)]
    assert last["next"] is None


def test_a_run_without_an_owner(new, kind, admin_client):
    new()
    (row,) = admin_client.get(f"/api/{kind}/").json()["results"]
    assert row["owner"] is None


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_are_refused(new, kind, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(f"/api/{kind}/"), 403, "permission_denied")
    refused(client.get(f"/api/runs/{new().pk}/"), 403, "permission_denied")
    refused(client.post(f"/api/{kind}/", {}), 403, "permission_denied")


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"selections", "publications"}), indirect=True)
def test_admins_cannot_start_jobs_of_ml_staff(kind, admin_client, refused):
    refused(admin_client.post(f"/api/{kind}/", {}), 403, "permission_denied")


def test_signed_out_is_refused(kind, signed_out_client, refused):
    refused(signed_out_client.get(f"/api/{kind}/"), 401, "not_authenticated")


def test_queries_do_not_grow(new, kind, ml_staff, make, admin_client, django_assert_num_queries):
    for _ in range(4):
        new(owner=ml_staff)
    queries = 5 if kind == "training-runs" else 3  # session, user, page, and a training run's phases and losses
    with django_assert_num_queries(queries):
        assert len(admin_client.get(f"/api/{kind}/").json()["results"]) == 4
