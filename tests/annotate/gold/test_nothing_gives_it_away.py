"""No response to an annotator holds gold, scores, verdicts, other people's labels, or whether
the answer is right."""

from collections.abc import Iterator
from typing import Any

import pytest

from annotate import allocation, drafts, submission
from labeling.completions.sets import path_hash
from labeling.models import AssignmentKind, CompletionSet, Gold
from labeling.review import reports
from labeling.rules.profiles import Profile

KEYS = {
    "session": {
        "user",
        "is_shared",
        "preferences",
        "id",
        "username",
        "role",
        "is_superuser",
        "is_admin",
        "is_ml_staff",
        "phases_run",
        "is_expert",
    },
    "page": {"count", "next", "previous", "results"},
    "phase": {"id", "name", "kind", "status", "instructions", "lease_minutes", "created_at", "open_round", "number"},
    "own": {"tasks_available", "is_member", "is_paused", "compares"},
    "settings": {
        "guidelines_version",
        "later_steps",
        "asks_alternatives",
        "asks_critiques",
        "asks_progress",
        "asks_why_unsure",
    },
    "profile": {
        "profile",
        "instruction",
        "meanings",
        "great",
        "okay",
        "bad",
        "rates_all_steps",
        "carries_errors",
        "finishes_by_hand",
        "asks_result",
        "result",
        "error_kinds",
        "asks_error_words",
        "asks_root_cause",
        "key",
        "parent",
        "help",
        "error_kind",
        "error_start",
        "error_end",
        "root_cause",
    },
    "phase settings": {"shows_reference_answer", "alternatives_per_step", "pass_mark", "gives_feedback", "screening"},
    "offer": {"status", "completions", "detail", "states_answer"},
    "recent": {"statement"},
    "progress": {"today", "this_round", "total", "round_done", "round_wanted", "median_ms", "quality", "answers"},
    "claim": {"assignment", "reason", "labelling_id", "next", "ahead", "checks", "feedback", "progress"},
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
        "has_answer",
    },
    "question": {"question", "answer", "closed_at", "read_at", "statement_markup"},
    "problem": {"statement", "reference_answer", "subject", "steps", "markup"},
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


def values(body: Any) -> Iterator[Any]:
    if isinstance(body, dict | list):
        for below in body.values() if isinstance(body, dict) else body:
            yield from values(below)
    else:
        yield body


@pytest.fixture
def phase(make, annotator, second_annotator):
    """A phase that asks for everything, from a generator whose address is secret."""
    asks = {"asks_alternatives": True, "asks_critiques": True, "asks_progress": True}
    return make.phase(annotator, second_annotator, generator_model="secret-model", **asks)


@pytest.fixture
def told_world(make, phase, annotator, second_annotator, all_great, now):
    """A round with everything that could leak: gold, scores, a pick, another's labels and draft."""
    model = make.reward_model(is_current=True)
    solutions = []
    for number in range(3):
        problem = make.problem(reference_solution="secret-solution", source="secret-source", level="secret-level")
        verdict = ["right", "wrong", "unsure"][number]
        solution = make.solution(problem, verdict=verdict, **SECRETS)
        Gold.objects.create(solution=solution, ratings=[1, -1], rationale="secret-rationale")
        make.score(model, solution, -0.123456)
        solutions.append(solution)
        make.solution(problem, steps=["Another way.", "The end."], **SECRETS)
        theirs = make.labelling(make.task(solution=solution), 1, annotator=second_annotator)
        theirs.completions.create(step=0, completion=1, text="secret-alternative", rating=1, is_human=True)
        reports.file(task=theirs.task, annotator=second_annotator, note="secret-report")
        asked = reports.file(task=theirs.task, annotator=second_annotator, note="secret-question", kind="question")
        reports.answer(question=asked, text="secret-answer", now=now, by=second_annotator)
        for purpose, path in [("step", []), ("critique", solution.steps[:1])]:
            place = {"purpose": purpose, "path": path, "path_hash": path_hash(path), "texts": ["Or so.", "No."]}
            CompletionSet.objects.create(
                problem=problem, generator_model="secret-model", wanted=4, status="done", **place
            )
    selection = make.selection(phase=phase, status="done")
    for rank, solution in enumerate(solutions, start=1):
        is_random = rank == len(solutions)
        columns = {"log_score": -0.123456, "reason": "secret-reason", "is_random": is_random}
        selection.items.create(solution=solution, rank=rank, **columns)
    round_ = make.round(phase, solutions, overlap=2)
    make.publication(selection=selection, round=round_, status="done")
    note = {"finish_note": "secret-note", "ratings": [], "history": []}
    for last in (False, False, True):
        held = allocation.claim_next(phase=phase, annotator=second_annotator, now=now)
        drafts.save(assignment_id=held.pk, annotator=second_annotator, version=1, content=note, now=now)
        if not last:
            submission.submit(assignment_id=held.pk, annotator=second_annotator, submission=all_great, now=now)


