"""Kinds of error, from the submission to counts, rulings and files."""

import pytest
from rest_framework.test import APIClient

from labeling.data.exporting import LabelFilter, preview_export, standing
from labeling.data.formats.labels import READERS, WRITERS
from labeling.models import Consensus, Labelling, Phase
from labeling.rules.profiles import Profile

KINDS = [
    {"key": "c", "name": "Calculation", "parent": "", "help": ""},
    {"key": "1", "name": "Arithmetic", "parent": "c", "help": "A number comes out wrong."},
]
ERROR = {"error_kind": "1", "error_start": 11, "error_end": 12, "root_cause": 0}


def found(**error):
    return {"ratings": [{"step": 0, "rating": 1}, {"step": 1, "rating": -1, **error}], "finish_reason": "found_error"}


@pytest.fixture
def asking(phase):
    Phase.objects.filter(pk=phase.pk).update(error_kinds=KINDS, asks_error_words=True, asks_root_cause=True)
    phase.refresh_from_db()
    return phase


@pytest.fixture
def address(assignment, asking):
    return f"/api/assignments/{assignment.pk}/submit/"


@pytest.fixture
def labelled(make, asking, annotator, second_annotator):
    """Two tasks whose annotators give a step the same kind in one, different kinds in the other. Returns the last."""
    for mine, other in (("1", "1"), ("1", "c")):
        task = make.task(asking, overlap=2)
        for person, kind in ((annotator, mine), (second_annotator, other)):
            labelling = make.labelling(task, 1, -1, annotator=person)
            labelling.completions.filter(step=1).update(error_kind=kind, error_start=0, error_end=4, root_cause=0)
    return task


def test_it_works(address, assignment, annotator_client):
    assert annotator_client.post(address, found(**ERROR)).status_code == 200
    stored = Labelling.objects.get().completions.get(step=1)
    assert (stored.error_kind, stored.text[stored.error_start : stored.error_end], stored.root_cause) == ("1", "5", 0)
    own = annotator_client.get(f"/api/assignments/{assignment.pk}/").json()["labelling"]
    assert own["ratings"][1].items() >= ERROR.items()
    again = annotator_client.post(address, found(**ERROR))
    assert (again.status_code, again.json()["labelling_id"]) == (200, own["id"])
    assert annotator_client.post(address, found(**ERROR | {"error_kind": "c"})).status_code == 409


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ({}, "what kind of error step 2 has"),
        ({"error_kind": "x"}, "not one of this phase's kinds"),
        (ERROR | {"error_end": 14}, "not in its text"),
        (ERROR | {"error_end": 11}, "not in its text"),
        (ERROR | {"error_start": None}, "not in its text"),
        (ERROR | {"root_cause": 1}, "earlier step"),
        (ERROR | {"rating": 1}, "only a Bad step"),
    ],
)
def test_it_refuses(address, annotator_client, error, said):
    answer = annotator_client.post(address, found(**error))
    assert (answer.status_code, said in answer.json()["detail"]) == (400, True)


@pytest.mark.parametrize("error", [{"error_kind": "1"}, {"error_start": 0, "error_end": 1}, {"root_cause": 0}])
def test_a_phase_that_does_not_ask_takes_none(assignment, annotator_client, error):
    answer = annotator_client.post(f"/api/assignments/{assignment.pk}/submit/", found(**error))
    assert answer.status_code == 400


def test_giving_up_needs_no_kind(address, annotator_client):
    body = found() | {"finish_reason": "give_up", "finish_note": "It takes too long."}
    assert annotator_client.post(address, body).status_code == 200


def test_a_draft_keeps_it(assignment, asking, annotator_client):
    address = f"/api/assignments/{assignment.pk}/draft/"
    assert annotator_client.put(address, {"ratings": found(**ERROR)["ratings"], "version": 1}).status_code == 200
    draft = annotator_client.get(f"/api/assignments/{assignment.pk}/").json()["draft"]
    assert draft["ratings"][1].items() >= ERROR.items()


