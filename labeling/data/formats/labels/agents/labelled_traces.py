"""Records with Stepmark's labels beside their text, as `stepmark export --into` writes them: of any format of traces,
and solutions of our own.

Of each trace a ruling or a consensus is read if there is one, else what all labellings say, if they agree up to the
first mistake. Where people disagree before it, nothing is read: their ruling has to be exported. After it, steps on
which they disagree have no rating. Who labelled, and when, is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents.placing import judged
from labeling.data.formats.labels.parsed import ParsedLabelling
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces.beside import HOLDERS, UNREAD_OF_HOLDERS, Judgement
from labeling.data.formats.traces.taken import take

WITHOUT = "solutions without labels, left out"
UNFINISHED = "solutions that are judged neither to a mistake nor to their end, left out"
DISPUTED_LATER = "ratings after the first mistake on which labellings disagree, left out"
NOT_RATINGS = "what is said of errors and of final results, left out: only ratings are read"
DISPUTED = "solutions whose labellings disagree, left out: export their rulings"


def parse(record: Record, notes: Notes) -> list[ParsedLabelling]:
    """The labelling of each of the record's traces that has one. Raises FormatError, which names the field."""
    name = _trace(record)
    solutions, found = HOLDERS[name](record, notes), list[ParsedLabelling]()
    for solution, judgements in zip(solutions, take(name, record, solutions), strict=True):
        if said := sum(len(each.errors) + bool(each.said.get("result")) for each in judgements):
            notes.add(NOT_RATINGS, said)
        agreed = _agreed(judgements, notes)
        if agreed is None:
            notes.add(DISPUTED if judgements else WITHOUT)
            continue
        sure = {step: rating for step, rating in agreed.items() if rating is not None}
        labelling = judged(solution, sure, Notes())
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


def _agreed(judgements: Sequence[Judgement], notes: Notes) -> dict[int, int | None] | None:
    """The ratings that all give who rated the step; None unless all agree up to the first mistake."""
    decided = [each.ratings for each in judgements if each.said.get("method")] or [each.ratings for each in judgements]
    if len({_up_to_a_mistake(each) for each in decided}) != 1:
        return None
    given = {step: {each[step] for each in decided if step in each} for step in sorted(set[int]().union(*decided))}
    if disputed := [step for step, ratings in given.items() if len(ratings) > 1]:
        notes.add(DISPUTED_LATER, len(disputed))
    return {step: ratings.pop() for step, ratings in given.items() if len(ratings) == 1}


def _up_to_a_mistake(ratings: Mapping[int, int | None]) -> tuple[tuple[int, int | None], ...]:
    path = list[tuple[int, int | None]]()
    for step in sorted(ratings):
        path.append((step, ratings[step]))
        if ratings[step] == -1:
            break
    return tuple(path)
