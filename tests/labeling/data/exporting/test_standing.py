"""labeling.data.exporting.standing: a task's ruling, else a consensus, else each labelling; and the label filter."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from annotate import submission
from annotate.submission import Submission
from labeling.campaign import consensus
from labeling.data import exporting, snapshots
from labeling.data.exporting import LabelFilter, UnknownChoice, rows, standing
from labeling.data.exporting.choosing import INCLUDABLE
from labeling.models import Case, Consensus, Labelling, Phase, Queue, Round
from labeling.review import adjudication
from labeling.review.adjudication import Ruling
from labeling.rules.ratings import Judgement, StepRating
from prm_training.prm.trees.readers import read_labels

ALL = list(INCLUDABLE)


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def disputed(make, phase, annotator, second_annotator):
    """A task in which Ada sees an error in the second step, Ben none."""
    task = make.task(phase, overlap=2)
    make.labelling(task, 1, -1, annotator=annotator)
    make.labelling(task, 1, 1, 1, annotator=second_annotator)
    return task


@pytest.fixture
def rule(admin):
    def act(task, *ratings, outcome="ratings", queue=Queue.DISAGREEMENT, now=None, **columns):
        ruling = Ruling(outcome, ratings=ratings, **columns)
        adjudication.settle(task=task, queue=queue, ruling=ruling, now=now or timezone.now(), by=admin)

    return act


def said(**chosen):
    """Returns the standing labels' methods and ratings."""
    found = standing.stream(LabelFilter(**chosen))
    return sorted((row.method, [item.rating for item in row.completions]) for row in found)


RULED = [("adjudicated", [1, 0, -1])]


# Rulings


def test_a_ruling_replaces_all_labellings_once(disputed, rule, admin):
    assert said() == [("", [1, -1]), ("", [1, 1, 1])]
    rule(disputed, 1, 0, -1)
    assert said() == RULED
    (row,) = standing.stream(LabelFilter())
    assert (row.id, row.annotator_id, row.finish_reason) == (str(disputed.pk), str(admin.pk), "found_error")
    assert [item.text for item in row.completions] == disputed.solution.steps
    assert sorted(row.behind) == sorted(str(pk) for pk in Labelling.objects.values_list("pk", flat=True))
    assert row.submitted_at == Case.objects.get().settled_at


def test_a_ruling_replaces_even_labellings_that_agree_with_it(disputed, rule):
    rule(disputed, 1, -1)
    assert said() == [("adjudicated", [1, -1])]


def test_no_consensus_replaces_it(disputed, rule, make, now):
    rule(disputed, 1, 0, -1)
    consensus.compute(round_=disputed.round, now=now)
    assert said(consensus="majority") == said(consensus="dawid_skene") == RULED


def test_a_ruling_made_gold_stays_in_training(disputed, rule, make, phase):
    """Labels of the solution in other tasks are measured against the gold, and left out."""
    rule(disputed, 1, 0, -1, outcome="gold")
    make.labelling(make.task(phase, solution=disputed.solution, number=1), 1, 1, 1)
    make.labelling(make.task(phase, solution=disputed.solution, number=2, is_gold=True), 1, 1, 1)
    assert said() == RULED
    assert standing.left_out(LabelFilter())["gold"] == 2
    assert len(said(include=["gold"])) == 3


@pytest.mark.every_case
@pytest.mark.parametrize("consensus", ["", "majority"])
def test_another_campaigns_gold_does_not_exclude_labels(make, annotator, second_annotator, consensus):
    """A gold set belongs to the phases that use it, or to all if none does. A round keeps its own set."""
    own, other = make.phase(), make.phase()
    task = make.task(own)
    for person in (annotator, second_annotator):
        make.labelling(task, 1, -1, annotator=person)
    chosen = {"phases": [own.pk], "consensus": consensus}
    there = said(**chosen)
    assert there
    make.gold(1, -1, solution=task.solution, gold_set="theirs")
    assert said(**chosen) == []
    Phase.objects.filter(pk=other.pk).update(gold_set="theirs")
    assert said(**chosen) == there
    make.gold(1, -1, solution=task.solution, gold_set="", version=2)
    assert said(**chosen) == there, "taken out of service"
    Round.objects.filter(pk=task.round_id).update(gold_set="theirs")
    assert said(**chosen) == []
    Round.objects.filter(pk=task.round_id).update(gold_set="")
    Phase.objects.filter(pk=own.pk).update(gold_set="theirs")
    assert said(**chosen) == []


def test_a_ruling_replaces_a_give_up(make, rule):
    task = make.task()
    make.labelling(task, 1, finish_reason="give_up")
    assert said() == []
    rule(task, 1, 0, -1, queue=Queue.GIVE_UP)
    assert said() == RULED