def everything_received(client: Any, phase: Any) -> Iterator[Any]:
    """Yields every answer that an annotator's browser gets in a day's work."""
    yield client.get("/api/session/")
    yield client.get("/api/phases/")
    claimed = client.post(f"/api/phases/{phase.pk}/claim/")
    yield claimed
    rating = {"step": 0, "rating": -1, "note": "No."}
    beside = {"step": 0, "completion": 1, "text": "Another way.", "rating": 1, "is_chosen": False}
    critique = {"text": "No.", "rating": 1}
    judgement = {"ratings": [rating, beside], "critiques": [critique], "solution_progress": "none"}
    while (assignment := claimed.json().get("assignment")) is not None:
        address = f"/api/assignments/{assignment['id']}/"
        yield client.post(f"/api/phases/{phase.pk}/claim/", {"ahead": 1})
        yield client.put(f"{address}draft/", {"version": 1, **judgement})
        yield client.get(address)
        yield client.post(f"{address}renew/")
        client.post(f"{address}report/", {"kind": "question", "note": "Is this meant?"})
        yield client.get(f"{address}questions/")
        yield client.post(f"{address}completions/", {"path": []})
        yield client.post(
            f"{address}completions/", {"path": assignment["solution"]["steps"][:1], "purpose": "critique"}
        )
        yield client.post(f"{address}submit/", {**judgement, "finish_reason": "found_error"})
        yield client.get(address)
        yield client.get(f"/api/phases/{phase.pk}/recent/")
        yield client.get(f"/api/phases/{phase.pk}/progress/")
        yield client.get(f"/api/phases/{phase.pk}/questions/")
        claimed = client.post(f"/api/phases/{phase.pk}/claim/")
        yield claimed
    yield client.get("/api/phases/")


def test_no_answer_has_a_secret_key_or_value(told_world, phase, annotator_client):
    answers = list(everything_received(annotator_client, phase))
    assert len(answers) == 4 + 3 * 13
    for answer in answers:
        assert answer.status_code == 200
        assert set(keys(answer.json())) <= ALLOWED
        assert set(values(answer.json())).isdisjoint(AssignmentKind)
        text = answer.content.decode().replace("asks_why_unsure", "")
        for meaning in Profile(phase.profile).traits.meanings:  # the same on every task of the phase
            text = text.replace(meaning, "")
        assert "secret" not in text
        assert "0.123456" not in text
        assert "ben" not in text, "who else labels"
        for word in ("verdict", "gold", "score", "right", "wrong", "unsure", "random", "policy"):
            assert word not in text.lower()


def shape(body: Any) -> Any:
    """Replaces values by their types; keys, nulls and lengths stay."""
    if isinstance(body, dict):
        return {key: shape(value) for key, value in body.items()}
    return [shape(value) for value in body] if isinstance(body, list) else type(body)


@pytest.mark.parametrize(("throw", "checks"), [(0.0, ["no_error", "too_fast"]), (1.0, ["too_fast"])])
def test_a_task_with_gold_looks_like_any_other(make, phase, annotator_client, monkeypatch, throw, checks):
    """True of every endpoint, and with either result of the random soft check."""
    monkeypatch.setattr(allocation.DICE, "random", lambda: throw)
    plain, gold, after = make.solutions(3)
    Gold.objects.create(solution=gold, ratings=[1, 1, 1], rationale="x")
    make.round(phase, [plain, gold, after])
    claim = f"/api/phases/{phase.pk}/claim/"
    sent = {"ratings": [{"step": step, "rating": 1} for step in range(3)], "finish_reason": "solution"}
    shapes = []
    for _ in range(2):
        body = annotator_client.post(claim).json()["assignment"]
        ahead = annotator_client.post(claim, {"ahead": 1}).json()
        address = f"/api/assignments/{body['id']}/"
        submitted = annotator_client.post(f"{address}submit/", sent).json()
        assert submitted["checks"] == checks
        reopened = annotator_client.get(address).json()
        offered = annotator_client.post(f"{address}completions/", {"path": []}).json()
        recent = annotator_client.get(f"/api/phases/{phase.pk}/recent/").json()[0]
        progress = annotator_client.get(f"/api/phases/{phase.pk}/progress/").json()
        received = [body, ahead, submitted, reopened, offered, recent, progress]
        assert set(values(received)).isdisjoint(AssignmentKind)
        shapes.append(shape(received))
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(
    "path", ["labellings/", "pool/", "rounds/", "people/", "selections/", "reward-models/", "adjudication/"]
)
def test_annotators_are_refused_addresses_that_would_reveal_gold(told_world, annotator_client, refused, path):
    refused(annotator_client.get(f"/api/{path}"), 403, "permission_denied")
