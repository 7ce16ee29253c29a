"""GSM8K's example model solutions: one problem a line, with one solution for each generator and its verdict.

The last line of a solution is ``A: 18``; ``<<16-3=13>>`` are calculator notes, which are taken out.
"""

from __future__ import annotations

from labeling.answers import extract_answer
from labeling.formats import fields
from labeling.formats.fields import FormatError, Record
from labeling.formats.solutions import MAX_NAME, ParsedProblem, ParsedSolution
from labeling.steps import split_steps, strip_calculator_notes

PROBLEM_KEYS = ("question", "ground_truth")


def parse(record: Record) -> list[ParsedSolution]:
    """The solutions of one record, one per generator. Raises FormatError, which names the field."""
    reference = strip_calculator_notes(fields.text(record, "ground_truth"))
    problem = ParsedProblem(
        statement=fields.text(record, "question").strip(),
        reference_answer=extract_answer(reference),
        reference_solution=reference,
        subject="Arithmetic",
        split="train",  # GSM8K holds these problems out from its own training, not from ours
    )
    generators = [key for key in record if key not in PROBLEM_KEYS]
    if not generators:
        raise FormatError("there is no solution beside “question” and “ground_truth”")
    return [_solution(problem, record, generator) for generator in generators]


def _solution(problem: ParsedProblem, record: Record, generator: str) -> ParsedSolution:
    if len(generator) > MAX_NAME:
        raise FormatError(f"the generator's name has {len(generator)} characters; at most {MAX_NAME} are allowed")
    given = fields.mapping(record, generator)
    is_correct = fields.optional_bool(given, "is_correct")
    if is_correct is None:
        raise FormatError(f"“{generator}”: “is_correct” is missing")
    steps = split_steps(fields.optional_text(given, "solution"))
    if not steps:
        raise FormatError(f"“{generator}”: “solution” has no steps")
    answer = extract_answer(steps[-1])
    return ParsedSolution(problem, tuple(steps), answer, generator, is_correct)
