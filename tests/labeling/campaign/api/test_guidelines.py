"""/api/phases/{id}/guidelines/{version}/: a version's text, which never changes."""

import pytest
from django.utils import timezone

from labeling.campaign import phases
from labeling.models import Phase


@pytest.fixture
def read(phase):
    def act(client, version):
        return client.get(f"/api/phases/{phase.pk}/guidelines/{version}/")

    return act


def test_it_works(read, annotator_client):
    answer = read(annotator_client, 1)
    assert answer.json() == {"version": 1, "text": "Rate each step."}
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "Cookie" in answer["Vary"], "who signs in next asks for themselves"


def test_an_older_version_stays_what_it_was(read, phase, admin, annotator_client):
    phases.change_settings(phase=phase, settings={"instructions": "Rate well."}, now=timezone.now(), by=admin)
    said = [read(annotator_client, version).json()["text"] for version in (1, 2)]
    assert said == ["Rate each step.", "Rate well."]


@pytest.mark.parametrize("version", ["0", "2", "-1", "x", "9" * 5000, "00000000-0000-4000-8000-000000000000"])
def test_an_unknown_version_is_not_found(read, annotator_client, refused, version):
    refused(read(annotator_client, version), 404, "not_found")


@pytest.mark.parametrize("who", ["admin", "ml_staff", "superuser"])
def test_staff_read_them_too(read, who, request, signed_in):
    assert read(signed_in(request.getfixturevalue(who)), 1).status_code == 200


def test_an_outsider_does_not_learn_that_the_phase_exists(read, outsider_client, refused):
    refused(read(outsider_client, 1), 404, "not_found")


def test_members_of_an_archived_phase_are_refused(read, phase, annotator_client, refused):
    Phase.objects.filter(pk=phase.pk).update(status="archived")
    refused(read(annotator_client, 1), 404, "not_found")


@pytest.mark.parametrize("version", ["1", "x"])
def test_signed_out_is_refused(read, signed_out_client, refused, version):
    refused(read(signed_out_client, version), 401, "not_authenticated")