def test_corrected_gold_in_screening_is_no_ruling(make, rule, annotator):
    task = make.task(number=-1)
    make.labelling(task, 1, annotator=annotator)
    task.reports.create(annotator=annotator, kind="gold")
    rule(task, 1, 0, -1, outcome="gold", queue=Queue.GOLD)
    assert said(include=ALL) == [("", [1])]
    assert not Consensus.objects.exists()


def test_a_ruling_in_screening_stays_out_unless_screening_is_included(make, rule, annotator):
    task = make.task(number=-1)
    make.labelling(task, 1, annotator=annotator)
    task.reports.create(annotator=annotator, kind="gold")
    rule(task, 1, 0, -1, queue=Queue.GOLD)
    assert said() == []
    assert said(include=["screening"]) == RULED


def test_a_ruling_is_filtered_by_its_author(disputed, rule):
    rule(disputed, 1, 0, -1)
    assert said(annotators=["alma"]) == said(without_annotators=["ada", "ben"]) == RULED
    assert said(annotators=["ada"]) == said(without_annotators=["alma"]) == []
    assert standing.people(LabelFilter(annotators=["ada"])) == {"ada": 1, "alma": 1, "ben": 1}


# A ruling stands until another case on the task is settled


def test_a_later_labelling_changes_nothing(disputed, rule, make):
    rule(disputed, 1, 0, -1)
    make.labelling(disputed, 1, -1, annotator=make.user(), submitted_at=timezone.now() + timedelta(seconds=1))
    assert said() == said(consensus="majority") == RULED


def test_a_revision_changes_nothing(open_round, labelling, second_annotator, make, rule, annotator, now):
    task = labelling.task
    make.labelling(task, -1, annotator=second_annotator)
    task.overlap = 2
    task.save()
    rule(task, 1, 0, -1, now=now + timedelta(hours=1))
    judgement = Judgement([StepRating(step=0, rating=-1)], "found_error")
    sent = Submission(judgement, revises=labelling.pk, active_ms=1000)
    later = now + timedelta(hours=2)
    revised = submission.submit(assignment_id=labelling.assignment_id, annotator=annotator, submission=sent, now=later)
    assert revised.overruled_by is None
    assert said() == RULED


@pytest.mark.parametrize(
    ("settled", "stands"),
    [
        ({"outcome": "dismiss"}, [1, 0, -1]),
        ({"outcome": "verdict", "verdict": "right"}, [1, 0, -1]),
        ({"outcome": "ratings", "ratings": [1, 1, 1]}, [1, 1, 1]),
        ({"outcome": "gold", "ratings": [-1]}, [-1]),
    ],
)
def test_the_next_ruling_may_change_it(disputed, rule, make, admin, settled, stands):
    rule(disputed, 1, 0, -1)
    later = timezone.now() + timedelta(seconds=2)
    make.labelling(disputed, 1, 1, 1, annotator=make.user(), submitted_at=later - timedelta(seconds=1))
    ruling = Ruling(**settled)
    adjudication.settle(task=disputed, queue=Queue.DISAGREEMENT, ruling=ruling, now=later, by=admin)
    assert said() == [("adjudicated", stands)]


def test_no_further_opinion_is_requested_after_a_ruling(make, phase, rule, annotator, second_annotator, now):
    phase.overlap_cap = 3
    phase.save()
    round_ = make.round(phase, 1, overlap=2)
    task = round_.tasks.get()
    for seat, (person, ratings) in enumerate([(annotator, [-1]), (second_annotator, [1, 1, 1])]):
        task.assignments.filter(seat=seat).update(annotator=person, submitted_at=now)
        make.labelling(task, *ratings, annotator=person)
    rule(task, 1, 0, -1)
    assert consensus.ask_again(round_=round_) == 0


# Consensus


@pytest.mark.any_database
def test_a_consensus_stands_if_requested(disputed, make, phase):
    make.labelling(disputed, 1, -1, annotator=make.user())
    make.labelling(make.task(phase), 1, 0, annotator=make.user())
    assert said(consensus="majority") == [("", [1, 0]), ("majority", [1, -1])]
    assert said(consensus="dawid_skene") == [("", [1, 0]), ("dawid_skene", [1, -1])]


@pytest.mark.any_database
def test_a_consensus_is_computed_from_current_labellings(disputed, make, now):
    """The consensus stored for the agreement page may lack newer labellings."""
    consensus.compute(round_=disputed.round, now=now)
    assert said(consensus="majority") == [("majority", [1, None])]
    for _ in range(2):
        make.labelling(disputed, -1, annotator=make.user())
    assert said(consensus="majority") == [("majority", [-1])]


