"""/api/publications/: publishes a selection as the next round."""

import pytest

from prm_training.models import Publication

pytestmark = pytest.mark.usefixtures("ready")

ADDRESS = "/api/publications/"


@pytest.fixture
def selection(make, phase):
    return make.picked(make.solution(), phase=phase)


def test_it_works(selection, ml_staff, ml_staff_client, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = ml_staff_client.post(ADDRESS, {"selection": str(selection.pk), "overlap": 3})
    assert answer.status_code == 201
    run = Publication.objects.get()
    assert (run.selection, run.overlap, run.owner, run.status) == (selection, 3, ml_staff, "queued")
    assert broker() == [("prm_training.run", "publish", str(run.pk))]
    assert (answer.json()["id"], answer.json()["round"]) == (str(run.pk), None)


def test_the_overlap_is_one_unless_said(selection, ml_staff_client):
    assert ml_staff_client.post(ADDRESS, {"selection": str(selection.pk)}).json()["overlap"] == 1


def test_publishing_twice_is_one_publication(selection, ml_staff_client, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first = ml_staff_client.post(ADDRESS, {"selection": str(selection.pk)}).json()
        again = ml_staff_client.post(ADDRESS, {"selection": str(selection.pk), "overlap": 9}).json()
    assert again == first
    assert len(broker()) == 1


@pytest.mark.parametrize("status", ["queued", "running", "failed", "cancelled"])
def test_a_selection_that_is_not_done_is_refused(make, ml_staff_client, refused, status):
    refused(ml_staff_client.post(ADDRESS, {"selection": str(make.selection(status=status).pk)}), 409, "not_ready")
    assert not Publication.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"overlap": 0},
        {"overlap": 101},
        {"overlap": "all"},
        {"selection": None},
        {"selection": "x"},
        {"selection": "00000000-0000-4000-8000-000000000000"},
    ],
)
def test_a_bad_body_is_refused(selection, ml_staff_client, refused, change):
    refused(ml_staff_client.post(ADDRESS, {"selection": str(selection.pk)} | change), 400, "invalid")
    assert not Publication.objects.exists()


def test_a_published_one_names_its_round(make, phase, selection, open_round, admin_client):
    make.publication(selection=selection, round=open_round, status="done")
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row["round"] == {"id": str(open_round.pk), "number": open_round.number, "phase": str(phase.pk)}
