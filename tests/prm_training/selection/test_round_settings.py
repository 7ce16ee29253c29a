"""Settings of a round: the same for selections and autopilots, and their use by publications."""

import pytest

from labeling.models import Change, Phase, Round
from prm_training.loop import autopilot
from prm_training.models import ROUND_SETTINGS, Autopilot, Publication, Selection
from prm_training.selection import publication

SELECTIONS, PUBLICATIONS = "/api/selections/", "/api/publications/"
DEFAULTS = {
    "policy": "convincing",
    "reward_model": None,
    "size": 100,
    "per_problem": 1,
    "wrong_share": 0.8,
    "rank_by": "product",
    "random_share": 0.1,
    "takes_unfinished": False,
    "quota_by": "",
    "quotas": {},
    "source": "",
    "is_fresh": False,
    "sets_suspects_aside": True,
    "seed": 0,
    "overlap": None,
    "gold_set": None,
}


@pytest.fixture
def scored_by(make):
    """Makes a model with scores of a pool from two sources."""
    pool = [make.solution(source=source) for source in ("gsm8k", "demo")]

    def act(**columns):
        model = make.reward_model(**columns)
        for solution in pool:
            make.score(model, solution, -1.0)
        return model

    return act


@pytest.fixture
def current(scored_by):
    return scored_by(is_current=True)


@pytest.fixture
def ask(phase, ml_staff_client):
    """Requests a selection by hand, or changes the autopilot's settings."""

    def by_hand(asked):
        return ml_staff_client.post(SELECTIONS, {"phase": str(phase.pk)} | asked)

    def by_autopilot(asked):
        return ml_staff_client.patch(f"/api/autopilots/{phase.pk}/", asked)

    return {"selection": by_hand, "autopilot": by_autopilot}


def test_the_defaults_are_the_same_everywhere(phase, current, ask, ml_staff_client):
    assert set(DEFAULTS) == set(ROUND_SETTINGS)
    made = ask["selection"]({}).json()
    assert {name: made[name] for name in DEFAULTS} == DEFAULTS | {"reward_model": str(current.pk)}
    pilot = ml_staff_client.get(f"/api/autopilots/{phase.pk}/").json()
    assert {name: pilot[name] for name in DEFAULTS} == DEFAULTS


@pytest.mark.every_case
@pytest.mark.parametrize("where", ["selection", "autopilot"])
def test_each_takes_every_setting(make, scored_by, ask, where):
    make.gold(1, 1, 1, gold_set="entry", solution=make.solution(in_pool=False))
    wanted = {
        **{"policy": "uncertainty", "reward_model": str(scored_by().pk), "size": 30, "per_problem": 3},
        **{"rank_by": "mean", "random_share": 0.25, "takes_unfinished": True},
        **{"quota_by": "subject", "quotas": {"Algebra": 0.5}},
        **{"wrong_share": 0.5, "source": "gsm8k", "is_fresh": True, "sets_suspects_aside": False, "seed": 7},
        **{"overlap": 2, "gold_set": "entry"},
    }
    answer = ask[where](wanted)
    assert answer.status_code in {200, 201}, answer.content
    assert {name: answer.json()[name] for name in wanted} == wanted
    row = (Selection if where == "selection" else Autopilot).objects.get()
    stored = row.round_settings()
    assert stored | {"reward_model": str(stored["reward_model"].pk)} == wanted


@pytest.mark.parametrize("where", ["selection", "autopilot"])
@pytest.mark.parametrize(
    "change",
    [
        {"policy": "best"},
        {"size": 0},
        {"size": 1_000_001},
        {"per_problem": 0},
        {"wrong_share": 1.1},
        {"seed": -1},
        {"overlap": 0},
        {"overlap": 101},
        {"gold_set": "nobody's"},
        {"source": "demo"},
        {"size": None, "per_problem": None},
        {"reward_model": "x"},
        {"is_fresh": "perhaps"},
        {"rank_by": "length"},
        {"random_share": 1.1},
        {"quota_by": "colour"},
        {"quotas": {"Algebra": 0.6, "Geometry": 0.6}, "quota_by": "subject"},
        {"quotas": {"Algebra": None}, "quota_by": "subject"},
        {"quotas": {"Algebra": 0.6}, "quota_by": ""},
        {"size": None, "quota_by": "subject"},
    ],
)
def test_each_refuses_the_same(make, phase, current, ask, refused, where, change):
    Phase.objects.update(sources=["gsm8k"])
    assert set(refused(ask[where](change), 400, "invalid")["errors"]) <= set(change)
    assert not Selection.objects.exists()
    assert not Autopilot.objects.exclude(size=100).exists()


