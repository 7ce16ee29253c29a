"""`next_round` and `stepmark loop` go round the loop, on the real application, with workers that learn nothing.

tests/product/scripts does so on a whole product.
"""

import subprocess
import sys
from functools import partial

import pytest
from django.utils import timezone

import stepmark
from labeling.models import Labelling, Round, Run
from prm_training.loop import autopilot
from prm_training.models import Promotion, RewardModel, Selection, TrainingRun
from stepmark.__main__ import main
from stepmark.client import __main__ as command_line
from tests import autopilots
from tests.autopilots import metrics


@pytest.fixture
def loop(server, secret, pauses, monkeypatch, make, phase):
    """`stepmark loop` of the phase, which has solutions to select from."""
    make.solutions(5)
    monkeypatch.setattr(command_line, "Client", partial(stepmark.Client, transport=server))
    return lambda *options: main(["stepmark", "loop", phase.name, "--token", secret, *options])


@pytest.fixture
def told(caplog):
    """The lines logged since."""

    def lines():
        found = caplog.messages
        caplog.clear()
        return found

    return lines


@pytest.fixture
def meanwhile(server, monkeypatch):
    """Calls a function whenever the client pauses; there is no worker."""
    server.has_worker = False
    return lambda happens: monkeypatch.setattr("stepmark.client.connections.time.sleep", lambda _: happens())


@pytest.fixture
def work(make):
    """Does what the loop waits for: the annotators' part, or the queued run's."""

    def act():
        run = Run.objects.filter(status="queued").first()
        run = run and run.details
        match run and run.kind:
            case None:
                autopilots.label_everything(make, Round.objects.get(status="open"))
            case "train":
                snapshot = make.snapshot()
                snapshot.labellings.set(Labelling.objects.all())
                autopilots.finish(run, snapshot=snapshot)
                make.reward_model(training_run=run, name=run.name)
            case "evaluate":
                autopilots.finish(run, metrics=metrics(0.9), baseline_metrics=metrics(0.8))
            case "score":
                autopilots.score_all(make, run.reward_model)
                autopilots.finish(run)
            case "select":
                autopilots.pick(run)
            case "publish":
                autopilots.publish(run)

    return act


def test_the_first_round_is_drawn_uniformly(loop, told, capsys):
    loop("--size", "1")
    assert (told(), capsys.readouterr().out) == (["Select.", "Publish."], "Round 0 is open.\n")
    (selection,) = Selection.objects.all()
    assert (selection.policy, selection.seed, selection.size) == ("uniform", 0, 1)


def test_with_await(make, phase, with_async):
    make.solutions(2)
    assert with_async(lambda client: client.next_round(str(phase.pk), size=1))["number"] == 0


def test_all_that_is_due_is_done(make, phase, open_round, loop, told, meanwhile, work):
    old = make.reward_model(is_current=True, training_run=make.training_run(status="done", snapshot=make.snapshot()))
    meanwhile(work)
    loop("--base", "some/base", "--size", "2", "--policy", "whole_pool")
    acts = ["Close.", "Train.", "Evaluate.", "Promote.", "Score.", "Select.", "Publish."]
    assert told() == ["Waiting for people to label.", *acts]
    run = TrainingRun.objects.exclude(reward_model=old).get()
    assert (run.name, run.base, run.is_automatic) == ("Arithmetic, round 0", "some/base", False)
    assert Promotion.objects.filter(phase=phase, previous=old).get().reward_model.name == run.name
    (selection,) = Selection.objects.all()
    assert (selection.policy, selection.seed, selection.reward_model.training_run) == ("whole_pool", 1, run)


def test_a_model_that_is_held_back_is_told(make, open_round, loop, told, meanwhile, work, monkeypatch):
    make.reward_model(is_current=True, training_run=make.training_run(status="done", snapshot=make.snapshot()))
    monkeypatch.setattr("tests.stepmark.client.test_loop.metrics", lambda value: autopilots.metrics(1 - value))
    meanwhile(work)
    loop("--size", "2")
    held_back = [line for line in told() if line.startswith("“Arithmetic, round 0” was not promoted. ")]
    assert len(held_back) == 1
    assert RewardModel.objects.count() == 2


