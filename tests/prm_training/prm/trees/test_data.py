"""Labelled trees: the ratings that count as labels."""

from __future__ import annotations

import pytest

from prm_training.prm.trees.data import Completion, Label, LabelledTree, OutcomeLabel, Step, counted_labels


def tree(*steps: Step) -> LabelledTree:
    return LabelledTree("t", "g", "train", "P?", steps)


def one(text: str, rating: int | None) -> Step:
    return Step((Completion(text, rating),), 0)


def test_every_step_of_a_right_solution_counts_once() -> None:
    labels = list(counted_labels(tree(one("a", 1), one("b", 0), one("c", 1))))
    assert labels == [Label(("a",), 1), Label(("a", "b"), 0), Label(("a", "b", "c"), 1)]


def test_labels_after_the_first_negative_do_not_count() -> None:
    labels = list(counted_labels(tree(one("a", 1), one("b", -1), one("c", 1), one("d", -1))))
    assert [label.rating for label in labels] == [1, -1]


def test_alternatives_hang_from_the_chosen_prefix_only() -> None:
    first = Step((Completion("x", -1), Completion("a", 1), Completion("y", 0)), 1)
    second = Step((Completion("b", -1), Completion("z", 1)), None)
    assert [(label.steps, label.rating) for label in counted_labels(tree(first, second, one("never", 1)))] == [
        (("x",), -1),
        (("a",), 1),
        (("y",), 0),
        (("a", "b"), -1),
        (("a", "z"), 1),
    ]


def test_a_step_that_a_person_wrote_is_context_without_a_label() -> None:
    labels = list(counted_labels(tree(one("a", 1), one("by hand", None), one("c", 1))))
    assert labels == [Label(("a",), 1), Label(("a", "by hand", "c"), 1)]


def test_null_is_not_neutral() -> None:
    assert list(counted_labels(tree(Step((Completion("a", None), Completion("b", 0)), None)))) == [Label(("b",), 0)]


@pytest.mark.parametrize(("is_right", "rating"), [(True, 1), (False, -1)])
def test_an_outcome_is_one_label_on_the_last_step(is_right: bool, rating: int) -> None:
    tree = OutcomeLabel("s", "p", ("a", "b"), correct=is_right).tree("train")
    assert [(label.steps, label.rating) for label in counted_labels(tree)] == [(("a", "b"), rating)]


def test_where_all_steps_are_rated_labels_after_a_mistake_count():
    steps = tuple(Step((Completion(text, rating),), 0) for text, rating in (("a", 1), ("b", -1), ("c", 0), ("d", -1)))
    path = LabelledTree("t", "g", "train", "P?", steps)
    assert [label.rating for label in counted_labels(path)] == [1, -1]
    whole = LabelledTree("t", "g", "train", "P?", steps, rates_all_steps=True)
    assert [(label.steps, label.rating) for label in counted_labels(whole)] == [
        (("a",), 1),
        (("a", "b"), -1),
        (("a", "b", "c"), 0),
        (("a", "b", "c", "d"), -1),
    ]
