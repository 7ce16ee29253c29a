"""/api/profiles/ and the profile of a phase."""

import pytest

from labeling.models import Guidelines, Phase
from labeling.rules.profiles import Profile

ADDRESS = "/api/profiles/"


def test_it_works(admin_client):
    listed = admin_client.get(ADDRESS).json()
    assert [row["profile"] for row in listed] == Profile.values
    assert listed[0]["instruction"] == "Judge the steps by the mathematics."
    assert listed[0]["meanings"] == Profile.MATHEMATICS.traits.meanings._asdict()


def test_annotators_are_refused(annotator_client):
    assert annotator_client.get(ADDRESS).status_code == 403


def test_a_phase_begins_with_its_profiles_guidelines_unless_it_has_its_own(admin_client):
    answer = admin_client.post("/api/phases/", {"name": "Agents", "profile": "agents"})
    assert (answer.status_code, answer.json()["instructions"]) == (201, Profile.AGENTS.traits.guidelines)
    assert Guidelines.objects.get(phase=answer.json()["id"]).text == Profile.AGENTS.traits.guidelines
    own = admin_client.post("/api/phases/", {"name": "Own", "profile": "agents", "instructions": "Look."})
    assert own.json()["instructions"] == "Look."


def test_an_unknown_profile_is_refused(admin_client):
    answer = admin_client.post("/api/phases/", {"name": "Music", "profile": "music"})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["profile"])


@pytest.mark.parametrize("meanings", [{"great": "x" * 1001}, {"great": 1.5e9, "okay": None}, "Great"])
def test_meanings_that_are_not_texts_are_refused(admin_client, meanings):
    answer = admin_client.post("/api/phases/", {"name": "Other", "meanings": meanings})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["meanings"])


def test_annotators_read_the_profiles_words_unless_the_phase_has_its_own(
    admin_client, annotator_client, phase, open_round
):
    Phase.objects.filter(pk=phase.pk).update(profile="law", meanings={"okay": "Fine.", "bad": ""})
    given = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]["phase"]
    of_law = Profile.LAW.traits
    assert (given["profile"], given["instruction"]) == ("law", of_law.instruction)
    assert given["meanings"] == of_law.meanings._asdict() | {"okay": "Fine."}
