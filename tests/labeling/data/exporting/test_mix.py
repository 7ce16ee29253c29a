"""Previews count exactly the labels that snapshots and all export formats contain, whatever their kinds."""

import json

import pytest
from django.utils import timezone

from labeling.data import exporting, snapshots
from labeling.data.exporting import LabelFilter, standing
from labeling.data.exporting.choosing import INCLUDABLE
from labeling.models import Labelling, Queue
from labeling.review import adjudication
from labeling.review.adjudication import Ruling
from tests.making import NOW

pytestmark = pytest.mark.django_db
ALL = list(INCLUDABLE)


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(scope="module", autouse=True)
def mix(make_once):
    """Labels of all kinds: rulings, gold, hidden gold, overlap, screening, give-ups, an import, alternatives."""
    make = make_once
    annotator, second_annotator = both = [make.user(username=name) for name in ("ada", "ben")]
    admin, phase = make.user(username="alma", role="admin"), make.phase(*both)

    def shared(number, *opinions, **columns):
        task = make.task(phase, number=number, overlap=2, **columns)
        for person, ratings in zip(both, opinions, strict=True):
            make.labelling(task, *ratings, annotator=person)
        return task

    def rule(task, *ratings, outcome):
        ruling = Ruling(outcome, ratings=ratings)
        adjudication.settle(task=task, queue=Queue.DISAGREEMENT, ruling=ruling, now=timezone.now(), by=admin)

    rule(shared(0, [1, -1], [1, 1, 1]), 1, 0, -1, outcome="ratings")
    solutions = [make.solution(), make.solution(make.problem(split="test")), make.gold(1).solution]
    for number, solution in enumerate(solutions):
        shared(number, [1, -1], [1, 0, 1], solution=solution)
    rule(shared(0, [-1], [1, 1, 1]), 1, 1, 1, outcome="gold")
    make.labelling(make.task(phase, is_gold=True, solution=make.gold(1).solution), 1, annotator=annotator)
    make.labelling(make.task(phase, number=-1), 1, annotator=annotator)
    make.labelling(make.task(phase), 1, finish_reason="give_up", annotator=annotator)
    make.labelling(make.task(phase), finish_reason="bad_problem", annotator=second_annotator)
    make.labelling(make.task(phase), 1, None, finish_reason=None, submitted_at=None)
    make.labelling(make.task(phase), 1, superseded_at=NOW)
    trajectory = make.labelling(make.task(make.phase(kind="alternatives")), annotator=annotator)
    for number, (rating, is_chosen) in enumerate([(-1, False), (1, True)]):
        trajectory.completions.create(step=0, completion=number, text=f"{number}", rating=rating, is_chosen=is_chosen)


CHOICES = [
    {},
    {"include": ALL},
    {"include": ["gold"], "consensus": "majority"},
    {"consensus": "majority"},
    {"consensus": "dawid_skene", "include": ALL},
    {"annotators": ["ada", "alma"], "consensus": "majority"},
    {"without_annotators": ["ada"]},
    {"without_annotators": ["alma"], "include": ["screening", "give_up"]},
    {"split": "train"},
    {"split": "test", "consensus": "majority"},
]


@pytest.mark.every_case
@pytest.mark.parametrize("chosen", CHOICES)
def test_a_preview_is_what_freezing_gives(chosen):
    label_filter = LabelFilter(**chosen)
    found, frozen = snapshots.preview_snapshot(label_filter), snapshots.freeze(label_filter)
    assert found.pop("annotators")
    assert found == frozen.counts
    rows = list(standing.stream(label_filter))
    assert len(rows) == found["labellings"] + found["rulings"] + found["consensuses"] == sum(found["split"].values())
    behind = {pk for row in rows for pk in row.behind or [row.id]}
    assert {str(pk) for pk in frozen.labellings.values_list("pk", flat=True)} == behind


@pytest.mark.every_case
@pytest.mark.parametrize("chosen", [choice for choice in CHOICES if not {"annotators", "split"} & {*choice}])
def test_every_current_labelling_is_accounted_for(chosen):
    """Each stands, is replaced, or is left out for exactly one reason."""
    found = snapshots.preview_snapshot(LabelFilter(**chosen))
    left_out = chosen.get("without_annotators", [])
    everybody = Labelling.objects.current().exclude(annotator__username__in=left_out).count()
    assert found["labellings"] + sum(found["left_out"].values()) == everybody


@pytest.mark.any_database
@pytest.mark.parametrize("chosen", CHOICES)
def test_every_format_hands_out_what_stands(chosen, tmp_path):
    expected = snapshots.preview_snapshot(LabelFilter(**chosen))
    for file_format in sorted(exporting.FORMATS):
        output = tmp_path / file_format
        manifest = exporting.export_labels(
            LabelFilter(**chosen), file_format=file_format, output=output, now=timezone.now()
        )
        counts = {name: value for name, value in expected.items() if name not in {"split", "annotators"}}
        assert {name: manifest["counts"][name] for name in counts} == counts


def test_no_prompt_comes_with_contradicting_labels(tmp_path):
    """If there is a consensus, each task has one label for each prompt."""
    output = tmp_path / "labels.jsonl"
    chosen = LabelFilter(consensus="majority")
    exporting.export_labels(chosen, file_format="trl", output=output, now=timezone.now())
    seen = [json.loads(line) for line in output.read_text().splitlines()]
    prompts = [(row["prompt"], tuple(row["completions"])) for row in seen if row["completions"][0] != "step 0"]
    assert len(set(prompts)) == len(prompts)


def test_a_preview_writes_nothing(django_assert_max_num_queries, tmp_path):
    before = set(tmp_path.rglob("*"))
    with django_assert_max_num_queries(20):
        snapshots.preview_snapshot(LabelFilter())
    assert set(tmp_path.rglob("*")) == before
