"""The labels as they stand, downloaded as an export and read record by record."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, TypedDict
from zipfile import ZipFile

from stepmark.client.calls import Call, Item, Steps, Stream, answered
from stepmark.client.connections import Async, AsyncConnection, Connection, Operation, Sync
from stepmark.client.errors import StepmarkError

if TYPE_CHECKING:
    import datasets
    import pandas

RECORDS = "records"
Record = dict[str, Any]


class LabelRecord(TypedDict):
    """A labelling, ruling or consensus: `ratings` are those of the first `steps`, -1, 0, 1, or None where it is unsure.

    Other texts offered or written at a step are only in records of the format “prm800k”.
    """

    problem: str
    reference_answer: str | None
    steps: list[str]
    ratings: list[int | None]
    finish_reason: str | None
    annotator: str | None
    submitted_at: str | None
    active_ms: int | None
    round_number: int | None
    method: str


@dataclass(frozen=True)
class AnyLabels:
    """The labels of an export: each use downloads them as they stand then.

    `format`: “records” gives LabelRecords, any other the records of that format of exports, such as “trl”.
    """

    connection: Any
    query: Mapping[str, Any]
    format: str = RECORDS

    def _download(self, file: IO[bytes]) -> Steps[None]:
        query = {**self.query, "file_format": "prm800k" if self.format == RECORDS else self.format}
        yield from answered(Call("GET", "exports/", query, into=file), self.connection.retries)

    def _records(self, file: IO[bytes]) -> Iterator[Record]:
        with ZipFile(file) as archive, archive.open("labels.jsonl") as lines:
            for record in map(json.loads, lines):
                yield dict(plain(record)) if self.format == RECORDS else record

    def _each(self) -> Stream[Record]:
        with TemporaryFile() as file:
            yield from self._download(file)
            yield from map(Item, self._records(file))

    def _all(self) -> Steps[list[Record]]:
        """Returns all records, each with the keys of all: Dataset.from_list reads only those of the first."""
        with TemporaryFile() as file:
            yield from self._download(file)
            found = list(self._records(file))
        names = dict.fromkeys(name for record in found for name in record)
        return [{name: record.get(name) for name in names} for record in found]

    @Operation
    def to_pandas(self) -> Steps["pandas.DataFrame"]:
        """Returns a DataFrame with a row per record. Raises StepmarkError without pandas."""
        library = _library("pandas")
        return library.DataFrame.from_records((yield from self._all()))

    @Operation
    def to_dataset(self) -> Steps["datasets.Dataset"]:
        """Returns a `datasets.Dataset` with a row per record. Raises StepmarkError without that library."""
        library = _library("datasets")
        return library.Dataset.from_list((yield from self._all()))


class Labels(AnyLabels, Sync):
    connection: Connection

    def __iter__(self) -> Iterator[Record]:
        return self.connection.each(self._each())


class AsyncLabels(AnyLabels, Async):
    connection: AsyncConnection

    def __aiter__(self) -> AsyncIterator[Record]:
        return self.connection.each(self._each())


def plain(record: Record) -> LabelRecord:
    """Returns PRM800K's record as one path: at each step the completion followed, or else the solution's own."""
    question, label = record["question"], record["label"]
    solution = question.get("pre_generated_steps") or []
    followed = [_followed(step, solution[number : number + 1]) for number, step in enumerate(label["steps"])]
    return {
        "problem": question["problem"],
        "reference_answer": question.get("ground_truth_answer"),
        "steps": solution or [item["text"] for item in followed],
        "ratings": [item["rating"] for item in followed],
        "finish_reason": label.get("finish_reason"),
        "annotator": record.get("labeler"),
        "submitted_at": record.get("timestamp"),
        "active_ms": label.get("total_time"),
        "round_number": record.get("generation"),
        "method": record.get("method", ""),
    }


def _followed(step: Record, own: list[str]) -> Record:
    """Returns the completion that was rated: the chosen one, or at a mistake, where none is, the solution's own."""
    given: list[Record] = step.get("completions") or []
    if step.get("chosen_completion") is not None:
        return given[step["chosen_completion"]]
    found = [each for each in given if each["text"] in own] or [step.get("human_completion") or given[0]]
    return found[0]


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise StepmarkError(f"This needs {name}: pip install {name}.") from error
