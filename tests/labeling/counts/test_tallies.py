"""labeling.counts.tallies: a round's stored counts equal a recount after any acts."""

import json
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from random import Random
from uuid import uuid4

import pytest

from annotate import allocation, submission
from annotate.submission import Submission
from labeling.campaign import consensus, rounds, screening
from labeling.counts import recounts
from labeling.data import importing
from labeling.data.importing import undo
from labeling.errors import DomainError
from labeling.models import Assignment, Labelling, Phase, Round, Tally
from labeling.rules.ratings import Judgement, StepRating

ACTS = {
    "submit": 12,
    "revise": 3,
    "release": 2,
    "expire": 2,
    "withdraw": 2,
    "add": 1,
    "ask again": 2,
    "prioritise": 1,
    "close and reopen": 1,
    "a day passes": 2,
}


def said(*ratings):
    reason = "found_error" if -1 in ratings else "solution"
    return Submission(Judgement([StepRating(step, rating) for step, rating in enumerate(ratings)], reason))


class Campaign:
    """A round in which two people and an admin act at random."""

    def __init__(self, make, phase, people, now, seed):
        self.make, self.phase, self.people, self.now = make, phase, people, now
        self.dice, self.done = Random(seed), []
        self.round = make.round(phase, 12, overlap=2)

    def claim(self, person, *, ahead=False):
        return allocation.claim_next(phase=self.phase, annotator=person, now=self.now, ahead=ahead)

    def submit(self, person):
        held = self.claim(person)
        self.now += timedelta(minutes=2)
        ratings = self.dice.choice([(1, 1, 1), (-1,), (1, -1)])
        told = replace(said(*ratings), active_ms=self.dice.randrange(100_000))
        stored = submission.submit(assignment_id=held.pk, annotator=person, submission=told, now=self.now)
        self.done.append((held.pk, person, stored.pk))

    def revise(self, _):
        assignment, person, labelling = self.dice.choice(self.done)
        again = Submission(Judgement([], "give_up", f"{self.dice.random()}"), active_ms=7, revises=labelling)
        self.done.remove((assignment, person, labelling))
        stored = submission.submit(assignment_id=assignment, annotator=person, submission=again, now=self.now)
        self.done.append((assignment, person, stored.pk))

    def release(self, person):
        allocation.release(assignment_id=self.claim(person).pk, annotator=person, now=self.now)

    def expire(self, _):
        Assignment.objects.open().filter(annotator__isnull=False).update(lease_expires_at=self.now - timedelta(1))

    def withdraw(self, person):
        held = self.claim(person, ahead=True)  # one in hand, and one not
        free = self.round.tasks.filter(withdrawn_at=None, is_gold=False).exclude(pk=held.task_id).first()
        chosen = [held.task_id, *([free.pk] if free else [])]
        rounds.withdraw_from_round(round_id=self.round.pk, task_ids=chosen, now=self.now)

    def add(self, _):
        rounds.add_tasks(round_id=self.round.pk, solution_ids=[self.make.solution().pk], overlap=None, first=True)

    def ask_again(self, _):
        consensus.ask_again(round_=Round.objects.select_related("phase").get(pk=self.round.pk))

    def prioritise(self, _):
        rounds.prioritise(round_id=self.round.pk, task_ids=[self.round.tasks.first().pk], first=True)

    def close_and_reopen(self, _):
        rounds.close(round_id=self.round.pk, now=self.now)
        rounds.reopen(round_id=self.round.pk)

    def a_day_passes(self, _):
        self.now += timedelta(hours=13)

    def go_on(self):
        act = self.dice.choices(list(ACTS), list(ACTS.values()))[0]
        with suppress(DomainError, IndexError):
            getattr(self, act.replace(" ", "_"))(self.dice.choice(self.people))


@pytest.fixture
def campaign(make, phase, annotator, second_annotator, now, settings):
    settings.RELEASES_PER_HOUR = 1000
    Phase.objects.filter(pk=phase.pk).update(gold_set="hidden", gold_rate=0.4, overlap_cap=4)
    for _ in range(5):
        make.gold(1, 1, 1, gold_set="hidden")
    fresh = Phase.objects.get(pk=phase.pk)
    return lambda seed: Campaign(make, fresh, [annotator, second_annotator], now, seed)


