"""`visible_to(user)`: the rows that each person may see."""

import pytest

from labeling.models import Assignment, Labelling, Phase, Problem, Round, Solution, Task
from prm_training.models import Publication, RewardModel, ScoringRun, Selection, TrainingRun

OWN_PART = [Assignment, Labelling, Phase, Round, Task]
STAFF_ONLY = [Problem, Solution, RewardModel, TrainingRun, ScoringRun, Selection, Publication]
STAFF = ["admin", "ml_staff", "superuser"]


@pytest.fixture
def world(make, labelling, second_annotator):
    """A phase of Ada and Ben with Ada's labelling, another with a third person's, and rows of the loop."""
    make.labelling(make.task(), 1, annotator=make.user())
    reward_model = make.reward_model()
    make.scoring_run(reward_model=reward_model)
    make.publication()


@pytest.mark.every_case
@pytest.mark.parametrize("model", [*OWN_PART, *STAFF_ONLY])
@pytest.mark.parametrize("who", STAFF)
def test_staff_see_everything_but_assignments(world, model, who, request):
    rows = model.objects.visible_to(request.getfixturevalue(who)).count()
    assert rows == (0 if model is Assignment else model.objects.count())


@pytest.mark.parametrize("model", STAFF_ONLY)
@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_see_nothing_of_the_loop(world, model, who, request):
    assert model.objects.exists()
    assert not model.objects.visible_to(request.getfixturevalue(who)).exists()


@pytest.mark.every_case
@pytest.mark.parametrize("model", OWN_PART)
def test_an_outsider_sees_nothing(world, model, outsider):
    assert not model.objects.visible_to(outsider).exists()


def test_an_annotator_sees_own_rows(world, annotator, phase, assignment, labelling):
    assert list(Phase.objects.visible_to(annotator)) == [phase]
    assert list(Round.objects.visible_to(annotator)) == [assignment.round]
    assert list(Task.objects.visible_to(annotator)) == [assignment.task]
    assert list(Assignment.objects.visible_to(annotator)) == [assignment]
    assert list(Labelling.objects.visible_to(annotator)) == [labelling]


def test_a_member_sees_the_phase_but_no_other_members_rows(world, second_annotator, phase):
    assert list(Phase.objects.visible_to(second_annotator)) == [phase]
    for model in (Assignment, Labelling, Task):
        assert not model.objects.visible_to(second_annotator).exists()
