"""prm_training.selection.picking: the selection job, on rows."""

import hashlib
import math

import pytest
from django.utils import timezone

from labeling.campaign import rounds
from labeling.models import Phase
from prm_training.models import WITHOUT_MODEL, Policy
from prm_training.selection import picking, reading
from prm_training.selection.rules import Candidate, Rule, is_uncertain, order, pick
from prm_training.starting import acts


@pytest.fixture
def selection(make, phase, reward_model):
    return make.selection(phase=phase, reward_model=reward_model, policy="whole_pool", size=3, status="running")


def picked(selection):
    return [item.solution for item in selection.items.picked()]


def test_it_works(selection, scored, report):
    picking.select(selection, report)
    assert picked(selection) == [scored[5], scored[4], scored[3]]
    items = selection.items.order_by("rank").values_list("rank", "log_score", "reason")
    assert list(items) == [
        (1, -1.0, "most convincing wrong answers"),
        (2, -2.0, "most convincing wrong answers"),
        (3, -3.0, "most convincing of what remains"),
    ]
    summary = report.all[-1]["summary"]
    assert {"candidates": 6, "picked": 3, "wrong": 3, "pool_wrong": 6}.items() <= summary.items()
    assert summary["mean_score"] == pytest.approx(sum(map(math.exp, [-1, -2, -3])) / 3)
    assert summary["pool_mean_score"] == pytest.approx(sum(map(math.exp, range(-6, 0))) / 6)


def test_a_repeated_job_picks_the_same(selection, scored, report):
    picking.select(selection, report)
    first = picked(selection)
    picking.select(selection, report)
    assert picked(selection) == first
    assert selection.items.count() == 3


def test_it_picks_from_the_phases_sources_alone(make, selection, scored, phase, report):
    """Unscored solutions of another campaign don't stop it."""
    make.solutions(2, source="another campaign")
    own = make.solution(source="gsm8k", generator="6B")
    make.score(selection.reward_model, own, -9.0)
    Phase.objects.filter(pk=phase.pk).update(sources=["gsm8k"], generators=["6B"])
    selection.phase.refresh_from_db()
    for policy in Policy:
        selection.policy = policy
        picking.select(selection, report)
        assert picked(selection) == [own]
        assert report.all[-1]["summary"]["candidates"] == 1


def test_the_pool_must_be_scored(make, selection, scored, report):
    make.solutions(2)
    with pytest.raises(acts.NotReady, match="2 of the solutions that “Arithmetic” draws from have no score"):
        picking.select(selection, report)
    assert not selection.items.exists()


def test_another_models_scores_do_not_count(make, selection, report):
    make.score(make.reward_model(), make.solution(), -1.0)
    with pytest.raises(acts.NotReady, match="1 of the solutions that “Arithmetic” draws from have no score"):
        picking.select(selection, report)


def test_solutions_that_the_model_could_not_read_are_not_picked(make, selection, scored, reward_model, report):
    too_long = make.solution()
    make.score(reward_model, too_long, None)
    selection.size, selection.random_share = 100, 0
    picking.select(selection, report)
    assert too_long not in picked(selection)
    summary = report.all[-1]["summary"]
    assert (summary["candidates"], summary["too_long"]) == (6, 1)


def test_nothing_is_published_twice_in_a_phase(make, phase, selection, scored, report, now):
    published = make.round(phase, scored[4:])
    rounds.close(round_id=published.pk, now=now)
    picking.select(selection, report)
    assert picked(selection) == [scored[3], scored[2], scored[1]]


def test_gold_of_another_campaign_takes_nothing_away(make, phase, scored, selection, report):
    """Only gold that this phase hides, in this round or in others, is left out."""
    make.phase(gold_set="theirs")
    make.gold(1, solution=scored[5], gold_set="theirs")
    for solution, gold_set in [(scored[4], "own"), (scored[3], "of a round"), (scored[2], "")]:
        make.gold(1, solution=solution, gold_set=gold_set)
    make.round(phase, 1)
    phase.rounds.update(gold_set="of a round", status="closed")
    Phase.objects.filter(pk=phase.pk).update(gold_set="own")
    selection.phase.refresh_from_db()
    picking.select(selection, report)
    assert picked(selection) == [scored[5], scored[2], scored[1]]


def test_another_phase_may_publish_it_again(make, selection, scored, report):
    make.round(make.phase(), scored)
    picking.select(selection, report)
    assert picked(selection)[0] == scored[5]


def test_solutions_known_only_from_labels_are_no_candidates(make, selection, scored, reward_model, report):
    imported = make.solution(in_pool=False)
    make.score(reward_model, imported, 0.0)
    picking.select(selection, report)
    assert imported not in picked(selection)


def test_one_source(make, phase, reward_model, scored, report):
    wanted = make.solution(source="gsm8k")
    make.score(reward_model, wanted, -9.0)
    selection = make.selection(phase=phase, reward_model=reward_model, policy="convincing", size=9, source="gsm8k")
    picking.select(selection, report)
    assert picked(selection) == [wanted]