def test_they_are_counted(labelled, asking, admin_client):
    counted = admin_client.get(f"/api/phases/{asking.pk}/dashboard/").json()["kinds"]
    assert counted == [{"key": "1", "steps": 3}, {"key": "c", "steps": 1}]


def test_agreement_on_each_kind(labelled, admin_client):
    body = admin_client.get(f"/api/rounds/{labelled.round_id}/agreement/").json()
    assert [(row["key"], row["tasks"], row["same"]) for row in body["kinds"]] == [("1", 2, 0.5), ("c", 2, 0.5)]
    assert body["kinds"][0]["alpha"] == pytest.approx(0)


def test_labellings_are_found_by_kind(labelled, admin_client):
    def number(kind):
        return admin_client.get("/api/labellings/", {"error_kind": kind}).json()["count"]

    assert (number("1"), number("c"), number("x")) == (3, 1, 0)


def test_an_expert_sees_them_and_rules_on_them(labelled, admin_client):
    queue = f"/api/adjudication/second_look/{labelled.pk}/"
    case = admin_client.get(queue).json()
    assert case["error_kinds"] == KINDS
    assert sorted(row["completions"][1]["error_kind"] for row in case["labellings"]) == ["1", "c"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("kinds", "status"), [(["", "1"], 200), ([], 200), (["", "x"], 400), (["1", ""], 400), (["", "1", ""], 400)]
)
def test_a_ruling_may_name_a_bad_steps_kind(make, asking, annotator, second_annotator, admin_client, kinds, status):
    task = make.task(asking, overlap=2)
    make.labelling(task, 1, -1, annotator=annotator)
    make.labelling(task, 1, 1, 1, annotator=second_annotator)
    body = {"outcome": "ratings", "ratings": [1, -1], "error_kinds": kinds}
    answer = admin_client.post(f"/api/adjudication/disagreement/{task.pk}/", body)
    assert answer.status_code == status
    if status == 200:
        assert Consensus.objects.get().error_kinds == (kinds or None)
        (ruled,) = standing.stream(LabelFilter())
        assert [item.error_kind for item in ruled.completions] == (kinds or ["", ""])


@pytest.mark.parametrize("name", ["parquet", "prm800k"])
def test_our_own_columns_and_prm800k_hold_them(labelled, name):
    for each in standing.stream(LabelFilter()):
        (record,) = WRITERS[name](each)
        assert READERS[name](record).completions[1][7:] == each.completions[1][7:] != ("", None, None, None)
    assert preview_export(LabelFilter(), file_format=name)["not_held"] == []


def test_prm800k_files_hold_the_words_and_the_kinds_names(labelled):
    record = next(record for each in standing.stream(LabelFilter()) for record in WRITERS["prm800k"](each))
    error = record["label"]["steps"][1]["completions"][0]["error"]
    assert (error["words"], error["start"], error["end"], error["root_cause"]) == ("step", 0, 4, 0)
    assert record["error_kinds"] == KINDS


def test_other_formats_say_that_they_lose_them(labelled):
    lost = preview_export(LabelFilter(), file_format="openrlhf")["not_held"]
    assert [(loss["name"], loss["count"]) for loss in lost] == [("error_kinds", 4)]


def test_a_kind_that_labels_name_stays(labelled, asking, admin_client):
    address = f"/api/phases/{asking.pk}/settings/"
    refused = admin_client.patch(address, {"error_kinds": KINDS[:1]})
    assert (refused.status_code, refused.json()["code"]) == (409, "kind_in_use")
    renamed = [KINDS[0], KINDS[1] | {"name": "Sums"}, {"key": "z", "name": "Other"}]
    assert admin_client.patch(address, {"error_kinds": renamed}).status_code == 200
    assert admin_client.patch(address, {"error_kinds": KINDS}).status_code == 200, "of z there is no label"


@pytest.mark.parametrize("kinds", [[{"key": "A", "name": "Upper"}], [KINDS[1]], [KINDS[0], KINDS[0]], [{"key": "a"}]])
def test_an_invalid_list_of_kinds_is_refused(asking, admin_client, kinds):
    answer = admin_client.patch(f"/api/phases/{asking.pk}/settings/", {"error_kinds": kinds})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["error_kinds"])


