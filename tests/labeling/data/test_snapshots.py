"""labeling.data.snapshots: freezes the exact labels that a model is trained on."""

import gzip
import hashlib
import json
import zlib
from itertools import count
from pathlib import Path

import pytest
from django.db.models.fields.files import FieldFile

from labeling.data import snapshots
from labeling.data.exporting import LabelFilter
from labeling.models import RatedCompletion, Snapshot
from labeling.rules.words import GIVEN_UP

NO_OVERLAP = {"benchmark": 0, "near_benchmark": 0}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def trees(snapshot):
    with gzip.open(snapshot.file.path, "rt") as file:
        return [json.loads(line) for line in file]


def hashes_by_split():
    """Returns two endless iterators of problem hashes: held out by the one-in-ten rule, and not."""
    held_out = (f"{n}" for n in count() if zlib.crc32(f"{n}".encode()) % 10 == 0)
    kept = (f"{n}" for n in count() if zlib.crc32(f"{n}".encode()) % 10)
    return held_out, kept


def test_each_graded_solution_is_one_outcome_label(make):
    right, wrong, unsure = (
        make.solution(verdict=verdict, steps=["So.", "5."]) for verdict in ("right", "wrong", "unsure")
    )
    snapshot = snapshots.freeze_outcomes()
    found = {tree["id"]: [step["completions"][0]["rating"] for step in tree["steps"]] for tree in trees(snapshot)}
    assert found == {str(right.pk): [None, 1], str(wrong.pk): [None, -1]}
    counts = snapshot.counts
    assert (counts["labels"], counts["positive"], counts["negative"], counts["unsure"]) == (2, 1, 1, 0)
    assert snapshots.freeze_outcomes() == snapshot
    assert unsure.verdict == "unsure"


def test_outcomes_are_of_solutions_that_the_phases_draw(make):
    own, _ = (make.solution(verdict="right", source=source) for source in ("gsm8k", "demo"))
    snapshot = snapshots.freeze_outcomes(make.phase(sources=["gsm8k"]))
    assert [tree["id"] for tree in trees(snapshot)] == [str(own.pk)]
    assert snapshots.freeze_outcomes().counts["labels"] == 2


def test_outcomes_are_held_out_by_problem(make):
    for split in ("train", "test"):
        make.solution(make.problem(split=split), verdict="right")
    assert snapshots.freeze_outcomes().counts["split"] == {"train": 1, "test": 1}


def test_without_verdicts_no_outcomes_are_frozen(make):
    make.solution(verdict="unsure")
    with pytest.raises(snapshots.NothingToFreeze):
        snapshots.freeze_outcomes()


def test_it_works(make, phase):
    labelling = make.labelling(make.task(phase), 1, 0, None, -1)
    snapshot = snapshots.freeze(LabelFilter(phases=[phase.pk]))
    (tree,) = trees(snapshot)
    problem = labelling.task.solution.problem
    assert (tree["id"], tree["group"], tree["problem"]) == (str(labelling.pk), str(problem.pk), problem.statement)
    assert tree["steps"][3] == {"completions": [{"text": "step 3", "rating": -1}], "chosen": 0}
    assert [step["completions"][0]["rating"] for step in tree["steps"]] == [1, 0, None, -1]
    assert list(snapshot.labellings.all()) == [labelling]
    counts = {"labellings": 1, "labels": 3, "positive": 1, "neutral": 1, "negative": 1, "unsure": 1}
    assert counts.items() <= snapshot.counts.items()


def test_the_hash_is_of_the_file(make):
    make.labelling(make.task(), 1)
    snapshot = snapshots.freeze()
    content = gzip.decompress(Path(snapshot.file.path).read_bytes())
    assert snapshot.labels_hash == hashlib.sha256(content).hexdigest()


