"""Train, score, select, publish, while processes die and the broker forgets: the chain ends done, once, and with the
same result as one that nothing disturbed. Where the product's tests run on servers, this one starts its own."""

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from random import Random
from threading import Event

import httpx
import psutil
import pytest

from tests.product import world as worlds
from tests.product.words import ANNOTATORS, PASSWORD
from tests.product.world import Row, World, until
from tests.running import product, servers
from tests.running.product import Client

logger = logging.getLogger(__name__)
pytestmark = pytest.mark.product
SEED = 8
ROUNDS = (
    4  # of the disturbed chain, in phases of their own: a worker killed while it selects has no torch to load again
)
ONE_IN = 4  # jobs in which the web dies, too; and of which the first message is lost
KINDS = {
    "training-runs": "train",
    "evaluation-runs": "evaluate",
    "scoring-runs": "score",
    "selections": "select",
    "publications": "publish",
}
MORE_IMPATIENT = {"WORKER_HEARTBEAT_SECONDS": "0.25", "WORKER_SILENT_SECONDS": "2.5", "WEB_CONCURRENCY": "1"}
PICKS = 20
REQUESTS = 200  # in a row: none of the web's threads has kept a lost connection
UNGRADED = int(os.environ.get("UNGRADED", "2000"))  # solutions that an evaluation leaves to the scoring run
GROW = f"""
from labeling.models import Solution
some = list(Solution.objects.select_related("problem")[:40])
Solution.objects.bulk_create(
    Solution(problem=some[n % 40].problem, steps=[f"Try {{n}}.", *some[n % 40].steps], text_hash=f"try {{n}}")
    for n in range({UNGRADED})
)
print(Solution.objects.in_pool().count())
"""
SCORES = """
import hashlib, json
from prm_training.models import RewardModel
found = {}
for model in RewardModel.objects.all():
    rows = model.scores.order_by("solution").values_list("solution", "log_score", "step_log_probabilities")
    found[str(model.pk)] = [len(rows), hashlib.sha256(repr(list(rows)).encode()).hexdigest()]
print(json.dumps(found))
"""
UNSCORE = """
from prm_training.models import Score
Score.objects.filter(reward_model="{model}").delete()
"""
BATCHES = """
import collections, json
from labeling.models import Batch
done = Batch.objects.filter(run="{run}", status="done")
print(json.dumps(collections.Counter(done.values_list("worker", flat=True))))
"""
SCORE_TWICE = """
from prm_training.models import RewardModel, Score, ScoringRun
from labeling.jobs import queueing
model = RewardModel.objects.get(pk="{model}")
Score.objects.filter(reward_model=model).delete()
runs = [ScoringRun.objects.create(reward_model=model) for _ in range(2)]
for run in runs:
    queueing.enqueue(run)
print(*(run.pk for run in runs))
"""


