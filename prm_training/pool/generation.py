"""Fills the pool: a generator writes solutions of the problems, some problems at a time."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import chain

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from labeling.completions import generator
from labeling.data.formats.cutter import Cutter
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.importing import pool, samples
from labeling.data.importing.markup_guess import guess
from labeling.data.importing.samples import Keyed
from labeling.jobs.lifecycle import ReportProgress
from labeling.models import Problem, Sample
from labeling.rules.texts.answers import extract_answer
from labeling.rules.texts.cutting import VERSION, Cutting
from prm_training.models import Generation

TRIES = 3
LOOK_EVERY_SECONDS = 0.5
Author = Callable[[Generation, str], list[str]]


def generate(run: Generation, report: ReportProgress, author: Author, waiting: ReportProgress | None = None) -> None:
    """Writes the solutions that are still missing. A batch of problems is stored together with `written_until`, or not
    at all.

    While the author writes, `waiting` is called instead of `report`. Raises GeneratorFailed when the generator fails
    TRIES times in a row on one problem.
    """
    problems, tally = problems_of(run), Counter[str](run.summary)
    total = min(problems.count(), run.most_problems or problems.count())
    tell, look = (partial(each, stage="writing", total=total) for each in (report, waiting or report))
    while batch := _batch(run, problems, total - tally["problems"]):
        written = _written(run, batch, author, partial(look, done=tally["problems"]))
        _settle_markup(run, written)
        draws = list(_draws(run, batch, written, tally))
        graded = pool.grade(draws)
        tally["problems"] += len(batch)
        tally["new"] += len(graded.new)
        tally["known"] += len(draws) - len(graded.new)
        tally.update(verdict for _, (verdict, _) in graded.new.values())
        run.written_until = batch[-1].pk
        with transaction.atomic():
            pool.store_drawn(draws, graded, source=run.name, origin=run.pk)
            columns = {"written_until": run.written_until, "markup": run.markup, "split_version": VERSION}
            tell(done=tally["problems"], summary=dict(+tally), is_markup_guessed=run.is_markup_guessed, **columns)
    report(stage="done", done=total, total=total)


def over_http(run: Generation, prompt: str) -> list[str]:
    """Returns whole solutions from the run's endpoint. Raises GeneratorFailed."""
    sampling = {"temperature": run.temperature, "max_tokens": run.max_tokens}
    return generator.ask_whole(
        url=run.generator_url,
        model=run.generator_model,
        prompt=prompt,
        wanted=run.samples,
        sampling=sampling | ({"stop": run.stop} if run.stop else {}),
    )


def problems_of(run: Generation) -> QuerySet[Problem]:
    """The problems to solve. Those of a source are the problems imported under its name, and those of its solutions."""
    problems = Problem.objects.filter(replaced_by=None, **({"split": run.split} if run.split else {}))
    if run.problem_source:
        solved = Exists(Sample.objects.filter(source=run.problem_source, solution__problem=OuterRef("pk")))
        problems = problems.filter(Q(source=run.problem_source) | solved)
    return problems.order_by("pk")


def _batch(run: Generation, problems: QuerySet[Problem], left: int) -> list[Problem]:
    rest = problems.filter(pk__gt=run.written_until) if run.written_until else problems
    at_once = settings.GENERATION_CALLS_AT_ONCE if run.generator_url else 1
    return list(rest[: max(0, min(left, at_once))])


def _written(run: Generation, batch: Sequence[Problem], author: Author, tell: Callable[[], None]) -> list[list[str]]:
    """Returns the texts for each problem. An exception from `tell` ends the wait at once."""
    threads = ThreadPoolExecutor(len(batch))
    try:
        calls = [threads.submit(_patiently, author, run, problem) for problem in batch]
        tell()
        while wait(calls, timeout=LOOK_EVERY_SECONDS).not_done:
            tell()
        return [call.result() for call in calls]
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def _patiently(author: Author, run: Generation, problem: Problem) -> list[str]:
    prompt = generator.prompt_for(problem=problem.statement, path=[], purpose="step")
    for tried in range(1, TRIES + 1):
        try:
            return author(run, prompt)
        except generator.GeneratorFailed:
            if tried == TRIES:
                raise
    return []


def _settle_markup(run: Generation, written: Sequence[list[str]]) -> None:
    if not run.markup and any(written):
        run.markup, run.is_markup_guessed = guess(chain.from_iterable(written)), True


def _draws(
    run: Generation, batch: Sequence[Problem], written: Sequence[list[str]], tally: Counter[str]
) -> Iterator[Keyed]:
    """Yields the generator's texts as records; texts without steps are left out. `tally` counts both."""
    cutter = Cutter(Notes(), Cutting(run.split_by, run.mark))
    for problem, texts in zip(batch, written, strict=True):
        known = ParsedProblem(problem.statement, problem.reference_answer)
        for text in texts:
            tally["written"] += 1
            steps = tuple(cutter(_cut(text, run.stop)))
            if not 0 < len(steps) <= settings.MAX_STEPS:
                tally["unusable"] += 1
                continue
            answer = extract_answer("\n\n".join(steps))
            item = ParsedSolution(known, steps, answer, run.generator_model[-100:], markup=run.markup)
            # Another generation with the same name draws anew.
            number = samples.of_id(f"{run.pk}/{tally['written']}")
            yield Keyed((problem.text_hash, pool.steps_hash(steps)), item, number)


def _cut(text: str, stop: Sequence[str]) -> str:
    """The text up to the first stop text, for generators without stop texts."""
    ends = [found for word in stop if (found := text.find(word)) >= 0]
    return generator.storable(text[: min(ends, default=len(text))])
