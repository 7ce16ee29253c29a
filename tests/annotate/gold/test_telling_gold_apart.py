"""Annotators who label whole rounds, compare notes and guess which tasks are gold do no better than chance."""

import os
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import count, islice
from random import Random
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.throttling import ScopedRateThrottle

from annotate import allocation
from labeling.campaign import hiding, relabelling, rounds
from labeling.models import Labelling, origin
from tests.attacking import guessing
from tests.attacking.annotator import Annotator, compared
from tests.attacking.guessing import Case

BEST_GUESS = 0.55
CAMPAIGNS = 12
ROUNDS = 2
PROBLEMS = 25
REVISED = 6
WORDS = [
    "so",
    "then",
    "we",
    "add",
    "take",
    "from",
    "both",
    "sides",
    "of",
    "it",
    "and",
    "get",
    "the",
    "sum",
    "half",
    "twice",
    "more",
]


@pytest.fixture
def world(make: Any, monkeypatch: Any, settings: Any) -> Random:
    """Draws everything random from one seed: ids, dice, texts."""
    settings.RELEASES_PER_HOUR = 10_000
    settings.SESSION_IDLE_MINUTES = settings.SESSION_LONGEST_HOURS = 10**6  # the clock runs ahead
    monkeypatch.setattr(ScopedRateThrottle, "allow_request", lambda *_: True)
    random = Random(1)
    monkeypatch.setattr(os, "urandom", random.randbytes)  # the source of ids
    monkeypatch.setattr(origin, "token_bytes", random.randbytes)
    ticks = count(10**18, 10**6)
    monkeypatch.setattr(origin, "time_ns", lambda: next(ticks))
    for module in (allocation, hiding):
        monkeypatch.setattr(module, "DICE", random)
    return random


@pytest.fixture
def clock(monkeypatch: Any) -> Iterator[list[datetime]]:
    time = [timezone.now().replace(hour=6)]

    def now() -> datetime:
        time[0] += timedelta(seconds=5)
        return time[0]

    monkeypatch.setattr(timezone, "now", now)
    return time


class Campaign:
    """Problems with several solutions each, some with gold; a round takes one or more solutions of each problem."""

    def __init__(self, make: Any, random: Random, number: int, generator: Any) -> None:
        self.make, self.random, self.number = make, random, number
        self.people, self.staff = [make.user() for _ in range(2)], make.user(role="admin")
        asks = {"asks_alternatives": True, "generator_url": generator.url, "generator_model": "words"}
        name = f"source {number}"
        self.phase = make.phase(*self.people, gold_set=name, gold_rate=0.5, shared_rate=0.2, sources=[name], **asks)
        self.problems = [self._problem(name) for _ in range(PROBLEMS)]
        self.solutions = [[self._solution(problem, name) for _ in range(9)] for problem in self.problems]
        for of_problem in self.solutions:  # experts labelled some of most problems' other solutions
            for solution in of_problem[: random.choice([0, 3, 4, 5])]:
                make.gold(*[1] * len(solution.steps), solution=solution, gold_set=name)
            del of_problem[:5]

    def ask_again(self, round_: Any) -> None:
        """Requests half of the round's labellings again as staff, gold or not."""
        given = list(Labelling.objects.current().filter(task__round=round_).order_by("pk").values_list("pk", flat=True))
        chosen = self.random.sample(given, len(given) // 2)
        relabelling.request_again(labelling_ids=chosen, now=timezone.now(), by=self.staff)

    def _problem(self, name: str) -> Any:
        statement = f"{self._words(12)} {self.random.getrandbits(30)}?"
        return self.make.problem(statement=statement, reference_answer=str(self.random.randrange(10)), source=name)

    def _solution(self, problem: Any, name: str) -> Any:
        answer = self.random.choice([problem.reference_answer, "no"])
        steps = [f"{self._words(9)} {self.random.getrandbits(20)}" for _ in range(self.random.randrange(1, 5))]
        steps.append(f"The answer is {answer}.")
        verdict = "right" if answer == problem.reference_answer else "wrong"
        return self.make.solution(problem, steps=steps, answer=answer, verdict=verdict, source=name)

    def _words(self, most: int) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randrange(3, most)))

    def publish(self) -> Any:
        """Publishes a round with one solution of each problem, or, in every other campaign, two of some."""
        chosen = [own.pop() for own in self.solutions]
        if self.number % 2:
            chosen += [own.pop() for own in self.random.sample(self.solutions, PROBLEMS // 2)]
        self.random.shuffle(chosen)
        return rounds.publish(phase=self.phase, solution_ids=[each.pk for each in chosen], now=timezone.now())


def label_all(annotators: list[Annotator], number: int) -> None:
    working = [each for each in annotators if each.claim(number)]
    while working:
        working = [each for each in working if each.label([other for other in annotators if other != each])]


def played(campaign: Campaign, signed_in: Any, clock: list[datetime], generator: Any) -> list[Annotator]:
    """Plays a campaign; every other pair has two annotators, who take turns. In a third, staff request half of the
    first round again. Returns the annotators.
    """
    people = campaign.people[: 1 + campaign.number // 2 % 2]
    annotators = [Annotator(signed_in(person), campaign.phase, timezone.now, generator.asked) for person in people]
    for number in range(ROUNDS):
        round_ = campaign.publish()
        label_all(annotators, number)
        if number == 0 and campaign.number % 3 == 0:
            campaign.ask_again(round_)
            label_all(annotators, number)
        clock[0] += timedelta(days=1)
        for each in annotators:
            for task in campaign.random.sample(each.seen, min(REVISED, len(each.seen))) if number == 0 else []:
                each.revise(task, lambda: clock.__setitem__(0, clock[0] + timedelta(days=1)))
        rounds.close(round_id=round_.pk, now=timezone.now())
    for each in annotators:
        compared(each, *(other for other in annotators if other != each))
    return annotators


@pytest.fixture
def play(make: Any, world: Random, clock: list[datetime], signed_in: Any, generator: Any) -> Callable[[], list[Case]]:
    """Plays new campaigns with their own gold at each call. Returns their cases."""
    numbers = count()

    def cases() -> list[Case]:
        found = []
        for number in islice(numbers, CAMPAIGNS):
            generator.answers = [["One way.", "Another way.", "A third.", "A fourth."]]
            annotators = played(Campaign(make, world, number, generator), signed_in, clock, generator)
            golds = dict(Labelling.objects.values_list("assignment", "task__is_gold"))
            found += [
                Case(number, task.notes, golds[uuid.UUID(task.assignment)]) for each in annotators for task in each.seen
            ]
        return found

    return cases


@pytest.mark.any_database
def test_nobody_can_tell_gold(play: Callable[[], list[Case]]) -> None:
    """A good guess is repeated in new campaigns: over ten seeds, luck alone gave AUCs of 0.50 ± 0.02."""
    finding = guessing.found(play())
    assert finding.bound < BEST_GUESS, "too few tasks to tell luck from knowledge"
    if max(finding.aucs.values()) >= BEST_GUESS:
        again = guessing.found(play())
        assert max(again.aucs.values()) < BEST_GUESS, (finding, again)
