"""Gold: experts' labels on solutions. A correction is a new version, never an overwrite."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from labeling import audit
from labeling.campaign import consensus, screening
from labeling.campaign.screening import NamedMistake
from labeling.errors import DomainError
from labeling.models import Assignment, Gold, Labelling, Phase, PhaseRole, Solution, Task, User
from labeling.rules.audited import AuditAct


class InvalidGold(DomainError, code="invalid_gold"):
    """The ratings are not those of one path through the solution."""


class Disputed(DomainError, code="disputed", status=409):
    """People disagree on the task: a ruling decides, and may become gold."""


class NotYourSet(DomainError, code="not_your_gold_set", status=403):
    """An expert may not change gold that other phases use."""


@dataclass(frozen=True)
class Expertise:
    """An expert's ratings. `gold_set`: the set that they are in; empty takes the solution out of service.
    `rates_all_steps`: the first negative may not be the last rating, as in a phase that rates all steps. `mistakes`:
    statements on some steps; for other steps still rated negative, the last version's are kept.
    """

    ratings: Sequence[int | None]
    rationale: str = ""
    gold_set: str = "gold"
    rates_all_steps: bool = False
    mistakes: Sequence[NamedMistake] = ()


@dataclass(frozen=True)
class Reach:
    """A gold set's reach: how many of its solutions in service a phase draws, and how many of those are new to it."""

    gold_set: str
    solutions: int
    drawn: int
    fresh: int


def drawn(*, phase: Phase, gold_set: str) -> Any:
    """Gold in service of the set, on solutions that the phase draws from."""
    served = Gold.objects.in_service().filter(gold_set=gold_set)
    if phase.sources or phase.generators:
        served = served.filter(solution__in=Solution.objects.drawn_by(phase))
    return served


def fresh(*, phase: Phase, gold_set: str) -> Any:
    """The gold that a new round may hide: solutions in `drawn` that nobody has had in the phase, as a task or in the
    screening, and that none of its people knows from elsewhere.
    """
    before = Task.objects.filter(solution=OuterRef("solution"))
    here = {"round__phase": phase, "round__number__gte": screening.SCREENING}
    held = Assignment.objects.filter(task=OuterRef("pk"), annotator__isnull=False)
    had = before.filter(Exists(held) | Q(is_gold=False), **here)
    of_members = {"annotator__in": phase.memberships.labelling().values("user")}
    given = Assignment.objects.filter(task=OuterRef("pk"), **of_members)
    labelled = Labelling.objects.filter(task=OuterRef("pk"), **of_members)
    known = before.filter(Exists(given) | Exists(labelled))
    authors = phase.memberships.filter(role=PhaseRole.ANNOTATOR).values("user")
    new = drawn(phase=phase, gold_set=gold_set).filter(~Exists(had), ~Exists(known))
    return new.filter(Q(author=None) | ~Q(author__in=authors))


def reaches(phase: Phase) -> list[Reach]:
    """The reach of every gold set in service."""
    sizes = Gold.objects.in_service().values_list("gold_set").annotate(Count("pk")).order_by("gold_set")
    return [_reach(phase, gold_set, number) for gold_set, number in sizes]


def _reach(phase: Phase, gold_set: str, number: int) -> Reach:
    here, new = (act(phase=phase, gold_set=gold_set).count() for act in (drawn, fresh))
    return Reach(gold_set, number, here, new)


def check_ratings(ratings: Sequence[Any], *, step_count: int, rates_all_steps: bool = False) -> None:
    """Raises InvalidGold unless each step has a rating, up to and including the first negative or the end; where all
    steps are rated, later ones may have one, too, if all do.
    """
    if any(rating not in (-1, 0, 1) or isinstance(rating, bool) for rating in ratings):
        raise InvalidGold("A gold rating is -1, 0 or 1; gold can't be unsure.")
    if -1 in ratings[:-1] and not (rates_all_steps and len(ratings) >= step_count):
        raise InvalidGold("Nothing is rated after the first negative.")
    if len(ratings) > step_count or (len(ratings) < step_count and -1 not in ratings):
        raise InvalidGold(f"There are {len(ratings)} ratings for {step_count} steps, and no negative among them.")


def check_mistakes(mistakes: Sequence[NamedMistake], ratings: Sequence[int | None]) -> None:
    """Raises InvalidGold unless each mistake is at a negative step, and its root cause there or earlier."""
    for said in mistakes:
        if ratings[said.step : said.step + 1] != [-1]:
            raise InvalidGold(f"Step {said.step + 1} is not rated negative: nothing is said of a mistake there.")
        if said.root_cause is not None and said.root_cause > said.step:
            raise InvalidGold(f"The root cause of step {said.step + 1} can't be a later one.")


def put(*, solution: Solution, expertise: Expertise, by: User | None) -> Gold:
    """Stores the next version of the solution's gold; if taken out of service, with the last version's ratings.

    Raises InvalidGold, NotYourSet.
    """
    is_whole = expertise.rates_all_steps or (-1 in expertise.ratings[:-1] and _goes_on(solution))
    _check(solution, replace(expertise, rates_all_steps=is_whole), _sets_of_all_steps([expertise]))
    (made,) = _put([(solution, expertise)], by)
    return made


