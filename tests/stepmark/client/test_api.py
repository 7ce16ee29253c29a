"""Calls the real application by both kinds of client."""

import json
import subprocess
import sys
from math import log
from pathlib import Path
from typing import get_args

import pytest
from django.utils import timezone

import stepmark
from labeling.models import Labelling, Solution
from labeling.rules.words import RunKind
from prm_training.models import Import, Verification
from stepmark.client import Api, Kind, api

SOLUTIONS = [
    {"problem": "1 + 1?", "reference_answer": "2", "generator": "g", "steps": ["We add.", f"A: {answer}"]}
    for answer in (2, 3)
]


def test_it_knows_every_kind_of_run():
    assert set(get_args(Kind)) == {kind.traits.path for kind in RunKind} - {""}


LIGHT = """
import sys, stepmark
assert not {"httpx", "rich", "django"} & set(sys.modules)
stepmark.Client
assert "httpx" in sys.modules
assert not {"django", "numpy", "torch", "labeling"} & set(sys.modules)
"""


def test_the_package_stays_light():
    subprocess.run([sys.executable, "-c", LIGHT], check=True)
    assert set(stepmark.client.__all__) <= set(dir(stepmark))
    assert all(getattr(stepmark, name) is getattr(stepmark.client, name) for name in stepmark.client.__all__)
    assert not hasattr(stepmark, "Nothing")


def test_methods_explain_themselves(client):
    assert "Uploads a file" in client.import_file.__doc__ == Api.import_file.__doc__
    assert client.claim.__name__ == "claim"


def test_records_are_imported(client, server):
    run = client.import_file(SOLUTIONS, source="mine").wait(progress=False, every=0)
    assert (run.status, run["counts"]["solutions"], run["name"]) == ("done", 2, "records.jsonl")
    assert Solution.objects.filter(source="mine").count() == 2


def test_an_upload_is_sent_again_from_its_start(client, server):
    server.failures = [503]
    assert client.import_file(SOLUTIONS).wait(progress=False)["counts"]["solutions"] == 2


def test_a_file_is_imported(client, tmp_path):
    (tmp_path / "new.jsonl").write_text("\n".join(map(json.dumps, SOLUTIONS)))
    run = client.import_file(tmp_path / "new.jsonl", format="solutions", split="test", confirm=False)
    assert run.wait(progress=False).status == "ready"
    assert (Import.objects.get().split, Solution.objects.count()) == ("test", 0)
    assert client.request("POST", f"imports/{run.id}/confirm/")["status"] == "queued"


def test_a_run_that_fails_raises(client):
    with pytest.raises(stepmark.RunFailed) as failed:
        client.import_file([{"nothing": 1}], format="solutions").wait(progress=False)
    assert failed.value.run.status == "failed"
    assert failed.value.run.error in str(failed.value)


def test_a_run_is_watched(client, server):
    run = client.import_file(SOLUTIONS)
    server.has_worker = False
    seen = client.watch(run, every=0)
    assert next(seen).status == "queued"
    server.has_worker = True
    (end,) = seen
    assert (end.status, run.status) == ("done", "queued")
    assert run.refresh().is_ended


def test_a_run_is_cancelled_and_retried(client, server):
    server.has_worker = False
    run = client.import_file(SOLUTIONS)
    assert run.cancel().status == "cancelled"
    assert run.retry().status == "queued"
    assert [each.id for each in client.runs(kind="import", status="queued")] == [run.id]


def test_ctrl_c_leaves_the_run_running(client, server, capsys):
    run = client.import_file(SOLUTIONS)
    server.failures = [KeyboardInterrupt()]
    with pytest.raises(KeyboardInterrupt):
        run.wait()
    told = " ".join(capsys.readouterr().err.split())
    assert f'The run goes on. client.get_run("{run.id}")' in told
    assert Import.objects.get().status == "queued"


def test_lists_follow_their_pages(client, server, make, monkeypatch):
    monkeypatch.setattr(api, "PAGE_SIZE", 2)
    names = {make.phase(name=f"P{number}").name for number in range(5)}
    assert {each["name"] for each in client.phases()} == names
    assert len(server.requests) == 3
    assert {request.url.host for request in server.requests} == {"127.0.0.1"}


def test_filters_stay_on_every_page(client, make, monkeypatch, annotator):
    monkeypatch.setattr(api, "PAGE_SIZE", 1)
    for number in range(3):
        make.labelling(make.task(number=number), 1, 1, 1, annotator=annotator)
    make.labelling(make.task(number=4), 1, -1, annotator=annotator, finish_reason="found_error")
    assert len(list(client.labellings(finish_reason="solution", annotator="ada"))) == 3


def test_filters_are_the_apis(client, make):
    make.phase(status="closed")
    assert list(client.phases(status="running")) == []
    with pytest.raises(stepmark.BadRequest, match="colour"):
        list(client.phases(colour="red"))


