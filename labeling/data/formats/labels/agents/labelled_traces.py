"""Records with Stepmark's labels beside their text, as `stepmark export --into` writes them: of any format of traces,
and solutions of our own.

Of each trace one labelling is read: a ruling or a consensus if there is one, else the first of those that agree up to
the first mistake. Where people disagree, nothing is read: their ruling has to be exported. Who labelled, and when, is
not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents.placing import judged
from labeling.data.formats.labels.parsed import ParsedLabelling
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces.beside import HOLDERS, UNREAD_OF_HOLDERS, Judgement
from labeling.data.formats.traces.taken import take

WITHOUT = "solutions without labels, left out"
UNFINISHED = "solutions that are judged neither to a mistake nor to their end, left out"
DISPUTED = "solutions whose labellings disagree, left out: export their rulings"


def parse(record: Record, notes: Notes) -> list[ParsedLabelling]:
    """The labelling of each of the record's traces that has one. Raises FormatError, which names the field."""
    name = _trace(record)
    solutions, found = HOLDERS[name](record, notes), list[ParsedLabelling]()
    for solution, judgements in zip(solutions, take(name, record, solutions), strict=True):
        chosen = _chosen(judgements)
        if chosen is None:
            notes.add(DISPUTED if judgements else WITHOUT)
            continue
        sure = {step: rating for step, rating in chosen.ratings.items() if rating is not None}
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


def _chosen(judgements: Sequence[Judgement]) -> Judgement | None:
    decided = [each for each in judgements if each.said.get("method")] or judgements
    agree = len({_up_to_a_mistake(each) for each in decided}) == 1
    return decided[0] if agree else None


def _up_to_a_mistake(judgement: Judgement) -> tuple[int | None, ...]:
    path = list[int | None]()
    for step in sorted(judgement.ratings):
        path.append(judgement.ratings[step])
        if path[-1] == -1:
            break
    return tuple(path)