def put_many(*, rows: Sequence[tuple[Solution, Expertise]], by: User) -> list[Gold]:
    """Adds all or none, in the same few queries. Raises NotYourSet, and InvalidGold, naming the row (from 1)."""
    of_all_steps = _sets_of_all_steps([expertise for _, expertise in rows])
    for number, (solution, expertise) in enumerate(rows, start=1):
        try:
            _check(solution, expertise, of_all_steps)
        except InvalidGold as error:
            raise InvalidGold(f"Row {number}: {error}") from None
    return _put(rows, by)


def _sets_of_all_steps(given: Sequence[Expertise]) -> set[str]:
    """Returns the sets that allow ratings after a mistake; empty if nothing given has any. The empty name is among
    them: gold that goes out of service keeps its ratings.
    """
    asked = {each.gold_set for each in given if -1 in each.ratings[:-1]}
    return {""} | sets_of_all_steps(Phase.objects.all()) if asked else set()


def _goes_on(solution: Solution) -> bool:
    """Returns whether the solution's gold has ratings after a mistake: a correction keeps them, whatever its set."""
    last = Gold.objects.newest().filter(solution=solution).first()
    return last is not None and -1 in last.ratings[:-1]


def _check(solution: Solution, expertise: Expertise, of_all_steps: Collection[str]) -> None:
    rates_all_steps = expertise.rates_all_steps or expertise.gold_set in of_all_steps
    check_ratings(expertise.ratings, step_count=len(solution.steps), rates_all_steps=rates_all_steps)


def sets_of_all_steps(phases: QuerySet[Phase]) -> set[str]:
    """Returns the gold sets that are hidden in, or screened by, those of the phases that rate all steps."""
    named = phases.filter(rates_all_steps=True).values_list("gold_set", "rounds__gold_set").distinct()
    return {gold_set for names in named for gold_set in names if gold_set}


@transaction.atomic
def _put(rows: Sequence[tuple[Solution, Expertise]], by: User | None) -> list[Gold]:
    named = Solution.objects.filter(pk__in={solution.pk for solution, _ in rows}).order_by("pk")
    list(named.select_for_update().only("pk"))  # two experts at once take turns, in the same order of rows
    last = {each.solution_id: each for each in Gold.objects.newest().filter(solution__in=named)}
    for gold_set in {expertise.gold_set for _, expertise in rows} | {each.gold_set for each in last.values()}:
        _check_is_theirs(gold_set, by)
    # A solution named twice gets two versions: the second continues the first.
    made = []
    for solution, expertise in rows:
        last[solution.pk] = _next_version(solution, expertise, last.get(solution.pk), by)
        made.append(last[solution.pk])
    Gold.objects.bulk_create(made)
    told = ("ratings", "gold_set", "mistakes")
    changes = ((each, {name: getattr(each, name) for name in told if getattr(each, name) != []}) for each in made)
    audit.record_many(by=by, act=AuditAct.PUT, after=changes)
    return made


def _next_version(solution: Solution, expertise: Expertise, last: Gold | None, by: User | None) -> Gold:
    if not expertise.gold_set and (last is None or last.ratings != list(expertise.ratings)):
        raise InvalidGold("Gold that goes out of service keeps the ratings that experts have given it.")
    return Gold(
        solution=solution,
        ratings=list(expertise.ratings),
        mistakes=_mistakes(expertise, last),
        rationale=expertise.rationale,
        gold_set=expertise.gold_set,
        author=by,
        version=last.version + 1 if last else 1,
    )


def _mistakes(expertise: Expertise, last: Gold | None) -> list[dict[str, Any]]:
    before = [NamedMistake(**said) for said in last.mistakes] if last else []
    said = {each.step: each for each in [*before, *expertise.mistakes]}
    of_wrong_steps = (said[step] for step in sorted(said) if expertise.ratings[step : step + 1] == [-1])
    return [asdict(each) for each in of_wrong_steps if each.says_anything]


def _check_is_theirs(gold_set: str, by: User | None) -> None:
    """Raises NotYourSet if an expert's gold would join or leave a set that other phases use."""
    if by is None or by.is_admin or not gold_set:
        return
    named_elsewhere = Phase.objects.filter(gold_set=gold_set).exclude(pk__in=Phase.objects.judged_by(by))
    golds = Gold.objects.in_service().filter(gold_set=gold_set)
    if named_elsewhere.exists() or golds.exclude(pk__in=golds.visible_to(by).values("pk")).exists():
        raise NotYourSet(f"The gold set “{gold_set}” is used outside your phases. Choose another name for yours.")


def put_labelling(*, labelling: Labelling, rationale: str, gold_set: str, by: User) -> Gold:
    """Makes a labelling gold, so that experts can label like anybody else. Raises Disputed, InvalidGold, NotYourSet."""
    if consensus.disputed(Task.objects.filter(pk=labelling.task_id)).exists():
        raise Disputed("People disagree on this task. Settle it in adjudication: the ruling can become gold.")
    is_whole = labelling.task.round.phase.rates_all_steps
    mistakes = screening.given_mistakes(labelling)
    expertise = Expertise(screening.given_ratings(labelling), rationale, gold_set, is_whole, mistakes)
    return put(solution=labelling.task.solution, expertise=expertise, by=by)
