"""/api/phases/{id}/differences/: an annotator's differences from others, in closed rounds, if the phase shows them."""

import pytest

from annotate import differences
from labeling.models import Consensus, Round


@pytest.fixture
def address(phase):
    phase.shows_consensus = True
    phase.save()
    return f"/api/phases/{phase.pk}/differences/"


@pytest.fixture
def labelled(make, phase, annotator):
    """Makes a task of a closed round, with the annotator's ratings and those of others."""

    def act(own, *others, **columns):
        task = make.task(phase, **columns)
        make.labelling(task, *own, annotator=annotator)
        for ratings in others:
            make.labelling(task, *ratings, annotator=make.user())
        return task

    return act


def rule(make, task, ratings, now):
    case = task.cases.create(queue="disagreement", outcome="ratings", by=make.user(), settled_at=now)
    shown = {"confidence": [1.0] * len(ratings), "labellings": 1, "computed_at": now, "case": case}
    Consensus.objects.create(task=task, method="adjudicated", ratings=ratings, **shown)


def told(client, address):
    body = client.get(address).json()
    return body["compared"], [(each["source"], each["step"]) for each in body["differences"]]


@pytest.mark.parametrize(
    ("given", "expected", "step"),
    [
        ([1, 0, -1], [1, 0, -1], None),
        ([1, 0, -1], [1, 1, -1], 1),
        ([1, None, 1], [1, 1, 1], 1),
        ([1, 1, 1], [1, None, -1], 2),
        ([1, -1], [1, None, -1], 2),
        ([1, 1, 1], [], None),
    ],
)
def test_the_first_difference(given, expected, step):
    assert differences.first_difference(given=given, expected=expected) == step


def test_a_tie_between_great_and_okay_is_no_difference(address, labelled, annotator_client):
    labelled([1, 1, 1], [1, 0, 1])
    labelled([1, 0, 1], [1, 1, 1], [1, 0, 1], [1, 1, 1])
    assert told(annotator_client, address) == (2, [])
    labelled([1, 0, 1], [1, 1, 1], [1, 1, 1])
    assert told(annotator_client, address) == (3, [("consensus", 1)])


def test_a_trace_is_shown_up_to_the_turn_that_differs(make, address, labelled, annotator_client):
    said = [{"parts": [{"kind": "text", "text": text}], "agent": ""} for text in "abc"]
    labelled([1, 1, 1], [1, -1], [1, -1], solution=make.solution(steps=[*"abc"], turns=said))
    (difference,) = annotator_client.get(address).json()["differences"]
    assert [turn["parts"][0]["text"] for turn in difference["turns"]] == ["a", "b"]


def test_it_works(address, labelled, annotator_client):
    labelled([1, 1, 1], [1, 1, 1])
    task = labelled([1, 1, 1], [1, -1], [1, -1])
    body = annotator_client.get(address).json()
    assert body == {
        "compared": 2,
        "differing": 1,
        "differences": [
            {
                "id": str(task.labellings.get(annotator__username="ada").pk),
                "assignment": None,
                "round_number": task.round.number,
                "submitted_at": "2026-03-02T12:00:00Z",
                "statement": task.solution.problem.statement,
                "statement_markup": "mathematics",
                "markup": "mathematics",
                "steps": task.solution.steps[:2],
                "turns": None,
                "conversation": None,
                "source": "consensus",
                "given": [1, 1, 1],
                "expected": [1, -1],
                "step": 1,
            }
        ],
    }


def test_a_ruling_outweighs_the_consensus(make, address, labelled, annotator_client, now):
    rule(make, labelled([1, 1, 1], [1, 1, 1]), [-1], now)
    rule(make, labelled([1, -1]), [1, 1, 1], now)
    assert sorted(told(annotator_client, address)[1]) == [("ruling", 0), ("ruling", 1)]


def test_an_open_round_shows_no_differences(address, labelled, annotator_client):
    labelled([1, 1, 1], [1, -1], [1, -1])
    Round.objects.update(status="open")
    assert told(annotator_client, address) == (0, [])


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("shows", "found"),
    [
        ({}, []),
        (
            {"shows_consensus": True},
            [("consensus", 1)] * 2,
        ),  # a task that is never compared would be recognised as gold
        ({"shows_gold": True}, [("experts", 0)]),
        ({"shows_consensus": True, "shows_gold": True}, [("consensus", 1), ("experts", 0)]),
    ],
)
def test_only_comparisons_that_the_phase_shows_are_listed(
    make, address, phase, labelled, annotator_client, shows, found
):
    type(phase).objects.update(**{"shows_consensus": False, "shows_gold": False} | shows)
    labelled([1, 1, 1], [1, -1], [1, -1])
    gold = labelled([1, 1, 1], [1, 0, 1], [1, 0, 1], is_gold=True)
    make.gold(-1, solution=gold.solution)
    assert sorted(told(annotator_client, address)[1]) == found
    (listed,) = annotator_client.get("/api/phases/").json()["results"]
    assert listed["compares"] is bool(shows)


def test_gold_out_of_service_is_not_compared_with(make, address, phase, labelled, annotator_client):
    type(phase).objects.update(shows_gold=True)
    make.gold(-1, solution=labelled([1, 1, 1], is_gold=True).solution, gold_set="")
    assert told(annotator_client, address) == (0, [])


def test_only_own_labellings_outside_screening_are_compared(
    make, address, labelled, annotator_client, second_annotator_client
):
    labelled([1, 1, 1], [1, -1], [1, -1])
    assert told(second_annotator_client, address) == (0, [])
    Round.objects.update(number=-1)
    assert told(annotator_client, address) == (0, [])


def test_trajectories_are_not_compared(address, phase, labelled, annotator_client):
    labelled([1, 1, 1], [1, -1], [1, -1])
    type(phase).objects.update(kind="alternatives")
    assert told(annotator_client, address) == (0, [])


def test_only_the_newest_are_compared(address, labelled, annotator_client, monkeypatch):
    monkeypatch.setattr(differences, "COMPARED", 3)
    monkeypatch.setattr(differences, "SHOWN", 2)
    for _ in range(4):
        labelled([1, 1, 1], [1, -1], [1, -1])
    body = annotator_client.get(address).json()
    assert (body["compared"], body["differing"], len(body["differences"])) == (3, 3, 2)


def test_queries_do_not_grow(make, address, phase, labelled, annotator_client, django_assert_num_queries):
    type(phase).objects.update(shows_gold=True)
    for _ in range(3):
        labelled([1, 1, 1], [1, -1], [1, -1])
        make.gold(-1, solution=labelled([1, 1, 1], is_gold=True).solution)
    # Session, user, phase; own labellings and ratings; gold; everybody's labellings and ratings; rulings.
    with django_assert_num_queries(9):
        assert told(annotator_client, address)[0] == 6


def test_another_phase_is_not_found(address, outsider_client, signed_out_client, refused):
    refused(outsider_client.get(address), 404, "not_found")
    refused(signed_out_client.get(address), 401, "not_authenticated")