def test_equal_labels_are_one_snapshot(make):
    for _ in range(5):
        make.labelling(make.task(), 1, -1)
    first = snapshots.freeze()
    assert snapshots.freeze() == first
    assert Snapshot.objects.count() == 1
    assert first.labellings.count() == 5


@pytest.mark.any_database
def test_another_rating_is_another_snapshot(make):
    make.labelling(make.task(), 1, 1)
    first = snapshots.freeze()
    make.labelling(make.task(), 0, 1)
    second = snapshots.freeze()
    assert second.labels_hash != first.labels_hash
    assert len(trees(first)) == 1, "the first stays as it was"


def test_a_snapshot_outlives_a_correction(make, now):
    labelling = make.labelling(make.task(), 1)
    snapshot = snapshots.freeze()
    labelling.superseded_at = now
    labelling.save()
    make.labelling(labelling.task, 0)
    assert trees(snapshot)[0]["steps"][0]["completions"][0]["rating"] == 1
    assert trees(snapshots.freeze())[0]["steps"][0]["completions"][0]["rating"] == 0


@pytest.mark.parametrize("is_gold", [True, False])
def test_labels_on_gold_are_not_trained_on(make, phase, is_gold):
    """True of hidden gold, and of gold published in an ordinary round."""
    make.labelling(make.task(phase), 1, 1)
    task = make.task(phase, is_gold=is_gold)
    for version, gold_set in enumerate(("gold", ""), 1):
        make.gold(1, 1, 1, solution=task.solution, gold_set=gold_set, version=version)
    make.labelling(task, 1, 1)
    snapshot = snapshots.freeze()
    left_out = {"withdrawn": 0, "screening": 0, "gold": 1, **dict.fromkeys(GIVEN_UP, 0), **NO_OVERLAP, "settled": 0}
    assert (snapshot.counts["labellings"], snapshot.counts["left_out"]) == (1, left_out)


def test_labels_left_out_are_counted(make, phase, now):
    used = make.labelling(make.task(phase), 1)
    make.labelling(make.task(phase, number=-1), 1)
    make.labelling(make.task(phase), 1, finish_reason="give_up", finish_note="too long")
    make.labelling(make.task(phase), 1, finish_reason="bad_problem", finish_note="no answer")
    make.labelling(make.task(phase), 1, finish_reason="bad_problem", finish_note="no question")
    make.labelling(make.task(phase), 1, superseded_at=now)
    snapshot = snapshots.freeze()
    assert [tree["id"] for tree in trees(snapshot)] == [str(used.pk)]
    assert snapshot.counts["left_out"] == {
        "withdrawn": 0,
        "screening": 1,
        "gold": 0,
        **dict.fromkeys(GIVEN_UP, 0),
        "give_up": 1,
        "bad_problem": 2,
        **NO_OVERLAP,
        "settled": 0,
    }


def test_unsure_is_no_label(make):
    make.labelling(make.task(), None, None)
    with pytest.raises(snapshots.NothingToFreeze):
        snapshots.freeze()


def test_no_labels_make_no_snapshot(make, phase):
    make.labelling(make.task(), 1)
    with pytest.raises(snapshots.NothingToFreeze):
        snapshots.freeze(LabelFilter(phases=[phase.pk]))
    assert not Snapshot.objects.exists()


@pytest.mark.any_database
def test_only_the_named_phases(make, phase):
    mine, other = make.labelling(make.task(phase), 1), make.labelling(make.task(), 1)
    make.labelling(make.task(), 1)
    phases = [phase.pk, other.task.round.phase_id]
    assert set(snapshots.freeze(LabelFilter(phases=phases)).labellings.all()) == {mine, other}
    assert snapshots.freeze().counts["labellings"] == 3


def test_problems_of_the_test_split_are_held_out(make):
    """No others are held out then, whatever their hash."""
    held_out, _ = hashes_by_split()
    make.labelling(make.task(solution=make.solution(make.problem(split="test"))), 1)
    make.labelling(make.task(solution=make.solution(make.problem(text_hash=next(held_out)))), 1)
    snapshot = snapshots.freeze()
    assert sorted(tree["split"] for tree in trees(snapshot)) == ["test", "train"]
    assert snapshot.counts["split"] == {"test": 1, "train": 1}


