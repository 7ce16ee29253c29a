"""The requests of a client, each described once for both kinds of client."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Generic, Literal, TypeVar, cast
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

from stepmark.client.calls import Call, Item, Steps, Stream, answered
from stepmark.client.connections import Listing, Operation
from stepmark.client.errors import StepmarkError
from stepmark.client.loop import NextRound
from stepmark.client.runs import AnyRun, Row, id_of, watched
from stepmark.client.verifying import S, Solution, VerifiedSolution, best, scored

R = TypeVar("R", bound=AnyRun[Any])
L = TypeVar("L")
T = TypeVar("T")
PAGE_SIZE = 500
Kind = Literal[
    "training-runs",
    "evaluation-runs",
    "policy-replays",
    "scoring-runs",
    "selections",
    "publications",
    "generations",
    "imports",
    "data-releases",
]


class Api(Generic[R, L]):
    """The methods of Client; AsyncClient has the same, which are awaited or iterated with `async for`.

    A row is named by its id, or by itself. Lists follow their pages as they are read. For other addresses there is
    `request`.
    """

    connection: Any
    run_type: type[R]
    labels_type: type[L]

    def _ask(self, method: str, path: str, **parts: Any) -> Steps[Any]:
        return (yield from answered(Call(method, path, **parts), self.connection.retries))

    def _run(self, row: Row) -> R:
        return self.run_type(self.connection, row)

    def _rows(self, path: str, params: Mapping[str, Any], make: Callable[[Row], T]) -> Stream[T]:
        """Yields all rows of a list, page by page. Only the query of the link to the next page is followed: behind a
        proxy its host may be another, which must not get the token.
        """
        query: Mapping[str, Any] | None = {"page_size": PAGE_SIZE, **params}
        while query is not None:
            page = yield from self._ask("GET", path, params=query)
            for row in page["results"]:
                yield Item(make(row))
            query = parse_qs(urlsplit(page["next"]).query) if page["next"] else None

    @Operation
    def request(
        self, method: str, path: str, *, json: Any = None, params: Mapping[str, Any] | None = None
    ) -> Steps[Any]:
        """Returns the decoded answer of any address, relative to `/api/`: `client.request("GET", "workers/")`."""
        return (yield from self._ask(method, path, json=json, params=params or {}))

    # Runs

    @Operation
    def run(self, /, kind: Kind, **body: Any) -> Steps[R]:
        """Starts a run: `client.run("training-runs", name="mine", phase=phase).wait()`. `body` is as in the API's
        reference; a row in it stands for its id.
        """
        row = yield from self._ask("POST", f"{kind}/", json={name: id_of(value) for name, value in body.items()})
        return self._run(row)

    @Operation
    def import_file(
        self,
        /,
        file: str | PathLike[str] | Iterable[Mapping[str, Any]],
        *,
        source: str = "",
        format: str = "",
        confirm: bool = True,
        **options: Any,
    ) -> Steps[R]:
        """Uploads a file, or records as JSON Lines, into the named source. Without a format, it is guessed.

        `confirm=False` only inspects it. `options` are others of an import, such as `split` or `generator`.
        """
        form = {"target": source, "file_format": format, **options}
        form = {name: value for name, value in form.items() if value != ""} | {"confirm": confirm}
        with _opened_records(file) as upload:
            return self._run((yield from self._ask("POST", "imports/", form=form, file=upload)))

    @Operation
    def get_run(self, run: str) -> Steps[R]:
        """Returns the run of any kind with this id."""
        return self._run((yield from self._ask("GET", f"runs/{run}/")))

    @Listing
    def runs(self, /, *, kind: str | None = None, phase: Row | str | None = None, **filters: Any) -> Stream[R]:
        """Yields runs of all kinds, newest first. `kind` is a run's own, such as “train”; `filters`: status, owner."""
        return (yield from self._rows("runs/", {"kind": kind, "phase": id_of(phase), **filters}, self._run))

    @Listing
    def watch(self, run: R | str, *, every: float = 1.0) -> Stream[R]:
        """Yields the run now, and after each change until its end."""
        found = self._run((yield from self._ask("GET", f"runs/{id_of(run)}/")))
        yield from watched(found, every)

    # Phases, people, labels

    @Listing
    def phases(self, /, **filters: Any) -> Stream[Row]:
        """Yields the phases that you may see. `filters`: status, kind."""
        return (yield from self._rows("phases/", filters, dict))

    @Operation
    def create_phase(
        self, /, name: str, *, kind: str = "solutions", sources: Sequence[str] = (), **settings: Any
    ) -> Steps[Row]:
        """Creates a phase that draws from these sources; none: from the whole pool. Returns its settings."""
        body = {"name": name, "kind": kind, "sources": list(sources), **settings}
        return cast(Row, (yield from self._ask("POST", "phases/", json=body)))

    @Listing
    def members(self, /, phase: Row | str, **filters: Any) -> Stream[Row]:
        """Yields the phase's members with their quality and pace. `filters`: on_gold, ordering."""
        return (yield from self._rows(f"phases/{id_of(phase)}/members/", filters, dict))

    @Operation
    def add_members(self, phase: Row | str, *usernames: str) -> Steps[None]:
        """Lets people label in the phase; ML staff among them may run it."""
        yield from self._ask("POST", f"phases/{id_of(phase)}/members/", json={"usernames": usernames})

    @Operation
    def me(self) -> Steps[Row]:
        """Returns the token's owner."""
        return cast(Row, (yield from self._ask("GET", "session/"))["user"])

    @Listing
    def rounds(self, /, phase: Row | str | None = None, **filters: Any) -> Stream[Row]:
        """Yields rounds with their progress, newest first. `filters`: status."""
        return (yield from self._rows("rounds/", {"phase": id_of(phase), **filters}, dict))

    @Listing
    def labellings(self, /, *, phase: Row | str | None = None, **filters: Any) -> Stream[Row]:
        """Yields labellings, newest first. `filters` are those of the API's `labellings/`, such as annotator."""
        return (yield from self._rows("labellings/", {"phase": id_of(phase), **filters}, dict))

    def labels(
        self, *, phase: Row | str | Sequence[Row | str] | None = None, format: str = "records", **filters: Any
    ) -> L:
        """Returns the labels as they stand: to iterate, `.to_pandas()`, `.to_dataset()`; read again at each use.

        `format`: “records” (see LabelRecord), or one of exports in JSON Lines, such as “trl” or “prm800k”. `filters`
        are those of exports, such as `consensus`, `split`, `include`.
        """
        if format == "parquet":
            raise StepmarkError("Parquet is no list of records: choose another format, or download exports/.")
        phases = [phase] if isinstance(phase, (str, Mapping)) else phase or []
        query = {"phases": list(map(id_of, phases)) or None, **filters}
        return cast(L, cast(Any, self.labels_type)(self.connection, query, format))

    @Operation
    def download_release(self, release: AnyRun[Any] | Row | str, folder: str | PathLike[str] = ".") -> Steps[Path]:
        """Unpacks a finished data release into the folder. Returns the release's own folder there, for
        `datasets.load_dataset`. Raises StepmarkError if its checksum is not the server's.
        """
        row = yield from self._ask("GET", f"data-releases/{id_of(release)}/")
        with TemporaryFile() as file:
            path = f"data-releases/{row['id']}/download/"
            yield from answered(Call("GET", path, into=file), self.connection.retries)
            unpack_release(file, row["sha256"], Path(folder))
        return Path(folder) / str(row["name"])

    # Labelling by a script

    @Operation
    def claim(self, phase: Row | str) -> Steps[Row | None]:
        """Returns your task in hand in the phase, or the next one; None if there is none for you."""
        path = f"phases/{id_of(phase)}/claim/"
        return cast(Row | None, (yield from self._ask("POST", path, is_repeatable=True))["assignment"])

    @Operation
    def submit(
        self,
        /,
        task: Row | str,
        ratings: Sequence[int | Mapping[str, Any] | None],
        *,
        finish_reason: str | None = None,
        **work: Any,
    ) -> Steps[Row | None]:
        """Stores the labelling, once however often it is sent. Returns the next task; None if there is none for you.

        `ratings`: 1, 0, -1 or None (unsure) for each step up to the first mistake, or as in the API's reference.
        Without a reason, the labelling ends where it found the error, or else at the solution's end.
        """
        given = [_rating(step, rating) for step, rating in enumerate(ratings)]
        reached = "found_error" if given and given[-1]["rating"] == -1 else "solution"
        body = {"ratings": given, "finish_reason": finish_reason or reached, **work}
        path = f"assignments/{id_of(task)}/submit/"
        return cast(
            Row | None, (yield from self._ask("POST", path, json=body, is_repeatable=True))["next"]["assignment"]
        )

    @Operation
    def close_round(self, round: Row | str) -> Steps[Row]:
        """Closes a round: tasks in hand can no longer be submitted. A closed one stays as it is."""
        return cast(Row, (yield from self._ask("POST", f"rounds/{id_of(round)}/close/", is_repeatable=True)))

    @Operation
    def publish(self, /, selection: AnyRun[Any] | str, **body: Any) -> Steps[R]:
        """Starts the publication of a selection as the phase's next round: `.wait()["round"]`."""
        body = {"selection": id_of(selection), **body}
        return self._run((yield from self._ask("POST", "publications/", json=body)))

    @Operation
    def next_round(
        self,
        /,
        phase: Row | str,
        *,
        training: Mapping[str, Any] | None = None,
        waits: bool = True,
        progress: bool = True,
        every: float = 1.0,
        **selection: Any,
    ) -> Steps[Row]:
        """Does what is due in the phase, as its page says, until its next round is open: closes a round once it is
        labelled, trains, evaluates, promotes, scores, selects, publishes. Returns the round.

        `training` is what `run` takes for a training, such as `base`; `selection` for a selection, such as `size`, or
        `policy`, which is “uniform” until there is a model. `waits=False` closes the round as it stands, and does
        without rulings. After Ctrl-C what was started goes on, and another call takes it up.
        """
        settings = {"train": training or {}, "select": selection}
        return (yield from NextRound(self._ask, self._run, id_of(phase), settings, waits, progress, every).opened())

    # The verifier

    @Operation
    def score(  # noqa: PLR0913  those of the endpoint
        self,
        model: Row | str | None,
        problem: str,
        solutions: Sequence[Solution],
        *,
        phase: Row | str | None = None,
        split_by: str = "",
        mark: str = "",
    ) -> Steps[list[VerifiedSolution]]:
        """Judges each step of solutions of a problem, texts or lists of steps. Without a model, the phase's current one
        judges. `split_by` and `mark`: the rule that texts are split by; a mark alone means the rule of that name.
        Returns them in the same order, ranked.
        """
        by = {"reward_model": id_of(model), "phase": id_of(phase), "split_by": split_by, "mark": mark}
        return (yield from scored(self._ask, problem, solutions, **by))

    @Operation
    def best_of_n(  # noqa: PLR0913  those of the endpoint
        self,
        problem: str,
        solutions: Sequence[S],
        *,
        model: Row | str | None = None,
        phase: Row | str | None = None,
        split_by: str = "",
        mark: str = "",
    ) -> Steps[S]:
        """Returns the solution whose steps are right with the highest probability, by the model or the phase's current
        one; texts are split as `score` does. Raises StepmarkError if all are too long for it.
        """
        by = {"reward_model": id_of(model), "phase": id_of(phase), "split_by": split_by, "mark": mark}
        judged = yield from scored(self._ask, problem, solutions, **by)
        return solutions[best(judged)]


def unpack_release(file: IO[bytes], sha256: str, folder: Path) -> None:
    file.seek(0)
    if hashlib.file_digest(cast(Any, file), "sha256").hexdigest() != sha256:
        raise StepmarkError("The archive's checksum is not the server's: download it again.")
    with ZipFile(file) as archive:
        archive.extractall(folder)


def _rating(step: int, rating: int | Mapping[str, Any] | None) -> Row:
    if isinstance(rating, Mapping):
        return {"step": step, **rating}
    return {"step": step, "rating": rating, "is_flagged": rating is None}


@contextmanager
def _opened_records(file: str | PathLike[str] | Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, IO[bytes]]]:
    """Opens the file, or a new one with the records. Yields its name with it."""
    if isinstance(file, (str, PathLike)):
        with Path(file).open("rb") as opened:
            yield Path(file).name, opened
        return
    with TemporaryFile() as written:
        written.writelines(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in file)
        written.seek(0)
        yield "records.jsonl", written