@pytest.mark.parametrize("profile", Profile)
def test_every_profiles_example_can_be_stored(asking, admin_client: APIClient, profile):
    listed = admin_client.get("/api/profiles/").json()
    example = next(row["error_kinds"] for row in listed if row["profile"] == profile)
    assert admin_client.patch(f"/api/phases/{asking.pk}/settings/", {"error_kinds": example}).status_code == 200


# Kinds of completions, in a phase of alternatives


@pytest.fixture
def held(make, asking, annotator):
    """Claims a task for a client and returns its id: a problem with two completions at the first step."""
    Phase.objects.filter(pk=asking.pk).update(kind="alternatives")
    problem = make.problem()
    solutions = [make.solution(problem, steps=[first, "A: 5"]) for first in ("Two and two make 5.", "We add.")]
    make.round(asking, solutions[:1], overlap=2)

    def act(client):
        return client.post(f"/api/phases/{asking.pk}/claim/").json()["assignment"]["id"]

    return act


def completions(client, held, **error):
    """Returns a whole labelling in which one completion of the first step is Bad, with these fields."""
    offers = f"/api/assignments/{held}/completions/"
    first = client.post(offers, {"path": []}).json()["completions"]
    texts = sorted((each["text"] for each in first), reverse=True)
    assert texts == ["We add.", "Two and two make 5."]
    bad = {"step": 0, "completion": 1, "text": texts[1], "rating": -1, "is_chosen": False}
    rated = [{"step": 0, "text": texts[0], "rating": 1}, bad | error, {"step": 1, "text": "A: 5", "rating": 1}]
    return {"ratings": rated, "finish_reason": "solution"}


OF_COMPLETION = {"error_kind": "1", "error_start": 17, "error_end": 18}


def test_a_bad_completion_needs_a_kind(held, annotator_client):
    task = held(annotator_client)
    address = f"/api/assignments/{task}/submit/"
    refused = annotator_client.post(address, completions(annotator_client, task))
    assert (refused.status_code, "error completion 2 of step 1 has" in refused.json()["detail"]) == (400, True)
    assert annotator_client.post(address, completions(annotator_client, task, **OF_COMPLETION)).status_code == 200
    stored = Labelling.objects.get().completions.get(rating=-1)
    assert (stored.error_kind, stored.text[stored.error_start : stored.error_end]) == ("1", "5")


def test_agreement_on_kinds_of_completions(held, asking, annotator_client, second_annotator_client, admin_client):
    for client, kind in ((annotator_client, "1"), (second_annotator_client, "c")):
        task = held(client)
        body = completions(client, task, error_kind=kind)
        assert client.post(f"/api/assignments/{task}/submit/", body).status_code == 200
    agreed = admin_client.get(f"/api/rounds/{asking.rounds.get().pk}/agreement/").json()
    assert [(row["key"], row["tasks"], row["same"]) for row in agreed["kinds"]] == [("1", 1, 0), ("c", 1, 0)]
    assert (agreed["tasks"], agreed["pairs"]) == (0, []), "paths differ"


@pytest.mark.parametrize("name", ["parquet", "prm800k"])
def test_files_hold_kinds_of_completions(held, annotator_client, name):
    task = held(annotator_client)
    body = completions(annotator_client, task, **OF_COMPLETION)
    assert annotator_client.post(f"/api/assignments/{task}/submit/", body).status_code == 200
    (each,) = standing.stream(LabelFilter())
    (record,) = WRITERS[name](each)
    assert [item[7:] for item in READERS[name](record).completions] == [item[7:] for item in each.completions]
    assert each.completions[1].error_words == "5"
    assert preview_export(LabelFilter(), file_format="trl_alternatives")["not_held"] == [
        {"name": "error_kinds", "title": "Kinds of error, their words and root causes", "count": 1}
    ]
