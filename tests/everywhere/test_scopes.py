"""Endpoints show people who see only part their own phase's rows, and none of another phase.

test_doors.py knows every address: a new one that is not for staff alone fails here until SHOWN says which rows of their
own phase people see there.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotate import allocation, submission
from labeling.models import Image
from labeling.people import invitations, tokens
from tests.doors.listed import DOORS
from tests.making import kept_image

PARTIAL = {"holder", "member", "outsider", "expert"}
QUEUE = "reference_answer"
# Who sees which rows of their own phase there; "" where there are only counts.
SHOWN = {
    "session/": ("annotator", "username"),
    "session/data/": ("annotator", "labelling"),
    "session/second-factor/": ("annotator", ""),
    "session/ways/": ("annotator", ""),
    "sessions/": ("annotator", ""),
    "tokens/": ("annotator", "token"),
    "invite/{secret}/": ("outsider", "name"),
    "phases/": ("expert", "phase"),
    "phases/{phase}/recent/": ("annotator", "labelling"),
    "phases/{phase}/progress/": ("annotator", ""),
    "phases/{phase}/questions/": ("annotator", "question"),
    "phases/{phase}/differences/": ("annotator", ""),
    "phases/{phase}/guidelines/{version}/": ("annotator", "guidelines"),
    "assignments/{assignment}/": ("annotator", "assignment"),
    "assignments/{assignment}/part/": ("annotator", "statement"),
    "assignments/{assignment}/questions/": ("annotator", "question"),
    "images/{image}/": ("annotator", "image_text"),
    "gold/": ("expert", "gold"),
    "gold/sets/": ("expert", "gold_set"),
    "solutions/": ("expert", "solution"),
    "solutions/without-gold/": ("expert", "candidate"),
    "solutions/{solution}/part/": ("expert", "first_statement"),
    "adjudication/": ("expert", ""),
    "adjudication/{queue}/": ("expert", "task"),
    "adjudication/{queue}/{task}/": ("expert", "task"),
    "second-looks/": ("expert", "labelling"),
    "label-noise/": ("expert", "round"),
}
PARTLY_READ = {path for path, methods in DOORS.items() if methods.get("GET", set()) & PARTIAL}


def campaign(make: Any, name: str, reward_model: Any, all_great: Any) -> dict[str, Any]:
    """Makes a phase with one of everything, whose texts and names contain its name."""
    annotator, expert, now = (
        make.user(username=f"{name}-annotator"),
        make.user(username=f"{name}-expert"),
        timezone.now(),
    )
    phase = make.phase(annotator, name=name, gold_set=f"{name} set", instructions=f"{name} guidelines")
    phase.memberships.create(user=expert, role="expert")
    solutions = [make.solution(make.problem(statement=f"{name} problem {number}"), source=name) for number in range(3)]
    round_ = make.round(phase, solutions)
    make.promotion(reward_model, phase)
    for solution in solutions:
        make.score(reward_model, solution, -0.1)
    reward_model.scores.update(step_log_probabilities=[-0.1, -0.1, -3.0])
    first = allocation.claim_next(phase=phase, annotator=annotator, now=now - timedelta(minutes=9))
    labelling = submission.submit(assignment_id=first.pk, annotator=annotator, submission=all_great, now=now)
    first.task.reports.create(annotator=annotator, note=f"{name} report")
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    gold = make.gold(1, 1, 1, solution=first.task.solution, gold_set=phase.gold_set, author=expert)
    invitation, secret = invitations.invite(phase=phase, days=7, now=now, by=make.user(role="admin"))
    rows = {
        **{"phase": phase, "round": round_, "solution": first.task.solution, "task": first.task, "gold": gold},
        "candidate": solutions[-1],
        "assignment": held,
        "question": held.task.reports.create(annotator=annotator, note=f"{name} question", kind="question"),
        **{"labelling": labelling, "invitation": invitation, "annotator": annotator},
        "token": tokens.make_token(user=annotator, name=f"{name} token")[0],
    }
    texts = {"secret": secret, "queue": QUEUE, "name": name, "gold_set": phase.gold_set}
    texts |= {"username": annotator.username, "guidelines": phase.instructions, "version": "1"}
    content = f"\x89PNG\r\n\x1a\n{name} image".encode("latin-1")
    texts |= {"image": Image.TICKETS.sign(kept_image(content)), "image_text": f"{name} image"}
    texts["statement"] = held.task.solution.problem.statement
    texts["first_statement"] = first.task.solution.problem.statement
    return {key: str(row.pk) for key, row in rows.items()} | texts | {"people": (annotator, expert)}


@pytest.fixture
def campaigns(make: Any, all_great: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    reward_model = make.reward_model(phase=make.phase(name="Where it learned"))
    here, elsewhere = (campaign(make, name, reward_model, all_great) for name in ("Here", "Elsewhere"))
    return here, elsewhere


def test_every_endpoint_that_some_see_in_part_is_listed() -> None:
    assert set(SHOWN) >= PARTLY_READ


@pytest.mark.parametrize("path", sorted(SHOWN))
def test_another_phases_rows_do_not_appear(path: str, campaigns: Any, signed_in: Any, outsider: Any) -> None:
    here, elsewhere = campaigns
    people = dict(zip(("annotator", "expert"), map(signed_in, here["people"]), strict=True))
    readers: dict[str, APIClient] = people | {"outsider": signed_in(outsider)}
    foreign = {value for key, value in elsewhere.items() if key not in ("people", "queue", "version")}
    for reader, client in readers.items():
        text = client.get(f"/api/{path.format(**here)}").getvalue().decode(errors="replace")
        shown = {value for value in foreign if value in text}
        assert not shown, f"{reader} sees {shown} at {path}"
    who, what = SHOWN[path]
    answer = readers[who].get(f"/api/{path.format(**here)}")
    assert (answer.status_code, here.get(what, "") in answer.getvalue().decode(errors="replace")) == (200, True)


BY_ID = [
    path for path in sorted(SHOWN) if any(f"{{{key}}}" in path for key in ("phase", "assignment", "task", "solution"))
]


@pytest.mark.parametrize("path", BY_ID)
def test_other_rows_are_not_found_by_id(path: str, campaigns: Any, signed_in: Any, outsider: Any, refused: Any) -> None:
    here, elsewhere = campaigns
    for person in (*here["people"], outsider):
        answer = signed_in(person).get(f"/api/{path.format(**elsewhere)}")
        assert answer.status_code in {403, 404}
        assert "Elsewhere" not in answer.content.decode()
