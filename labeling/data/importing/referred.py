"""Labels of solutions that were imported before, from another file: found by the id that they have in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from labeling.campaign.gold import sets_of_all_steps
from labeling.campaign.screening import NamedMistake
from labeling.data.formats import files
from labeling.data.formats.fields import FormatError
from labeling.data.formats.files import LineError
from labeling.data.formats.labels import REFERRING, Mistake, ParsedLabelling, Reference
from labeling.data.formats.notes import Notes
from labeling.data.importing.samples import Keyed
from labeling.models import Phase, Sample
from labeling.rules.traces.parts import Turn

IDS = 500  # in a query
NAMED = 3  # sources in a message
LONGEST_RATIONALE = 10_000  # characters
CUT = f"reasons of mistakes, cut after {LONGEST_RATIONALE:,} characters"


class GoldLabels(msgspec.Struct, frozen=True):
    """The ratings of a solution's steps, as far as its gold set takes them, and what the file says of mistakes."""

    ratings: list[int | None]
    mistakes: dict[int, Mistake] = {}

    @property
    def named_mistakes(self) -> list[NamedMistake]:
        """The mistakes, without their reasons, in the order of steps."""
        named = (NamedMistake(step, said.kind, said.root_cause) for step, said in self._said())
        return [each for each in named if each.says_anything]

    @property
    def rationale(self) -> str:
        """The reasons of the mistakes, in the order of steps, cut after `LONGEST_RATIONALE` characters."""
        whys = self._whys()
        return whys if len(whys) <= LONGEST_RATIONALE else f"{whys[: LONGEST_RATIONALE - 1]}…"

    def note_cut(self, notes: Notes) -> None:
        if len(self._whys()) > LONGEST_RATIONALE:
            notes.add(CUT)

    def _whys(self) -> str:
        whys = (f"Step {step + 1}: {said.why.strip()}" for step, said in self._said() if said.why.strip())
        return "\n\n".join(whys)

    def _said(self) -> list[tuple[int, Mistake]]:
        return [(step, self.mistakes[step]) for step in sorted(self.mistakes) if self.ratings[step : step + 1] == [-1]]


class Referred(msgspec.Struct, frozen=True):
    """A stored solution with its labels."""

    solution: UUID
    labels: GoldLabels


class Judged(msgspec.Struct, frozen=True):
    """The gold of a record: solutions with their labels, and labels of stored ones."""

    items: list[tuple[Keyed, GoldLabels] | Referred]


@dataclass(frozen=True)
class Known:
    """Stored solutions by their id in their file, with their source and each turn's message; `source` is preferred.
    `takes_all_steps`: the gold set keeps ratings after a mistake.
    """

    found: dict[str, dict[UUID, tuple[str, list[int | None]]]]
    source: str
    takes_all_steps: bool = False

    def referred(self, reference: Reference, notes: Notes) -> Referred:
        """Finds the solution, first in the preferred source. Raises FormatError unless exactly one has the id."""
        named = self.found.get(reference.external_id, {})
        own = {pk: each for pk, each in named.items() if each[0] == self.source} or named
        if not own:
            raise FormatError(
                f"no solution has the id “{reference.external_id[:60]}”: import the trajectories before their labels"
            )
        if len(own) > 1:
            sources = sorted({source for source, _ in own.values()})
            which = (
                "name the gold set as the source that is meant"
                if len(sources) > 1
                else "they can't be told apart by it"
            )
            raise FormatError(
                f"{len(own)} solutions have the id “{reference.external_id[:60]}” "
                f"(source “{'”, “'.join(sources[:NAMED])}”): {which}"
            )
        ((pk, (_, ats)),) = own.items()
        ratings = reference.ratings(ats)
        ends = -1 in ratings and not self.takes_all_steps
        taken = ratings[: ratings.index(-1) + 1] if ends else ratings
        for what, many in reference.left_out(ats, len(taken)).items():
            notes.add(what, many)
        return Referred(pk, GoldLabels([*taken], reference.placed_mistakes(ats)))


def reference_in(record: dict[str, Any], file_format: str) -> Reference | None:
    """The record's labels, if they are of a solution of another file. Raises FormatError."""
    return REFERRING[file_format](record) if file_format in REFERRING else None


def takes_all_steps(file_format: str, gold_set: str) -> bool:
    """Returns whether the gold set, else the format's own, keeps ratings after a mistake."""
    return (gold_set or file_format) in sets_of_all_steps(Phase.objects.all())


def gold_labels(labelling: ParsedLabelling, *, takes_all_steps: bool) -> GoldLabels:
    """The labels of all steps, if all are rated and the set takes them, else up to the first mistake."""
    own = [item.rating for item in labelling.completions if item.number == 0]
    if not takes_all_steps or None in own or len(own) != len(labelling.solution.steps):
        own = [item.rating for item in labelling.path]
    return GoldLabels(own, labelling.mistakes)


def known_in(path: Path, file_format: str, source: str) -> Known:
    """The stored solutions that the file's labels judge. Reads the whole file if its format refers to others."""
    ids = {*_ids(path, file_format)} if file_format in REFERRING else set[str]()
    return known(ids, source, takes_all_steps=takes_all_steps(file_format, source))


def known(ids: Collection[str], source: str, *, takes_all_steps: bool) -> Known:
    """The stored solutions with these ids in their files."""
    found: dict[str, dict[UUID, tuple[str, list[int | None]]]] = defaultdict(dict)
    left = iter(sorted(ids))
    columns = ("external_id", "source", "solution", "solution__steps", "solution__turns")
    while some := list(islice(left, IDS)):
        rows = Sample.objects.filter(external_id__in=some).order_by("pk").values_list(*columns)
        for name, its_source, pk, steps, turns in rows.iterator():
            if pk not in found[name] or its_source == source:
                found[name][pk] = (its_source, _ats(steps, turns))
    return Known(found, source, takes_all_steps)


def _ids(path: Path, file_format: str) -> Iterator[str]:
    for item in files.read_records(path):
        if isinstance(item, LineError):
            continue
        try:
            reference = reference_in(item[1], file_format)
        except FormatError:  # the import itself reports it
            continue
        if reference is not None:
            yield reference.external_id


def _ats(steps: list[str], turns: Any) -> list[int | None]:
    return [turn.at for turn in msgspec.convert(turns, list[Turn])] if turns else [*range(len(steps))]
