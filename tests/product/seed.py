"""Rows for a product under test: a pool of arithmetic, and one person per role. Runs inside `manage.py shell`."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from labeling.campaign import phases, rounds
from labeling.models import Gold, Problem, Role, Sample, Solution, User, Verdict
from labeling.people.accounts import add_members, add_person
from tests.making import kept_image
from tests.product.words import ANNOTATORS, HOSTILE, PASSWORD, WIDE, Attempt, judge, texts


def make() -> None:
    for username in ANNOTATORS:
        add_person(username=username, password=PASSWORD)
    add_person(username="alma", password=PASSWORD, role=Role.ADMIN)
    add_person(username="mika", password=PASSWORD, role=Role.ML_STAFF)
    User.objects.create_superuser("root", password=PASSWORD)
    for number, (statement, attempts) in enumerate(texts()):
        problem = Problem.objects.create(
            statement=statement, reference_answer=str(attempts[0].answer), text_hash=f"problem {number}"
        )
        solutions = Solution.objects.bulk_create(
            _solution(problem, _hash(number, index), text) for index, text in enumerate(attempts)
        )
        Sample.objects.bulk_create(Sample(solution=each, source=each.source, draw=0) for each in solutions)


def _hash(number: int, attempt: int) -> str:
    """Returns a hash, as random as a text's, since uniform draws use it; it ends with the attempt's number."""
    return f"{sha256(f'{number}.{attempt}'.encode()).hexdigest()[:16]}.{attempt}"


def _solution(problem: Problem, name: str, text: Attempt) -> Solution:
    return Solution(
        problem=problem,
        steps=text.steps,
        answer=str(text.answer),
        verdict=Verdict.RIGHT if text.is_right else Verdict.WRONG,
        grader_version="given",
        source="arithmetic",
        text_hash=name,
    )


def make_desks(desks: dict[str, dict[str, Any]]) -> None:
    """Makes for each name a person, and a phase of that name with an open round for them alone."""
    password = make_password(PASSWORD)
    for name, desk in desks.items():
        _make_desk(User.objects.create(username=name, password=password), **desk)


def _make_desk(
    user: User,
    *,
    tasks: int = 1,
    attempt: int = 0,
    screening: int = 0,
    is_hostile: bool = False,
    is_wide: bool = False,
    turns: int = 0,
    is_unanswered: bool = False,
    **settings: Any,
) -> None:
    """Makes `tasks` tasks on solution number `attempt` of a problem each, after a screening of `screening` others."""
    phase = phases.create(name=user.username, **settings)
    add_members(phase=phase, users=[user, *User.objects.filter(role=Role.ML_STAFF)])
    if is_hostile:
        solutions = [_solution_of(HOSTILE, user.username)]
    elif is_wide:
        solutions = [_solution_of(WIDE, user.username)]
    elif turns:
        solutions = [_trace(user.username, turns)]
    else:
        solutions = list(Solution.objects.filter(text_hash__endswith=f".{attempt}").order_by("problem__text_hash"))
    if is_unanswered:
        solutions = [_unanswered(solution, user.username) for solution in solutions[:tasks]]
    now = timezone.now()
    if screening:
        for solution in solutions[-screening:]:
            Gold.objects.get_or_create(solution=solution, ratings=judge(solution.steps), rationale="A sum is wrong.")
        rounds.publish_screening(phase=phase, solution_ids=[row.pk for row in solutions[-screening:]], now=now)
    rounds.publish(phase=phase, solution_ids=[row.pk for row in solutions[:tasks]], overlap=1, now=now)


def _unanswered(solution: Solution, name: str) -> Solution:
    """Makes the same attempt without a final answer."""
    return Solution.objects.create(
        problem=solution.problem,
        steps=solution.steps,
        verdict="wrong",
        in_pool=False,
        text_hash=f"{name} {solution.text_hash}",
    )


PICTURE = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "rated.png"
OUTPUT = "\n".join(f"line {number}" for number in range(1, 20_001))


def _trace(name: str, length: int) -> Solution:
    """Makes a trace of `length` turns, of which the second brings more about than is sent at first."""
    said = [
        {"kind": "message", "name": "System", "text": "You mend programs.", "is_context": True},
        {"kind": "message", "name": "User", "text": "Make the tests pass.", "is_context": True},
    ]
    shown = {"kind": "image", "name": "The page", "image": kept_image(PICTURE.read_bytes()), "is_context": True}
    problem = Problem.objects.create(statement="Make the tests pass.", conversation=said, text_hash=f"{name} trace")
    turns = [
        {
            "agent": "Coder",
            "parts": [
                {"kind": "text", "text": f"I look at file {number}."},
                {"kind": "tool_call", "name": "bash", "arguments": {"command": f"cat file_{number}.py"}},
                {"kind": "observation", "name": "bash", "text": OUTPUT if number == 2 else "x = 1", "is_context": True},
            ],
        }
        for number in range(1, length + 1)
    ]
    turns[0]["parts"].append(shown)
    steps = [f"Coder: I look at file {number}." for number in range(1, length + 1)]
    return Solution.objects.create(
        problem=problem, steps=steps, turns=turns, verdict="wrong", text_hash=f"{name} trace"
    )


def _solution_of(text: str, name: str) -> Solution:
    """Makes a solution that says `text` everywhere."""
    problem = Problem.objects.create(statement=text, reference_answer=text, text_hash=name)
    return Solution.objects.create(
        problem=problem, steps=[text, text], answer=text, verdict="wrong", in_pool=False, text_hash=name
    )