def test_unsure_and_right_answers_are_not_taken_for_wrong(make, phase, reward_model, report):
    for verdict, score in [("unsure", -0.1), ("right", -0.2), ("wrong", -5.0)]:
        make.score(reward_model, make.solution(verdict=verdict), score)
    selection = make.selection(phase=phase, reward_model=reward_model, policy="convincing", size=1, wrong_share=1.0)
    picking.select(selection, report)
    assert [solution.verdict for solution in picked(selection)] == ["wrong"]


def test_uniform_needs_no_score(make, phase, report):
    make.solutions(5)
    selection = make.selection(phase=phase, policy="uniform", size=4)
    picking.select(selection, report)
    assert len(picked(selection)) == 4
    summary = report.all[-1]["summary"]
    assert (summary["mean_score"], summary["pool_mean_score"]) == (None, None)


@pytest.mark.every_case
@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("per_problem", [1, 3])
def test_the_database_ranks_as_the_rule_does(make, phase, reward_model, report, monkeypatch, policy, per_problem):
    """Covers chances of zero and one, problems with more solutions than a page, and ties across pages."""
    monkeypatch.setattr(reading, "BATCH", 2)
    monkeypatch.setattr(reading, "PROBLEMS", 2)
    scores = [-0.0, -1e-18, -0.1, math.log(0.5), -1.0, -1.0, -800.0, -900.0]
    pool = []
    for number in range(40):
        problem = pool[-1].problem if number % 10 else None
        text_hash = hashlib.sha256(str(number % 20).encode()).hexdigest()  # two that are equal, of two problems
        verdict = ["wrong", "right", "unsure", "wrong"][number % 4]
        solution = make.solution(problem, verdict=verdict, text_hash=text_hash)
        make.score(reward_model, solution, scores[number % 8])
        pool.append(solution)
    selection = make.selection(
        phase=phase, reward_model=reward_model, policy=policy, size=8, per_problem=per_problem, seed=7
    )
    selection.sets_suspects_aside, selection.random_share = False, 0
    picking.select(selection, report)
    rule = Rule(policy, 8, per_problem, selection.wrong_share, 7)
    rows = [
        Candidate(
            *(row.pk, row.problem_id, row.verdict, row.scores.get().log_score, ""),
            *(row.text_hash, row.problem.text_hash),
        )
        for row in pool
    ]
    ranked = sorted(rows, key=order(rule))
    expected = pick(lambda verdicts: (row for row in ranked if row.verdict in verdicts), rule)
    assert [row.pk for row in picked(selection)] == [item.candidate.solution_id for item in expected]


def test_only_random_policies_need_no_model():
    assert WITHOUT_MODEL == ("random_wrong", "uniform")


def test_an_ensemble_is_asked_what_it_is_unsure_of(make, phase, reward_model, scored, report):
    """Either threshold makes it unsure; solutions it is sure of are not picked, even if there is room."""
    certainties = [(0.99, 0.001), (0.94, 0.001), (0.99, 0.006), (0.95, 0.005), (0.6, 0.2), (0.99, 0.0)]
    for solution, (confidence, deviation) in zip(scored, certainties, strict=True):
        solution.scores.update(confidence=confidence, deviation=deviation)
    selection = make.selection(phase=phase, reward_model=reward_model, policy="actprm", size=6, status="running")
    picking.check_selection(selection)
    picking.select(selection, report)
    assert set(picked(selection)) == {scored[1], scored[2], scored[4]}
    assert [is_uncertain(*pair) for pair in certainties] == [each in picked(selection) for each in scored]


def test_a_model_without_an_ensemble_cannot_be_asked(make, phase, reward_model, scored):
    scored[0].scores.update(confidence=None, deviation=None)
    with pytest.raises(acts.NotReady, match="has no ensemble"):
        picking.check_selection(make.selection(phase=phase, reward_model=reward_model, policy="actprm", size=3))


def test_an_exhausted_pool_is_reported(make, phase, report, open_round):
    """The whole pool is in the open round."""
    selection = make.selection(phase=phase, policy="uniform", size=4)
    with pytest.raises(acts.NotReady, match="No solution is left"):
        picking.select(selection, report)


def test_it_reads_the_pool_in_few_queries(make, phase, report, django_assert_max_num_queries):
    make.solutions(40)
    selection = make.selection(phase=phase, policy="uniform", size=40)
    with django_assert_max_num_queries(10):
        picking.select(selection, report)


def test_it_reads_a_common_answer_of_many_problems_at_once(
    make, reward_model, selection, scored, report, django_assert_max_num_queries
):
    make.score(reward_model, make.solution(verdict="right"), -9.0)
    for solution in make.solutions(30):
        make.score(reward_model, solution, -1.0)
    selection.size = 30
    with django_assert_max_num_queries(15):
        picking.select(selection, report)
    assert len(picked(selection)) == 30