def test_without_a_test_split_one_problem_in_ten_is_held_out(make):
    held_out, kept = hashes_by_split()
    for text_hash, split in [(next(held_out), "test"), (next(kept), "train"), (next(kept), "train")]:
        problem = make.problem(text_hash=text_hash, statement=split)
        for _ in range(2):
            make.labelling(make.task(solution=make.solution(problem)), 1)
    for tree in trees(snapshots.freeze()):
        assert tree["split"] == tree["problem"], "all labellings of a problem fall on one side"


def test_alternatives_beside_the_first_negative_leave_the_path_as_it_was(make):
    labelling = make.labelling(make.task(), 1, -1)
    for number, rating in enumerate([1, None, -1], start=1):
        text = f"other {number}"
        labelling.completions.create(step=1, completion=number, text=text, rating=rating, is_chosen=False)
    snapshot = snapshots.freeze()
    (tree,) = trees(snapshot)
    assert [step["chosen"] for step in tree["steps"]] == [0, 0]
    assert tree["steps"][1]["completions"] == [
        {"text": "step 1", "rating": -1},
        {"text": "other 1", "rating": 1},
        {"text": "other 2", "rating": None},
        {"text": "other 3", "rating": -1},
    ]
    assert (snapshot.counts["labels"], snapshot.counts["unsure"]) == (4, 1)


def test_the_chosen_alternative_is_marked(make):
    labelling = make.labelling(make.task())
    rows = [(0, 0, 0, False), (0, 1, 1, True), (0, 2, -1, False), (1, 0, -1, False), (1, 1, -1, False)]
    for step, completion, rating, is_chosen in rows:
        RatedCompletion.objects.create(
            labelling=labelling,
            step=step,
            completion=completion,
            text=f"{step}.{completion}",
            rating=rating,
            is_chosen=is_chosen,
        )
    (tree,) = trees(snapshots.freeze())
    assert [step["chosen"] for step in tree["steps"]] == [1, None]
    texts = [[item["text"] for item in step["completions"]] for step in tree["steps"]]
    assert texts == [["0.0", "0.1", "0.2"], ["1.0", "1.1"]]


def test_each_label_is_in_the_file_once(make):
    """No prefix is repeated: as many ratings are written as were given."""
    for _ in range(3):
        make.labelling(make.task(), 1, 1, 0, -1)
    snapshot = snapshots.freeze()
    written = [item for tree in trees(snapshot) for step in tree["steps"] for item in step["completions"]]
    assert len(written) == RatedCompletion.objects.count() == snapshot.counts["labels"] == 12


def test_it_reads_in_chunks(make, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr("labeling.data.exporting.rows.BATCH", 4)
    for _ in range(10):
        make.labelling(make.task(), 1)
    with django_assert_max_num_queries(28):
        assert snapshots.freeze().counts["labellings"] == 10


def test_labels_that_two_workers_freeze_at_once_are_one_snapshot(make, monkeypatch, settings, tmp_path):
    """The other worker's row appears after this one's check, and before it writes."""
    settings.MEDIA_ROOT = tmp_path
    make.labelling(make.task(), 1, -1)
    rivals, save = [], FieldFile.save

    def save_after_a_rival(self, *arguments, **options):
        if not rivals:
            rivals.append(None)
            rivals[0] = snapshots.freeze()
        save(self, *arguments, **options)

    monkeypatch.setattr(FieldFile, "save", save_after_a_rival)
    assert snapshots.freeze() == rivals[0] == Snapshot.objects.get()
    assert [Path(Snapshot.objects.get().file.path)] == list((tmp_path / "snapshots").iterdir())
