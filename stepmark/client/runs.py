"""Runs: long jobs on the server, as the client sees them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, cast

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from stepmark.client.calls import Call, Item, Pause, Steps, Stream, answered
from stepmark.client.connections import Async, AsyncConnection, Connection, Operation, Sync
from stepmark.client.errors import RunFailed

R = TypeVar("R", bound="AnyRun[Any]")
Row = dict[str, Any]
FAILED = {"failed", "cancelled"}
ENDED = FAILED | {"done", "ready"}  # ready: an import that waits to be confirmed


class AnyRun(Generic[R]):
    """A run as it was last read; `run["reward_model"]` and the like are the fields of its own kind."""

    def __init__(self, connection: Any, row: Row) -> None:
        self.connection = connection
        self._take(row)

    def _take(self, row: Row) -> None:
        self.row: Row = row | row.get("details", {})
        self.id, self.kind, self.status = str(row["id"]), str(row["kind"]), str(row["status"])
        self.stage, self.error = str(row["stage"]), str(row["error"])
        self.done, self.total = int(row["done"] or 0), int(row["total"] or 0)

    def __getitem__(self, field: str) -> Any:
        return self.row[field]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id}: {self.status}>"

    @property
    def is_ended(self) -> bool:
        return self.status in ENDED

    def _changed(self, method: str, act: str = "") -> Steps[R]:
        call = Call(method, f"runs/{self.id}/{act}", is_repeatable=act == "cancel/")
        self._take((yield from answered(call, self.connection.retries)))
        return cast(R, self)

    @Operation
    def refresh(self) -> Steps[R]:
        """Reads the run again."""
        return (yield from self._changed("GET"))

    @Operation
    def cancel(self) -> Steps[R]:
        """Cancels the run: a queued one ends at once, a running one within seconds."""
        return (yield from self._changed("POST", "cancel/"))

    @Operation
    def retry(self) -> Steps[R]:
        """Queues a failed or cancelled run again; it goes on from its last checkpoint."""
        return (yield from self._changed("POST", "retry/"))

    @Operation
    def wait(self, *, progress: bool = True, every: float = 1.0) -> Steps[R]:
        """Waits for the run's end, looking every so many seconds. Returns the run. Raises RunFailed.

        `progress` shows a bar on a terminal or in a notebook. Ctrl-C ends the waiting only: the run goes on.
        """
        return (yield from waited(cast(R, self), progress=progress, every=every))


class Run(AnyRun["Run"], Sync):
    """A run whose methods return their results."""

    connection: Connection


class AsyncRun(AnyRun["AsyncRun"], Async):
    """A run whose methods are awaited."""

    connection: AsyncConnection


def id_of(value: Any) -> Any:
    """Returns the id of a row or a run, also within a list; any other value as it is."""
    if isinstance(value, AnyRun):
        return value.id
    if isinstance(value, list):
        return [id_of(each) for each in value]
    return value["id"] if isinstance(value, Mapping) and "id" in value else value


def waited(run: R, *, progress: bool, every: float) -> Steps[R]:
    """Returns the run at its end. Raises RunFailed."""
    goes_on = f'The run goes on. client.get_run("{run.id}") has its wait() and cancel().'
    with bar(is_shown=progress, interrupted=goes_on) as show:
        show(_stage(run), run.done, run.total)
        while not run.is_ended:
            yield Pause(every)
            yield from run._changed("GET")
            show(_stage(run), run.done, run.total)
    if run.status in FAILED:
        raise RunFailed(run)
    return run


def _stage(run: AnyRun[Any]) -> str:
    return f"{run.kind}: {run.stage if run.status == 'running' and run.stage else run.status}"


def watched(run: R, every: float) -> Stream[R]:
    """Yields the run now, and after each change until its end."""
    yield Item(run)
    while not run.is_ended:
        yield Pause(every)
        seen = type(run)(run.connection, run.row)
        yield from seen._changed("GET")
        if (seen.status, seen.stage, seen.done) != (run.status, run.stage, run.done):
            yield Item(seen)
        run = seen


@contextmanager
def bar(*, is_shown: bool, interrupted: str) -> Iterator[Callable[[str, int, int], None]]:
    """Yields a function that shows a text, how much is done and the total, on a terminal or in a notebook.
    `interrupted` is printed after Ctrl-C.
    """
    console = Console(stderr=True)
    is_seen = is_shown and (console.is_terminal or console.is_jupyter)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[count]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not is_seen) as bars:
        task = bars.add_task("", total=None, count="")

        def show(text: str, done: int, total: int) -> None:
            count = f"{done:,} / {total:,}" if total else ""
            bars.update(task, description=text, completed=done, total=total or None, count=count)

        try:
            yield show
        except KeyboardInterrupt:
            console.print(f"\n{interrupted}", highlight=False)
            raise
