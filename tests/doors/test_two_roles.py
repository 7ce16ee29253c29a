"""A person's rights in one phase give them nothing in another, not even about a solution that both phases draw."""

import json
from typing import Any

import pytest

from annotate import allocation

GOLD_TEXT = "An expert's explanation of the only mistake"


@pytest.fixture
def world(make: Any, now: Any) -> dict[str, Any]:
    """One person, an expert of “Here” and an annotator of “There”, at work on a solution of both."""
    person, colleague = make.user(username="emil"), make.user(username="cora")
    here, there = (
        make.phase(name="Here", gold_set="Here set"),
        make.phase(person, colleague, name="There", gold_set="There set"),
    )
    here.memberships.create(user=person, role="expert")
    shared = make.solution(make.problem(statement="A shared problem"))
    gold = make.gold(1, -1, solution=shared, gold_set="There set", author=make.user(username="greta"))
    make.round(here, [shared])
    open_round = make.round(there, [shared], overlap=2)
    theirs = make.labelling(open_round.tasks.get(), 1, 0, -1, annotator=colleague, finish_note=GOLD_TEXT)
    held = allocation.claim_next(phase=there, annotator=person, now=now)
    return {"person": person, "here": here, "there": there, "held": held, "theirs": theirs, "gold": gold}


def test_an_expert_elsewhere_works_as_any_annotator_here(world: Any, signed_in: Any) -> None:
    client, phase = signed_in(world["person"]), world["there"].pk
    for path in (
        f"assignments/{world['held'].pk}/",
        f"phases/{phase}/progress/",
        f"phases/{phase}/recent/",
        f"phases/{phase}/differences/",
        "phases/",
    ):
        text = client.get(f"/api/{path}").content.decode()
        assert not {GOLD_TEXT, "cora", "greta", str(world["theirs"].pk), str(world["gold"].pk)} & set(
            json.dumps(text).replace("\\", "").split('"')
        )
        assert GOLD_TEXT not in text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "labellings/{theirs}/"),
        ("get", "labellings/"),
        ("get", "rounds/"),
        ("get", "phases/{there}/members/"),
        ("get", "phases/{there}/gold/"),
        ("patch", "phases/{there}/settings/"),
        ("get", "people/"),
    ],
)
def test_an_expert_elsewhere_reads_no_staff_pages_here(
    method: str, path: str, world: Any, signed_in: Any, refused: Any
) -> None:
    ids = {name: row.pk for name, row in world.items()}
    refused(getattr(signed_in(world["person"]), method)(f"/api/{path.format(**ids)}"), 403, "permission_denied")


def test_an_expert_sees_no_gold_of_the_other_phase(world: Any, signed_in: Any) -> None:
    client = signed_in(world["person"])
    for path in ("gold/", "gold/sets/", "second-looks/", "adjudication/reference_answer/"):
        text = client.get(f"/api/{path}").content.decode()
        assert "There set" not in text, path
        assert str(world["gold"].pk) not in text, path
