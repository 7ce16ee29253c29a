"""Gold and real tasks get the same answers, whatever an attacker does to tell them apart.

The same moves are made in a round with hidden gold and in one with real tasks in its place, while a colleague labels.
Answers must be the same: repetitions, order, ids, counts, headers, bytes; and so must the database's statements, on
which the time of an answer depends.
"""

import re
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotate import allocation, submission
from annotate.submission import Submission
from labeling.models import Assignment, Phase
from labeling.rules.ratings import Judgement, StepRating
from tests.attacking.noting import OF_ONE_ANSWER

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
STATEMENT = re.compile(r"What is \d+ \+ 3\?")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
SAVEPOINT = re.compile(r'"?s\d+_x\d+"?')
RATINGS = [{"step": 0, "rating": 1}, {"step": 1, "rating": -1}]
SENT = {"ratings": RATINGS, "finish_reason": "found_error"}
MOVES = {
    "claim": 6,
    "look ahead": 3,
    "give back": 4,
    "give back the one ahead": 2,
    "submit": 4,
    "revise": 1,
    "draft": 2,
    "reload": 2,
    "renew": 1,
    "report": 1,
    "ask": 1,
    "touch what was given back": 2,
    "let expire": 1,
    "look around": 1,
    "a colleague takes one": 2,
    "a colleague labels one": 2,
}


@contextmanager
def statements(into: list[str]) -> Any:
    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        into.append(SAVEPOINT.sub("s", sql))
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield


@dataclass
class Attack:
    """One annotator's browser, its memory, and every answer it got."""

    client: Any
    phase: Phase
    colleague: Any
    names: dict[str, str] = field(default_factory=dict)
    told: list[tuple[str, Any]] = field(default_factory=list)
    in_hand: str = ""
    ahead: str = ""
    left: list[str] = field(default_factory=list)
    done: tuple[str, str] | None = None
    seen: set[str] = field(default_factory=set)

    def plain(self, text: str) -> str:
        """Replaces ids and statements by the order of their first appearance, and removes times."""
        for pattern, word in ((ID, "id"), (STATEMENT, "statement")):
            text = pattern.sub(
                lambda found, word=word: self.names.setdefault(found[0], f"{word} {len(self.names)}"), text
            )
        return TIME.sub("T", text)

    def ask(self, move: str, method: str, path: str, body: Any = None) -> Any:
        sent: list[str] = []
        with statements(sent):
            answer = getattr(self.client, method)(f"/api/{path}", body)
        headers = sorted((name, value) for name, value in answer.headers.items() if name not in OF_ONE_ANSWER)
        self.told.append((move, (answer.status_code, self.plain(answer.content.decode()), headers, sent)))
        return answer.json() if answer.content else None

    def remember(self, claim: Any) -> None:
        self.in_hand = (claim["assignment"] or {}).get("id", "")
        self.seen |= {self.in_hand} - {""}

    def play(self, move: str) -> None:
        here = f"assignments/{self.in_hand}/"
        if move == "claim":
            self.remember(self.ask(move, "post", f"phases/{self.phase.pk}/claim/"))
        elif move == "look around":
            for path in ("recent", "progress"):
                self.ask(move, "get", f"phases/{self.phase.pk}/{path}/")
            self.ask(move, "get", "phases/")
        elif move == "let expire":
            mine = Assignment.objects.open().filter(annotator__isnull=False, round__phase=self.phase)
            mine.exclude(annotator=self.colleague).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
        elif move.startswith("a colleague"):
            self._beside(is_labelling=move.endswith("labels one"))
        elif move == "touch what was given back" and self.left:
            for method, path in (("get", ""), ("post", "renew/"), ("post", "release/")):
                self.ask(move, method, f"assignments/{self.left[-1]}/{path}")
        elif move == "revise" and self.done:
            before, labelling = self.done
            revised = SENT | {"finish_note": f"{len(self.told)}", "revises": labelling}
            answer = self.ask(move, "post", f"assignments/{before}/submit/", revised)
            self.done = (before, answer["labelling_id"]) if "labelling_id" in answer else None
        elif move == "give back the one ahead" and self.ahead:
            self.ask(move, "post", f"assignments/{self.ahead}/release/")
            self.left.append(self.ahead)
            self.ahead = ""
        elif self.in_hand:
            self._work(move, here)

    def _work(self, move: str, here: str) -> None:
        if move == "look ahead":
            claim = self.ask(move, "post", f"phases/{self.phase.pk}/claim/", {"ahead": 1})
            self.ahead = (claim["assignment"] or {}).get("id", "")
        elif move == "give back":
            self.ask(move, "post", f"{here}release/")
            self.left.append(self.in_hand)
            self.in_hand = ""
        elif move == "draft":
            self.ask(move, "put", f"{here}draft/", {"version": len(self.told) + 1, "ratings": RATINGS[:1]})
        elif move == "submit":
            answer = self.ask(move, "post", f"{here}submit/", SENT)
            if "labelling_id" in answer:
                self.done = self.in_hand, answer["labelling_id"]
                self.remember(answer["next"])
        elif move == "ask":
            self.ask(move, "post", f"{here}report/", {"kind": "question", "note": "Why?"})
            self.ask(move, "get", f"{here}questions/")
        elif move in {"reload", "renew", "report"}:
            methods = {"reload": ("get", ""), "renew": ("post", "renew/"), "report": ("post", "report/")}
            method, path = methods[move]
            self.ask(move, method, f"{here}{path}")

    def _beside(self, *, is_labelling: bool) -> None:
        try:
            held = allocation.claim_next(phase=self.phase, annotator=self.colleague, now=timezone.now())
        except allocation.NothingToClaim:
            return
        if is_labelling:
            said = Submission(Judgement([StepRating(0, -1)], "found_error"))
            submission.submit(assignment_id=held.pk, annotator=self.colleague, submission=said, now=timezone.now())


