"""An import chooses the grader that compares answers with reference answers; later gradings keep to it."""

import json

import pytest
from django.core.management import call_command

from labeling.jobs import lifecycle
from labeling.models import Solution
from labeling.review.corrections import regraded
from labeling.rules.words import Grader
from prm_training.models import Import
from prm_training.pool import importing

pytestmark = pytest.mark.django_db


def record(**fields):
    return json.dumps(
        {"problem": "Which?", "reference_answer": "B. Aspirin", "generator": "g", "steps": ["I think."]} | fields
    )


@pytest.fixture
def imported(upload):
    def make(*lines, **options):
        answer = upload("\n".join(lines).encode(), **options)
        assert answer.status_code == 201, answer.content
        lifecycle.carry_out(answer.json()["id"], importing.import_file, worker="w")
        return Import.objects.get(pk=answer.json()["id"])

    return make


ANSWERS = ["b. aspirin", "(B)", "C"]


@pytest.mark.parametrize(
    ("graded_by", "verdicts"),
    [
        ("exact", ["right", "wrong", "wrong"]),
        ("choice", ["right", "right", "wrong"]),
        ("none", ["unsure", "unsure", "unsure"]),
    ],
)
def test_answers_are_compared_as_the_import_says(imported, graded_by, verdicts):
    lines = [record(answer=answer, steps=[f"{answer}?"]) for answer in ANSWERS]
    assert imported(*lines, graded_by=graded_by).graded_by == graded_by
    found = {row.answer: row for row in Solution.objects.all()}
    assert [found[answer].verdict for answer in ANSWERS] == verdicts
    assert {row.grader_version for row in found.values()} == {Grader(graded_by).version}


@pytest.mark.parametrize(
    ("options", "grader"),
    [
        ([], Grader.MATHEMATICS),
        (["--profile", "medicine"], Grader.CHOICE),
        (["--profile", "medicine", "--graded-by", "exact"], Grader.EXACT),
    ],
)
def test_a_profile_chooses_the_grader_on_the_command_line(tmp_path, options, grader):
    (path := tmp_path / "file.jsonl").write_text(record(answer="(B)"))
    call_command("import", str(path), *options)
    assert Solution.objects.get().grader_version == grader.version


def test_a_records_own_verdict_comes_first(imported):
    imported(record(answer="C", correct=True), graded_by="choice")
    assert [*Solution.objects.values_list("verdict", "grader_version")] == [("right", "given")]


def test_a_corrected_reference_answer_is_compared_in_the_same_way(imported):
    imported(record(answer="(C)"), graded_by="choice")
    solution = Solution.objects.get()
    grades = regraded(solution.problem, {"reference_answer": "C. Heparin"})
    assert grades == {solution.pk: ("right", Grader.CHOICE.version)}


def test_an_unknown_grader_is_refused(upload):
    answer = upload(record(answer="C").encode(), graded_by="vibes")
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, ["graded_by"])
