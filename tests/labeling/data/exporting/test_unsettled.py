"""Steps that people disagree about are exported as right in no format."""

import json

import pytest
from django.utils import timezone

from labeling.data import exporting
from labeling.data.exporting import LabelFilter, standing
from labeling.data.exporting.choosing import METHODS
from labeling.data.formats.labels import READERS

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


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("opinions", "finish_reason"), DIVIDED)
def test_no_format_hands_out_as_right_what_is_not_settled(make, phase, tmp_path, method, opinions, finish_reason):
    """Read back, no step after the first error, or an undecided one, is right."""
    task = make.task(phase, overlap=4, solution=make.solution(steps=[f"step {step}" for step in range(5)]))
    for ratings in opinions:
        make.labelling(task, *ratings, annotator=make.user())
    label_filter = LabelFilter(consensus=method)
    (row,) = standing.stream(label_filter)
    assert row.finish_reason == finish_reason
    ratings = [item.rating for item in row.completions]
    settled = [rating for rating in ratings if rating is not None]
    assert ratings[: len(settled)] == settled
    for file_format in sorted(exporting.FORMATS):
        output = tmp_path / file_format
        exporting.export_labels(label_filter, file_format=file_format, output=output, now=timezone.now())
        for read in read_again(output, file_format):
            assert [item.rating is not None and item.rating >= 0 for item in read.path] == [
                rating >= 0 for rating in settled
            ], file_format
            assert read.finish_reason != "solution" or finish_reason == "solution", file_format


def read_again(path, file_format):
    reader = READERS[file_format.removesuffix("_alternatives")]
    if file_format == "parquet":
        return [reader(record) for record in pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()]
    return [reader(json.loads(line)) for line in path.read_text().splitlines()]
