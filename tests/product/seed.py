"""Rows for a product under test: a pool of arithmetic, and one person per role. Runs inside `manage.py shell`."""

from labeling.models import Phase, Problem, Role, Solution, User, Verdict
from labeling.people import add_members, add_person
from tests.product.words import ANNOTATORS, PASSWORD, Text, texts


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
        Solution.objects.bulk_create(
            _solution(problem, f"{number}.{index}", text) for index, text in enumerate(attempts)
        )


def _solution(problem: Problem, name: str, text: Text) -> Solution:
    return Solution(
        problem=problem,
        steps=text.steps,
        answer=str(text.answer),
        verdict=Verdict.RIGHT if text.is_right else Verdict.WRONG,
        grader_version="given",
        source="arithmetic",
        text_hash=name,
    )


def make_hostile_phase() -> None:
    """A phase of its own whose only task is written by somebody who means harm."""
    from django.utils import timezone

    from labeling import rounds
    from tests.product.words import HOSTILE

    phase = Phase.objects.create(name="Hostile", instructions=HOSTILE)
    add_members(phase=phase, users=User.objects.filter(username="ben"))
    problem = Problem.objects.create(statement=HOSTILE, reference_answer=HOSTILE, text_hash="hostile")
    solution = Solution.objects.create(
        problem=problem, steps=[HOSTILE, HOSTILE], answer=HOSTILE, verdict="wrong", in_pool=False, text_hash="hostile"
    )
    rounds.publish(phase=phase, solution_ids=[solution.pk], overlap=1, now=timezone.now())
