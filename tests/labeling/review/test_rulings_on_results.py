"""The verdict on the final result when a ruling or consensus replaces labellings."""

import pytest

from labeling.data.exporting import LabelFilter, standing
from labeling.models import Change, Labelling, Phase
from labeling.rules.audited import AuditAct

RULING = {"outcome": "ratings", "ratings": [1, -1]}


@pytest.fixture
def disputed(task):
    """The disputed task, in a phase that asks whether the result is right."""
    Phase.objects.filter(pk=task.round.phase_id).update(asks_result=True)
    return task


@pytest.fixture
def address(disputed):
    return f"/api/adjudication/disagreement/{disputed.pk}/"


def say(**results):
    for annotator, result in results.items():
        assert Labelling.objects.filter(annotator__username=annotator).update(result=result) == 1


def stands(**choice):
    (label,) = standing.stream(LabelFilter(**choice))
    return label.method, label.result


def test_a_rulings_result_stands(address, expert_client):
    say(ada="right", ben="wrong")
    assert expert_client.get(address).json()["asks_result"] is True
    (ruling,) = expert_client.post(address, RULING | {"result": "wrong"}).json()["consensuses"]
    assert (ruling["result"], stands()) == ("wrong", ("adjudicated", "wrong"))
    assert Change.objects.get(act=AuditAct.RULE).after["result"] == "wrong"


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ({"ada": "right", "ben": "right"}, "right"),
        ({"ada": "", "ben": "unsure"}, "unsure"),
        ({"ada": "right", "ben": "wrong"}, ""),
        ({"ada": "", "ben": ""}, ""),
    ],
)
def test_without_a_rulings_result_the_agreed_one_stands(address, expert_client, said, result):
    say(**said)
    assert expert_client.post(address, RULING).status_code == 200
    assert stands() == ("adjudicated", result)


@pytest.mark.usefixtures("disputed")
def test_a_consensus_has_the_agreed_result():
    say(ada="wrong", ben="wrong")
    assert stands(consensus="majority") == ("majority", "wrong")


def test_a_phase_that_does_not_ask_takes_none(task, expert_client, refused):
    answer = expert_client.post(f"/api/adjudication/disagreement/{task.pk}/", RULING | {"result": "wrong"})
    refused(answer, 400, "invalid_ruling")
