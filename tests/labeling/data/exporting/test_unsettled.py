"""Steps that people disagree about are exported as right in no format."""

import json

import pytest
from django.utils import timezone

from labeling.data import exporting
from labeling.data.exporting import LabelFilter, standing
from labeling.data.exporting.choosing import METHODS
from labeling.data.formats.labels import READERS
from labeling.data.formats.labels.losses import OF_TRACES

DIVIDED = [
    ([[1, -1], [1, 1, -1], [1, 1, 1, -1], [1, 1, 1, 1, 1]], "found_error"),
    ([[1, 1, -1], [1, 1, 1, 1, 1]], None),
    ([[-1], [1, 1, 1, 1, 1]], None),
    ([[1, None, 1, 1, 1], [1, None, 1, 1, 1]], None),
    ([[None] * 5, [None] * 5], None),
    ([[1, 1, 1, 1, -1], [1, 1, 1, 1, 1]], None),
    ([[1, 1, 1, 1, None], [1, 1, 1, 1, None]], None),
    ([[1, 1, 0, 1, 1], [1, 1, 1, 1, 1]], "solution"),
]


@pytest.fixture
def finish_reasons(make):
    """Labels each case of DIVIDED in its own phase, by its own people. Returns the consensus's finish reasons by
    problem.
    """
    expected = {}
    for number, (opinions, finish_reason) in enumerate(DIVIDED):
        problem = make.problem(statement=f"Case {number}?")
        task = make.task(
            make.phase(), overlap=4, solution=make.solution(problem, steps=[f"step {n}" for n in range(5)])
        )
        for ratings in opinions:
            make.labelling(task, *ratings, annotator=make.user())
        expected[problem.statement] = finish_reason
    return expected


@pytest.mark.any_database
@pytest.mark.parametrize("method", METHODS)
def test_no_format_exports_unsettled_steps_as_right(finish_reasons, tmp_path, method):
    """Read back, no step is right from the first error or undecided step on."""
    label_filter = LabelFilter(consensus=method)
    settled = {}
    for row in standing.stream(label_filter):
        assert row.problem not in settled
        assert row.finish_reason == finish_reasons[row.problem]
        ratings = [item.rating for item in row.completions]
        settled[row.problem] = [rating for rating in ratings if rating is not None]
        assert ratings[: len(settled[row.problem])] == settled[row.problem]
    assert settled.keys() == finish_reasons.keys()
    for file_format in sorted(exporting.FORMATS.keys() - OF_TRACES - {"turn_rewards"}):
        output = tmp_path / file_format
        exporting.export_labels(label_filter, file_format=file_format, output=output, now=timezone.now())
        for read in read_again(output, file_format):
            problem = read.solution.problem.statement
            assert [item.rating is not None and item.rating >= 0 for item in read.path] == [
                rating >= 0 for rating in settled[problem]
            ], (file_format, problem)
            assert read.finish_reason != "solution" or finish_reasons[problem] == "solution", (file_format, problem)


@pytest.mark.any_database
@pytest.mark.parametrize("method", METHODS)
def test_an_unsettled_turn_has_no_reward(finish_reasons, tmp_path, method):
    label_filter = LabelFilter(consensus=method)
    exporting.export_labels(label_filter, file_format="turn_rewards", output=tmp_path / "out", now=timezone.now())
    written = {record["id"]: record for record in map(json.loads, (tmp_path / "out").read_text().splitlines())}
    for row in standing.stream(label_filter):
        ratings = [item.rating for item in row.completions]
        left = [None] * (len(row.solution_steps) - len(ratings))
        if any(rating is not None for rating in ratings):
            assert written[row.id]["turn_rewards"] == [*ratings, *left]


def read_again(path, file_format):
    reader = READERS[file_format.removesuffix("_alternatives")]
    if file_format == "parquet":
        return [reader(record) for record in pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()]
    return [reader(json.loads(line)) for line in path.read_text().splitlines()]
