"""Combines several labellings of a solution into a path, up to its first error or to the step that cannot be settled
(pure). Where every step is rated whatever came before, each step is settled by itself.

Whoever calls a step Bad stops there, which also says that nothing is right from there on: they are counted in every
later vote. So the question at a step is whether the first error has come by then.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from labeling.rules.agreement import RatedTask
from labeling.rules.ratings import first_error

Floats = NDArray[np.float64]
HALF = 0.5
SURE = 2 / 3  # how likely Dawid-Skene must find what it settles
# Priors of how often people say Bad: of right steps, in a solution of mean length; of the first error; of steps after
# it, in a mean solution again. With these alone, neither a strict nor a lenient reader is SURE to be right. They weigh
# as much as SEEN_OF_ALL observations of everybody, and everybody's rates as SEEN_OF_EACH observations of each person.
SAYS_BAD = np.array([0.2, 0.65, 0.4])
SEEN_OF_ALL, SEEN_OF_EACH = 40, 10
ROUNDS_OF_EM = 50
STILL = 1e-4
LEAST = 0.01  # of a chance: nothing is impossible


class Opinion(NamedTuple):
    """The consensus of several people.

    `ratings`: of a path, which ends with its first error or the last step, or with None where the votes settle nothing.
    `confidence`, in [0, 1], of each: of a right step, that no error has come by then; of an error, that it is the first
    one; of None, the likelier side's, and 0 if nobody rated the step. So the last one is that of the whole path.
    """

    ratings: list[int | None]
    confidence: list[float]


@dataclass(frozen=True)
class Votes:
    """The votes on one step: how many people said Great, Okay or Bad here, and Bad before."""

    great: int
    okay: int
    bad: int
    stopped: int

    @property
    def right(self) -> int:
        return self.great + self.okay

    @property
    def total(self) -> int:
        return self.right + self.bad + self.stopped


def by_majority(rated: Iterable[RatedTask]) -> dict[UUID, Opinion]:
    """The majority's opinion of each task. There is an error if more than half see one by some step; it is at the first
    step by which half of them have seen it.

    [1, -1], [1, 1, -1], [1, 1, 1, -1] and [1, 1, 1, 1, 1]: three of four see an error, and half of them by step 2 (from
    0), so [1, 1, -1]. If one of two people sees an error, the path is not settled.
    """
    found = dict[UUID, Opinion]()
    for task, rows in of_tasks(rated).items():
        votes = list(_votes(rows))
        by = [(each.bad + each.stopped) / max(each.total, 1) for each in votes]
        here = [each.bad / max(each.total, 1) for each in votes]
        found[task] = _path(votes, by, here, settled=HALF)
    return found


def by_dawid_skene(rated: Iterable[RatedTask]) -> dict[UUID, Opinion]:
    """The likeliest opinion of each task, given how often each person proves to be mistaken (Dawid & Skene 1979)."""
    tasks = of_tasks(rated)
    return {
        task: _path(list(_votes(tasks[task])), list(at.cumsum()[:-1]), list(at[:-1]), settled=SURE)
        for task, at in first_errors(tasks).items()
    }


def of_each_step(
    method: Callable[[Iterable[RatedTask]], dict[UUID, Opinion]], rated: Iterable[RatedTask]
) -> dict[UUID, Opinion]:
    """The opinion of each task, where everybody rated all steps: by the method, on each step as a task of its own.

    [1, -1, 1], [1, -1, -1] and [1, 1, 1] by majority: [1, -1, 1]. A step that the votes don't settle is None.
    """
    of_step = dict[tuple[UUID, int], UUID]()
    rows = list[RatedTask]()
    for row in rated:
        for step, rating in enumerate(row.ratings):
            part = of_step.setdefault((row.task, step), UUID(int=len(of_step)))
            rows.append(RatedTask(part, row.annotator, [rating]))
    opinions, found = method(rows), dict[UUID, Opinion]()
    for (task, _), part in sorted(of_step.items()):
        ratings, confidence = found.setdefault(task, Opinion([], []))
        ratings.extend(opinions[part].ratings)
        confidence.extend(opinions[part].confidence)
    return found


def of_tasks(rated: Iterable[RatedTask]) -> dict[UUID, list[RatedTask]]:
    """The labellings of each task, without those that rate nothing."""
    found = dict[UUID, list[RatedTask]]()
    for row in rated:
        if row.ratings:
            found.setdefault(row.task, []).append(row)
    return found


def _votes(rows: Sequence[RatedTask]) -> Iterator[Votes]:
    """Yields the votes on each step that somebody has reached; people who are unsure of it have no vote."""
    errors = Counter(first_error(row.ratings) for row in rows)
    stopped = 0
    for step in range(_length(rows)):
        said = Counter(row.ratings[step] for row in rows if step < len(row.ratings))
        yield Votes(said[1], said[0], errors[step], stopped)
        stopped += errors[step]


def _length(rows: Iterable[RatedTask]) -> int:
    return max(len(row.ratings) for row in rows)


def _path(votes: Sequence[Votes], by: Sequence[float], here: Sequence[float], *, settled: float) -> Opinion:
    """The opinion that the votes and probabilities give.

    `by`, `here`: for each step, how much speaks for the first error to be there or before, and exactly there. A side
    with more than `settled` is settled. Once an error is settled, its place is settled by more than HALF.
    """
    ratings, confidence = list[int | None](), list[float]()
    is_error_settled = max(by) > settled
    for vote, so_far, exactly in zip(votes, by, here, strict=True):
        if vote.right and 1 - so_far > (HALF if is_error_settled else settled):
            ratings.append(1 if vote.great > vote.okay else 0)
            confidence.append(_rounded(1 - so_far))
            continue
        is_error = vote.total > 0 and (is_error_settled or so_far > settled)
        ratings.append(-1 if is_error else None)
        confidence.append(_rounded(exactly if is_error else max(so_far, 1 - so_far) if vote.total else 0))
        break
    return Opinion(ratings, confidence)


def _rounded(share: float) -> float:
    return round(float(share), 4)


# Dawid-Skene on paths. The truth about a solution is the place of its first error: it makes each step right, the first
# error, or one after it. Everybody says Bad of these with chances of their own, until they stop (Dawid & Skene 1979: a
# confusion matrix for each person, here of three truths and two votes). The maintained library, crowd-kit, knows
# nothing of paths and depends on pandas, scikit-learn, nltk, pyarrow and transformers.


class _Cells(NamedTuple):
    """Arrays for EM. A cell is one possible place of a task's first error; a task's last cell is that of no error.

    `start`, `task`: the first cell of each task, and the task of each cell. `own`: the cell that each labelling claims.
    `cell`, `person`: of each pair of a labelling and a cell of its task; `votes`: (pairs, truths, votes), the
    labelling's votes by what they mean if the cell is true; `share`: (truths,), the weight of a vote, as a share of a
    mean solution or of an error.
    """

    start: NDArray[np.int64]
    task: NDArray[np.int64]
    own: NDArray[np.int64]
    cell: NDArray[np.int64]
    person: NDArray[np.int64]
    votes: Floats
    share: Floats


def first_errors(tasks: dict[UUID, list[RatedTask]]) -> dict[UUID, Floats]:
    """Finds by EM for each task P(the first error is at this step) of each step, followed by P(there is none)."""
    if not tasks:
        return {}
    cells = _cells(list(tasks.values()))
    votes = np.full(len(cells.task), 0.1)
    np.add.at(votes, cells.own, 1)
    posterior = _of_each_task(votes, cells)
    for _ in range(ROUNDS_OF_EM):
        bad = _says_bad(posterior, cells)[cells.person] * cells.share
        chances = np.log(np.stack([1 - bad, bad], axis=2).clip(LEAST, 1 - LEAST))
        # In logs: the product of many small numbers would be 0.
        told = np.bincount(cells.cell, (cells.votes * chances).sum((1, 2)), len(cells.task))
        log = np.log(_prior(posterior, cells)) + told
        before = posterior
        posterior = _of_each_task(np.exp(log - np.maximum.reduceat(log, cells.start)[cells.task]), cells)
        if np.abs(posterior - before).max() < STILL:
            break
    return dict(zip(tasks, np.split(posterior, cells.start[1:]), strict=True))


def _cells(tasks: Sequence[Sequence[RatedTask]]) -> _Cells:
    sizes = np.array([_length(rows) + 1 for rows in tasks])
    start = sizes.cumsum() - sizes
    number_of = {person: number for number, person in enumerate({row.annotator: 0 for rows in tasks for row in rows})}
    own, pairs = [], []
    for rows, first, size in zip(tasks, start, sizes, strict=True):
        for row in rows:
            own.append(first + first_error(row.ratings) % size)  # -1, no error, is the last
            people = np.full(size, number_of[row.annotator])
            pairs.append((first + np.arange(size), people, _sorted_votes(row.ratings, size)))
    cell, person, votes = (np.concatenate(column) for column in zip(*pairs, strict=True))
    task = np.repeat(np.arange(len(sizes)), sizes)
    step = 1 / (sizes - 1).mean()
    return _Cells(start, task, np.array(own), cell, person, votes, np.array([step, 1, step]))


def _sorted_votes(ratings: Sequence[int | None], places: int) -> Floats:
    """Returns (places, 3, 2): for each place of the first error, the votes on right steps, on the error, and after it;
    each as not Bad and Bad.
    """
    given = np.zeros((places, 2))
    for step, rating in enumerate(ratings):
        if rating is not None:
            given[step, int(rating == -1)] = 1
    before = given.cumsum(0) - given
    return np.stack([before, given, given.sum(0) - before - given], axis=1)


def _says_bad(posterior: Floats, cells: _Cells) -> Floats:
    """Returns (people, truths): how often each person says Bad, by the current estimate."""
    weights = posterior[cells.cell, None]
    said = _of_each_person(weights * cells.votes[:, :, 1], cells)
    seen = _of_each_person(weights * cells.votes.sum(2) * cells.share, cells)
    everybody = (said.sum(0) + SEEN_OF_ALL * SAYS_BAD) / (seen.sum(0) + SEEN_OF_ALL)
    shares: Floats = (said + SEEN_OF_EACH * everybody) / (seen + SEEN_OF_EACH)
    return shares


def _of_each_person(weights: Floats, cells: _Cells) -> Floats:
    return np.stack([np.bincount(cells.person, column) for column in weights.T], axis=1)


def _prior(posterior: Floats, cells: _Cells) -> Floats:
    """Returns the prior of each cell: the estimated share of right solutions; errors are equally likely at each
    step.
    """
    last = np.append(cells.start[1:], len(cells.task)) - 1
    none = (posterior[last].sum() + 1) / (len(last) + 2)
    prior: Floats = ((1 - none) / (last - cells.start))[cells.task]
    prior[last] = none
    return prior


def _of_each_task(weights: Floats, cells: _Cells) -> Floats:
    """Scales the weights so that they add up to 1 in each task."""
    shares: Floats = weights / np.add.reduceat(weights, cells.start)[cells.task]
    return shares
