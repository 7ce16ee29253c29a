"""A running product with people in it, for product and browser tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import psutil

from tests.product.words import ANNOTATORS, PASSWORD, judge, texts
from tests.running import product
from tests.running.once import made_once
from tests.running.product import Client, Product

Row = dict[str, Any]
T = TypeVar("T")

# A dead worker is missed within seconds, a run shows its progress at once, and starting and signing in cost little.
IMPATIENT = {
    "DJANGO_SETTINGS_MODULE": "tests.running.settings",
    "WORKER_HEARTBEAT_SECONDS": "0.5",
    "WORKER_SILENT_SECONDS": "4",
    "LOG_LEVEL": "INFO",
    "OMP_NUM_THREADS": "1",
    "LIBRARIES": "django",
}
# Tests that kill workers would spend most of their time on loading torch.
WITH_TORCH = {"LIBRARIES": "torch"}
PAUSES = (0.1, 0.4)  # seconds between two looks: the first, and the longest
RUN_WITHIN_SECONDS = int(os.environ.get("RUN_WITHIN_SECONDS", "600"))


def until(
    look: Callable[[], T | None], what: str, within_seconds: float = RUN_WITHIN_SECONDS, every_seconds: float = 0
) -> T:
    """Calls `look`, which costs the product a request, until its result is true: ever more rarely, unless
    `every_seconds` is given. Returns the result. Fails with `what` if it takes too long."""
    deadline, pause = monotonic() + within_seconds, every_seconds or PAUSES[0]
    while not (found := look()):
        if monotonic() > deadline:
            raise AssertionError(f"not within {within_seconds} s: {what}")
        product.wait(pause)
        pause = every_seconds or min(1.2 * pause, PAUSES[1])
    return found


@dataclass
class World:
    """The product and its people, signed in. `base` is a tiny model to train from."""

    product: Product
    people: dict[str, Client]
    base: str

    @property
    def admin(self) -> Client:
        return self.people["alma"]

    @property
    def ml_staff(self) -> Client:
        return self.people["mika"]

    def new_phase(self, name: str, members: Sequence[str] = ANNOTATORS, **settings: Any) -> Row:
        phase: Row = self.admin.call(
            "POST", "phases/", {"name": name, "kind": "solutions", "shared_rate": 0, **settings}
        )
        self.admin.call("POST", f"phases/{phase['id']}/members/", {"usernames": [*members, "mika"]})
        return phase

    def let_ml_staff_run(self) -> list[str]:
        """Adds the ML staff to every phase. Returns the phases' ids."""
        phases = [row["id"] for row in self.admin.every("phases/")]
        for phase in phases:
            self.admin.call("POST", f"phases/{phase}/members/", {"usernames": ["mika"]})
        return phases

    def queue(self, kind: str, **body: Any) -> Row:
        queued: Row = self.ml_staff.call("POST", f"{kind}/", body)
        return queued

    def look_at(self, kind: str, row: Row) -> Row:
        found: Row = self.ml_staff.call("GET", f"{kind}/{row['id']}/")
        return found

    def look_at_run(self, run: Row) -> Row:
        """Returns the run with its kind's own fields."""
        found = self.look_at("runs", run)
        details: Row = found["details"]
        return found | details

    def ended(self, kind: str, run: Row) -> Row:
        def look() -> Row | None:
            now = self.look_at_run(run)
            return now if now["status"] in {"done", "failed", "cancelled"} else None

        return until(look, f"the end of {kind} {run['id']}")

    def finish(self, kind: str, **body: Any) -> Row:
        run = self.ended(kind, self.queue(kind, **body))
        assert run["status"] == "done", run
        return run

    def evaluated(self, model: str) -> None:
        """Waits for the model's own evaluation, which starts when its training ends."""
        for run in [row for row in self.ml_staff.every("evaluation-runs/") if row["reward_model"] == model]:
            self.ended("evaluation-runs", run)

    def score(self, model: str) -> None:
        """Scores what the model's own evaluation left unscored, if anything."""
        self.evaluated(model)
        scored = self.look_at("reward-models", {"id": model})["solutions_scored"]
        if scored < self.ml_staff.call("GET", "pool/")["solutions"]:
            self.finish("scoring-runs", reward_model=model)

    def train(self, name: str, epochs: int = 2) -> Row:
        """Queues a training on all labels. Returns the run."""
        phases = self.let_ml_staff_run()
        body = {"phase": phases[0], "phases": phases, "settings": {"epochs": epochs}}
        return self.queue("training-runs", name=name, base=self.base, **body)

    def long_training(self, name: str, epochs: int = 30) -> Row:
        """Starts a training run. Returns it under way, with seconds of work left."""
        run = self.train(name, epochs=epochs)

        def look() -> Row | None:
            now = self.look_at_run(run)
            assert now["status"] in {"queued", "running"}, now
            return now if now["stage"] == "training" and now["done"] > 0 else None

        return until(look, "training has begun")

    def import_file(self, solutions: Iterable[Row]) -> Row:
        """Imports the records, as the pages upload them. Returns the run."""
        client, file = self.admin, "\n".join(map(json.dumps, solutions))
        headers = {"X-CSRFToken": client.cookies.get("csrftoken") or "", "Referer": str(client.base_url)}
        form: dict[str, Any] = {
            "files": {"file": ("new.jsonl", file)},
            "data": {"file_format": "solutions", "confirm": "true"},
        }
        answer = client.post("imports/", headers=headers, **form)
        assert answer.is_success, answer.text
        return dict(answer.json())

    def cancel_everything(self) -> None:
        """Cancels all queued and running runs, and waits for their end."""
        for run in [row for status in ("queued", "running") for row in self.ml_staff.every(f"runs/?status={status}")]:
            self.ml_staff.call("POST", f"runs/{run['id']}/cancel/")
            self.ended("runs", run)

    def publish(self, phase: Row, **selection: Any) -> Row:
        """Selects and publishes. Returns the selection."""
        chosen = self.finish("selections", phase=phase["id"], **selection)
        self.finish("publications", selection=chosen["id"], overlap=1)
        return chosen

    def labelled_phase(self, name: str = "Labelled", annotators: Sequence[str] = ANNOTATORS, size: int = 30) -> Row:
        """Makes a phase with one labelled and closed round to train on."""
        phase = self.new_phase(name, annotators)
        self.publish(phase, policy="uniform", size=size)
        self.label_all(phase, annotators)
        self.close_round(phase)
        return phase

    def label_all(self, phase: Row, annotators: Sequence[str] = ANNOTATORS) -> list[Row]:
        """Labels with all annotators at once until nothing is left. Returns the tasks they had."""
        with ThreadPoolExecutor(len(annotators)) as pool:
            made = pool.map(lambda username: list(self.label(self.people[username], phase)), annotators)
            return [assignment for each in made for assignment in each]

    def label(self, annotator: Client, phase: Row) -> Iterator[Row]:
        claim = annotator.call("POST", f"phases/{phase['id']}/claim/")
        while assignment := claim["assignment"]:
            ratings = judge(assignment["solution"]["steps"])
            claim = annotator.call("POST", f"assignments/{assignment['id']}/submit/", submission(ratings))["next"]
            yield assignment

    def close_round(self, phase: Row) -> Row:
        closing = next(row for row in self.rounds(phase) if row["status"] == "open")
        closed: Row = self.admin.call("POST", f"rounds/{closing['id']}/close/")
        return closed

    def rounds(self, phase: Row) -> list[Row]:
        return list(self.admin.every(f"rounds/?phase={phase['id']}"))

    def count_labellings(self) -> int:
        return sum(1 for _ in self.admin.every("labellings/?page_size=500"))

    def worker_of(self, run: Row) -> str:
        return str(self.look_at("runs", run)["worker"])

    def worker_pids(self) -> set[int]:
        return {child.pid for child in self._children("worker")}

    def _children(self, name: str) -> Iterator[psutil.Process]:
        """Yields the supervisor's children of this name; one may just have ended."""
        assert self.product.process is not None
        for child in psutil.Process(self.product.process.pid).children():
            with suppress(psutil.Error):
                if child.name() == f"stepmark {name}":
                    yield child

    def kill_web(self) -> None:
        """Kills all web processes (-9). Returns once new ones answer."""
        _kill(until(lambda: next(self._children("web"), None), "the web's process"))
        self.product.answers_within(RUN_WITHIN_SECONDS)

    def kill_everything(self) -> None:
        """Kills the supervisor and all its children (-9), as a power cut would."""
        assert self.product.process is not None
        _kill(psutil.Process(self.product.process.pid))
        self.product.process.wait()

    def is_up(self) -> bool:
        return self.product.process is not None and self.product.process.poll() is None


