"""/api/runs/: runs of all kinds in one list, and each run with its log."""

from urllib.parse import urlencode

import pytest

from labeling.models import CompletionSet, LogLine, Run
from labeling.models import jobs as runs
from prm_training.api import all_runs

ADDRESS = "/api/runs/"


@pytest.fixture
def several(make, ml_staff):
    """One run of each kind, the training first."""
    training = make.training_run(name="Spring", owner=ml_staff, status="done")
    LogLine.objects.create(run=training, text="12:00 training")
    model = make.reward_model(training_run=training)
    make.evaluation_run(reward_model=model, status="running")
    make.scoring_run(reward_model=model)
    make.publication(selection=make.selection(reward_model=model, status="done"))
    return training


def kinds(client, **asked):
    answer = client.get(ADDRESS, asked)
    assert answer.status_code == 200, answer.content
    return [row["kind"] for row in answer.json()["results"]]


def test_it_works(several, admin_client):
    rows = admin_client.get(ADDRESS).json()["results"]
    assert [row["kind"] for row in rows] == ["publish", "select", "score", "evaluate", "train"]
    training, scoring = rows[-1], rows[2]
    assert (training["name"], training["owner"], training["status"]) == ("Spring", "mika", "done")
    model = {"kind": "rewardmodel", "id": str(several.reward_model.pk), "name": "Spring"}
    assert (training["outputs"], scoring["inputs"], scoring["outputs"]) == ([model], [model], [])


def test_every_kind_has_its_details():
    assert set(all_runs.SERIALIZERS) == set(runs.kinds())


def test_filters(several, ml_staff_client, refused):
    assert kinds(ml_staff_client, kind="score") == ["score"]
    assert kinds(ml_staff_client, status="running") == ["evaluate"]
    assert kinds(ml_staff_client, owner="mika") == ["train"]
    assert kinds(ml_staff_client, owner="nobody", kind="train") == []
    refused(ml_staff_client.get(ADDRESS, {"kind": "bake"}), 400, "invalid")


def test_completions_are_left_out_unless_asked_for(make, admin_client):
    place = {"problem": make.problem(), "purpose": "step", "path": [], "path_hash": "", "wanted": 4}
    run = CompletionSet.objects.create(generator_model="prover", **place)
    assert kinds(admin_client) == []
    assert kinds(admin_client, kind="complete") == ["complete"]
    assert admin_client.get(f"{ADDRESS}{run.pk}/").json()["kind"] == "complete"


def test_a_run_comes_with_its_log(several, admin_client, refused):
    row = admin_client.get(f"{ADDRESS}{several.pk}/").json()
    assert (row["id"], row["log"]) == (str(several.pk), "12:00 training")
    refused(admin_client.get(f"{ADDRESS}{several.reward_model.pk}/"), 404, "not_found")


def test_queries_do_not_grow(several, make, ml_staff_client, django_assert_num_queries):
    def another():
        model = make.reward_model()
        model.training_run.phases.add(make.phase())
        make.scoring_run(reward_model=model)
        published = make.publication(selection=make.selection(reward_model=model, status="done"))
        published.round = make.task(published.selection.phase).round
        published.save()

    another()
    with django_assert_num_queries(10) as first:  # session, user, count, the list; rows of 5 kinds, and their phases
        kinds(ml_staff_client)
    for _ in range(4):
        another()
    with django_assert_num_queries(len(first)):
        kinds(ml_staff_client)
    assert not any("OFFSET" in query["sql"] for query in first)
    assert all("LIMIT 10001" in query["sql"] for query in first if "COUNT(" in query["sql"])


def pages(client, **asked):
    address = f"{ADDRESS}?{urlencode(asked)}"
    while address:
        body = client.get(address).json()
        yield [row["id"] for row in body["results"]]
        address = body["next"]


def test_pages_go_through_all_kinds(several, admin_client):
    (whole,) = pages(admin_client)
    assert list(pages(admin_client, page_size=2)) == [whole[:2], whole[2:4], whole[4:]]


def test_runs_of_the_same_moment_are_each_listed_once(several, make, now, admin_client):
    for _ in range(2):
        make.selection()
    Run.objects.update(created_at=now)
    (whole,) = pages(admin_client)
    assert [each for page in pages(admin_client, page_size=3) for each in page] == whole
    assert len(set(whole)) == 7


def test_a_new_run_shifts_no_page(several, make, admin_client):
    (whole,) = pages(admin_client)
    going = pages(admin_client, page_size=2)
    first = next(going)
    make.selection()
    assert [first, *going] == [whole[:2], whole[2:4], whole[4:]]


def test_filters_stay_on_every_page(several, make, admin_client):
    made = [str(make.scoring_run().pk) for _ in range(2)]
    asked = {"kind": "score", "status": "queued", "page_size": 1}
    assert [page[0] for page in pages(admin_client, **asked)][:2] == made[::-1]
    assert len(list(pages(admin_client, **asked))) == 3


@pytest.mark.parametrize("cursor", ["nonsense", "cD14"])
def test_an_invalid_cursor_is_not_found(admin_client, refused, cursor):
    refused(admin_client.get(ADDRESS, {"cursor": cursor}), 404, "not_found")
