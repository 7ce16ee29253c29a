"""/api/preferences/: a person's settings of the client."""

import pytest

from labeling.models import User

ADDRESS = "/api/preferences/"
CHOSEN = {"keys": {"great": "g"}, "textSize": 1.25, "seen": ["tour"], "left": None}


def test_it_works(annotator, second_annotator, annotator_client):
    answer = annotator_client.put(ADDRESS, {"preferences": CHOSEN})
    assert (answer.status_code, answer.json()) == (200, {"preferences": CHOSEN})
    assert annotator_client.get("/api/session/").json()["user"]["preferences"] == CHOSEN
    assert User.objects.get(pk=second_annotator.pk).preferences == {}


def test_the_last_ones_count(annotator, annotator_client):
    annotator_client.put(ADDRESS, {"preferences": CHOSEN})
    annotator_client.put(ADDRESS, {"preferences": {}})
    assert User.objects.get(pk=annotator.pk).preferences == {}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"preferences": None},
        {"preferences": []},
        {"preferences": "x"},
        {"preferences": {"x": "x" * 20_000}},
        {"preferences": {"x": "a\0b"}},
        {"preferences": {"a\0b": 1}},
        {"preferences": {"x": [{"y": "a\0b"}]}},
    ],
)
def test_a_bad_body_is_refused(annotator, annotator_client, refused, body):
    refused(annotator_client.put(ADDRESS, body), 400, "invalid")
    assert User.objects.get(pk=annotator.pk).preferences == {}


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.put(ADDRESS, {"preferences": {}}), 401, "not_authenticated")
