"""labeling.rules.agreement, by hand and against a library, and /api/rounds/{id}/agreement/."""

import random
from uuid import uuid4

import krippendorff
import pytest

from labeling.rules import agreement
from labeling.rules.agreement import RatedTask

ADA, BEN, CLEO = sorted(uuid4() for _ in range(3))


def said(*rows):
    """Returns labellings made from rows of task number, annotator and ratings."""
    tasks = {number: uuid4() for number, _, _ in rows}
    return [RatedTask(tasks[number], who, ratings) for number, who, ratings in rows]


def test_the_same_opinions():
    found = agreement.between(said((0, ADA, [1, -1]), (0, BEN, [1, -1]), (1, ADA, [0, 1]), (1, BEN, [0, 1])))
    assert (found.tasks, found.alpha, found.first_error, found.alpha_interval) == (2, 1, 1, None)
    assert found.first_error_interval == pytest.approx((0.3424, 1), abs=1e-4), "two tasks prove little"


def test_krippendorffs_alpha_by_hand():
    """1 - Do / De for the units (1, 1), (1, -1), (-1, -1), each value occurring three times: Do is two of six values,
    De is 18 of 30 ordered pairs."""
    found = agreement.between(said((0, ADA, [1, 1, -1]), (0, BEN, [1, -1, -1])))
    assert found.alpha == pytest.approx(1 - (2 / 6) / (18 / 30))


def noisy(tasks, share, seed=0):
    """Simulates three people, each of whom errs, or gives no rating, in a `share` of the steps."""
    world = random.Random(seed)
    values = [-1, 0, 1, 1]
    rows = []
    for task in range(tasks):
        truth = [world.choice(values) for _ in range(4)]
        for who in (ADA, BEN, CLEO):
            ratings = [world.choice([*values, None]) if world.random() < share else true for true in truth]
            rows.append((task, who, ratings))
    return said(*rows)


@pytest.mark.parametrize("share", [0, 0.2, 0.6, 1])
def test_alpha_equals_the_librarys(share):
    rows = noisy(25, share)
    counts = [[each[value] for value in (-1, 0, 1)] for each in agreement.rating_counts(rows).values()]
    known = krippendorff.alpha(
        value_counts=[each for each in counts if sum(each) > 1], value_domain=[-1, 0, 1], level_of_measurement="ordinal"
    )
    assert agreement.between(rows).alpha == pytest.approx(known)


def test_more_tasks_narrow_the_intervals():
    few, many = (agreement.between(noisy(tasks, 0.4)) for tasks in (10, 160))
    for name in ("alpha", "first_error"):
        widths = []
        for found in (few, many):
            low, high = getattr(found, f"{name}_interval")
            assert -1 <= low < getattr(found, name) < high <= 1
            widths.append(high - low)
        assert widths[0] > 2.5 * widths[1]


def test_a_neighbour_is_nearer_than_the_far_end():
    near = said((0, ADA, [1, 0, 1, -1]), (0, BEN, [1, 1, 1, -1]))
    far = said((0, ADA, [1, 0, 1, -1]), (0, BEN, [1, 0, 1, 1]))
    assert agreement.between(near).alpha > agreement.between(far).alpha


@pytest.mark.parametrize(
    ("one", "other", "share"), [([1, -1], [0, -1], 1), ([1, -1], [-1], 0), ([1, 1], [0, 1], 1), ([1, 1], [1, -1], 0)]
)
def test_the_first_error(one, other, share):
    assert agreement.between(said((0, ADA, one), (0, BEN, other))).first_error == share


def test_three_people_make_three_pairs():
    rows = said((0, ADA, [-1]), (0, BEN, [-1]), (0, CLEO, [1]))
    assert agreement.between(rows).first_error == 1 / 3


@pytest.mark.parametrize("rows", [[], [(0, ADA, [1]), (1, BEN, [1])]])
def test_nothing_in_common(rows):
    assert agreement.between(said(*rows)) == agreement.Agreement(0, None, None)


