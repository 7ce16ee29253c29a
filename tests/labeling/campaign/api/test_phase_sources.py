"""A phase's sources and generators, from which its rounds draw."""

import pytest

from labeling.campaign import publishing, rounds
from labeling.models import Change, Phase, Round, Solution, Task


@pytest.fixture
def pool(make):
    """Solutions by source and generator."""
    places = [("gsm8k", "6B"), ("gsm8k", "175B"), ("demo", "6B"), ("", "")]
    return {place: make.solution(source=place[0], generator=place[1]) for place in places}


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("sources", "generators", "drawn"),
    [
        ([], [], [("gsm8k", "6B"), ("gsm8k", "175B"), ("demo", "6B"), ("", "")]),
        (["gsm8k"], [], [("gsm8k", "6B"), ("gsm8k", "175B")]),
        (["gsm8k", ""], [], [("gsm8k", "6B"), ("gsm8k", "175B"), ("", "")]),
        ([], ["6B"], [("gsm8k", "6B"), ("demo", "6B")]),
        (["gsm8k"], ["6B"], [("gsm8k", "6B")]),
        (["gone"], [], []),
    ],
)
def test_what_a_phase_draws_from(make, pool, sources, generators, drawn):
    phase = make.phase(sources=sources, generators=generators)
    assert set(Solution.objects.drawn_by(phase)) == {pool[place] for place in drawn}


def test_several_phases_draw_the_union_of_their_sources(make, pool):
    gsm8k, demo = make.phase(sources=["gsm8k"], generators=["6B"]), make.phase(sources=["demo"])
    both = {pool["gsm8k", "6B"], pool["demo", "6B"]}
    assert set(Solution.objects.drawn_by(gsm8k, demo)) == both
    assert Solution.objects.drawn_by(gsm8k, make.phase()).count() == 4, "one of them draws from all"
    assert Solution.objects.drawn_by().count() == 4


# The settings


def test_sources_are_chosen_when_a_phase_is_made(pool, admin_client):
    body = {"name": "Primary school", "sources": ["gsm8k", "demo", "gsm8k"], "generators": ["6B"]}
    made = admin_client.post("/api/phases/", body).json()
    assert (made["sources"], made["generators"]) == (["demo", "gsm8k"], ["6B"])
    assert admin_client.get(f"/api/phases/{made['id']}/settings/").json()["sources"] == ["demo", "gsm8k"]


def test_without_sources_the_whole_pool_is_drawn_from(admin_client):
    made = admin_client.post("/api/phases/", {"name": "Everything"}).json()
    assert (made["sources"], made["generators"]) == ([], [])


@pytest.mark.parametrize(
    ("field", "names", "unknown"),
    [("sources", ["gsm8k", "gsm9k"], "gsm9k"), ("generators", ["7B"], "7B"), ("sources", ["hidden"], "hidden")],
)
def test_a_name_that_the_pool_does_not_have_is_refused(make, pool, phase, admin_client, refused, field, names, unknown):
    make.solution(source="hidden", in_pool=False)
    refusals = [
        admin_client.post("/api/phases/", {"name": "New", field: names}),
        admin_client.patch(f"/api/phases/{phase.pk}/settings/", {field: names}),
    ]
    for refusal in refusals:
        (message,) = refused(refusal, 400, "invalid")["errors"][field]
        assert f"“{unknown}”" in message
    assert Phase.objects.get() == phase


@pytest.mark.parametrize("names", ["gsm8k", [["gsm8k"]], [None], {"a": 1}, None, ["x" * 101], ["a\0"]])
def test_sources_that_are_not_a_list_of_names_are_refused(pool, phase, admin_client, refused, names):
    refused(admin_client.patch(f"/api/phases/{phase.pk}/settings/", {"sources": names}), 400, "invalid")


def test_a_name_stays_when_its_solutions_are_gone(make, pool, admin_client):
    phase = make.phase(sources=["gone"])
    answer = admin_client.patch(f"/api/phases/{phase.pk}/settings/", {"sources": ["gone", "demo"]})
    assert answer.json()["settings"]["sources"] == ["demo", "gone"]


def test_a_change_counts_from_the_next_round(pool, phase, open_round, admin, admin_client):
    (effect,) = admin_client.patch(f"/api/phases/{phase.pk}/settings/", {"sources": ["demo"]}).json()["effects"]
    assert (effect["before"], effect["after"], effect["applies"], effect["tasks_in_hand"]) == (
        [],
        ["demo"],
        "next_round",
        0,
    )
    line = Change.objects.get(kind="phase")
    assert (line.by, line.before, line.after) == (admin, {"sources": []}, {"sources": ["demo"]})
    assert open_round.tasks.count() == 3


def test_a_clone_draws_from_the_same(make, pool, admin_client):
    phase = make.phase(sources=["gsm8k"], generators=["6B"])
    made = admin_client.post(f"/api/phases/{phase.pk}/clone/", {"name": "Again"}).json()
    assert (made["sources"], made["generators"]) == (["gsm8k"], ["6B"])


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_set_none(pool, phase, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.patch(f"/api/phases/{phase.pk}/settings/", {"sources": ["demo"]}), 403, "permission_denied")


# Rounds


def test_a_solution_from_elsewhere_gets_into_no_round(make, pool, now):
    phase = make.phase(sources=["gsm8k"], generators=["6B"])
    with pytest.raises(publishing.OutsideSources) as refusal:
        make.round(phase, list(pool.values()))
    assert "3 of 4 solutions" in str(refusal.value)
    assert "“demo” by “6B”" in str(refusal.value)
    assert not Round.objects.exists()


def test_a_solution_from_elsewhere_is_not_added_to_an_open_round(make, pool, admin_client, refused):
    open_round = make.round(make.phase(sources=["gsm8k"]), [pool["gsm8k", "6B"]])
    address = f"/api/rounds/{open_round.pk}/tasks/"
    asked = [str(pool["gsm8k", "175B"].pk), str(pool["demo", "6B"].pk)]
    refusal = refused(admin_client.post(address, {"solutions": asked}), 400, "outside_sources")
    assert "“demo” by “6B”: 1 of 2 solutions" in refusal["detail"]
    assert Task.objects.count() == 1
    assert admin_client.post(address, {"solutions": asked[:1]}).status_code == 204


def test_solutions_to_add_are_those_that_it_draws_from(make, pool, admin_client, refused):
    phase = make.phase(sources=["gsm8k"], generators=["6B"])
    (row,) = admin_client.get("/api/solutions/", {"drawn_by": str(phase.pk)}).json()["results"]
    assert row["id"] == str(pool["gsm8k", "6B"].pk)
    refused(admin_client.get("/api/solutions/", {"drawn_by": "x"}), 400, "invalid")
    refused(admin_client.get("/api/solutions/", {"drawn_by": str(pool["", ""].pk)}), 404, "not_found")


def test_a_fixed_problem_keeps_its_place_when_the_sources_have_changed(make, pool, annotator, now):
    phase = make.phase()
    open_round = make.round(phase, [pool["demo", "6B"]])
    Phase.objects.update(sources=["gsm8k"])
    added = {"solution_ids": [pool["gsm8k", "6B"].pk, pool["", ""].pk], "overlap": 1, "first": False}
    rounds.add_tasks(round_id=open_round.pk, **added, is_replacement=True)
    assert open_round.tasks.count() == 3
