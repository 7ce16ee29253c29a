"""Cases for adjudication, and people who settle them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.campaign import gold
from labeling.campaign.gold import Expertise
from labeling.models import Assignment
from labeling.review import reports


@pytest.fixture
def task(make, phase, annotator, second_annotator):
    """A task in which two people see the first error at different steps."""
    disputed = make.task(phase, overlap=2)
    made = timezone.now()
    make.labelling(disputed, 1, -1, annotator=annotator, submitted_at=made - timedelta(seconds=1))
    make.labelling(disputed, 1, 1, 1, annotator=second_annotator, submitted_at=made, finish_note="fine")
    return disputed


@pytest.fixture
def faulty(make, open_round, annotator, now):
    """Three tasks on a problem with a wrong reference answer: labelled, free, in hand. Gold on a fourth solution."""
    problem = make.problem(statement="What is 2 + 4?", reference_answer="5", text_hash="old")
    grades = {"grader_version": "stepmark-1", "answer": "6"}
    said, free, held, expert = (make.solution(problem, **grades) for _ in range(4))
    tasks = [make.task(open_round.phase, solution=solution) for solution in (said, free, held)]
    later = timezone.now() + timedelta(hours=1)
    seats = [{"submitted_at": now, "annotator": annotator}, {}, {"annotator": None}]
    for position, (task, seat) in enumerate(zip(tasks, seats, strict=True), 100):
        Assignment.objects.create(task=task, round=open_round, seat=0, position=position, **seat)
    ben = open_round.phase.memberships.get(user__username="ben").user
    tasks[2].assignments.update(annotator=ben, lease_expires_at=later)
    make.labelling(tasks[0], 1, 1, 1, annotator=annotator, assignment=tasks[0].assignments.get())
    gold.put(solution=expert, expertise=Expertise([1, 1, 1]), by=None)
    reports.file(task=tasks[0], annotator=annotator, note="It is 6.")
    return tasks


@pytest.fixture
def expert_client(make, phase, signed_in):
    person = make.user()
    phase.memberships.create(user=person, role="expert")
    return signed_in(person)
