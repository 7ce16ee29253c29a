"""Phase kind `alternatives`: completions are offered, rated and submitted; the chosen ones make the trajectory."""

import gzip
import json

import pytest

from annotate import allocation, submission
from annotate.submission import Submission
from labeling.completions.sets import Place, offer
from labeling.data import snapshots
from labeling.data.exporting import LabelFilter
from labeling.models import Labelling, RatedCompletion
from labeling.rules.ratings import CritiqueRating, InvalidLabelling, Judgement, StepRating

TREE = [["a", "b", "The answer is 5."], ["a", "c", "The answer is 6."], ["d", "e"]]


@pytest.fixture
def phase(make, annotator, second_annotator):
    return make.phase(annotator, second_annotator, kind="alternatives")


@pytest.fixture
def task(make, phase):
    """A task on a problem with three solutions."""
    problem = make.problem()
    seed, *_ = [make.solution(problem, steps=steps) for steps in TREE]
    return make.round(phase, [seed]).tasks.get()


@pytest.fixture
def assignment(task, phase, annotator, now):
    return allocation.claim_next(phase=phase, annotator=annotator, now=now)


@pytest.fixture
def submit(assignment, annotator, now):
    def act(ratings, reason="solution", note="", **more):
        sent = Submission(Judgement(ratings, reason, note, **more), active_ms=90_000)
        return submission.submit(assignment_id=assignment.pk, annotator=annotator, submission=sent, now=now)

    return act


def rate(step, *texts, chosen=None, human=None, rating=1):
    """Rates all completions of a step: the chosen one Great, the others Bad."""
    return [
        StepRating(
            step,
            rating if text == chosen else -1,
            completion=number,
            text=text,
            is_chosen=text == chosen,
            is_human=text == human,
        )
        for number, text in enumerate(texts)
    ]


WHOLE = [
    *rate(0, "d", "a", chosen="a"),
    *rate(1, "b", "c", chosen="c"),
    *rate(2, "The answer is 6.", chosen="The answer is 6."),
]


def test_it_works(submit, task):
    labelling = submit(WHOLE)
    assert (labelling.task, labelling.finish_reason, labelling.checks) == (task, "solution", [])
    rows = labelling.completions.order_by("step", "completion").values_list("step", "text", "rating", "is_chosen")
    assert list(rows) == [
        (0, "d", -1, False),
        (0, "a", 1, True),
        (1, "b", -1, False),
        (1, "c", 1, True),
        (2, "The answer is 6.", 1, True),
    ]


def test_an_identical_submission_is_stored_once(submit):
    assert submit(WHOLE) == submit(list(WHOLE))
    assert Labelling.objects.count() == 1


def test_other_texts_make_another_labelling(submit):
    submit(WHOLE)
    others = [
        *rate(0, "d", "a", chosen="a"),
        *rate(1, "b", "c", chosen="b"),
        *rate(2, TREE[0][2], chosen=TREE[0][2]),
    ]
    with pytest.raises(submission.AlreadySubmitted):
        submit(others)


def test_a_step_of_ones_own_can_end_the_labelling(submit):
    own = "So it is 7. The answer is 7."
    labelling = submit([*rate(0, "a", "d", own, chosen=own, human=own)])
    assert labelling.completions.get(is_human=True).text == own


def test_after_a_step_of_ones_own_only_what_was_offered_there(submit):
    own, end = "mine", "The answer is 5."
    with pytest.raises(InvalidLabelling, match="Step 2 has a completion that was never offered"):
        submit([*rate(0, "a", own, chosen=own, human=own), *rate(1, end, chosen=end)])


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([*rate(0, "a", "z", chosen="a"), *rate(1, TREE[0][2], chosen=TREE[0][2])], "Step 1 has a completion"),
        ([*rate(0, "a", "d", chosen="a"), *rate(1, TREE[0][2], chosen=TREE[0][2])], "Step 2 has a completion"),
        (rate(0, "a", " ", chosen="a", human=" "), "final answer"),
        ([*rate(0, "a", "d", chosen="a"), *rate(1, "b", chosen="b")], "does not end with a final answer"),
        ([], "final answer"),
    ],
)
def test_it_refuses(submit, ratings, message):
    with pytest.raises(InvalidLabelling, match=message):
        submit(ratings)
    assert not Labelling.objects.exists()


def test_a_text_of_blanks_is_refused(submit):
    with pytest.raises(InvalidLabelling, match="no text"):
        submit(rate(0, "a", " ", human=" "), "give_up", "why")


