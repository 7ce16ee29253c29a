"""/api/phases/{id}/clone/: a draft with the same settings."""

import pytest

from labeling.models import Guidelines, Phase


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/clone/"


def test_it_works(address, phase, open_round, admin_client):
    Phase.objects.update(overlap=3, asks_critiques=True, guidelines_version=4, time_limit_minutes=20)
    answer = admin_client.post(address, {"name": "Copy"})
    assert answer.status_code == 201
    made = Phase.objects.get(pk=answer.json()["id"])
    assert (made.name, made.status, made.guidelines_version) == ("Copy", "draft", 1)
    assert (made.overlap, made.asks_critiques, made.time_limit_minutes) == (3, True, 20)
    assert made.instructions == "Rate each step."
    assert list(Guidelines.objects.filter(phase=made).values_list("version", "text")) == [(1, "Rate each step.")]
    assert (made.rounds.count(), made.memberships.count()) == (0, 0)


def test_with_the_same_people(address, phase, annotator, second_annotator, admin_client, now):
    phase.memberships.update(screened_at=now, screening_agreement=1)
    phase.memberships.filter(user=annotator).update(role="expert")
    made = Phase.objects.get(pk=admin_client.post(address, {"name": "Copy", "with_members": True}).json()["id"])
    roles = {item.user: item.role for item in made.memberships.all()}
    assert roles == {annotator: "expert", second_annotator: "annotator"}
    assert set(made.memberships.values_list("screened_at", flat=True)) == {None}, "screening is the phase's own"


@pytest.mark.parametrize("name", ["Arithmetic", "", "x" * 101])
def test_a_bad_name_is_refused(address, admin_client, refused, name):
    refused(admin_client.post(address, {"name": name}), 400, "invalid")
    assert Phase.objects.count() == 1