def test_removing_the_last_limit_is_refused(phase, ask, refused):
    assert ask["autopilot"]({"per_problem": None}).status_code == 200
    refused(ask["autopilot"]({"size": None}), 400, "invalid")


def test_one_of_the_phases_sources_may_be_chosen(phase, current, ask):
    Phase.objects.update(sources=["gsm8k", "demo"])
    assert ask["selection"]({"source": "demo"}).json()["source"] == "demo"


def test_autopilots_model_is_in_the_audit_log(current, ask):
    ask["autopilot"]({"reward_model": str(current.pk)})
    ask["autopilot"]({"reward_model": None})
    first, second = Change.objects.filter(kind="autopilot", act="change").order_by("at")
    assert (first.after, second.before) == ({"reward_model_id": str(current.pk)}, {"reward_model_id": str(current.pk)})


def test_autopilot_selects_by_its_settings(make, scored_by, phase, current, ml_staff, now, broker):
    chosen = scored_by(phase=make.phase())
    make.publication(selection=make.selection(phase=phase, status="done"), status="done", is_automatic=True)
    asked = {"policy": "uncertainty", "size": 7, "reward_model": chosen, "seed": 5, "is_fresh": True, "overlap": 3}
    autopilot.change_autopilot(phase=phase, by=ml_staff, settings=asked | {"source": "gsm8k", "wrong_share": 0.25})
    pilot = autopilot.switch_on(phase=phase, by=ml_staff, now=now)
    run = Selection.objects.get(status="queued")
    assert run.round_settings() == pilot.round_settings() | {"seed": 6}, "another each round"
    assert (run.reward_model, run.overlap, run.wrong_share) == (chosen, 3, 0.25)


# What is published


@pytest.mark.parametrize(
    ("asked", "said", "overlap", "gold"),
    [
        ({}, {}, 2, "house"),
        ({"overlap": 3, "gold_set": "entry"}, {}, 3, "entry"),
        ({"overlap": 3, "gold_set": "entry"}, {"overlap": 4, "gold_set": ""}, 4, ""),
        ({"gold_set": ""}, {}, 2, ""),
        ({}, {"gold_set": "entry"}, 2, "entry"),
    ],
)
def test_a_publication_uses_the_selections_settings(make, ml_staff_client, asked, said, overlap, gold):
    """Settings not chosen there are the phase's."""
    phase = make.phase(overlap=2, gold_set="house", gold_rate=1)
    for gold_set in ("house", "entry", "entry"):
        make.gold(1, 1, 1, gold_set=gold_set)
    selection = make.selection(phase=phase, status="done", size=30, **asked)
    selection.items.create(solution=make.solution(), rank=1, reason="drawn")
    answer = ml_staff_client.post(PUBLICATIONS, {"selection": str(selection.pk)} | said)
    assert (answer.status_code, answer.json()["overlap"]) == (201, overlap)
    run = Publication.objects.get()
    publication.publish(run, lambda **columns: Publication.objects.filter(pk=run.pk).update(**columns))
    round_ = Round.objects.get()
    assert (round_.gold_set, round_.gold_hidden, round_.tasks.get(is_gold=False).overlap) == (
        gold,
        {"house": 1, "entry": 2, "": 0}[gold],
        overlap,
    )
    row = ml_staff_client.get(f"/api/rounds/{round_.pk}/").json()
    assert (row["task_count"], row["requested"]) == (1, 30), "fewer than were asked for"


def test_an_unknown_gold_set_is_refused(make, ml_staff_client, refused):
    selection = make.selection(status="done")
    body = {"selection": str(selection.pk), "gold_set": "nobody's"}
    assert list(refused(ml_staff_client.post(PUBLICATIONS, body), 400, "invalid")["errors"]) == ["gold_set"]
    assert not Publication.objects.exists()


def test_solutions_outside_the_phases_sources_are_not_published(make, phase, ml_staff_client, refused):
    """The phase's sources were changed since the selection: no job is started that would fail."""
    selection = make.selection(phase=phase, status="done")
    selection.items.create(solution=make.solution(source="demo"), rank=1, reason="drawn")
    Phase.objects.update(sources=["gsm8k"])
    answer = ml_staff_client.post(PUBLICATIONS, {"selection": str(selection.pk)})
    assert "“demo”: 1 of 1" in refused(answer, 400, "outside_sources")["detail"]
    assert not Publication.objects.exists()