@pytest.mark.parametrize("reason", ["give_up", "bad_problem"])
@pytest.mark.parametrize("ratings", [[], rate(0, "a", "d"), [*rate(0, "a", chosen="a"), *rate(1, "b", "c")]])
def test_it_can_be_given_up_anywhere_with_a_reason(submit, reason, ratings):
    assert submit(ratings, reason, "No idea.").finish_reason == reason


def test_a_text_offered_elsewhere_is_refused(submit):
    with pytest.raises(InvalidLabelling, match="never offered"):
        submit(rate(0, "b"), "give_up", "why")


def test_generated_texts_count_as_offered(make, submit, phase, task, generator, now):
    phase.generator_url, phase.generator_model = generator.url, "prover"
    phase.save()
    generator.answers = [["The answer is 8."]]
    offer(Place(task.solution.problem, ["d", "e"]), phase=phase, now=now)
    end = "The answer is 8."
    whole = [*rate(0, "d", chosen="d"), *rate(1, "e", chosen="e"), *rate(2, end, chosen=end)]
    assert submit(whole).finish_reason == "solution"


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def test_a_snapshot_holds_each_rating_once(submit, media, phase):
    submit(WHOLE)
    snapshot = snapshots.freeze(LabelFilter(phases=[phase.pk]))
    assert (snapshot.counts["labellings"], snapshot.counts["labels"]) == (1, 5)
    assert (snapshot.counts["positive"], snapshot.counts["negative"]) == (3, 2)
    with gzip.open(snapshot.file.path, "rt") as file:
        steps = json.loads(file.read())["steps"]
    assert [step["chosen"] for step in steps] == [1, 1, 0]
    assert [[item["text"] for item in step["completions"]] for step in steps] == [["d", "a"], ["b", "c"], [TREE[1][2]]]


# Kind `solutions`, with what is asked beside the first negative


@pytest.fixture
def asking(make, annotator, task, now, generator):
    """A task of kind `solutions` on the tree's first solution, in a phase that asks for alternatives and critiques."""
    generator.answers = [["b is not it."]]
    asks = {"asks_alternatives": True, "asks_critiques": True, "asks_progress": True}
    phase = make.phase(annotator, **asks, generator_url=generator.url, generator_model="prover")
    make.round(phase, [task.solution])
    return allocation.claim_next(phase=phase, annotator=annotator, now=now)


def found_error(*beside, **more):
    own = [StepRating(0, 1), StepRating(1, -1)]
    return Submission(Judgement([*own, *beside], "found_error", **{"solution_progress": "most"} | more))


def alternative(text, step=1, **more):
    return StepRating(step, 1, completion=1, text=text, is_chosen=False, **more)


def test_alternatives_critiques_and_progress(asking, annotator, generator, now, media):
    problem = asking.task.solution.problem
    offer(Place(problem, ["a", "b"], "critique"), phase=asking.round.phase, now=now)
    critiques = [CritiqueRating("b is not it.", 1), CritiqueRating("It is c.", is_human=True)]
    sent = found_error(alternative("c"), critiques=critiques)
    labelling = submission.submit(assignment_id=asking.pk, annotator=annotator, submission=sent, now=now)
    assert labelling.solution_progress == "most"
    rows = labelling.critiques.order_by("number").values_list("text", "rating", "is_human")
    assert list(rows) == [("b is not it.", 1, False), ("It is c.", None, True)]
    beside = RatedCompletion.objects.get(completion=1)
    assert (beside.step, beside.text, beside.is_chosen) == (1, "c", False)
    again = submission.submit(assignment_id=asking.pk, annotator=annotator, submission=sent, now=now)
    assert again == labelling


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (found_error(alternative("z")), "Step 2 has a completion that was never offered"),
        (found_error(alternative("a")), "never offered"),
        (found_error(alternative(" ")), "no text"),
        (found_error(critiques=[CritiqueRating("b is b.", 1)]), "One of the critiques was never offered"),
    ],
)
def test_texts_never_offered_are_refused(asking, annotator, now, sent, message):
    with pytest.raises(InvalidLabelling, match=message):
        submission.submit(assignment_id=asking.pk, annotator=annotator, submission=sent, now=now)


def test_an_alternative_of_ones_own_needs_no_offer(asking, annotator, now):
    sent = found_error(alternative("mine", is_human=True))
    assert submission.submit(assignment_id=asking.pk, annotator=annotator, submission=sent, now=now)
