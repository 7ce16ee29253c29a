"""labeling.data.formats.labels: each format reads what it wrote, and all agree on a labelling's labels."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.data.formats.labels import READERS, WRITERS, ParsedLabelling
from labeling.data.formats.labels.losses import OF_TRACES, Loss, losses
from labeling.rules.labelled import Labelled, LabelledCompletion

FORMATS = sorted((WRITERS.keys() & READERS.keys()) - OF_TRACES)
OF_ALL = {"prm800k", "parquet"}  # these formats hold everything
NAMES_OF_ROWS = {"id", "problem_id", "phase", "problem_source", "task"}
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
BITS = [
    "a",
    "+",
    "-",
    " ",
    "\n",
    "\r\n",
    "ки",
    "к",
    "и",
    "␤",
    "\u2060",
    "\u2028",
    "Step 1:",
    "step 2: ",
    "é",
    "𝑥",
    "$",
    "\\n",
]

texts = st.lists(st.sampled_from(BITS), min_size=1, max_size=5).map("".join)
names = texts.filter(str.strip)
ratings = st.sampled_from([1, 1, 0, -1, None])


def completion(step: int, number: int, text: str, rating: int | None, *, chosen: bool, human: bool = False) -> Any:
    return LabelledCompletion(step, number, text, rating, rating is None and not human, chosen, human)


@st.composite
def judged_solutions(draw: st.DrawFn) -> dict[str, Any]:
    """Draws a labelling of a whole solution, up to the first mistake, perhaps with alternatives to it; or given up."""
    steps = draw(st.lists(texts, min_size=1, max_size=4))
    given_ratings = draw(st.lists(ratings, min_size=1, max_size=len(steps)))
    if -1 in given_ratings:
        given_ratings = given_ratings[: given_ratings.index(-1) + 1]
    is_native = draw(st.booleans())  # PRM800K chooses nothing at a mistake
    found = [
        completion(step, 0, steps[step], rating, chosen=is_native or rating != -1)
        for step, rating in enumerate(given_ratings)
    ]
    if given_ratings[-1] == -1:
        others = draw(st.lists(st.tuples(names, ratings), max_size=2))
        found += [
            completion(len(given_ratings) - 1, number, text, rating, chosen=False)
            for number, (text, rating) in enumerate(others, start=1)
        ]
    is_whole = given_ratings[-1] != -1 and len(given_ratings) == len(steps)
    reason = "found_error" if -1 in given_ratings else draw(st.sampled_from(["solution", "give_up", None]))
    return {
        "phase_kind": "solutions",
        "solution_steps": steps,
        "completions": found,
        "finish_reason": reason if is_whole or reason != "solution" else "give_up",
    }


@st.composite
def trajectories(draw: st.DrawFn) -> dict[str, Any]:
    """Draws a trajectory: at each step, one alternative or the annotator's own is chosen; at the last, perhaps none."""
    found = list[LabelledCompletion]()
    count = draw(st.integers(1, 3))
    for step in range(count):
        group = draw(st.lists(st.tuples(texts, ratings), min_size=1, max_size=3))
        right = [number for number, (_, rating) in enumerate(group) if rating == 1]
        chosen = right[0] if right else None
        is_human = chosen is None and (step < count - 1 or draw(st.booleans()))
        found += [
            completion(step, number, text, rating, chosen=number == chosen)
            for number, (text, rating) in enumerate(group)
        ]
        if is_human:
            found.append(completion(step, len(group), draw(names), None, chosen=True, human=True))
    path = [item.text for item in found if item.is_chosen] or [found[0].text]
    reason = draw(st.sampled_from(["solution", "give_up", None]))
    return {"phase_kind": "alternatives", "solution_steps": path, "completions": found, "finish_reason": reason}


@st.composite
def labellings(draw: st.DrawFn) -> Labelled:
    said = draw(st.one_of(judged_solutions(), trajectories()))
    known = draw(st.booleans())
    return labelled(
        problem=draw(names),
        annotator_id="ann" if known else "",
        submitted_at=NOW if known else None,
        active_ms=5 if known else None,
        round_number=draw(st.sampled_from([-1, 0, 7])),
        guidelines_version=draw(st.sampled_from([None, 1, 3])),
        is_gold=draw(st.booleans()),
        **said,
    )


def labelled(**said: Any) -> Labelled:
    blank = dict.fromkeys(set(Labelled.__slots__), "")
    plain = {"active_ms": None, "submitted_at": None, "source_record": None, "is_gold": False, "round_number": 0}
    plain |= {"guidelines_version": None, "id": "1", "split": "train", "verdict": "wrong", "behind": ()}
    return Labelled(**{**blank, **plain, **said})


