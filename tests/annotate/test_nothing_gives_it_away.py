"""Nothing an annotator's browser receives holds gold, scores, verdicts, other people's labels, or whether
the answer is right."""

from collections.abc import Iterator
from typing import Any

import pytest

from annotate import allocation, drafts, submission
from labeling.models import Gold

KEYS = {
    "session": {"user", "preferences", "id", "username", "role", "is_superuser", "is_admin", "is_ml_staff"},
    "page": {"count", "next", "previous", "results"},
    "phase": {"id", "name", "kind", "status", "instructions", "lease_minutes", "created_at", "open_round", "number"},
    "own": {"my_labellings", "my_labellings_today", "tasks_available", "is_member"},
    "settings": {"guidelines_version", "later_steps", "asks_alternatives", "asks_critiques", "asks_progress"},
    "phase settings": {"shows_reference_answer", "alternatives_per_step", "pass_mark", "gives_feedback", "screening"},
    "emptied": {"generator_url", "generator_model"},
    "claim": {"assignment", "reason", "labelling_id", "next", "checks", "feedback"},
    "task": {
        "lease_expires_at",
        "submitted_at",
        "phase",
        "round_number",
        "problem",
        "solution",
        "draft",
        "is_screening",
        "labelling",
        "report",
    },
    "problem": {"statement", "reference_answer", "subject", "steps"},
    "draft": {
        "version",
        "ratings",
        "finish_note",
        "history",
        "active_ms",
        "step",
        "rating",
        "at_ms",
        "critiques",
        "solution_progress",
    },
    "rating": {"is_flagged", "note", "completion", "text", "is_chosen", "is_human", "finish_reason"},
}
ALLOWED = set().union(*KEYS.values())
SECRETS = {
    "source": "secret-source",
    "external_id": "secret-id",
    "generator": "secret-generator",
    "answer": "secret-answer",
    "grader_version": "secret-grader",
}


def keys(body: Any) -> Iterator[str]:
    if isinstance(body, dict):
        yield from body
        for value in body.values():
            yield from keys(value)
    elif isinstance(body, list):
        for value in body:
            yield from keys(value)


@pytest.fixture
def told_world(make, phase, annotator, second_annotator, all_great, now):
    """A round in which everything that could be told exists: gold, scores, a pick, another's labels and draft."""
    model = make.reward_model(is_current=True)
    solutions = []
    for number in range(3):
        problem = make.problem(reference_solution="secret-solution", source="secret-source", level="secret-level")
        verdict = ["right", "wrong", "unsure"][number]
        solution = make.solution(problem, verdict=verdict, **SECRETS)
        Gold.objects.create(solution=solution, ratings=[1, -1], rationale="secret-rationale")
        make.score(model, solution, -0.123456)
        solutions.append(solution)
    selection = make.selection(phase=phase, status="done")
    for rank, solution in enumerate(solutions, start=1):
        selection.items.create(solution=solution, rank=rank, log_score=-0.123456, reason="secret-reason")
    round_ = make.round(phase, solutions, overlap=2)
    make.publication(selection=selection, round=round_, status="done")
    note = {"finish_note": "secret-note", "ratings": [], "history": []}
    for last in (False, False, True):
        held = allocation.claim_next(phase=phase, annotator=second_annotator, now=now)
        drafts.save(assignment_id=held.pk, annotator=second_annotator, version=1, content=note, now=now)
        if not last:
            submission.submit(assignment_id=held.pk, annotator=second_annotator, submission=all_great, now=now)


def everything_received(client: Any, phase: Any) -> Iterator[Any]:
    """Every answer that an annotator's browser gets in a day's work."""
    yield client.get("/api/session/")
    yield client.get("/api/phases/")
    claimed = client.post(f"/api/phases/{phase.pk}/claim/")
    yield claimed
    rating = {"step": 0, "rating": -1, "note": "No."}
    while (assignment := claimed.json().get("assignment")) is not None:
        address = f"/api/assignments/{assignment['id']}/"
        yield client.put(f"{address}draft/", {"version": 1, "ratings": [rating]})
        yield client.get(address)
        yield client.post(f"{address}renew/")
        yield client.post(f"{address}submit/", {"ratings": [rating], "finish_reason": "found_error"})
        yield client.get(address)
        claimed = client.post(f"/api/phases/{phase.pk}/claim/")
        yield claimed
    yield client.get("/api/phases/")


def test_keys_and_values(told_world, phase, annotator_client):
    answers = list(everything_received(annotator_client, phase))
    assert len(answers) == 4 + 3 * 6
    for answer in answers:
        assert answer.status_code == 200
        assert set(keys(answer.json())) <= ALLOWED
        text = answer.content.decode()
        assert "secret" not in text
        assert "0.123456" not in text
        assert "ben" not in text, "who else labels"
        for word in ("verdict", "gold", "score", "right", "wrong", "unsure"):
            assert word not in text.lower()


def test_a_task_with_gold_looks_like_any_other(make, phase, annotator_client):
    """Same keys, same types, same nulls: only the texts differ."""
    plain, gold = make.solutions(2)
    Gold.objects.create(solution=gold, ratings=[1, 1, 1], rationale="x")
    make.round(phase, [plain, gold])
    bodies = []
    for _ in range(2):
        body = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
        bodies.append(body)
        sent = {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error"}
        annotator_client.post(f"/api/assignments/{body['id']}/submit/", sent)
    assert bodies[0].keys() == bodies[1].keys()
    assert [type(value) for value in bodies[0].values()] == [type(value) for value in bodies[1].values()]
    assert sorted(keys(bodies[0])) == sorted(keys(bodies[1]))


@pytest.mark.parametrize("path", ["labellings/", "pool/", "rounds/", "people/", "selections/", "reward-models/"])
def test_what_would_tell_is_closed(told_world, annotator_client, refused, path):
    refused(annotator_client.get(f"/api/{path}"), 403, "permission_denied")