@pytest.fixture
def attack(make: Any, signed_in: Any, settings: Any) -> Any:
    """Plays the moves. Returns the answers, and how much gold was seen."""
    settings.RELEASES_PER_HOUR = 10_000

    def act(moves: list[str], *, golds: int, overlap: int, tasks: int) -> tuple[list[Any], int]:
        Phase.objects.update(name=f"Before {Phase.objects.count()}")
        attacker, colleague = make.user(), make.user()
        phase = make.phase(attacker, colleague, name="Now", gold_set="hidden", gold_rate=golds and 1, lease_minutes=10)
        for _ in range(golds):
            make.gold(1, -1, gold_set="hidden")
        round_ = make.round(phase, tasks, overlap=overlap)
        # The same order in both rounds, with gold spread over it.
        for seat in range(overlap):
            seats = round_.assignments.filter(seat=seat).order_by("position")
            places = Random(seat).sample(range(seats.count()), seats.count())
            for place, each in zip(places, seats, strict=True):
                round_.assignments.filter(pk=each.pk).update(position=1000 * seat + place)
        playing = Attack(signed_in(attacker), phase, colleague)
        for move in moves:
            playing.play(move)
        return playing.told, round_.assignments.filter(pk__in=playing.seen, task__is_gold=True).count()

    return act


def chosen(seed: int, *, without: str = "") -> list[str]:
    weights = {move: weight for move, weight in MOVES.items() if move != without}
    return Random(seed).choices(list(weights), list(weights.values()), k=70)


def check(attack: Any, moves: list[str], *, overlap: int, tasks: int) -> None:
    with_gold, seen = attack(moves, golds=8, overlap=overlap, tasks=tasks)
    without, none = attack(moves, golds=0, overlap=overlap, tasks=tasks + 8)
    assert (none, seen > 0) == (0, True)
    assert len(with_gold) > 20
    assert with_gold == without


@pytest.mark.parametrize("seed", range(6))
def test_any_moves_get_the_same_answers_with_gold(attack, seed):
    check(attack, chosen(seed), overlap=1, tasks=20)


@pytest.mark.parametrize("seed", range(4))
def test_looking_at_all_tasks_repeatedly_reveals_no_gold(attack, seed):
    """The attacker labels nothing: with two seats a task and few tasks, each is served several times."""
    check(attack, chosen(seed, without="submit"), overlap=2, tasks=8)


def test_claiming_and_giving_back_reveals_no_gold(attack):
    check(attack, ["claim", "give back"] * 40, overlap=1, tasks=12)
