"""prm_training.starting.acts: a job is a row, and a message to the broker once the row is committed."""

from time import monotonic

import pytest
from django.db import transaction
from kombu.exceptions import ChannelError

from labeling.jobs import queueing
from labeling.models import Phase, Status
from prm_training.models import ScoringRun, TrainingRun
from prm_training.starting import acts

pytestmark = pytest.mark.usefixtures("ready")


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    return lambda: django_capture_on_commit_callbacks(execute=True)


def train(**columns):
    phase = Phase.objects.get()
    return acts.start_training(**{"owner": None, "name": "x", "base": "", "phase": phase, "settings": {}} | columns)


def test_a_training_run_keeps_what_was_asked(phase, ml_staff, broker, committed):
    with committed():
        run = train(owner=ml_staff, name="Spring", base="gpt2", settings={"epochs": 1})
    assert (run.name, run.base, run.owner, run.settings) == ("Spring", "gpt2", ml_staff, {"epochs": 1})
    assert list(run.phases.all()) == [phase]
    assert broker() == [("prm_training.run", "train", str(run.pk))]


def test_a_run_is_enqueued_only_after_its_row_is_committed(db, broker, committed):
    with committed():
        with transaction.atomic():
            train()
            assert broker() == []
        assert broker() == [], "the test's own transaction is still open"
    assert len(broker()) == 1


def test_a_run_that_was_rolled_back_is_not_enqueued(db, broker, committed):
    with committed() as callbacks, pytest.raises(ZeroDivisionError), transaction.atomic():
        train()
        raise ZeroDivisionError
    assert callbacks == []
    assert not TrainingRun.objects.exists()


def test_what_needs_a_model_goes_to_the_gpu_queue_and_everything_else_to_the_cpu_queue(make, broker):
    for run in [make.training_run(), make.evaluation_run(), make.scoring_run(), make.generation()]:
        queueing.enqueue(run)
    queueing.enqueue(make.publication(selection=make.selection()))
    assert [kind for _, kind, _ in broker("gpu")] == ["train", "evaluate", "score", "generate"]
    assert [kind for _, kind, _ in broker("cpu")] == ["publish"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("start", [acts.start_scoring, acts.start_evaluation])
def test_simultaneous_requests_get_one_run(make, broker, at_once, start):
    model = make.reward_model(training_run=make.training_run(status="done", snapshot=make.snapshot()))
    runs = at_once(lambda _: start(owner=None, reward_model=model), range(6))
    assert len({run.pk for run in runs}) == 1


def test_a_scoring_under_way_is_not_started_twice(make, broker, committed):
    model = make.reward_model()
    first = acts.start_scoring(owner=None, reward_model=model)
    assert acts.start_scoring(owner=None, reward_model=model) == first
    assert acts.start_scoring(owner=None, reward_model=make.reward_model()) != first
    ScoringRun.objects.filter(pk=first.pk).update(status=Status.RUNNING)
    assert acts.start_scoring(owner=None, reward_model=model) == first
    ScoringRun.objects.filter(pk=first.pk).update(status=Status.FAILED)
    assert acts.start_scoring(owner=None, reward_model=model) != first


def test_only_a_finished_selection_is_published(make, broker):
    with pytest.raises(acts.NotReady):
        acts.start_publication(owner=None, selection=make.selection(status="running"), overlap=1)


def test_a_selection_is_published_once(make, broker, committed):
    selection = make.picked(make.solution())
    with committed():
        runs = {acts.start_publication(owner=None, selection=selection, overlap=n) for n in (2, 3)}
    (run,) = runs
    assert run.overlap == 2
    assert broker() == [("prm_training.run", "publish", str(run.pk))]


def test_retrying_a_run_that_did_not_fail_is_refused(make):
    with pytest.raises(acts.NotReady):
        acts.retry(make.training_run(status="done"))


@pytest.mark.parametrize("error", [ChannelError("no folder"), OSError("no space left")])
def test_a_broker_that_cannot_write_loses_nothing(make, monkeypatch, error):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr(queueing.current_app, "send_task", fails)
    run = make.selection()
    queueing.enqueue(run)
    assert run.status == "queued"


def test_without_a_broker_the_row_waits(db, dead_broker, committed, settings):
    """Enqueueing gives up soon: a heartbeat must not fall silent over a dead broker."""
    rang_at = monotonic()
    with committed():
        run = train()
    assert monotonic() - rang_at < settings.WORKER_SILENT_SECONDS
    run.refresh_from_db()
    assert run.status == "queued"
