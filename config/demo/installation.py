"""The demo: a pool, one finished round, a trained reward model and a published second round; and a phase of the other
kind, in which solutions are built from alternatives.

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
from config import supervisor
from config.demo.guidelines import ALTERNATIVES, SOLUTIONS
from labeling.campaign import phases, rounds
from labeling.data import importing
from labeling.errors import DomainError
from labeling.models import Gold, Labelling, Phase, PhaseKind, Role, Run, Solution, Status, User
from labeling.people import accounts
from labeling.rules.ratings import Judgement, StepRating
from prm_training.models import RewardModel, Selection
from prm_training.starting import acts

SEED = 1
WORLD = Path(__file__).parent / "world.jsonl.gz"  # solutions of arithmetic, and the true rating of each step
FIRST_ROUND, SECOND_ROUND = 400, 60
EPOCHS = 4  # a thousand labels are few: more than the usual two epochs still help
GOLD = 40
PHASE, STEP_BY_STEP = "Demo", "Step by step"
TREES = 20
PASSWORD = "stepmark-demo"
PEOPLE = {"ada": Role.ANNOTATOR, "ben": Role.ANNOTATOR, "admin": Role.ADMIN, "ml": Role.ML_STAFF}
SUPERUSER = "root"
SOURCE = "demo"
SECONDS_A_STEP = (4, 20)
WORKER_WITHIN_SECONDS = 900
POLL_SECONDS = 0.3

Told = tuple[str, int, int]
Truth = dict[str, list[int]]  # by the solution's id in the file


class DemoFailed(DomainError):
    code = "demo_failed"


def is_ready() -> bool:
    """Whether the demo exists already, up to the second round."""
    has_trees = Phase.objects.filter(name=STEP_BY_STEP, rounds__number=0).exists()
    return has_trees and Phase.objects.filter(name=PHASE, rounds__number=1).exists()


def make() -> Iterator[Told]:
    """Makes the demo and yields its progress: stage, done, total. Resumes an interrupted one."""
    truth = _true_ratings()
    yield "importing the pool", 0, 1
    _import_pool(truth)
    _people()
    phase = _phase(PHASE, instructions=SOLUTIONS)
    _publish_trees(_phase(STEP_BY_STEP, instructions=ALTERNATIVES, kind=PhaseKind.ALTERNATIVES))
    if phase.rounds.filter(number=1).exists():
        return
    (worker,) = supervisor.workers(1)
    worker.start()
    try:
        if not phase.rounds.exists():
            yield from _publish(phase, policy="uniform", size=FIRST_ROUND)
        yield from _label(phase, truth)
        model = yield from _train_and_score(phase)
        yield from _publish(phase, policy="convincing", size=SECOND_ROUND, reward_model=model)
    finally:
        supervisor.stop([worker])


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
    phase = Phase.objects.filter(name=name).first() or phases.create(name=name, sources=[SOURCE], **settings)
    accounts.add_members(phase=phase, users=User.objects.filter(username__in=PEOPLE, role=Role.ANNOTATOR))
    return phase


def _publish_trees(phase: Phase) -> None:
    """A round on the problems whose solutions begin in the most different ways."""
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
    """Ada and Ben label the first round correctly, over the last two working days; then it is closed."""
    annotators = list(User.objects.filter(memberships__phase=phase).order_by("username"))
    rng, done = Random(SEED), Labelling.objects.filter(task__round__phase=phase).count()
    clock = timezone.now() - timedelta(days=1)
    while True:
        yield "labelling the first round", done, FIRST_ROUND
        try:
            clock = _label_next(phase, annotators[done % len(annotators)], truth, clock, rng)
        except allocation.NothingToClaim:
            break
        done += 1
    for each in phase.rounds.filter(number=0):
        rounds.close(round_id=each.pk, now=timezone.now())


def _label_next(phase: Phase, annotator: User, truth: Truth, clock: datetime, rng: Random) -> datetime:
    """One task, claimed and submitted. Returns when it was submitted."""
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


def _train_and_score(phase: Phase) -> Generator[Told, None, RewardModel]:
    model = RewardModel.objects.first()
    if model is None:
        training = acts.start_training(
            owner=None, name="demo-1", base="", phases=[phase], settings={"seed": SEED, "epochs": EPOCHS}
        )
        yield from _watch(training)
        model = training.reward_model
    yield from _watch(acts.start_scoring(owner=None, reward_model=model, phase=phase))
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
