"""Puts a task into each queue of adjudication, for tests."""

from django.utils import timezone

from labeling.models import Report
from labeling.review import adjudication, reports

ADDRESS = "/api/adjudication/"
FIX = {"outcome": "fix", "texts": {"reference_answer": "6"}, "note": "2 + 4 is 6."}


def where(task, queue="disagreement"):
    return f"{ADDRESS}{queue}/{task.pk}/"


def waits_in(client):
    return {row["queue"] for row in client.get(ADDRESS).json() if row["waiting"]}


def unsure(make, task, person):
    make.labelling(task, 1, None).completions.filter(rating=None).update(is_flagged=True)


def refer(make, task):
    why = "Step 1 was labelled Great; a second look says Bad."
    adjudication.refer(task=task, why=why, by=make.user(), now=timezone.now())


QUEUES = {
    "unsure": unsure,
    "bad_problem": lambda make, task, person: make.labelling(task, finish_reason="bad_problem"),
    "give_up": lambda make, task, person: make.labelling(task, 1, finish_reason="give_up"),
    "grader": lambda make, task, person: make.labelling(task, 1, 1, 1),
    "reference_answer": lambda make, task, person: Report.objects.create(task=task, annotator=person),
    "gold": lambda make, task, person: Report.objects.create(task=task, annotator=person, kind="gold"),
    "question": lambda make, task, person: reports.file(task=task, annotator=person, note="Why?", kind="question"),
    "steps": lambda make, task, person: Report.objects.create(task=task, annotator=person, kind="steps", step=0),
    "second_look": lambda make, task, person: refer(make, task),
}