def process_of(worker: str) -> psutil.Process | None:
    """Returns the process of a run's worker, named host, process id and random digits; None if it is dead."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(int(worker.rsplit("-", 2)[1]))
        return process if process.status() != psutil.STATUS_ZOMBIE else None
    return None


def _kill(process: psutil.Process) -> None:
    tree = [process, *process.children(recursive=True)]
    for each in tree:
        each.kill()
    psutil.wait_procs(tree, timeout=60)


def submission(ratings: list[int]) -> Row:
    return {
        "ratings": [{"step": step, "rating": rating} for step, rating in enumerate(ratings)],
        "finish_reason": "found_error" if ratings[-1] == -1 else "solution",
    }


@contextmanager
def running(folder: Path, environment: dict[str, str] | None = None) -> Iterator[World]:
    """Starts a product with the pool and the people, on the servers of DATABASE_URL and REDIS_URL if given."""
    make = "from tests.product import seed; seed.make()"
    with product.running(folder, IMPATIENT | WITH_TORCH | (environment or {}), make) as started:
        people = {name: Client(started.address, name, PASSWORD) for name in [*ANNOTATORS, "alma", "mika", "root"]}
        try:
            yield World(started, people, base())
        finally:
            for client in people.values():
                client.close()


def base() -> str:
    """Returns a base model so small that training takes seconds."""
    return str(made_once("base", _make_base))


def _make_base(directory: Path) -> None:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from prm_training.prm import pretrain

    config = pretrain.PretrainConfig(vocabulary=300, hidden=32, layers=1, heads=2, steps=5)
    written = [(statement, text.steps) for statement, attempts in texts() for text in attempts]
    pretrain.make_base(written, directory, config)