@pytest.mark.parametrize("seed", range(4))
def test_stored_counts_equal_a_recount(campaign, seed):
    """Acts: submissions (gold too), revisions, ended leases, tasks withdrawn and added, further opinions."""
    playing = campaign(seed)
    for _ in range(80):
        playing.go_on()
        assert recounts.mend(playing.round.pk) == 0
    assert Labelling.objects.filter(superseded_at__isnull=False).exists()
    assert sum(Tally.objects.values_list("done", flat=True)) > 5
    assert sum(Tally.objects.values_list("active_ms", flat=True)) > 100_000


def test_another_attempt_at_the_screening_starts_from_nothing(make, phase, annotator, now):
    Phase.objects.filter(pk=phase.pk).update(screening_attempts=2, pass_mark=1)
    first, fresh = make.screening(phase, 2), Phase.objects.get(pk=phase.pk)
    for _ in range(2):
        held = allocation.claim_next(phase=fresh, annotator=annotator, now=now)
        submission.submit(assignment_id=held.pk, annotator=annotator, submission=said(-1), now=now)
    assert first.tallies.get().done == 2
    screening.start_again(membership=fresh.memberships.get(user=annotator), screening=first, now=now)
    kept = first.tallies.get()
    assert (kept.done, kept.active_ms, kept.last_at) == (0, 0, None)
    assert recounts.mend(first.pk) == 0


@pytest.mark.django_db(transaction=True)
def test_no_submission_is_lost_during_a_recount(make, phase, at_once, crowd, now):
    people = [make.user() for _ in range(crowd)]
    for person in people:
        phase.memberships.create(user=person)
    round_ = make.round(phase, 3 * crowd)

    def work(person):
        for _ in range(3):
            if person is None:
                recounts.mend(round_.pk)
                continue
            held = allocation.claim_next(phase=phase, annotator=person, now=now)
            submission.submit(assignment_id=held.pk, annotator=person, submission=said(-1), now=now)

    at_once(work, [*people, None])
    assert recounts.mend(round_.pk) == 0
    assert [tally.done for tally in round_.tallies.all()] == [3] * crowd


def record(number, labeler):
    completion = {"text": f"A: {number}", "rating": 1}
    label = {"steps": [{"completions": [completion], "chosen_completion": 0}], "finish_reason": "solution"}
    label["total_time"] = 1000 * number
    when = f"2022-07-{number + 1:02}T00:00:00"
    question = {"problem": f"{number}?"}
    return {"labeler": labeler, "timestamp": when, "question": question, "label": label, "generation": number % 2}


def bring(folder, numbers, now):
    """Imports records with these numbers. Returns the import's origin."""
    path, origin = folder / "labels.jsonl", uuid4()
    path.write_text("\n".join(json.dumps(record(number, [None, "x", "y"][number % 3])) for number in numbers))
    importing.import_prm800k(path, now=now, origin=origin)
    return origin


def test_an_import_counts_what_it_brings_and_takes_away(tmp_path, now, db):
    """True of records without an annotator, too."""
    origin = bring(tmp_path, range(12), now)
    found = list(Round.objects.with_progress().order_by("number"))
    assert [(row.task_count, row.labellings_done) for row in found] == [(6, 6), (6, 6)]
    assert [recounts.mend(row.pk) for row in found] == [0, 0]
    undo.undo(origin, on_rows=lambda _: None)
    assert not Round.objects.exists()
    assert not Tally.objects.exists()


@pytest.mark.parametrize("undone", [0, 1])
def test_undoing_an_import_keeps_the_counts_of_another(undone, tmp_path, now, db):
    origins = [bring(tmp_path, numbers, now) for numbers in (range(12), range(12, 24))]
    undo.undo(origins[undone], on_rows=lambda _: None)
    assert sum(Tally.objects.values_list("done", flat=True)) == 12
    assert [recounts.mend(row.pk) for row in Round.objects.all()] == [0, 0]
