"""/api/phases/{id}/: one phase; admins change its settings."""

import pytest

from labeling.models import Guidelines, Phase


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/"


def test_it_works(address, phase, annotator_client):
    (listed,) = annotator_client.get("/api/phases/").json()["results"]
    assert annotator_client.get(address).json() == listed


def test_an_admin_changes_settings(address, phase, admin_client):
    settings = {"later_steps": "hidden", "asks_critiques": True, "alternatives_per_step": 6, "pass_mark": 0.8}
    answer = admin_client.patch(address, settings)
    assert answer.status_code == 200
    assert settings.items() <= answer.json().items()
    phase.refresh_from_db()
    assert {name: getattr(phase, name) for name in settings} == settings
    assert (phase.name, phase.instructions, phase.guidelines_version) == ("Arithmetic", "Rate each step.", 1)


def test_the_answer_has_own_counts(address, open_round, make, phase, superuser, superuser_client):
    phase.memberships.create(user=superuser)
    body = superuser_client.patch(address, {"lease_minutes": 9}).json()
    assert (body["is_member"], body["tasks_available"], body["open_round"]["number"]) == (True, True, 0)


def test_new_guidelines_are_a_new_version(address, phase, admin_client):
    for text in ("Be strict.", "Be strict.", "Be kind."):
        answer = admin_client.patch(address, {"instructions": text})
    assert answer.json()["guidelines_version"] == 3
    versions = Guidelines.objects.order_by("version").values_list("version", "text")
    assert list(versions) == [(1, "Rate each step."), (2, "Be strict."), (3, "Be kind.")]


def test_nobody_sets_the_version(address, phase, admin_client):
    assert admin_client.patch(address, {"guidelines_version": 9}).json()["guidelines_version"] == 1


def test_the_kind_is_fixed_once_there_are_rounds(address, phase, make, admin_client, refused):
    assert admin_client.patch(address, {"kind": "alternatives"}).json()["kind"] == "alternatives"
    make.round(phase)
    assert admin_client.patch(address, {"kind": "alternatives"}).status_code == 200
    refused(admin_client.patch(address, {"kind": "solutions"}), 409, "kind_is_fixed")
    assert Phase.objects.get().kind == "alternatives"


@pytest.mark.parametrize(
    "change",
    [{"name": ""}, {"name": "Taken"}, {"pass_mark": -1}, {"status": "lost"}, {"generator_url": "http://gpu:8000/v1"}],
)
def test_a_bad_body_is_refused(address, make, phase, admin_client, refused, change):
    make.phase(name="Taken")
    refused(admin_client.patch(address, change), 400, "invalid")
    phase.refresh_from_db()
    assert phase.name == "Arithmetic"


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_change_nothing(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).patch(address, {"name": "Mine"}), 403, "permission_denied")


def test_an_outsider_does_not_learn_that_it_exists(address, outsider_client, refused):
    refused(outsider_client.get(address), 404, "not_found")


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.get(address), 403, "not_authenticated")
    refused(signed_out_client.patch(address, {}), 403, "not_authenticated")
