"""The demo: two finished rounds, a reward model of each, and a third round to label; a phase of the other kind, in
which solutions are built from alternatives; and one of an agent's traces.

Everything happens as in real use: imported, graded, claimed, submitted, and the jobs run by a worker.
"""

import gzip
import json
from collections.abc import Generator, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from uuid import UUID

from django.utils import timezone

from annotate import allocation, submission
from labeling.campaign import phases, rounds
from labeling.data import importing
from labeling.errors import DomainError
from labeling.models import Gold, Labelling, Phase, PhaseKind, Role, RoundStatus, Run, Solution, Status, User
from labeling.people import accounts
from labeling.rules.profiles import Profile
from labeling.rules.ratings import Judgement, StepRating
from prm_training.models import EvaluationRun, RewardModel, Selection
from prm_training.reward_models import promotion
from prm_training.starting import acts
from stepmark import supervisor

SEED = 1
HERE = Path(__file__).parent
WORLD = HERE / "world.jsonl.gz"  # solutions of arithmetic, and the true rating of each step
AGENTS = HERE / "agents.jsonl"  # dialogues of a bookshop's agent, made up
# The guidelines of both kinds of phases, with the paper's definitions of the three ratings.
SOLUTIONS, ALTERNATIVES = (
    (HERE / name).read_text("utf-8").replace("{ratings}", (HERE / "ratings.md").read_text("utf-8").rstrip())
    for name in ("solutions.md", "alternatives.md")
)
LABELLED_ROUNDS = {"uniform": 80, "convincing": 470}  # how many solutions each policy picks
OPEN_ROUND = 60
EPOCHS = 4  # a thousand labels are few: more than the usual two epochs still help
GOLD = 40
PHASE, STEP_BY_STEP, SHOP = "Demo", "Step by step", "Shop agent"
TREES = 20
PASSWORD = "stepmark-demo"
PEOPLE = {"ada": Role.ANNOTATOR, "ben": Role.ANNOTATOR, "admin": Role.ADMIN, "ml": Role.ML_STAFF}
SUPERUSER = "root"
SOURCE, SHOP_SOURCE = "demo", "demo agents"
SECONDS_A_STEP = (4, 20)
WORKER_WITHIN_SECONDS = 900
POLL_SECONDS = 0.3

Told = tuple[str, int, int]
Truth = dict[str, list[int]]  # by the solution's id in the file


class DemoFailed(DomainError, code="demo_failed"):
    """A job of the demo failed, or took too long."""


def is_ready(*, is_small: bool = False) -> bool:
    """Returns whether the demo exists already, up to the open round."""
    has_others = all(Phase.objects.filter(name=name, rounds__number=0).exists() for name in (STEP_BY_STEP, SHOP))
    last = 0 if is_small else len(LABELLED_ROUNDS)
    return has_others and Phase.objects.filter(name=PHASE, rounds__number=last).exists()


def make(*, is_small: bool = False) -> Iterator[Told]:
    """Makes the demo and yields its progress: stage, done, total. Resumes an interrupted one.

    A small one ends with a first round to label; no model is trained.
    """
    truth = _true_ratings()
    yield "importing the pool", 0, 1
    _import_pool(truth)
    _people()
    phase = _phase(PHASE, instructions=SOLUTIONS)
    _publish_trees(_phase(STEP_BY_STEP, instructions=ALTERNATIVES, kind=PhaseKind.ALTERNATIVES))
    _publish_traces()
    if is_ready(is_small=is_small):
        return
    (worker,) = supervisor.workers(1)
    worker.start()
    try:
        if is_small:
            yield from _publish(phase, policy="uniform", size=OPEN_ROUND)
            return
        model = None
        for number, (policy, size) in enumerate(LABELLED_ROUNDS.items()):
            if not phase.rounds.filter(number=number).exists():
                yield from _publish(phase, policy=policy, size=size, reward_model=model)
            yield from _label(phase, truth)
            model = yield from _learn(phase, number + 1)
        yield from _publish(phase, policy="convincing", size=OPEN_ROUND, reward_model=model)
    finally:
        supervisor.stop([worker])


def _publish_traces() -> None:
    """Publishes a round of an agent's traces, of which every step is rated."""
    phase = _phase(SHOP, sources=[SHOP_SOURCE], profile=Profile.AGENTS.value)
    if phase.rounds.exists():
        return
    importing.import_solutions(AGENTS, source=SHOP_SOURCE, file_format="messages")
    solutions = Solution.objects.drawn_by(phase).order_by("external_id").values_list("pk", flat=True)
    rounds.publish(phase=phase, solution_ids=list(solutions), overlap=1, now=timezone.now())


def _true_ratings() -> Truth:
    with gzip.open(WORLD, "rt", encoding="utf-8") as file:
        return {record["id"]: record["ratings"] for record in map(json.loads, file)}


def _import_pool(truth: Truth) -> None:
    importing.import_solutions(WORLD, source=SOURCE)
    if Gold.objects.exists():
        return
    chosen = Solution.objects.filter(external_id__in=Random(SEED).sample(sorted(truth), GOLD))
    golds = (Gold(solution=solution, ratings=_protocol(truth[solution.external_id])) for solution in chosen)
    Gold.objects.bulk_create(golds)