def test_a_consensus_leaves_out_excluded_annotators(disputed, make):
    third = make.user(username="cleo")
    make.labelling(disputed, 1, 1, 1, annotator=third)
    assert said(consensus="majority") == [("majority", [1, 1, 1])]
    assert said(consensus="majority", without_annotators=["ben"]) == [("majority", [1, None])]
    assert said(consensus="majority", annotators=["ada"]) == [("", [1, -1])]


def test_a_consensus_names_its_labellings(disputed, make):
    make.labelling(disputed, 1, finish_reason="give_up", annotator=make.user())
    (row,) = standing.stream(LabelFilter(consensus="majority", include=["give_up"]))
    complete = Labelling.objects.exclude(finish_reason="give_up").values_list("pk", flat=True)
    assert sorted(row.behind) == sorted(map(str, complete))


@pytest.mark.parametrize("reason", ["screening", "gold"])
def test_a_consensus_uses_included_labels_only(make, phase, annotator, second_annotator, reason):
    task = make.task(phase, number=-1 if reason == "screening" else 0)
    if reason == "gold":
        make.gold(1, 1, 1, solution=task.solution)
    for person in (annotator, second_annotator):
        make.labelling(task, 1, -1, annotator=person)
    assert said(consensus="majority") == []
    assert said(consensus="majority", include=[reason]) == [("majority", [1, -1])]


# Snapshots and files


@pytest.mark.any_database
def test_an_unknown_finish_reason_is_refused(labelling, monkeypatch):
    """A newer version's reason may mean a give-up: a model would be trained on an unfinished labelling."""
    Labelling.objects.update(finish_reason="solution")
    monkeypatch.setattr(rows, "KNOWN", frozenset({"found_error"}))  # as of an older version
    with pytest.raises(rows.NewerWord, match="“solution”, which only a newer version"):
        list(standing.stream(LabelFilter()))


def test_a_snapshot_of_a_ruling_names_its_labellings(disputed, rule):
    rule(disputed, 1, 0, -1)
    snapshot = snapshots.freeze()
    assert set(snapshot.labellings.all()) == set(disputed.labellings.all())
    assert (snapshot.counts["rulings"], snapshot.counts["labels"], snapshot.counts["left_out"]["settled"]) == (1, 3, 2)
    assert snapshots.freeze() == snapshot


@pytest.mark.any_database
def test_a_ruling_is_marked_where_a_format_can(disputed, rule, admin, tmp_path):
    """It is read back as a label, even if it was made gold."""
    rule(disputed, 1, 0, -1, outcome="gold")
    output = tmp_path / "labels.jsonl"
    exporting.export_labels(LabelFilter(), file_format="prm800k", output=output, now=timezone.now())
    record = json.loads(output.read_text())
    assert (record["method"], record["labeler"]) == ("adjudicated", str(admin.pk))
    assert (record["is_quality_control_question"], record["label"]["finish_reason"]) == (False, "found_error")
    (tree,) = read_labels(output, split="train")
    assert [step.completions[0].rating for step in tree.steps] == [1, 0, -1]
    pytest.importorskip("pyarrow")
    from pyarrow.parquet import read_table

    exporting.export_labels(LabelFilter(), file_format="parquet", output=tmp_path / "parquet", now=timezone.now())
    (row,) = read_table(tmp_path / "parquet").to_pylist()
    assert (row["method"], row["annotator_id"], row["is_gold"]) == ("adjudicated", str(admin.pk), False)


# The filter


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"annotators": ["adda"]}, "nobody called “adda”"),
        ({"without_annotators": ["ada", "adda"]}, "nobody called “adda”"),
        ({"phases": ["c0ffee00-0000-4000-8000-000000000000"]}, "no phase “c0ffee00"),
        ({"rounds": ["c0ffee00-0000-4000-8000-000000000000"]}, "no round “c0ffee00"),
        ({"include": ["overruled"]}, "not one of screening, gold, bad_problem, give_up"),
        ({"consensus": "adjudicated"}, "not one of majority, dawid_skene"),
        ({"split": "dev"}, "not one of train, test"),
    ],
)
def test_unknown_choices_are_refused(annotator, chosen, message, tmp_path):
    """Refused everywhere, even for a person deleted after the training was queued."""
    label_filter = LabelFilter(**chosen)
    acts = [
        lambda: snapshots.freeze(label_filter),
        lambda: snapshots.preview_snapshot(label_filter),
        lambda: exporting.export_labels(label_filter, file_format="trl", output=tmp_path / "x", now=timezone.now()),
    ]
    for act in acts:
        with pytest.raises(UnknownChoice, match=message) as refusal:
            act()
        assert refusal.value.field == next(iter(chosen))