def test_a_script_labels(client, make, superuser):
    client.import_file(SOLUTIONS, source="mine").wait(progress=False)
    phase = client.create_phase("Mine", sources=["mine"], shared_rate=0)
    client.add_members(phase, client.me()["username"])
    assert [each["username"] for each in client.members(phase)] == ["root"]
    selection = client.run("selections", phase=phase, policy="uniform", size=2).wait(progress=False)
    published = client.publish(selection).wait(progress=False)
    task = client.claim(phase)
    task = client.submit(task, [1, -1])
    assert (
        client.submit(task, [1, {"rating": None, "is_flagged": True}], finish_reason="give_up", finish_note="?") is None
    )
    assert {each["finish_reason"] for each in client.labellings(phase=phase)} == {"found_error", "give_up"}
    assert (
        client.close_round(published["round"])["status"] == client.close_round(published["round"])["status"] == "closed"
    )
    assert [each["number"] for each in client.rounds(phase)] == [0]


def test_with_await(with_async):
    async def label(client):
        run = await (await client.import_file(SOLUTIONS, source="mine")).wait(progress=False)
        phase = await client.create_phase("Mine", sources=["mine"], shared_rate=0)
        await client.add_members(phase, (await client.me())["username"])
        selection = await (await client.run("selections", phase=phase, policy="uniform", size=2)).wait(progress=False)
        await (await client.publish(selection)).wait(progress=False)
        task = await client.claim(phase)
        while task:
            task = await client.submit(task, [1, 1])
        states = [each.status async for each in client.watch(run)]
        return states, [record["ratings"] async for record in client.labels(phase=phase)]

    assert with_async(label) == (["done"], [[1, 1], [1, 1]])
    assert Labelling.objects.count() == 2


@pytest.fixture
def answers(monkeypatch, worker, make):
    """A model whose P(right) of each step is the number that the step says."""
    model = make.reward_model(is_current=True)

    def judge(run):
        rows = [[float(step) for step in steps] for steps in run.solutions]
        run.results = [
            {
                "log_right": [log(p) for p in row],
                "classes": [[log(1 - p), log(p / 2), log(p / 2)] for p in row],
                "is_truncated": False,
            }
            for row in rows
        ]
        run.status, run.finished_at = "done", timezone.now()
        run.save()

    monkeypatch.setattr("prm_training.reward_models.verifier.wait_for", judge)
    return model


def test_solutions_are_scored(client, answers):
    judged = client.score(str(answers.pk), "1 + 1?", ["0.5\n0.5", ["0.9"]])
    assert [each["rank"] for each in judged] == [2, 1]
    assert [step["p_right"] for step in judged[0]["steps"]] == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("rule", [{"split_by": "mark", "mark": "|"}, {"mark": "|"}])
def test_texts_are_split_by_the_rule_that_is_asked_for(client, answers, rule):
    (judged,) = client.score(str(answers.pk), "1 + 1?", ["0.5|0.9"], **rule)
    assert [step["text"] for step in judged["steps"]] == ["0.5", "0.9"]


def test_more_than_the_verifier_takes_are_ranked_together(client, answers, server):
    solutions = [f"0.{number:03}" for number in range(100, 200)]
    judged = client.score(None, "1 + 1?", solutions, phase=str(answers.phase.pk))
    assert [each["rank"] for each in judged] == list(range(100, 0, -1))
    assert len(server.requests) == 2


def test_the_best_is_returned_as_it_was_given(client, answers, with_async):
    solutions = [["0.5"], ["0.9", "0.8"], ["0.6"]]
    phase = str(answers.phase.pk)
    assert client.best_of_n("1 + 1?", solutions, phase=phase) is solutions[1]
    assert with_async(lambda client: client.best_of_n("1 + 1?", solutions, phase=phase)) is solutions[1]


def test_best_of_n_fails_if_the_model_can_read_none(client, answers, monkeypatch):
    def cut_off(run):
        run.results = [{"log_right": [], "classes": [], "is_truncated": True} for _ in run.solutions]
        run.status = "done"
        run.save()

    monkeypatch.setattr("prm_training.reward_models.verifier.wait_for", cut_off)
    with pytest.raises(stepmark.StepmarkError, match="none of the solutions"):
        client.best_of_n("1 + 1?", ["0.5"], model=str(answers.pk))


def test_a_late_answer_is_waited_for(client, answers, monkeypatch):
    def fail(seconds):
        Verification.objects.update(status="failed", error="the model is gone")

    monkeypatch.setattr("prm_training.reward_models.verifier.wait_for", lambda run: None)
    monkeypatch.setattr("stepmark.client.connections.time.sleep", fail)
    with pytest.raises(stepmark.StepmarkError, match="no answer: the model is gone"):
        client.best_of_n("1 + 1?", ["0.5"], model=str(answers.pk))


def test_a_data_release_is_made_and_unpacked(client, server, make, tmp_path):
    make.labelling(make.task(), 1, -1)
    release = client.run("data-releases", name="sums-1", file_formats=["trl"]).wait(progress=False, every=0)
    folder = client.download_release(release, tmp_path)
    assert folder == tmp_path / "sums-1"
    assert json.loads((folder / "trl" / "train.jsonl").read_text())["labels"] == [True, False]


def test_a_damaged_archive_is_not_unpacked(client, server, make, tmp_path):
    make.labelling(make.task(), 1)
    release = make.released(name="sums-1")
    Path(release.file.path).write_bytes(b"x" * release.size)
    with pytest.raises(stepmark.StepmarkError, match="checksum"):
        client.download_release(str(release.pk), tmp_path / "data")
    assert not (tmp_path / "data").exists()
