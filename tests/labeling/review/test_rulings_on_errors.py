"""Rulings on kinds of error, their words and root causes: where they are stored, shown and exported."""

import pytest

from labeling.data.exporting import LabelFilter, preview_export, standing
from labeling.data.formats.labels import READERS, WRITERS
from labeling.models import Change, Consensus, Gold, Labelling, Phase
from labeling.rules.audited import AuditAct

KINDS = [
    {"key": "c", "name": "Calculation", "parent": "", "help": ""},
    {"key": "1", "name": "Arithmetic", "parent": "c", "help": ""},
]
SAID = {"error_kinds": ["", "1"], "error_words": [None, [11, 12]], "root_causes": [None, 0]}
RULING = {"outcome": "ratings", "ratings": [1, -1], **SAID}
HELD = ("1", 11, 12, 0)


@pytest.fixture
def disputed(task):
    """The disputed task, in a phase that asks for kinds, words and root causes; Ada's differ from the ruling."""
    phase = task.round.phase
    Phase.objects.filter(pk=phase.pk).update(error_kinds=KINDS, asks_error_words=True, asks_root_cause=True)
    said = Labelling.objects.get(task=task, annotator__username="ada").completions
    said.filter(step=1).update(error_kind="c", error_start=0, error_end=4)
    return task


@pytest.fixture
def address(disputed):
    return f"/api/adjudication/disagreement/{disputed.pk}/"


def test_it_works(address, disputed, expert_client):
    answer = expert_client.post(address, RULING)
    assert answer.status_code == 200
    (ruling,) = answer.json()["consensuses"]
    assert ruling == {"method": "adjudicated", "ratings": [1, -1], "result": "", **SAID}
    assert disputed.solution.steps[1][11:12] == "5"


def test_the_form_is_told_what_the_phase_asks(address, expert_client):
    case = expert_client.get(address).json()
    assert (case["error_kinds"], case["asks_error_words"], case["asks_root_cause"]) == (KINDS, True, True)


def test_a_ruling_replaces_annotators_errors(address, expert_client):
    assert expert_client.post(address, RULING).status_code == 200
    (label,) = standing.stream(LabelFilter())
    assert [item[7:] for item in label.completions] == [("", None, None, None), HELD]


@pytest.mark.parametrize("name", ["parquet", "prm800k"])
def test_formats_that_hold_annotators_errors_hold_a_rulings(address, expert_client, name):
    expert_client.post(address, RULING)
    (label,) = standing.stream(LabelFilter())
    (record,) = WRITERS[name](label)
    assert READERS[name](record).completions[1][7:] == HELD


def test_other_files_say_that_they_lose_it(address, expert_client):
    expert_client.post(address, RULING)
    lost = preview_export(LabelFilter(), file_format="openrlhf")["not_held"]
    assert [loss["count"] for loss in lost if loss["name"] == "error_kinds"] == [1]


def test_a_later_ruling_replaces_an_earlier_one_completely(address, disputed, expert_client):
    expert_client.post(address, RULING)
    expert_client.post(f"{address}reopen/")
    assert expert_client.post(address, {"outcome": "ratings", "ratings": [1, -1]}).status_code == 200
    ruling = Consensus.objects.get(task=disputed)
    assert (ruling.error_kinds, ruling.error_words, ruling.root_causes) == (None, None, None)
    logged = Change.objects.filter(act=AuditAct.RULE).order_by("at", "pk").values_list("after", flat=True)
    assert list(logged) == [{"ratings": [1, -1], **SAID}, {"ratings": [1, -1]}]


def test_gold_keeps_kinds_and_root_causes_and_the_ruling_the_words_too(address, disputed, admin_client):
    assert admin_client.post(address, RULING | {"outcome": "gold"}).status_code == 200
    assert Consensus.objects.get(task=disputed).root_causes == [None, 0]
    mistakes = [{"step": 1, "kind": "Calculation: Arithmetic", "root_cause": 0}]
    assert Gold.objects.get(solution=disputed.solution).mistakes == mistakes
    assert admin_client.get(address).json()["gold"]["mistakes"] == mistakes


def test_gold_refuses_what_a_ruling_refuses(address, admin_client):
    refused = RULING | {"outcome": "gold", "root_causes": [None, 1]}
    assert admin_client.post(address, refused).status_code == 400
    assert not Gold.objects.exists()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"error_kinds": ["", "x"]}, "not one of this phase's kinds"),
        ({"error_kinds": ["1"]}, "only a Bad step"),
        ({"error_words": [[0, 1], None]}, "only a Bad step"),
        ({"error_words": [None, [11, 999]]}, "not in its text"),
        ({"error_words": [None, [3, 3]]}, "not in its text"),
        ({"error_words": [None, [4, 3]]}, "not in its text"),
        ({"root_causes": [None, 1]}, "only an earlier step"),
        ({"root_causes": [None, 2]}, "only an earlier step"),
        ({"root_causes": [0]}, "only a Bad step"),
        ({"root_causes": [None, 0, None]}, "More is said of errors"),
    ],
)
def test_it_refuses(address, disputed, expert_client, said, why):
    answer = expert_client.post(address, RULING | said)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_ruling")
    assert why in answer.json()["detail"]
    assert not Consensus.objects.filter(task=disputed).exists()


@pytest.mark.parametrize(
    "said", [{"error_words": [None, [1]]}, {"error_words": [None, [-1, 2]]}, {"root_causes": [None, -1]}]
)
def test_it_refuses_invalid_places(address, expert_client, said):
    answer = expert_client.post(address, RULING | said)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, list(said))


@pytest.mark.parametrize("asked", ["asks_error_words", "asks_root_cause"])
def test_a_phase_that_does_not_ask_takes_none(address, disputed, expert_client, asked):
    Phase.objects.filter(pk=disputed.round.phase_id).update(**{asked: False})
    assert expert_client.post(address, RULING).status_code == 400


def test_only_experts_of_the_phase_rule(address, make, annotator_client, signed_in):
    assert annotator_client.post(address, RULING).status_code == 403
    elsewhere, stranger = make.phase(name="Elsewhere"), make.user()
    elsewhere.memberships.create(user=stranger, role="expert")
    assert signed_in(stranger).post(address, RULING).status_code == 404


def test_annotators_are_shown_its_ratings_alone(address, disputed, expert_client, annotator_client):
    expert_client.post(address, RULING | {"ratings": [-1], "error_kinds": ["1"], "error_words": [], "root_causes": []})
    phase = disputed.round.phase
    Phase.objects.filter(pk=phase.pk).update(shows_consensus=True)
    phase.rounds.update(status="closed")
    (difference,) = annotator_client.get(f"/api/phases/{phase.pk}/differences/").json()["differences"]
    assert (difference["source"], difference["expected"]) == ("ruling", [-1])
    assert not {"error_kinds", "error_words", "root_causes"} & difference.keys()


def test_a_kind_that_only_a_ruling_names_stays(address, disputed, expert_client, admin_client):
    expert_client.post(address, RULING)
    settings = f"/api/phases/{disputed.round.phase_id}/settings/"
    refused = admin_client.patch(settings, {"error_kinds": KINDS[:1]})
    assert (refused.status_code, refused.json()["code"]) == (409, "kind_in_use")
