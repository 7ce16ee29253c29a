"""Yes-or-no filters take the same words everywhere, and refuse any other."""

import pytest

from labeling.data.formats.labels import WRITERS
from labeling.rules.words import FinishReason


@pytest.fixture
def lists(make, phase, open_round, admin, superuser):
    """Addresses, each with a yes-or-no parameter."""
    selection = make.selection(phase=phase, status="done")
    return {
        "/api/people/": "is_active",
        "/api/gold/": "is_newest",
        "/api/pool/solutions/": "labelled",
        f"/api/rounds/{open_round.pk}/tasks/": "is_gold",
        f"/api/selections/{selection.pk}/items/": "set_aside",
    }


def test_yes_and_no_are_the_same_words_everywhere(lists, superuser_client):
    for address, name in lists.items():
        for words in (["true", "True", "1", "YES"], ["false", "False", "0", "no"]):
            found = [superuser_client.get(address, {name: word}) for word in words]
            assert {answer.status_code for answer in found} == {200}, address
            assert len({str(answer.json()) for answer in found}) == 1, address


def test_any_other_word_is_an_error(lists, superuser_client, refused):
    for address, name in lists.items():
        for word in ("ture", "t", "2", "on", "none"):
            assert name in refused(superuser_client.get(address, {name: word}), 400, "invalid")["errors"]


def test_people_by_whether_they_are_active(make, admin, admin_client):
    make.user(username="gone", is_active=False)
    for word, names in (("1", ["alma"]), ("FALSE", ["gone"]), ("", ["alma", "gone"])):
        rows = admin_client.get("/api/people/", {"is_active": word}).json()["results"]
        assert [row["username"] for row in rows] == names


CHOICES = {
    "/api/labellings/?finish_reason=": ", ".join(FinishReason),
    "/api/phases/?kind=": "solutions, alternatives",
    "/api/runs/?status=": "queued, running, ready, done, failed, cancelled",
    "/api/exports/?file_format=": ", ".join(sorted(WRITERS)),
}


@pytest.mark.parametrize("address", CHOICES)
def test_a_misspelt_choice_is_refused_with_the_valid_ones(address, admin_client, refused):
    """An empty list would hide the mistake."""
    said = refused(admin_client.get(f"{address}solutoin"), 400, "invalid")["detail"]
    assert said.endswith(f"“solutoin” is not one of {CHOICES[address]}.")


def test_a_misspelt_choice_in_a_body_is_refused_with_the_valid_ones(admin_client, refused):
    said = refused(admin_client.post("/api/phases/", {"name": "Sums", "kind": "sums"}), 400, "invalid")["errors"]
    assert said == {"kind": ["“sums” is not one of solutions, alternatives."]}
