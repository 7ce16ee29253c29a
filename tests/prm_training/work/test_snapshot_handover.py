"""The snapshot file: prm_training.prm reads every label that labeling froze."""

import pytest

from labeling.data import snapshots
from labeling.models import RatedCompletion
from prm_training.prm.trees.readers import read_trees


@pytest.fixture
def snapshot(make, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    make.labelling(make.task(), 1, 0, None, -1)
    make.labelling(make.task(), 1, 1)
    alternatives = make.labelling(make.task())
    for completion, (rating, is_chosen) in enumerate([(-1, False), (1, True)]):
        RatedCompletion.objects.create(
            labelling=alternatives,
            step=0,
            completion=completion,
            text=f"{completion}",
            rating=rating,
            is_chosen=is_chosen,
        )
    return snapshots.freeze()


def test_every_label_arrives_once(snapshot):
    trees = list(read_trees(snapshot.file.path))
    ratings = [item.rating for tree in trees for step in tree.steps for item in step.completions]
    assert sorted(ratings, key=str) == sorted([1, 0, None, -1, 1, 1, -1, 1], key=str)
    assert len([rating for rating in ratings if rating is not None]) == snapshot.counts["labels"]


def test_splits_arrive_as_counted(snapshot):
    splits = [tree.split for tree in read_trees(snapshot.file.path)]
    assert {split: splits.count(split) for split in set(splits)} == snapshot.counts["split"]


def test_the_chosen_alternative_arrives(snapshot):
    chosen = [step.chosen for tree in read_trees(snapshot.file.path) for step in tree.steps]
    assert sorted(chosen) == [0] * 6 + [1]