def _people() -> None:
    if not User.objects.filter(username=SUPERUSER).exists():
        User.objects.create_superuser(SUPERUSER, password=PASSWORD)
    for username, role in PEOPLE.items():
        if not User.objects.filter(username=username).exists():
            accounts.add_person(username=username, password=PASSWORD, role=role)


def _phase(name: str, **settings: Any) -> Phase:
    """The phase, with Ada and Ben in it. It draws from the demo's own solutions, whatever else is imported."""
    phase = Phase.objects.filter(name=name).first() or phases.create(name=name, **{"sources": [SOURCE], **settings})
    accounts.add_members(phase=phase, users=User.objects.filter(username__in=PEOPLE).exclude(role=Role.ADMIN))
    return phase


def _publish_trees(phase: Phase) -> None:
    """Publishes a round on the problems whose solutions begin in the most different ways."""
    if phase.rounds.exists():
        return
    beginnings: dict[UUID, set[str]] = {}
    one_of: dict[UUID, UUID] = {}
    pool = Solution.objects.drawn_by(phase).order_by("external_id")
    for pk, problem, steps in pool.values_list("pk", "problem", "steps"):
        beginnings.setdefault(problem, set()).add(steps[0])
        one_of.setdefault(problem, pk)
    most = sorted(beginnings, key=lambda problem: -len(beginnings[problem]))[:TREES]
    rounds.publish(phase=phase, solution_ids=[one_of[pk] for pk in most], overlap=1, now=timezone.now())


def _protocol(ratings: Sequence[int]) -> list[int]:
    """The ratings up to and including the first negative."""
    end = ratings.index(-1) + 1 if -1 in ratings else len(ratings)
    return list(ratings[:end])


def _label(phase: Phase, truth: Truth) -> Iterator[Told]:
    """Labels the open round correctly as Ada and Ben, a day after the one before, and closes it. Yields progress."""
    round_ = phase.rounds.get(number=phase.rounds.count() - 1)
    annotators = list(User.objects.filter(memberships__in=phase.memberships.labelling()).order_by("username"))
    rng, done = Random(SEED), Labelling.objects.filter(task__round=round_).count()
    clock = timezone.now() - timedelta(days=len(LABELLED_ROUNDS) - round_.number)
    while True:
        yield f"labelling round {round_.number}", done, round_.tasks.count()
        try:
            clock = _label_next(phase, annotators[done % len(annotators)], truth, clock, rng)
        except allocation.NothingToClaim:
            break
        done += 1
    if round_.status == RoundStatus.OPEN:
        rounds.close(round_id=round_.pk, now=timezone.now())


def _label_next(phase: Phase, annotator: User, truth: Truth, clock: datetime, rng: Random) -> datetime:
    """Claims, labels and submits one task. Returns when it was submitted."""
    taken = allocation.claim_next(phase=phase, annotator=annotator, now=clock)
    times = [rng.randint(*SECONDS_A_STEP) * 1000 for _ in taken.task.solution.steps]
    true_ratings = _protocol(truth[taken.task.solution.external_id])
    ratings = [
        StepRating(step, rating, active_ms=spent)
        for step, (rating, spent) in enumerate(zip(true_ratings, times, strict=False))
    ]
    spent = sum(rating.active_ms for rating in ratings)
    finished_at = clock + timedelta(milliseconds=spent)
    reason = "found_error" if ratings[-1].rating == -1 else "solution"
    made = submission.Submission(Judgement(ratings, reason), active_ms=spent)
    submission.submit(assignment_id=taken.pk, annotator=annotator, submission=made, now=finished_at)
    return finished_at


def _learn(phase: Phase, number: int) -> Generator[Told, None, RewardModel]:
    """Trains a model on all labels there are, scores the pool, and makes the model current if nothing is against it."""
    model = RewardModel.objects.filter(name=f"demo-{number}").first()
    if model is None:
        training = acts.start_training(
            owner=None, name=f"demo-{number}", base="", phase=phase, settings={"seed": SEED, "epochs": EPOCHS}
        )
        yield from _watch(training)
        model = training.reward_model
    yield from _watch(EvaluationRun.objects.filter(reward_model=model).latest("created_at"))  # a training starts one
    yield from _watch(acts.start_scoring(owner=None, reward_model=model, phase=phase))
    gate = promotion.gate(model, phase=phase, current=promotion.current(phase))
    if not (gate.obstacle or gate.shortage):
        promotion.promote(reward_model=model, phase=phase, by=None, at=timezone.now())
    return model


def _publish(phase: Phase, **settings: Any) -> Iterator[Told]:
    selection: Selection = acts.start_selection(owner=None, phase=phase, seed=SEED, **settings)
    yield from _watch(selection)
    yield from _watch(acts.start_publication(owner=None, selection=selection))


def _watch(run: Run) -> Iterator[Told]:
    """Follows the run to its end. Raises DemoFailed unless it succeeds."""
    deadline = monotonic() + WORKER_WITHIN_SECONDS
    while not run.is_finished:
        if monotonic() > deadline:
            raise DemoFailed(f"The worker did not finish “{run.stage}” in {WORKER_WITHIN_SECONDS} s.")
        yield run.stage or "waiting for the worker", run.done, run.total
        supervisor.pause(POLL_SECONDS)
        run.refresh_from_db()
    if run.status != Status.DONE:
        raise DemoFailed(f"{run}: {run.error}")
