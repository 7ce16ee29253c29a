"""Two campaigns on one installation, on GSM8K and on the demo world: nothing crosses over."""

import gzip

import pytest

from benchmarks.lab.world.pool import make_world
from benchmarks.lab.world.records import write_records
from labeling.campaign import rounds
from labeling.data import importing
from labeling.jobs import lifecycle
from labeling.models import Solution, Task
from prm_training.loop import autopilot
from prm_training.models import Publication, Score, Selection
from prm_training.selection import picking, publication
from prm_training.starting import acts, readiness
from tests.real_data import DATA

GSM8K = DATA / "gsm8k" / "example_model_solutions.jsonl.gz"
LINES = 30

pytestmark = pytest.mark.skipif(not GSM8K.is_file(), reason=f"there is no {GSM8K} (STEPMARK_DATA names another folder)")


@pytest.fixture
def sources(db, tmp_path):
    """The imported records by source, both in one pool."""
    with gzip.open(GSM8K, "rt", encoding="utf-8") as file:
        (tmp_path / "gsm8k.jsonl").write_text("".join(line for _, line in zip(range(LINES), file, strict=False)))
    importing.import_solutions(tmp_path / "gsm8k.jsonl", source="gsm8k", file_format="gsm8k")
    write_records(make_world(seed=1, problems=20), tmp_path / "demo.jsonl")
    importing.import_solutions(tmp_path / "demo.jsonl", source="demo")
    return {name: set(Solution.objects.filter(source=name).values_list("pk", flat=True)) for name in ("gsm8k", "demo")}


@pytest.fixture
def campaigns(make, sources, annotator, second_annotator):
    """A phase with a gold set for each source, by the source's name; both sets have the same name."""
    for ids in sources.values():
        for pk in sorted(ids)[:3]:
            make.gold(-1, solution=Solution.objects.get(pk=pk))
    return {
        name: make.phase(who, name=name, sources=[name], gold_set="gold", gold_rate=0.5)
        for name, who in zip(sources, (annotator, second_annotator), strict=True)
    }


def carried_out(run, work, kind):
    lifecycle.carry_out(run.pk, work, worker="here")
    run.refresh_from_db()
    assert (run.status, run.error) == ("done", "")
    return run


def round_of(phase, broker, **settings):
    """Selects and publishes as a worker does."""
    selection = carried_out(acts.start_selection(owner=None, phase=phase, **settings), picking.select, "select")
    published = acts.start_publication(owner=None, selection=selection)
    return carried_out(published, publication.publish, "publish").round


def published(round_):
    return set(round_.tasks.values_list("solution", flat=True))


def test_each_import_is_there(sources):
    assert {name: len(ids) > 50 for name, ids in sources.items()} == {"gsm8k": True, "demo": True}


@pytest.mark.parametrize("name", ["gsm8k", "demo"])
def test_a_uniform_round_with_screening_and_gold(campaigns, sources, name, broker, now):
    """A round as large as the whole pool takes only the campaign's own solutions."""
    phase = campaigns[name]
    screening = rounds.screen_by(phase=phase, gold_set="gold", size=30, now=now)
    assert published(screening) < sources[name]
    assert (screening.tasks.count(), screening.requested) == (3, 30)
    round_ = round_of(phase, broker, policy="uniform", size=1000, per_problem=None)
    assert published(round_) | published(screening) == sources[name]
    assert (round_.gold_hidden, round_.gold_in_set, round_.requested) == (0, 6, 1000), "people know the screening"


@pytest.mark.parametrize("name", ["gsm8k", "demo"])
def test_a_model_picks_while_the_other_campaign_is_not_scored(make, campaigns, sources, name, broker):
    phase, model = campaigns[name], make.reward_model(phase=campaigns[name], is_current=True)
    assert set(readiness.unscored_by(model, phase).values_list("pk", flat=True)) == sources[name]
    scores = (
        Score(reward_model=model, solution_id=pk, log_score=-1.0, step_log_probabilities=[]) for pk in sources[name]
    )
    Score.objects.bulk_create(scores)
    assert not readiness.unscored_by(model, phase).exists()
    for policy in ("convincing", "uncertainty"):
        round_ = round_of(phase, broker, policy=policy, size=20, per_problem=None)
        assert published(round_) < sources[name]
        assert round_.tasks.filter(is_gold=False).count() <= 20 <= round_.tasks.count()
        rounds.close(round_id=round_.pk, now=round_.opened_at)


def test_autopilots_draw_for_their_own(campaigns, sources, ml_staff, now, broker):
    for phase in campaigns.values():
        autopilot.change_autopilot(phase=phase, by=ml_staff, settings={"size": 1000, "per_problem": None})
        autopilot.switch_on(phase=phase, by=ml_staff, now=now)
    for run in Selection.objects.all():
        carried_out(run, picking.select, "select")
    assert autopilot.advance_all(now=now) == 2
    for run in Publication.objects.all():
        carried_out(run, publication.publish, "publish")
    assert autopilot.advance_all(now=now) == 0  # people label
    for name, phase in campaigns.items():
        put = published(phase.rounds.get())
        assert put <= sources[name]
        assert len(sources[name] - put) <= 3, "gave way to gold on the same problem"


def test_no_solution_of_one_can_be_added_to_the_other(campaigns, sources, broker, admin_client, refused):
    round_ = round_of(campaigns["gsm8k"], broker, policy="uniform", size=5)
    foreign = str(min(sources["demo"]))
    refused(admin_client.post(f"/api/rounds/{round_.pk}/tasks/", {"solutions": [foreign]}), 400, "outside_sources")
    offered = admin_client.get("/api/solutions/", {"drawn_by": str(campaigns["gsm8k"].pk), "page_size": 100}).json()
    assert {row["source"] for row in offered["results"]} == {"gsm8k"}
    assert Task.objects.filter(solution__in=sources["demo"]).count() == 0