def test_alpha_is_none_if_all_ratings_are_equal():
    found = agreement.between(said((0, ADA, [1, 1]), (0, BEN, [1, 1])))
    assert (found.tasks, found.alpha, found.alpha_interval, found.first_error) == (1, None, None, 1)


def test_unsure_is_no_opinion():
    rows = said((0, ADA, [1, None, -1]), (0, BEN, [1, 1, -1]))
    assert agreement.between(rows).alpha == 1


def test_pairs():
    rows = said((0, BEN, [-1]), (0, ADA, [-1]), (1, ADA, [1]), (1, BEN, [-1]), (2, CLEO, [1]))
    ((one, other, found),) = agreement.between_pairs(rows)
    assert (one, other, found.tasks, found.first_error) == (ADA, BEN, 2, 0.5)


# The endpoint


def test_it_works(make, phase, annotator, second_annotator, ml_staff_client):
    for mine, other in (([1, -1], [1, -1]), ([1, 1, 1], [1, -1])):
        task = make.task(phase, overlap=2)
        make.labelling(task, *mine, annotator=annotator)
        make.labelling(task, *other, annotator=second_annotator)
    body = ml_staff_client.get(f"/api/rounds/{phase.rounds.get().pk}/agreement/").json()
    pair = body.pop("pairs")[0]
    assert (body.pop("results")["tasks"], body.pop("kinds")) == (0, []), "they are not asked here"
    assert (body.pop("as_of"), body.pop("is_counting")) == (None, False), "counted at once"
    assert (body["tasks"], body["first_error"]) == (2, 0.5)
    assert 0 < body["alpha"] < 1
    assert body["first_error_interval"] == pytest.approx([0.0945, 0.9055], abs=1e-4)
    assert pair == body | {name: pair[name] for name in ("first", "second")}
    assert {pair["first"], pair["second"]} == {"ada", "ben"}


def test_gold_give_ups_and_what_was_superseded_do_not_count(
    make, phase, annotator, second_annotator, admin_client, now
):
    for columns in ({"finish_reason": "give_up"}, {"superseded_at": now}):
        task = make.task(phase)
        make.labelling(task, 1, annotator=annotator)
        make.labelling(task, 1, annotator=second_annotator, **columns)
    hidden = make.task(phase, is_gold=True)
    for person in (annotator, second_annotator):
        make.labelling(hidden, 1, annotator=person)
    body = admin_client.get(f"/api/rounds/{phase.rounds.get().pk}/agreement/").json()
    assert (body.pop("tasks"), body.pop("pairs"), body.pop("is_counting")) == (0, [], False)
    assert (body.pop("results")["tasks"], body.pop("kinds")) == (0, [])
    assert set(body.values()) == {None}


def test_queries_do_not_grow(make, phase, annotator, second_annotator, admin_client, django_assert_num_queries):
    for _ in range(5):
        task = make.task(phase)
        for person in (annotator, second_annotator):
            make.labelling(task, 1, -1, annotator=person)
    address = f"/api/rounds/{phase.rounds.get().pk}/agreement/"
    with django_assert_num_queries(8):  # session, user, round, how many, round, labellings, completions, names
        assert admin_client.get(address).json()["tasks"] == 5


def results(*of_tasks):
    return [RatedTask(task, uuid4(), [1], result) for of_task in of_tasks for task in [uuid4()] for result in of_task]


def test_the_agreement_on_results():
    """The value by hand: 4 units of 2, one of them split: observed 2 / 8, expected 2 * 5 * 3 / 56."""
    found = agreement.on_results(
        results(["right", "right"], ["right", "right"], ["wrong", "wrong"], ["right", "wrong"], ["wrong"], [""])
    )
    assert (found.tasks, found.same) == (4, 0.75)
    assert found.alpha == pytest.approx(1 - (2 / 8) / (2 * 5 * 3 / (8 * 7)))
    assert found.alpha_interval[0] <= found.alpha <= found.alpha_interval[1]


def test_results_that_nobody_shares_have_no_agreement():
    assert agreement.on_results(results(["right"], ["wrong", ""])).tasks == 0
    assert agreement.on_results(results(["right", "right"])).alpha is None