def stored(parsed: ParsedLabelling) -> Labelled:
    """Returns the labelling as an import would store it."""
    solution, problem = parsed.solution, parsed.solution.problem
    return labelled(
        annotator_id=parsed.labeler,
        finish_reason=parsed.finish_reason or None,
        active_ms=parsed.active_ms,
        submitted_at=parsed.labelled_at,
        source_record=parsed.source_record,
        is_gold=parsed.is_gold,
        round_number=parsed.round_number,
        guidelines_version=parsed.guidelines_version,
        phase_kind="alternatives" if parsed.is_trajectory else "solutions",
        generator=solution.generator,
        verdict={True: "right", False: "wrong", None: ""}[solution.is_correct],
        solution_steps=list(solution.steps),
        answer=solution.answer,
        problem=problem.statement,
        reference_answer=problem.reference_answer,
        reference_solution=problem.reference_solution,
        split=problem.split,
        completions=parsed.completions,
        external_id=solution.external_id,
        turns=solution.turns or (),
        conversation=problem.conversation or (),
    )


def written(file_format: str, given_labelling: Labelled) -> list[dict[str, Any]]:
    """Returns the records written, without ids of rows, which change in an import."""
    records = [json.loads(json.dumps(record, default=str)) for record in WRITERS[file_format](given_labelling)]
    return [{key: value for key, value in record.items() if key not in NAMES_OF_ROWS} for record in records]


def read(file_format: str, given_labelling: Labelled) -> list[Labelled]:
    reader = READERS[file_format.removesuffix("_alternatives")]
    return [stored(reader(record)) for record in written(file_format, given_labelling)]


def labels(given_labelling: Labelled) -> tuple[str, list[tuple[str, bool]]]:
    """Returns what every format can hold: the problem, and the path with whether each step is right."""
    return given_labelling.problem, [(item.text, item.rating != -1) for item in given_labelling.path]


@settings(max_examples=200, deadline=None)
@given(labellings())
def test_writing_reading_and_writing_changes_nothing(given_labelling):
    for file_format in (*FORMATS, "trl_alternatives"):
        base, given_records = file_format.removesuffix("_alternatives"), written(file_format, given_labelling)
        assert [one for each in read(file_format, given_labelling) for one in written(base, each)] == given_records


@settings(max_examples=200, deadline=None)
@given(labellings())
def test_all_formats_say_the_same_of_a_labelling(given_labelling):
    for file_format in FORMATS:
        found = [labels(each) for each in read(file_format, given_labelling)]
        assert found in ([], [labels(given_labelling)]), file_format
        is_held = bool(given_labelling.path) if file_format != "processbench" else given_labelling.is_judged
        assert bool(found) == (is_held or file_format in OF_ALL), file_format


@settings(max_examples=200, deadline=None)
@given(labellings())
def test_every_label_is_in_a_record_or_counted_as_lost(given_labelling):
    total = sum(item.rating is not None for item in given_labelling.completions)
    for file_format in (*FORMATS, "trl_alternatives"):
        found, records = losses(given_labelling, file_format), read(file_format, given_labelling)
        if file_format == "trl_alternatives":  # the last step of each record; the last record is the path
            path = sum(item.rating is not None for item in given_labelling.path)
            held = len(records) - bool(given_labelling.path) + path
        elif file_format in OF_ALL:
            held = total
        else:
            held = sum(item.rating is not None for item in given_labelling.path) if records else 0
        lost = found[Loss.LABELS] + found[Loss.ALTERNATIVES] + found[Loss.AFTER_PATH]
        assert held + lost == total, file_format
        assert bool(records) != bool(found[Loss.LABELLINGS] + found[Loss.UNJUDGED]), file_format


@settings(max_examples=100, deadline=None)
@given(labellings())
def test_labels_are_the_same_after_any_two_formats(given_labelling):
    for first, second in permutations(FORMATS, 2):
        direct = [labels(each) for each in read(second, given_labelling)]
        through = [labels(last) for each in read(first, given_labelling) for last in read(second, each)]
        is_whole = first in OF_ALL or given_labelling.is_judged
        assert through == direct or not is_whole, (first, second)
        if {first, second} == OF_ALL:
            (last,) = [last for each in read(first, given_labelling) for last in read(second, each)]
            assert [item._replace(is_chosen=False) for item in last.completions] == [
                item._replace(is_chosen=False) for item in given_labelling.completions
            ]
