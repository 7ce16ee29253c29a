"""Labelled trees and solutions.

A labelled tree is one labelling of one problem: at each step one or several completions with their ratings, and the one
chosen to continue from. A step that a person wrote is a chosen completion without a rating.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Rating = Literal[-1, 0, 1]
Split = Literal["train", "test"]
CLASS_NAMES = ("negative", "neutral", "positive")  # the class of a rating is rating + 1


class PrmError(Exception):
    """The base of all errors that this package raises on purpose."""


@dataclass(frozen=True)
class Completion:
    """One candidate text for a step; `rating` is None if nobody rated it."""

    text: str
    rating: Rating | None = None


@dataclass(frozen=True)
class Step:
    """The completions seen at one step and the index of the one that the next step follows. `context` comes after that
    one and before the next step, as the observation of a tool call does; nobody rates it.
    """

    completions: tuple[Completion, ...]
    chosen: int | None = None
    context: str = ""

    def __post_init__(self) -> None:
        if self.chosen is not None and not 0 <= self.chosen < len(self.completions):
            raise ValueError(f"chosen is {self.chosen}, but the step has {len(self.completions)} completions")


@dataclass(frozen=True)
class LabelledTree:
    """One labelling. `group` names the problem, so that no problem is on both sides of a split. `rates_all_steps`:
    rating went on after a mistake, and ratings after it count like any other.
    """

    id: str
    group: str
    split: Split
    problem: str
    steps: tuple[Step, ...]
    rates_all_steps: bool = False

    @property
    def contexts(self) -> tuple[str, ...]:
        """Returns what comes after each step and before the next one."""
        return tuple(step.context for step in self.steps)


@dataclass(frozen=True)
class Label:
    """One human rating where it was given: `steps` is the chosen prefix followed by the rated text, `contexts` the
    text that comes after each of them, as far as known; empty for plain texts.
    """

    steps: tuple[str, ...]
    rating: Rating
    contexts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Solution:
    """A solution to be scored. Consecutive solutions of the same problem share their common steps. `contexts` is what
    comes after each step and before the next one; empty for plain texts.
    """

    id: str
    problem: str
    steps: tuple[str, ...]
    contexts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OutcomeLabel(Solution):
    """A solution and whether its final answer is right: what an outcome reward model (ORM) learns from."""

    correct: bool

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("an outcome is the label of the last step, and there are no steps")

    def tree(self, split: Split) -> LabelledTree:
        """The label as a tree: one rating, on the last step."""
        completions = [*map(Completion, self.steps[:-1]), Completion(self.steps[-1], 1 if self.correct else -1)]
        contexts = self.contexts or [""] * len(completions)
        steps = tuple(Step((each,), 0, context) for each, context in zip(completions, contexts, strict=True))
        return LabelledTree(self.id, self.problem, split, self.problem, steps)


def are_outcomes(trees: Sequence[LabelledTree]) -> bool:
    """Returns whether only last steps are rated, though there are others: labels for an ORM."""
    before = [each.rating for tree in trees for step in tree.steps[:-1] for each in step.completions]
    return bool(before) and not any(rating is not None for rating in before)


def counted_labels(tree: LabelledTree) -> Iterator[Label]:
    """Yields every rating that enters the loss, once.

    These are all alternatives of each step, each after the chosen prefix and its context, and nothing else; up to and
    including the first step whose chosen completion is negative, unless all steps are rated.
    """
    prefix: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    for step in tree.steps:
        for number, completion in enumerate(step.completions):
            if completion.rating is not None:
                seen = (*contexts, step.context) if number == step.chosen else contexts
                yield Label((*prefix, completion.text), completion.rating, seen if any(seen) else ())
        if step.chosen is None or (step.completions[step.chosen].rating == -1 and not tree.rates_all_steps):
            return
        prefix = (*prefix, step.completions[step.chosen].text)
        contexts = (*contexts, step.context)
