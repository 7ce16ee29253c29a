"""One module per format of labels: reading and writing, without the database.

`parse` takes one decoded record to a ParsedLabelling and raises FormatError, which names the field; `write` yields the
records of a labelling, none where the format can't express it. Its module says what a format can't hold. Steps count
from 0, ratings are -1, 0, 1 or None (unsure), times are in milliseconds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from labeling.data.formats.fields import Record
from labeling.data.formats.labels import (
    math_shepherd,
    openrlhf,
    parquet,
    prm800k,
    prmbench,
    processbench,
    rlhflow,
    trl,
)
from labeling.data.formats.labels.agents import (
    agent_process_bench,
    agentrx,
    codetracebench,
    labelled_traces,
    turn_rewards,
    who_and_when,
)
from labeling.data.formats.labels.agents.placing import Reference
from labeling.data.formats.labels.parsed import OKAY_ZEROS, WRONG_ZEROS, Mistake, ParsedLabelling, with_okay_zeros
from labeling.data.formats.notes import Notes
from labeling.rules.labelled import Labelled

__all__ = [
    "NAMES",
    "OKAY_ZEROS",
    "READERS",
    "REFERRING",
    "SEVERAL",
    "WRITERS",
    "Mistake",
    "ParsedLabelling",
    "Reference",
    "has_ratings",
    "read",
    "read_all",
]

NAMES = {
    "prm800k": "PRM800K",
    "trl": "TRL stepwise supervision",
    "trl_alternatives": "TRL stepwise supervision, a row per alternative",
    "math_shepherd": "Math-Shepherd",
    "openrlhf": "OpenRLHF",
    "rlhflow": "RLHFlow",
    "processbench": "ProcessBench",
    "processbench_labels": "ProcessBench",
    "prmbench": "PRMBench",
    "parquet": "Stepmark's Parquet",
    "who_and_when": "Who&When",
    "agent_process_bench": "AgentProcessBench",
    "codetracebench": "CodeTraceBench",
}
READERS: dict[str, Callable[[Record], ParsedLabelling]] = {
    "prm800k": prm800k.parse,
    "trl": trl.parse,
    "math_shepherd": math_shepherd.parse,
    "openrlhf": openrlhf.parse,
    "rlhflow": rlhflow.parse,
    "processbench": processbench.parse,
    "processbench_labels": processbench.parse,  # on the page, where “processbench” becomes gold
    "prmbench": prmbench.parse,
    "parquet": parquet.parse,
    "who_and_when": who_and_when.parse,
    "agent_process_bench": agent_process_bench.parse,
    "codetracebench": codetracebench.parse,
}
# Of records that may hold several labelled solutions, or none; what is left out is counted.
SEVERAL: dict[str, Callable[[Record, Notes], list[ParsedLabelling]]] = {"labelled_traces": labelled_traces.parse}
# Of records that may judge a solution of another file; None for one that has its solution with it.
REFERRING: dict[str, Callable[[Record], Reference | None]] = {
    "agentrx": agentrx.refer,
    "codetracebench": codetracebench.refer,
}
WRITERS: dict[str, Callable[[Labelled], Iterator[dict[str, Any]]]] = {
    "prm800k": prm800k.write,
    "trl": trl.write,
    "trl_alternatives": trl.write_alternatives,
    "math_shepherd": math_shepherd.write,
    "openrlhf": openrlhf.write,
    "rlhflow": rlhflow.write,
    "processbench": processbench.write,
    "parquet": parquet.write,
    "who_and_when": who_and_when.write,
    "agent_process_bench": agent_process_bench.write,
    "codetracebench": codetracebench.write,
    "agentrx": agentrx.write,
    "turn_rewards": turn_rewards.write,
}


def read_all(file_format: str, record: Record, notes: Notes) -> list[ParsedLabelling]:
    """The record's labellings; one, but for the formats of SEVERAL. Raises FormatError."""
    if file_format in SEVERAL:
        return SEVERAL[file_format](record, notes)
    return [read(file_format, record, notes)]


def read(file_format: str, record: Record, notes: Notes) -> ParsedLabelling:
    """The record's labelling; what reading changed or left out is counted. Raises FormatError."""
    parsed = READERS[file_format](record)
    if WRONG_ZEROS in parsed.noted and notes.has_ratings():
        parsed = with_okay_zeros(parsed)
    for what, many in parsed.noted.items():
        notes.add(what, many)
    return parsed


def has_ratings(lines: Iterable[Any]) -> bool:
    """Returns whether a record has a -1 among TRL's or OpenRLHF's labels, so that a 0 is Okay in its file.

    `lines`: as they are read from the file, each a number and a record, or what is wrong with it.
    """
    records = (line[1] for line in lines if isinstance(line, Sequence) and isinstance(line[1], dict))
    given = (record.get(key) for record in records for key in ("labels", "value"))
    return any(-1 in values if isinstance(values, list) else "-1" in str(values) for values in given)
