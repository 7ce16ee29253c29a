"""prm_training.loop.autopilot: takes each step that is due, once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.campaign import rounds
from labeling.jobs import lifecycle
from labeling.models import Consensus, Round, Solution
from prm_training.loop import autopilot, timeline
from prm_training.loop import rows as loop_rows
from prm_training.models import (
    Autopilot,
    Notice,
    Publication,
    ScoringRun,
    Selection,
    SelectionItem,
    TrainingRun,
)
from prm_training.reward_models import promotion
from tests.autopilots import (
    finish,
    label_everything,
    metrics,
    pick,
    picks,
    publish,
    queued,
    score_all,
    to_the_promotion,
    train,
)


def test_it_goes_all_the_way_round(make, phase, open_round, current, snapshot, on, advance):
    on()
    assert advance() == 0  # people label
    model = to_the_promotion(make, open_round, snapshot, advance)
    assert Round.objects.get().status == "closed"
    assert advance() == 1
    assert promotion.current(phase) == model
    make.solutions(4, verdict="wrong")
    assert advance() == 1
    run = queued()
    assert (type(run), run.reward_model, run.phase) == (ScoringRun, model, phase)
    assert advance() == 0  # until it is done
    score_all(make, model)
    finish(run, started_at=timezone.now(), summary={"scored": 5, "too_long": 0})
    assert advance() == 1
    run = queued()
    assert (run.phase, run.reward_model, run.policy, run.size) == (phase, model, "convincing", 2)
    pick(run)
    assert advance() == 1
    publish(queued())
    assert advance() == 0
    assert [(each.number, each.status) for each in Round.objects.order_by("number")] == [(0, "closed"), (1, "open")]
    entries = timeline.of(Autopilot.objects.get())
    assert [(entry.act, entry.round, entry.status) for entry in entries] == [
        ("label", 1, "running"),
        *((act, 0, "done") for act in ("publish", "select", "score", "promote", "evaluate", "train", "label")),
    ]
    results = {entry.act: entry.result for entry in entries}
    assert results["train"] == {"labellings": 3, "labels": 9}
    assert (results["evaluate"], results["promote"]) == ({"step_auc": 0.9, "f1": 0.9}, {"model": "new"})
    assert (results["score"], results["select"]["picked"]) == ({"scored": 5, "too_long": 0}, 2)
    assert (results["publish"], entries[-1].result) == ({"round": 1}, {"labellings": 3})
    told = Notice.objects.filter(to="lab@example.org", news__act__isnull=False).order_by("created_at")
    assert [(notice.news["act"], notice.news["event"]) for notice in told] == [
        ("close", "done"),
        ("train", "started"),
        ("evaluate", "started"),
        ("promote", "done"),
        ("score", "started"),
        ("select", "started"),
        ("publish", "started"),
    ]


def test_the_timeline_calls_no_round_labelled_while_its_tasks_are_being_added(make, phase, open_round, on):
    on()
    Round.objects.create(phase=phase, number=1, status="publishing", opened_at=timezone.now())
    (entry,) = timeline.of(Autopilot.objects.get())
    assert (entry.act, entry.round, entry.status) == ("label", 0, "running")


def test_it_waits_for_the_evaluation_of_the_first_model(make, open_round, snapshot, on, advance):
    on()
    label_everything(make, open_round)
    advance()
    advance()
    model = train(make, snapshot)
    make.promotion(model)
    run = make.evaluation_run(reward_model=model, snapshot=snapshot)
    assert advance() == 0
    finish(run, metrics=metrics(0.9))
    assert advance() == 1
    assert ScoringRun.objects.get().reward_model == model


def test_it_resumes_wherever_it_was_killed(make, phase, open_round, current, snapshot, on, advance, monkeypatch):
    """Each act and its consequences are one transaction: a kill undoes all of it."""
    on()
    label_everything(make, open_round)
    killed = monkeypatch.context
    for _ in range(2):  # closes, trains
        with killed() as patch:
            patch.setattr(autopilot.notices, "announce", lambda *_, **__: (_ for _ in ()).throw(SystemExit))
            with pytest.raises(SystemExit):
                advance()
        before = (Round.objects.filter(status="closed").count(), TrainingRun.objects.filter(status="queued").count())
        assert before in {(0, 0), (1, 0)}
        assert advance() == 1
    assert TrainingRun.objects.filter(status="queued").count() == 1


@pytest.mark.django_db(transaction=True)
def test_many_workers_take_a_step_once(make, phase, ml_staff, at_once, crowd, dead_broker):
    solution = make.solution()
    autopilot.switch_on(phase=phase, by=ml_staff, now=timezone.now())  # nothing is there: it selects
    finish(queued(), **picks(1))
    SelectionItem.objects.create(selection=Selection.objects.get(), solution=solution, rank=1, reason="")
    done = at_once(lambda _: autopilot.advance_all(now=timezone.now()), range(crowd))
    assert sum(done) == Publication.objects.count() == 1


def test_without_labels_it_begins_with_a_uniform_round(phase, on):
    on()
    run = Selection.objects.get()
    assert (run.policy, run.reward_model) == ("uniform", None)


def test_with_a_model_and_no_labels_it_scores_first(phase, current, on):
    on()
    run = ScoringRun.objects.get()
    assert (run.reward_model, run.phase) == (current, phase)


def test_a_uniform_selection_needs_no_scores(phase, current, on):
    on(policy="uniform")
    assert (Selection.objects.get().reward_model, ScoringRun.objects.count()) == (None, 0)


def test_it_scores_and_selects_with_the_model_of_its_settings(make, phase, current, on, advance):
    chosen = make.reward_model(phase=make.phase())
    on(reward_model=chosen)
    run = queued()
    assert (type(run), run.reward_model) == (ScoringRun, chosen)
    score_all(make, chosen)
    finish(run, started_at=timezone.now())
    advance()
    assert queued().reward_model == chosen


def test_a_pool_with_all_scores_is_not_scored_again(make, phase, current, on):
    score_all(make, current)
    on_ = on
    for solution in Solution.objects.exclude(scores__reward_model=current):
        make.score(current, solution, -1.0)
    on_()
    assert (type(queued()), ScoringRun.objects.count()) == (Selection, 0)


@pytest.mark.any_database
def test_it_waits_for_a_persons_run_and_uses_it(make, phase, on, advance):
    make.selection(phase=phase, status="queued")
    on()
    assert advance() == 0
    picked = Selection.objects.get()
    finish(picked, **picks(1))
    SelectionItem.objects.create(selection=picked, solution=Solution.objects.get(), rank=1, reason="")
    assert advance() == 1
    assert (Publication.objects.get().selection, picked.is_automatic) == (picked, False)


@pytest.mark.any_database
def test_rulings_alone_do_not_keep_it_training(make, phase, open_round, current, snapshot, on, advance):
    """Experts may rule at any time: no training follows from rulings alone."""
    on()
    to_the_promotion(make, open_round, snapshot, advance)
    task = open_round.tasks.first()
    case = task.cases.create(queue="disagreement", by=make.user())
    rated = {"ratings": [1, -1], "confidence": [1, 1], "labellings": 1}
    Consensus.objects.create(task=task, method="adjudicated", computed_at=timezone.now(), case=case, **rated)
    assert advance() == 1
    assert (promotion.current(phase).name, TrainingRun.objects.filter(status="queued").count()) == (
        "new",
        0,
    )


@pytest.mark.any_database
def test_an_outdated_count_does_not_mislead_it(make, phase, open_round, snapshot, on, advance, monkeypatch):
    """Pages show a worker's earlier counts; the autopilot reads the rows."""
    from labeling.counts import rollups

    monkeypatch.setattr(rollups, "FEW", 0)
    on()
    label_everything(make, open_round)
    assert advance() == 1
    assert advance() == 1
    assert type(queued()) is TrainingRun