@pytest.fixture
def doubtful(make, reward_model):
    """A problem whose commonest answer, in three spellings, is graded wrong, and one with unsure verdicts."""
    problem = make.problem()
    right = make.solution(problem, verdict="right", answer="5")
    wrong = [make.solution(problem, answer=answer) for answer in ("2,3", "\\{3, 2\\}", "x=2 or x=3")]
    unsure = make.solution(verdict="unsure", answer="five or so")
    for solution, score in [(right, -1.0), (wrong[0], -0.5), (wrong[1], -1.0), (wrong[2], -2.0), (unsure, -0.1)]:
        make.score(reward_model, solution, score)
    return [unsure, wrong[0]], wrong


def test_probable_mistakes_of_the_grader_are_set_aside(selection, doubtful, report):
    """Of equal answers, those that score below the median right answer are not set aside."""
    aside, wrong = doubtful
    picking.select(selection, report)
    rows = selection.items.filter(is_set_aside=True).order_by("rank")
    assert [row.solution for row in rows] == [*aside, wrong[1]][:3]
    assert [row.reason.split(",")[0] for row in rows] == ["the grader is unsure of it", *["graded wrong"] * 2]
    assert picked(selection) == [wrong[2]]
    assert report.all[-1]["summary"]["set_aside"] == 3


def test_a_majority_of_right_answers_makes_no_suspect(make, reward_model, selection, doubtful, report):
    """Right answers may be spelled in more ways than wrong ones."""
    _, wrong = doubtful
    for answer in ("5", "\\frac{10}{2}", "5.0", "$5$"):
        make.score(reward_model, make.solution(wrong[0].problem, verdict="right", answer=answer), -1.0)
    picking.select(selection, report)
    assert picked(selection) == [wrong[0]]


def test_suspects_are_picked_where_that_is_asked_for(selection, doubtful, report):
    selection.sets_suspects_aside = False
    picking.select(selection, report)
    assert picked(selection) == [doubtful[1][0]]
    assert not selection.items.filter(is_set_aside=True).exists()


def test_another_campaigns_answers_make_no_suspect(make, selection, doubtful, report):
    """Here one solution answers 6; in another campaign two more do."""
    _, wrong = doubtful
    for solution in wrong[1:]:
        solution.samples.update(source="another campaign")
    selection.phase.sources = ["world"]
    picking.select(selection, report)
    assert picked(selection) == [wrong[0]]


def test_every_draw_of_an_answer_is_a_vote(make, selection, doubtful, report):
    """The right answer is one text, drawn four times; three texts answer 6."""
    right = doubtful[1][0].problem.solutions.get(verdict="right")
    for _ in range(3):
        make.sample(right, source="world")
    picking.select(selection, report)
    assert picked(selection) == [doubtful[1][0]]


def test_k_per_problem_takes_what_there_is_of_each(make, selection, doubtful, report):
    selection.size, selection.per_problem, selection.sets_suspects_aside = None, 2, False
    picking.select(selection, report)
    assert picked(selection) == [doubtful[1][0], doubtful[1][1]]


def test_without_a_limit_per_problem_the_size_is_filled(make, selection, doubtful, report):
    selection.size, selection.per_problem, selection.sets_suspects_aside = 4, None, False
    picking.select(selection, report)
    assert len(picked(selection)) == 4


def test_only_what_no_phase_has_published(make, phase, selection, scored, report):
    make.round(make.phase(), scored[3:])
    selection.is_fresh = True
    picking.select(selection, report)
    assert picked(selection) == scored[2::-1]


def test_the_picks_are_shown_beside_the_pool(selection, scored, report):
    picking.select(selection, report)
    summary = report.all[-1]["summary"]
    (scores,) = [each["rows"] for each in summary["beside"] if each["name"] == "score"]
    assert [(row["value"], row["pool"], row["picked"]) for row in scores if row["picked"]] == [
        ("0.0", pytest.approx(4 / 6), pytest.approx(1 / 3)),
        ("0.1", pytest.approx(1 / 6), pytest.approx(1 / 3)),
        ("0.3", pytest.approx(1 / 6), pytest.approx(1 / 3)),
    ]
    assert {name: group["number"] for name, group in summary["groups"].items()} == {"pool": 6, "picked": 3, "random": 0}


def test_picking_ignores_rows_made_since_the_run_started(make, phase, scored, reward_model, report):
    chosen = {"phase": phase, "reward_model": reward_model, "policy": "whole_pool", "size": 3, "status": "running"}
    one, other = (make.selection(**chosen, started_at=timezone.now()) for _ in range(2))
    picking.select(one, report)
    make.score(reward_model, make.solution(), -0.01)
    rounds.publish(phase=phase, solution_ids=[row.pk for row in picked(one)], now=timezone.now())
    picking.select(other, report)
    assert picked(one) == picked(other) == [scored[5], scored[4], scored[3]]
