"""/api/autopilots/{phase}/: settings, on and off."""

import pytest

from labeling.models import Change
from prm_training.models import Autopilot

ADDRESS = "/api/autopilots/{}/"


def test_defaults_before_anybody_set_it_up(phase, admin_client):
    body = admin_client.get(ADDRESS.format(phase.pk)).json()
    assert (body["status"], body["size"], body["timeline"], body["webhook_secret"]) == ("off", 100, [], "")
    assert not Autopilot.objects.exists()


def test_staff_set_it_up_and_switch_it_on_and_off(make, phase, ml_staff, ml_staff_client, admin_client, broker):
    make.solution()
    address = ADDRESS.format(phase.pk)
    body = ml_staff_client.patch(address, {"size": 7, "training": {"epochs": 1}, "emails": ["a@b.org"]}).json()
    assert (body["size"], body["training"], len(body["webhook_secret"])) == (7, {"epochs": 1}, 64)
    body = ml_staff_client.post(f"{address}on/").json()
    assert (body["status"], [row["act"] for row in body["timeline"]]) == ("on", ["select"])
    assert [row["event"] for row in body["notices"]] == ["started", "switched on"]
    assert admin_client.get(address).json()["webhook_secret"] == ""
    assert ml_staff_client.post(f"{address}off/").json()["status"] == "off"
    assert {row.by for row in Change.objects.filter(kind="autopilot")} == {ml_staff}


@pytest.mark.parametrize(
    "change",
    [
        {"size": 0},
        {"policy": "best"},
        {"wrong_share": 2},
        {"emails": ["nobody"]},
        {"most_rounds": 0},
        {"training": {"epochs": 0}},
        {"webhook_url": "ftp://example.org"},
        {"webhook_url": "http://127.0.0.1:9/"},
        {"webhook_url": "http://169.254.169.254/latest/meta-data"},
        {"base": "/no/such/model"},
    ],
)
def test_bad_settings_are_refused(phase, ml_staff_client, refused, change):
    answer = refused(ml_staff_client.patch(ADDRESS.format(phase.pk), change), 400, "invalid")
    assert list(answer["errors"]) == list(change)
    assert not Autopilot.objects.exists()


def test_nobody_sets_the_status_by_hand(phase, ml_staff_client, refused):
    refused(ml_staff_client.patch(ADDRESS.format(phase.pk), {"status": "on", "size": 3}), 400, "invalid")
    assert not Autopilot.objects.exists()
