"""prm_training.worker.tasks: carries out runs when their messages arrive."""

import weakref

import pytest
from django.db import OperationalError

from labeling.completions.sets import path_hash
from labeling.jobs import batches, gpus, lifecycle
from labeling.models import CompletionSet, Round
from labeling.models.jobs import kinds
from prm_training.models import Publication, Selection, Verification
from prm_training.prm import pretrain
from prm_training.worker import tasks
from stepmark.celery import app


@pytest.fixture
def at_once_here(settings):
    """Runs messages' real tasks at once, in this process."""
    app.conf.task_always_eager = app.conf.task_eager_propagates = True
    yield
    app.conf.task_always_eager = app.conf.task_eager_propagates = False


def test_every_kind_of_run_has_its_work():
    assert {*tasks.WORK, *tasks.needs_torch().WORK, Verification.KIND} == {*kinds()}


def test_selecting_and_publishing(make, phase, at_once_here):
    make.solutions(4)
    selection = make.selection(phase=phase, policy="uniform", size=3)
    tasks.run.delay("select", str(selection.pk))
    selection.refresh_from_db()
    assert (selection.status, selection.worker, selection.summary["picked"]) == ("done", tasks.heartbeat.worker, 3)
    publication = make.publication(selection=selection, overlap=2)
    tasks.run.delay("publish", str(publication.pk))
    publication.refresh_from_db()
    assert (publication.status, publication.round) == ("done", Round.objects.get())


def test_a_message_that_comes_twice_does_the_work_once(make, phase, at_once_here):
    make.solutions(2)
    selection = make.selection(phase=phase, size=1)
    for _ in range(2):
        tasks.run.delay("select", str(selection.pk))
    selection.refresh_from_db()
    assert (selection.status, selection.attempts, selection.items.count()) == ("done", 1, 1)


def test_a_failure_is_explained_on_the_row(make, phase, open_round, at_once_here):
    selection = make.selection(phase=phase, size=1)
    with pytest.raises(Exception, match="No solution is left"):
        tasks.run.delay("select", str(selection.pk))
    assert "No solution is left" in Selection.objects.get().error
    make.solution()
    selection = make.selection(phase=phase, size=1)
    tasks.run.delay("select", str(selection.pk))
    publication = make.publication(selection=Selection.objects.get(pk=selection.pk))
    with pytest.raises(Exception, match="still open"):
        tasks.run.delay("publish", str(publication.pk))
    assert (Publication.objects.get().status, Publication.objects.get().round) == ("failed", None)


@pytest.fixture
def asked(make):
    """Makes completions that wait for a local model."""

    def act(model, **columns):
        place = {"purpose": "step", "path": ["2 + 3 = 5."], "path_hash": path_hash(["2 + 3 = 5."])}
        return CompletionSet.objects.create(problem=make.problem(), generator_model=model, wanted=3, **place, **columns)

    return act


@pytest.fixture
def written_with(at_once_here, asked):
    def act(model):
        waiting = asked(str(model))
        tasks.run.delay("complete", str(waiting.pk))
        waiting.refresh_from_db()
        return waiting

    return act


def test_a_local_model_writes_completions(written_with, tmp_path):
    """Uses a tiny model made in the test."""
    tiny = pretrain.PretrainConfig(vocabulary=280, hidden=16, layers=1, heads=2, steps=2, epochs=1)
    pretrain.make_base([("What is 2 + 3?", ["2 + 3 = 5.", "The answer is 5."])], tmp_path / "base", tiny)
    written = written_with(tmp_path / "base")
    assert (written.status, written.error) == ("done", "")
    assert 1 <= len(written.texts) <= 3
    assert len(set(written.texts)) == len(written.texts)
    assert all(text.strip() == text for text in written.texts)


def test_a_local_model_that_is_not_there_is_told(written_with, tmp_path):
    with pytest.raises(Exception, match="can't write"):
        written_with(tmp_path / "nothing")
    written = CompletionSet.objects.get()
    assert (written.status, written.texts) == ("failed", [])
    assert "can't write" in written.error


def test_completions_that_a_dead_process_left_unwritten_are_written(at_once_here, asked, generator):
    """The process that called the generator died."""
    generator.answers = [["2 + 3 = 6.", "No.", "Or so."]]
    waiting = asked("prover", generator_url=generator.url)
    tasks.run.delay("complete", str(waiting.pk))
    waiting.refresh_from_db()
    assert (waiting.status, waiting.texts) == ("done", ["2 + 3 = 6.", "No.", "Or so."])


def test_a_message_for_an_unknown_run_is_ignored(phase, at_once_here):
    tasks.run.delay("select", str(phase.pk))


def test_shutting_down_stops_the_work_and_the_heartbeat(monkeypatch):
    stopped = []
    monkeypatch.setattr(tasks.heartbeat, "stop", lambda: stopped.append(True))
    try:
        tasks.stop_work()
        assert lifecycle.shutting_down.is_set()
    finally:
        lifecycle.shutting_down.clear()
    assert stopped == [True]


class Weights:
    """A stand-in for weights that fill the GPU."""


@pytest.fixture
def given_back(monkeypatch):
    """Lets tasks fill the GPU and fail. Lists, each time memory is given back, whether nothing was held any more."""
    filled, found = [], []

    def fails(*_):
        weights = Weights()
        filled.append(weakref.ref(weights))
        raise RuntimeError("CUDA out of memory")

    kinds = tasks.needs_torch()
    monkeypatch.setitem(kinds.WORK, "score", fails)
    monkeypatch.setitem(tasks.WORK, "complete", fails)
    monkeypatch.setattr(kinds, "free_memory", lambda: found.append(all(each() is None for each in filled)))
    return found


def test_the_memory_of_a_failed_run_is_given_back(make, given_back):
    with pytest.raises(RuntimeError):
        tasks.run("score", str(make.scoring_run().pk))
    assert given_back == [True]


def test_the_memory_of_failed_writing_is_given_back(asked, given_back):
    with pytest.raises(RuntimeError):
        tasks.run("complete", str(asked("model").pk))
    assert given_back == [True]


def test_the_memory_of_help_that_lost_the_database_is_given_back(make, given_back, monkeypatch):
    def away(*_, **__):
        raise OperationalError("connection refused")

    monkeypatch.setattr(batches, "help_out", away)
    with pytest.raises(OperationalError):
        tasks.help_out("score", str(make.scoring_run().pk))
    assert given_back == [True]


@pytest.fixture
def training_elsewhere(settings, tmp_path):
    """Another worker of this machine trains on its two GPUs."""
    settings.STEPMARK_GPUS, settings.DATA_DIR = 2, tmp_path
    with gpus.held(exclusively=True):
        yield


def test_runs_that_need_a_gpu_wait_for_a_training_on_all(make, broker, training_elsewhere):
    model = make.reward_model()
    for run in (make.scoring_run(reward_model=model), make.evaluation_run(reward_model=model)):
        tasks.run(run.kind, str(run.pk))
        run.refresh_from_db()
        assert (run.status, run.attempts) == ("queued", 0)
        assert run.stage == "waiting for the GPUs: a training uses all of them"


def test_a_verification_is_left_to_the_training(make, broker, training_elsewhere):
    run = make.verification(reward_model=make.reward_model())
    tasks.run("verify", str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.attempts) == ("queued", 0)


def test_nobody_helps_while_a_training_has_all_gpus(make, broker, now, training_elsewhere):
    run = lifecycle.begin(make.scoring_run().pk, worker="on another machine", now=now)
    batches.cut(run, [(1, {})])
    tasks.help_out("score", str(run.pk))
    assert run.batches.get().status == "queued"