def test_only_the_first_round_is_not_waited_for(open_round, loop, told, capsys, meanwhile, work):
    def interrupt():
        if not Run.objects.filter(status="queued").exists():
            raise KeyboardInterrupt
        work()

    meanwhile(interrupt)
    with pytest.raises(SystemExit, match="Interrupted"):
        loop("--now", "--rounds", "2", "--size", "1")
    assert told() == ["Close.", "Select.", "Publish.", "Waiting for people to label."]
    assert capsys.readouterr().out == "Round 1 is open.\n"


def test_an_interrupted_loop_is_taken_up(open_round, loop, told, capsys, meanwhile, work):
    def interrupt():
        if TrainingRun.objects.exists():
            raise KeyboardInterrupt
        work()

    meanwhile(interrupt)
    with pytest.raises(SystemExit, match="Interrupted"):
        loop("--size", "1")
    assert told()[-1] == "Train."
    assert "The run goes on." in " ".join(capsys.readouterr().err.split())
    assert TrainingRun.objects.get().status == "queued"
    meanwhile(work)
    loop("--size", "1")
    assert told()[0] == "Evaluate."
    assert TrainingRun.objects.count() == 1


def test_rulings_are_waited_for_unless_now(make, phase, loop, told, meanwhile):
    def interrupt():
        raise KeyboardInterrupt

    disputed = make.task(phase, overlap=2)
    for ratings in ([1, -1], [1, 1, 1]):
        make.labelling(disputed, *ratings, annotator=make.user())
    meanwhile(interrupt)
    with pytest.raises(SystemExit):
        loop()
    assert told()[0] == "Waiting for people to rule."
    with pytest.raises(SystemExit):
        loop("--now")
    assert told()[0] == "Train."


def test_a_failed_run_ends_it(open_round, loop, meanwhile, work):
    def fail():
        if TrainingRun.objects.exists():
            autopilots.fail(TrainingRun.objects.get(), error="The disk is full.")
        else:
            work()

    meanwhile(fail)
    with pytest.raises(SystemExit, match="failed: The disk is full"):
        loop()


def test_the_autopilot_is_left_alone(make, phase, ml_staff, open_round, loop, meanwhile, work):
    autopilot.switch_on(phase=phase, by=ml_staff, now=timezone.now())
    meanwhile(work)
    with pytest.raises(SystemExit, match="autopilot is on"):
        loop()


def test_a_phase_that_is_over_says_so(phase, loop):
    type(phase).objects.update(status="closed")
    with pytest.raises(SystemExit, match="The phase is closed"):
        loop()


def test_nothing_to_select_ends_it(loop, meanwhile):
    meanwhile(lambda: autopilots.finish(Selection.objects.get(), **autopilots.picks(0)))
    with pytest.raises(SystemExit, match="Nothing could be selected"):
        loop()


def test_an_act_that_changes_nothing_is_not_repeated(loop, meanwhile):
    meanwhile(lambda: autopilots.finish(Selection.objects.get(), discarded_at=timezone.now(), **autopilots.picks(1)))
    with pytest.raises(SystemExit, match="“select” was done, and is due again"):
        loop()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["Nowhere"], "There is no phase “Nowhere”"),
        (["Arithmetic", "--size", "0"], "greater than or equal to 1"),
        (["Arithmetic", "--token", "wrong"], "401"),
    ],
)
def test_refusals_are_the_servers_words(loop, phase, secret, arguments, why):
    with pytest.raises(SystemExit, match=why):
        main(["stepmark", "loop", "--token", secret, *arguments])


def test_without_a_token_it_says_where_to_get_one(monkeypatch):
    monkeypatch.delenv("STEPMARK_TOKEN", raising=False)
    with pytest.raises(SystemExit, match="make one on the Account page"):
        main(["stepmark", "loop", "Arithmetic"])


def test_it_needs_no_settings():
    code = "import sys; from stepmark.client import __main__; assert not {'django', 'labeling'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
