"""Makes rows for tests."""

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count, product
from typing import Any

from django.db.models import Max

from labeling import audit
from labeling.campaign import rounds
from labeling.counts import recounts, tallies
from labeling.data.images import Keeper
from labeling.models import (
    Assignment,
    Gold,
    Labelling,
    Membership,
    Phase,
    PhaseRole,
    Problem,
    RatedCompletion,
    Role,
    Round,
    Sample,
    Solution,
    Task,
    User,
    Withdrawal,
)
from labeling.rules.audited import AuditAct
from tests.making_runs import MakeRuns

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
STEPS = ["First we add 2 and 3.", "That gives 5.", "The answer is 5."]


class Make(MakeRuns):
    """Makes rows for tests; columns that are not given have plain defaults."""

    def __init__(self, first: int = 1) -> None:
        """`first`: where the numbers in names start, so that they differ from existing rows'."""
        self.numbers = count(first)

    def user(self, **columns: Any) -> User:
        person = User.objects.create(**{"username": f"person {next(self.numbers)}"} | columns)
        if person.role == Role.ML_STAFF:
            self._let_run([person], Phase.objects.all())
        return person

    def problem(self, **columns: Any) -> Problem:
        problem = self._problem(**columns)
        problem.save(force_insert=True)
        return problem

    def _problem(self, **columns: Any) -> Problem:
        number = next(self.numbers)
        plain = {"statement": f"What is {number} + 3?", "reference_answer": "5", "text_hash": f"problem {number}"}
        return Problem(**plain | columns)

    def solution(self, problem: Problem | None = None, **columns: Any) -> Solution:
        return self.solutions(1, problem=problem, **columns)[0]

    def sample(self, solution: Solution, **columns: Any) -> Sample:
        return Sample.objects.create(**{"solution": solution, "draw": next(self.numbers)} | columns)

    def solutions(self, number: int, problem: Problem | None = None, **columns: Any) -> list[Solution]:
        """Makes solutions of this problem, or each of its own problem, in at most three statements."""
        made = [self._solution(problem or self._problem(), **columns) for _ in range(number)]
        if problem is None:
            Problem.objects.bulk_create(solution.problem for solution, _ in made)
        Solution.objects.bulk_create(solution for solution, _ in made)
        Sample.objects.bulk_create(sample for _, sample in made if sample)
        return [solution for solution, _ in made]

    def _solution(self, problem: Problem, **columns: Any) -> tuple[Solution, Sample | None]:
        plain = {"steps": STEPS, "answer": "5", "verdict": "wrong", "grader_version": "given", "source": "world"}
        plain |= {"problem": problem, "text_hash": f"solution {next(self.numbers)}"}
        solution = Solution(**plain | columns)
        origin = {name: getattr(solution, name) for name in ("source", "generator", "origin")}
        sample = Sample(solution=solution, draw=next(self.numbers), **origin) if solution.in_pool else None
        return solution, sample

    def gold(self, *ratings: int, solution: Solution | None = None, **columns: Any) -> Gold:
        return Gold.objects.create(solution=solution or self.solution(), ratings=list(ratings), **columns)

    def phase(self, *members: User, **columns: Any) -> Phase:
        phase = Phase.objects.create(**{"name": f"phase {next(self.numbers)}", "shared_rate": 0} | columns)
        Membership.objects.bulk_create(Membership(phase=phase, user=member) for member in members)
        self._let_run(User.objects.filter(role=Role.ML_STAFF), [phase])
        return phase

    def _let_run(self, people: Iterable[User], phases: Iterable[Phase]) -> None:
        pairs = product(people, phases)
        rows = [Membership(phase=phase, user=person, role=PhaseRole.ML_STAFF) for person, phase in pairs]
        Membership.objects.bulk_create(rows, ignore_conflicts=True)

    def round(self, phase: Phase, solutions: list[Solution] | int = 3, overlap: int = 1) -> Round:
        """Opens a round as `rounds.publish` does, but served in the given order, after its gold."""
        chosen = self.solutions(solutions) if isinstance(solutions, int) else solutions
        phase = Phase.objects.get(pk=phase.pk)
        is_plain = not (phase.gold_set or phase.shared_rate or phase.sources or phase.generators)
        if is_plain and not Withdrawal.objects.exists():
            return self._round(phase, chosen, overlap)
        round_ = rounds.publish(phase=phase, solution_ids=[each.pk for each in chosen], overlap=overlap, now=NOW)
        seats = list(round_.assignments.select_related("task"))
        for number, seat in enumerate(seats, start=1):
            seat.position = -number if seat.task.is_gold else seat.seat * len(chosen) + seat.task.rank - 1
        Assignment.objects.bulk_update(seats, ["position"])
        return round_

    def _round(self, phase: Phase, solutions: list[Solution], overlap: int) -> Round:
        """Makes the rows of a published round in few statements; a test compares the two."""
        size, last = len(solutions), phase.rounds.aggregate(last=Max("number"))["last"]
        number = 0 if last is None else max(last + 1, 0)
        counts = {"task_count": size, "seat_count": size * overlap}
        round_ = Round.objects.create(phase=phase, number=number, opened_at=NOW, **counts)
        tasks = [
            Task(round=round_, solution_id=solution.pk, overlap=overlap, rank=rank)
            for rank, solution in enumerate(solutions, start=1)
        ]
        Task.objects.bulk_create(tasks)
        Assignment.objects.bulk_create(
            Assignment(task=task, round=round_, seat=seat, position=seat * size + place)
            for seat in range(overlap)
            for place, task in enumerate(tasks)
        )
        after = {"tasks": size, "overlap": overlap, "gold": 0}
        audit.record(by=None, act=AuditAct.PUBLISH, on=round_, after=after)
        return round_

    def screening(self, phase: Phase, solutions: int = 1) -> Round:
        """Opens a screening of the phase on gold with all steps Great."""
        chosen = self.solutions(solutions)
        Gold.objects.bulk_create(
            Gold(solution=solution, ratings=[1, 1, 1], rationale="It adds up.") for solution in chosen
        )
        return rounds.publish_screening(phase=phase, solution_ids=[solution.pk for solution in chosen], now=NOW)

    def labelling(self, task: Task, *ratings: int | None, **columns: Any) -> Labelling:
        """Stores a labelling of kind `solutions` directly, without a submission."""
        reason = "found_error" if -1 in ratings else "solution"
        given = {"guidelines_version": 1} if columns.get("assignment") else {}
        plain = {"task": task, "finish_reason": reason, "submitted_at": NOW} | given
        labelling = Labelling.objects.create(**plain | columns)
        RatedCompletion.objects.bulk_create(
            RatedCompletion(labelling=labelling, step=step, completion=0, text=f"step {step}", rating=rating)
            for step, rating in enumerate(ratings)
        )
        if columns.get("annotator") and not columns.keys() & {"submitted_at", "superseded_at"}:
            tallies.submitted(labelling=labelling, round_id=task.round_id)
        else:  # not the newest, not counted, or imported
            recounts.mend_tally((task.round_id, labelling.annotator_id))
        return labelling

    def task(self, phase: Phase | None = None, number: int = 0, **columns: Any) -> Task:
        phase = phase or self.phase()
        plain = {"opened_at": NOW, "status": "closed"}
        round_, _ = Round.objects.get_or_create(phase=phase, number=number, defaults=plain)
        tallies.count_published(round_.pk, tasks=int(not columns.get("is_gold")))
        return Task.objects.create(round=round_, solution=columns.pop("solution", None) or self.solution(), **columns)


def kept_image(content: bytes) -> str:
    """Stores an image without an import. Returns its SHA-256."""
    keeper, digest = Keeper(), sha256(content).hexdigest()
    keeper.keep(digest, content)
    keeper.register(None)
    return digest
