"""Exactly N labellings from N people while processes are killed: 64 connections of 8 (on SQLite 8 of 4)."""

import signal
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from functools import partial
from multiprocessing import get_context
from random import Random
from threading import Event, Thread

import pytest
from django.db import connection, connections

from annotate import allocation, submission
from annotate.submission import Submission
from labeling.models import Labelling
from labeling.rules.ratings import Judgement, StepRating

pytestmark = pytest.mark.django_db(transaction=True)
GREAT = Submission(Judgement([StepRating(step, 1) for step in range(3)], "solution"))
OVERLAP = 3


def label_all(phase, person, now):
    while True:
        try:
            taken = allocation.claim_next(phase=phase, annotator=person, now=now)
            submission.submit(assignment_id=taken.pk, annotator=person, submission=GREAT, now=now)
        except allocation.NothingToClaim:
            connections.close_all()
            return


def hold_one(phase, person, now, holds):
    """Claims a task and keeps it in hand, until the process is killed."""
    with suppress(allocation.NothingToClaim):
        allocation.claim_next(phase=phase, annotator=person, now=now)
    holds.set()
    Event().wait()


def work(holds, phase, people, now):
    """Labels tasks in a process, with a thread and a connection for each person. With `holds`, the first never ends."""
    acts = [partial(label_all, phase, person, now) for person in people]
    if holds:
        acts[0] = partial(hold_one, phase, people[0], now, holds)
    threads = [Thread(target=act, daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def teams(make, many_connections):
    """The people of each process."""
    processes, threads = (4, 2) if connection.vendor == "sqlite" else (8, 8)
    return [[make.user() for _ in range(threads)] for _ in range(processes)]


@pytest.fixture
def start():
    """Starts a process for some people, without sharing its parent's connection."""
    context = get_context("fork")

    def act(*args, is_doomed=False):
        connections.close_all()
        holds = context.Event() if is_doomed else None
        process = context.Process(target=work, args=(holds, *args))
        process.start()
        return process, holds

    return act


@pytest.mark.parametrize("kills", [0, 6])
def test_overlap_n_is_exactly_n_different_people(make, teams, start, now, kills):
    phase = make.phase(*(person for team in teams for person in team))
    round_ = make.round(phase, 40, overlap=OVERLAP)
    dice = Random(kills)
    running = [start(phase, team, now, is_doomed=number < kills) for number, team in enumerate(teams)]
    for number in range(kills):
        at = number % len(teams)
        victim, holds = running[at]
        assert holds.wait(timeout=600)
        victim.join(timeout=dice.uniform(0, 0.05))  # the other people of this process are at any point by then
        victim.kill()
        victim.join()
        assert victim.exitcode == -signal.SIGKILL
        running[at] = start(phase, teams[at], now, is_doomed=number + len(teams) < kills)
    for process, _ in running:
        process.join(timeout=600)
        assert process.exitcode == 0
    for team in teams:  # the leases of the dead run out
        label_all(phase, team[0], now + timedelta(hours=1))
    pairs = Counter(Labelling.objects.values_list("task", "annotator"))
    assert set(pairs.values()) == {1}, "never the same person twice"
    assert Counter(task for task, _ in pairs) == {task.pk: OVERLAP for task in round_.tasks.all()}
    assert set(round_.assignments.filter(submitted_at=None)) == set(), "no task is stuck"
