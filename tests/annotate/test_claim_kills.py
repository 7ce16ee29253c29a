"""Exactly N labellings from N people, whatever dies: 64 connections of 8 processes (8 of 4 on SQLite), some killed."""

import signal
from collections import Counter
from datetime import timedelta
from multiprocessing import get_context
from random import Random
from threading import Thread

import pytest
from django.db import connection, connections

from annotate import allocation, submission
from annotate.submission import Submission
from labeling.models import Labelling
from labeling.ratings import Judgement, StepRating

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


def work(all_there, phase, people, now):
    """A process: a thread and a connection for each of the people."""
    all_there.wait()
    threads = [Thread(target=label_all, args=(phase, person, now), daemon=True) for person in people]
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
    """Starts a process for the people, whose work begins when all of the first ones are there.

    A forked one must not share its parent's connection.
    """
    context = get_context("fork")
    all_there = context.Event()

    def act(*args):
        connections.close_all()
        process = context.Process(target=work, args=(all_there, *args))
        process.start()
        return process

    act.all_there = all_there
    return act


@pytest.mark.parametrize("kills", [0, 6])
def test_overlap_n_is_exactly_n_different_people(make, teams, start, now, kills):
    phase = make.phase(*(person for team in teams for person in team))
    round_ = make.round(phase, 40, overlap=OVERLAP)
    dice, killed = Random(kills), 0
    running = [start(phase, team, now) for team in teams]
    start.all_there.set()
    for number in range(kills):
        victim = number % len(teams)
        while running[victim].is_alive() and not round_.assignments.filter(annotator__in=teams[victim]).exists():
            running[victim].join(timeout=0.01)
        running[victim].join(timeout=dice.uniform(0, 0.05))
        running[victim].kill()
        running[victim].join()
        killed += running[victim].exitcode == -signal.SIGKILL
        running[victim] = start(phase, teams[victim], now)
    for process in running:
        process.join(timeout=600)
        assert process.exitcode == 0
    assert killed > 0 or not kills, "nobody was killed at work"
    for team in teams:  # the leases of the dead run out
        label_all(phase, team[0], now + timedelta(hours=1))
    pairs = Counter(Labelling.objects.values_list("task", "annotator"))
    assert set(pairs.values()) == {1}, "never the same person twice"
    assert Counter(task for task, _ in pairs) == {task.pk: OVERLAP for task in round_.tasks.all()}
    assert set(round_.assignments.filter(submitted_at=None)) == set(), "no task is stuck"
