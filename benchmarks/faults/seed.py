"""Rows that a deployment starts with: people and a pool. `make` runs inside `manage.py shell`."""

STAFF = "staff"


def script(solutions: int, people: int) -> str:
    return f"from benchmarks.faults import seed; seed.make({solutions}, {people})"


def name(number: int) -> str:
    return f"annotator-{number}"


def make(solutions: int, people: int) -> None:
    from labeling.models import Problem, Sample, Solution, User, Verdict  # noqa: PLC0415  there, Django is set up
    from labeling.people.accounts import add_person  # noqa: PLC0415  there, Django is set up
    from tests.product.words import PASSWORD  # noqa: PLC0415

    User.objects.create_superuser(STAFF, password=PASSWORD)
    for number in range(people):
        add_person(username=name(number), password=PASSWORD)
    problems = [
        Problem(statement=f"What is {number} + {number}?", reference_answer=str(2 * number), text_hash=f"p{number}")
        for number in range(solutions)
    ]
    Problem.objects.bulk_create(problems)
    attempts = [
        Solution(
            problem=problem,
            steps=["We add.", f"The sum is {problem.reference_answer}.", f"A: {problem.reference_answer}"],
            answer=problem.reference_answer,
            verdict=Verdict.RIGHT,
            source="sums",
            text_hash=f"s{number}",
        )
        for number, problem in enumerate(problems)
    ]
    Solution.objects.bulk_create(attempts)
    Sample.objects.bulk_create(Sample(solution=each, source="sums", draw=0) for each in attempts)
