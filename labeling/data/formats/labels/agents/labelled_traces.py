"""Records with Stepmark's labels beside their text, as `stepmark export --into` writes them: of any format of traces,
and solutions of our own.

A trace's ruling or consensus is read if there is one, else its labellings if they agree up to the first mistake. If
people disagree before it, nothing is read: their ruling has to be exported. After it, steps on which they disagree have
no rating. A mistake's kind and its root cause are read if all that state one agree. Who labelled, and when, is not
kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents.placing import judged
from labeling.data.formats.labels.parsed import Mistake, ParsedLabelling
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces.beside import HOLDERS, UNREAD_OF_HOLDERS, Judgement
from labeling.data.formats.traces.taken import take
from labeling.data.formats.traces.values import string

WITHOUT = "solutions without labels, left out"
UNFINISHED = "solutions that are judged neither to a mistake nor to their end, left out"
DISPUTED_LATER = "ratings after the first mistake on which labellings disagree, left out"
LEFT_OUT = "words of errors, final results, and kinds and root causes of errors on which labellings disagree, left out"
DISPUTED = "solutions whose labellings disagree, left out: export their rulings"


def parse(record: Record, notes: Notes) -> list[ParsedLabelling]:
    """The labelling of each of the record's traces that has one. Raises FormatError, which names the field."""
    name = _trace(record)
    solutions, found = HOLDERS[name](record, notes), list[ParsedLabelling]()
    for solution, judgements in zip(solutions, take(name, record, solutions), strict=True):
        decided = [each for each in judgements if each.said.get("method")] or judgements
        agreed = _agreed([each.ratings for each in decided], notes)
        if agreed is None:
            notes.add(DISPUTED if judgements else WITHOUT)
            continue
        sure = {step: rating for step, rating in agreed.items() if rating is not None}
        mistakes = _mistakes(decided)
        if left := sum(_left_out(each, mistakes) for each in judgements):
            notes.add(LEFT_OUT, left)
        labelling = judged(solution, sure, Notes(), mistakes=mistakes)
        if is_to_the_end([item.rating for item in labelling.path], len(solution.steps)):
            found.append(labelling)
        else:
            notes.add(UNFINISHED)
    return found


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read."""
    yield from UNREAD_OF_HOLDERS[_trace(record)](record)


def is_to_the_end(ratings: Sequence[int | None], steps: int) -> bool:
    return ratings[-1:] == [-1] or len(ratings) == steps


def _trace(record: Record) -> str:
    if name := guess.holder_of(record):
        return name
    raise FormatError("there is neither a trace nor a solution in it")


def _agreed(decided: Sequence[Mapping[int, int | None]], notes: Notes) -> dict[int, int | None] | None:
    """The ratings on which all who rated a step agree; None unless all agree up to the first mistake."""
    if len({_up_to_a_mistake(each) for each in decided}) != 1:
        return None
    given = {step: {each[step] for each in decided if step in each} for step in sorted(set[int]().union(*decided))}
    if disputed := [step for step, ratings in given.items() if len(ratings) > 1]:
        notes.add(DISPUTED_LATER, len(disputed))
    return {step: ratings.pop() for step, ratings in given.items() if len(ratings) == 1}


def _mistakes(decided: Sequence[Judgement]) -> dict[int, Mistake]:
    """The kind and the root cause of each mistake, if all judgements that state one agree."""
    found = dict[int, Mistake]()
    for step in sorted({step for each in decided for step in each.errors}):
        errors = [each.errors.get(step, {}) for each in decided]
        kinds = {string(error, "kind") for error in errors} - {""}
        causes = {error.get("root_cause") for error in errors} - {None}
        kind, cause = (next(iter(said)) if len(said) == 1 else None for said in (kinds, causes))
        if kind or isinstance(cause, int):
            found[step] = Mistake(kind or "", cause if isinstance(cause, int) and cause <= step else None)
    return found


def _left_out(judgement: Judgement, mistakes: Mapping[int, Mistake]) -> int:
    """Counts the judgement's errors with facts that `mistakes` lacks, and its verdict on the final result."""
    left = int(bool(judgement.said.get("result")))
    for step, error in judgement.errors.items():
        kept = mistakes.get(step, Mistake())
        left += error != {
            name: said
            for name, said in (("kind", kept.kind or None), ("root_cause", kept.root_cause))
            if said is not None
        }
    return left


def _up_to_a_mistake(ratings: Mapping[int, int | None]) -> tuple[tuple[int, int | None], ...]:
    path = list[tuple[int, int | None]]()
    for step in sorted(ratings):
        path.append((step, ratings[step]))
        if ratings[step] == -1:
            break
    return tuple(path)
