"""/api/label-preview/: counts the labels of a choice; bad choices are refused, as in exports and trainings."""

import pytest

from labeling.rules.words import GIVEN_UP

ADDRESS = "/api/label-preview/"
NO_OVERLAP = {"benchmark": 0, "near_benchmark": 0}
NOT_THERE = "c0ffee00-0000-4000-8000-000000000000"


@pytest.fixture
def tasks(make, annotator, second_annotator):
    """Two tasks of one phase, the first labelled by two people who disagree."""
    shared, single = make.task(), make.task(number=1)
    make.labelling(shared, 1, -1, annotator=annotator)
    make.labelling(shared, 1, 1, 1, annotator=second_annotator)
    make.labelling(single, 1, 0, annotator=annotator)
    make.labelling(single, 1, finish_reason="give_up")
    return shared, single


def preview(client, **asked):
    answer = client.get(ADDRESS, asked)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_it_works(tasks, admin_client, ml_staff_client):
    found = preview(admin_client)
    assert found == preview(ml_staff_client)
    assert (found["labellings"], found["labels"], found["positive"], found["negative"]) == (3, 7, 5, 1)
    assert found["left_out"] == {
        "withdrawn": 0,
        "screening": 0,
        "gold": 0,
        **dict.fromkeys(GIVEN_UP, 0),
        "give_up": 1,
        **NO_OVERLAP,
        "settled": 0,
    }
    assert found["annotators"] == [{"username": "ada", "labellings": 2}, {"username": "ben", "labellings": 1}]


def test_choices(tasks, admin_client):
    shared, single = tasks
    assert preview(admin_client, rounds=str(single.round_id))["labels"] == 2
    assert preview(admin_client, phases=str(shared.round.phase_id))["labels"] == 5
    assert preview(admin_client, annotators="ben")["labels"] == 3
    assert preview(admin_client, without_annotators="ben")["labels"] == 4
    assert preview(admin_client, include=["give_up", "gold"])["labels"] == 8
    assert preview(admin_client, split="test")["labels"] == 0


@pytest.mark.any_database
def test_a_consensus_replaces_its_labellings(tasks, admin_client):
    found = preview(admin_client, consensus="majority")
    assert (found["labellings"], found["consensuses"], found["left_out"]["settled"]) == (1, 1, 2)
    assert (found["positive"], found["neutral"], found["negative"], found["unsure"]) == (2, 1, 0, 1)


BAD = [
    {"rounds": "x"},
    {"rounds": NOT_THERE},
    {"phases": NOT_THERE},
    {"annotators": "adda"},
    {"without_annotators": "adda"},
    {"include": "overruled"},
    {"include": ["gold", "mood"]},
    {"consensus": "adjudicated"},
    {"split": "dev"},
    {"without_annotator": "ada"},
    {"phase_ids": NOT_THERE},
    {"overruled": "1"},
]


@pytest.mark.parametrize("asked", BAD)
@pytest.mark.parametrize("address", [ADDRESS, "/api/exports/"])
def test_a_bad_choice_is_refused_by_name(tasks, admin_client, refused, address, asked):
    body = refused(admin_client.get(address, asked), 400, "invalid")
    assert list(body["errors"]) == list(asked)
    assert next(iter(asked)) in body["detail"]


@pytest.mark.parametrize("asked", [asked for asked in BAD if "phases" not in asked])
def test_a_training_refuses_bad_choices_too(tasks, ml_staff_client, refused, asked):
    lists = {name: value if name in {"consensus", "split"} else [value] for name, value in asked.items()}
    body = refused(ml_staff_client.post("/api/training-runs/", {"name": "x", "labels": lists}), 400, "invalid")
    assert list(body["errors"]["labels"]) == list(asked)


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_others_are_refused(who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(ADDRESS), 403, "permission_denied")