def test_a_round_that_gets_more_tasks_meanwhile_stays_open(make, phase, open_round, on, advance, monkeypatch):
    on()
    label_everything(make, open_round)
    monkeypatch.setattr(loop_rows.Loop, "is_full", True)
    rounds.add_tasks(round_id=open_round.pk, solution_ids=[make.solution().pk], overlap=1, first=False)
    assert advance() == 0
    assert Round.objects.get().status == "open"


@pytest.mark.any_database
def test_switched_off_it_does_nothing_and_switched_on_it_resumes(
    make, phase, open_round, ml_staff, on, on_again, advance
):
    on()
    autopilot.switch_off(phase=phase, by=ml_staff, now=timezone.now())
    label_everything(make, open_round)
    assert advance() == 0
    on_again()
    assert Round.objects.get().status == "closed"


def test_switching_on_twice_is_refused(phase, open_round, on, on_again):
    on()
    with pytest.raises(autopilot.NotNow):
        on_again()


def test_a_check_while_people_label_takes_few_queries(open_round, on, django_assert_num_queries):
    on()
    with django_assert_num_queries(8):  # those that are on, its row, rounds, a full one; two savepoints
        autopilot.advance_all(now=timezone.now())


def test_a_publication_that_ends_during_a_look_is_seen(phase, on, advance, monkeypatch):
    """A round is opened after the rounds were read, but before the jobs: no further selection is due."""
    on()
    pick(queued())
    advance()
    run, published = queued(), loop_rows.published

    def read_late(of_phase):
        publish(run)
        return published(of_phase)

    with monkeypatch.context() as patch:
        patch.setattr(loop_rows, "published", read_late)
        assert advance() == 0
    assert Autopilot.objects.get().status == "on"
    assert Round.objects.get().status == "open"
    assert Selection.objects.count() == 1


def test_a_killed_run_resumes(phase, on, advance):
    """The heartbeat enqueues it again; the autopilot just waits for it."""
    on()
    Selection.objects.update(status="running", worker="dead", heartbeat_at=timezone.now() - timedelta(hours=1))
    assert advance() == 0
    assert lifecycle.begin(Selection.objects.get().pk, worker="alive", now=timezone.now())
    assert Autopilot.objects.get().status == "on"