@dataclass
class Place:
    """A product to break. `postgres` and `redis` are None on the embedded default; `pool` counts solutions."""

    world: World
    postgres: servers.Postgres | None
    redis: servers.Redis | None
    pool: int
    labels: Row

    @contextmanager
    def losing_the_broker(self) -> Iterator[None]:
        """Loses the messages sent inside the block."""
        if self.redis:
            self.redis.kill()
        yield
        if self.redis:
            self.redis.start()
        else:
            self.world.product.empty_broker()

    def shell(self, code: str) -> str:
        return self.world.product.shell(code).strip()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("chain")
    with ExitStack() as stack:
        environment, postgres, redis = MORE_IMPATIENT, None, None
        if os.environ.get("REDIS_URL"):
            if missing := servers.missing():
                (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
            redis = stack.enter_context(servers.redis(folder))
            postgres = stack.enter_context(servers.postgres())
            environment = environment | {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        world = stack.enter_context(worlds.running(folder / "product", environment))
        place = Place(world, postgres, redis, 0, world.labelled_phase())
        place.pool = int(place.shell(GROW))
        yield place


@dataclass
class Faults:
    """Kills a worker in each job, at a random moment of the job's undisturbed duration. In some jobs the web dies, too,
    or the first message is lost."""

    place: Place
    random: Random
    seconds: dict[str, float]
    in_log: int = 0
    kills: int = 0
    web_kills: int = 0
    unheard: int = 0

    def queue(self, kind: str, **body: object) -> Row:
        self.in_log = self._log().stat().st_size
        if self.random.randrange(ONE_IN):
            return self.place.world.queue(kind, **body)
        self.unheard += 1
        with self.place.losing_the_broker():
            return self.place.world.queue(kind, **body)

    def strike(self, kind: str) -> None:
        struck = until(lambda: self._worker_at(kind), f"an attempt at {kind}", every_seconds=0.005)
        product.wait(self.random.random() * self.seconds[kind])
        struck.kill()
        struck.wait(60)  # gone before the next job may begin on it, which would strike a dying process
        self.kills += 1
        if not self.random.randrange(ONE_IN):
            self.web_kills += 1
            self.place.world.kill_web()

    def _log(self) -> Path:
        return self.place.world.product.folder / "product.log"

    def _worker_at(self, kind: str) -> psutil.Process | None:
        """Returns the worker of the job's last attempt, unless it was already killed in the job before."""
        with self._log().open("rb") as log:
            log.seek(self.in_log)
            begun = re.findall(rf"\b{KINDS[kind]} [0-9a-f-]+: attempt \d+ on (\S+)".encode(), log.read())
        return worlds.process_of(begun[-1].decode()) if begun else None


@dataclass
class Chain:
    """Goes round the loop once by hand, to a round of each of several phases. `runs` has the last job of each kind,
    `results` everything about a round that must not depend on deaths."""

    place: Place
    name: str
    faults: Faults | None = None
    runs: dict[str, Row] = field(default_factory=dict)
    attempts: list[int] = field(default_factory=list)
    results: list[Row] = field(default_factory=list)

    def go(self, rounds: int) -> "Chain":
        world, labels = self.place.world, self.place.labels["id"]
        self._do("training-runs", name=self.name, base=world.base, phase=labels, settings={"epochs": 20})
        evaluations = world.ml_staff.every("evaluation-runs/")
        self._end("evaluation-runs", next(row for row in evaluations if row["reward_model"] == self.model))
        self._do("scoring-runs", reward_model=self.model)
        for number in range(rounds):
            phase = world.new_phase(f"{self.name}, {number}")
            self._do("selections", phase=phase["id"], reward_model=self.model, policy="convincing", size=PICKS)
            self._do("publications", selection=self.runs["selections"]["id"], overlap=1)
            self.results.append(self._result(phase))
        return self

    @property
    def model(self) -> str:
        return str(self.runs["training-runs"]["reward_model"])

    def _do(self, kind: str, **body: object) -> None:
        if self.faults is None:
            run = self.place.world.queue(kind, **body)
        else:
            run = self.faults.queue(kind, **body)
            for struck in [kind, "evaluation-runs"] if kind == "training-runs" else [kind]:
                self.faults.strike(struck)
        self._end(kind, run)

    def _end(self, kind: str, run: Row) -> None:
        self.runs[kind] = ended = self.place.world.ended(kind, run)
        assert ended["status"] == "done", ended
        self.attempts.append(ended["attempts"])

    def seconds(self) -> dict[str, float]:
        """Returns the seconds that each job took."""
        times = {
            kind: [datetime.fromisoformat(run[at]) for at in ("started_at", "finished_at")]
            for kind, run in self.runs.items()
        }
        return {kind: (finished - started).total_seconds() for kind, (started, finished) in times.items()}

    def _result(self, phase: Row) -> Row:
        world, runs = self.place.world, self.runs
        rounds = [(row["number"], row["status"], row["task_count"]) for row in world.rounds(phase)]
        models = [row for row in world.ml_staff.every("reward-models/") if row["name"] == self.name]
        weights = world.product.folder / "models" / runs["training-runs"]["id"] / "model" / "model.safetensors"
        picks = world.ml_staff.every(f"selections/{runs['selections']['id']}/items/")
        return {
            "models": len(models),
            "labels": runs["training-runs"]["snapshot"]["labels_hash"],
            "weights": hashlib.sha256(weights.read_bytes()).hexdigest(),
            "losses": runs["training-runs"]["loss_curve"],
            "training": runs["training-runs"]["metrics"],
            # Beside the undisturbed model, which is the first, there is none to differ from.
            "evaluation": {k: v for k, v in runs["evaluation-runs"]["metrics"].items() if k != "differences"},
            "selection": runs["selections"]["summary"],
            "picks": [(item["solution"], item["log_score"], item["reason"]) for item in picks],
            "rounds": rounds,
        }


def test_a_disturbed_chain_ends_once_with_the_same_result(place: Place) -> None:
    """Runs on the embedded default and on servers, with more than twenty kills in all."""
    undisturbed = Chain(place, "undisturbed").go(rounds=1)
    (expected,) = undisturbed.results
    assert (expected["models"], expected["rounds"]) == (1, [(0, "open", PICKS)])
    faults = Faults(place, Random(SEED), undisturbed.seconds())
    chain = Chain(place, "disturbed", faults).go(ROUNDS)
    assert chain.results == [expected] * ROUNDS
    scores = json.loads(place.shell(SCORES))
    assert scores[chain.model] == scores[undisturbed.model]
    assert scores[chain.model][0] == place.pool
    assert faults.kills == 3 + 2 * ROUNDS
    assert min(faults.web_kills, faults.unheard) >= 2
    assert 2 in chain.attempts, "a kill that hit a job at work"


def test_two_workers_at_once_give_each_solution_one_score(place: Place) -> None:
    world = place.world
    model = world.ended("training-runs", world.train("two workers"))["reward_model"]
    world.evaluated(model)
    # At first, one of them has torch to load, and the other is through before it begins.
    until(lambda: _score_twice(place, model), "both worked at the same time")


def test_two_workers_share_one_scoring_run(place: Place) -> None:
    world = place.world
    model = world.ended("training-runs", world.train("shared"))["reward_model"]
    world.evaluated(model)
    until(lambda: _score_shared(place, model), "both worked on it")


def _score_shared(place: Place, model: str) -> bool:
    """Scores an unscored pool in one run. Returns whether both workers had batches of it."""
    place.shell(UNSCORE.format(model=model))
    run = place.world.finish("scoring-runs", reward_model=model)
    assert (run["summary"]["scored"], run["done"]) == (place.pool, place.pool)
    scores, workers = json.loads(place.shell(SCORES)), json.loads(place.shell(BATCHES.format(run=run["id"])))
    assert scores[model][0] == place.pool
    logger.info("%s solutions, batches by %s", place.pool, workers)
    return len(workers) == 2


def _score_twice(place: Place, model: str) -> bool:
    """Scores an unscored pool in two runs. Returns whether two workers overlapped."""
    ids = place.shell(SCORE_TWICE.format(model=model)).split()
    runs = [place.world.ended("runs", {"id": pk}) for pk in ids]
    assert [run["status"] for run in runs] == ["done", "done"]
    assert json.loads(place.shell(SCORES))[model][0] == place.pool
    begun, ended = min(run["started_at"] for run in runs), max(run["finished_at"] for run in runs)
    logger.info("%s solutions, scored from %s to %s", place.pool, begun, ended)
    is_at_once = max(run["started_at"] for run in runs) < min(run["finished_at"] for run in runs)
    return is_at_once and runs[0]["worker"] != runs[1]["worker"]


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="SQLite has no server to restart")
def test_web_and_workers_go_on_after_the_database_restarts(place: Place) -> None:
    """Restarts in order, then as in a crash: all connections are lost while requests use them."""
    assert place.postgres is not None
    workers = place.world.worker_pids()
    run = place.world.long_training("through the restarts")
    for mode in ("fast", "immediate"):
        with asking(place.world) as answers:
            until(lambda answers=answers: len(answers) > REQUESTS, "requests before the restart")
            place.postgres.restart(mode)
            until(lambda answers=answers: all(answers[-REQUESTS:]), "as many answers in a row")
        beats = place.world.admin.call("GET", "workers/")
        until(lambda beats=beats: place.world.admin.call("GET", "workers/") != beats, "a heartbeat")
    assert place.world.worker_pids() == workers
    after = place.world.ended("training-runs", run)
    assert (after["status"], after["error"]) == ("done", ""), after
    place.world.labelled_phase("After the restarts")


@contextmanager
def asking(world: World) -> Iterator[list[bool]]:
    """Lets eight people send requests all the time. Yields a list of whether each was answered."""
    answers, ended = list[bool](), Event()

    def ask(name: str) -> None:
        with closing(Client(world.product.address, name, PASSWORD)) as client:
            while not ended.is_set():
                try:
                    answers.append(client.get("phases/").is_success)
                except httpx.TransportError:
                    answers.append(False)

    with ThreadPoolExecutor() as pool:
        people = [pool.submit(ask, name) for name in ANNOTATORS * 4]
        try:
            yield answers
        finally:
            ended.set()
        [each.result() for each in people]
