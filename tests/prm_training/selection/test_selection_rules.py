"""prm_training.selection.rules: what to label next, as properties of the pure rules."""

import hashlib
import math
from collections import Counter
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prm_training.selection import rules
from prm_training.selection.rules import Candidate, Rule

POLICIES = ["convincing", "uncertainty", "uniform"]
SCORED = ["convincing", "uncertainty"]


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()


@st.composite
def pools(draw):
    """Solutions of a few problems; scores from a short list, so that many tie."""
    verdicts = st.sampled_from(["right", "wrong", "unsure"])
    scores = st.sampled_from([-0.0, -0.1, -math.log(2), -1.0, -5.0, -800.0])
    rows = draw(st.lists(st.tuples(st.integers(0, 4), verdicts, scores), max_size=25))
    return [
        Candidate(UUID(int=number), UUID(int=problem), verdict, score, text_hash=hashed(str(number)))
        for number, (problem, verdict, score) in enumerate(rows)
    ]


def pick(pool, rule):
    """As picking does it, with a list for a database."""
    ranked = sorted(pool, key=rules.order(rule)) if rule.policy == "uniform" else None
    graded = [item for item in pool if item.verdict != "unsure"]
    ranked = ranked or sorted(graded, key=rules.order(rule))
    return rules.pick(lambda verdicts: (item for item in ranked if item.verdict in verdicts), rule)


any_rules = st.builds(
    Rule,
    policy=st.sampled_from(POLICIES),
    size=st.integers(1, 30),
    per_problem=st.integers(1, 5),
    wrong_share=st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0]),
    seed=st.integers(0, 3),
)
scored_rules = any_rules.filter(lambda rule: rule.policy != "uniform")


def ids(picks):
    return [item.candidate.solution_id for item in picks]


@pytest.mark.parametrize(
    ("answers", "common"),
    [
        (["5", "5", "6"], "5"),
        (["5", "5"], ""),
        (["5", "5", "6", "6"], ""),
        (["5", "5", "5", "", "", ""], "5"),
        ([], ""),
    ],
)
def test_a_majority_needs_three_answers_and_more_than_half(answers, common):
    assert rules.majority(answers) == common


@pytest.mark.parametrize(
    ("verdict", "answer", "score", "typical", "suspect"),
    [
        ("wrong", "5", -1.0, -1.0, True),
        ("wrong", "5", -1.1, -1.0, False),
        ("wrong", "6", -0.1, -1.0, False),
        ("wrong", "", -0.1, -1.0, False),
        ("right", "5", -0.1, -1.0, False),
        ("wrong", "5", -0.1, None, False),
        ("wrong", "5", None, -1.0, False),
    ],
)
def test_who_is_a_suspect(verdict, answer, score, typical, suspect):
    candidate = Candidate(UUID(int=1), UUID(int=2), verdict, score, answer)
    assert rules.is_grader_disagreement(candidate, typical_right=typical, common_answer=lambda _: "5") is suspect


@given(pools(), any_rules, st.randoms(use_true_random=False))
def test_the_order_of_the_pool_does_not_matter(pool, rule, random):
    shuffled = random.sample(pool, len(pool))
    assert pick(shuffled, rule) == pick(pool, rule)


@given(pools(), any_rules)
def test_the_caps_hold(pool, rule):
    picks = pick(pool, rule)
    assert len(picks) <= rule.size
    assert len(set(ids(picks))) == len(picks)
    assert set(ids(picks)) <= {item.solution_id for item in pool}
    assert max(Counter(item.candidate.problem_id for item in picks).values(), default=0) <= rule.per_problem


@given(pools(), any_rules)
def test_as_many_are_picked_as_the_caps_allow(pool, rule):
    eligible = [item for item in pool if rule.policy == "uniform" or item.verdict != "unsure"]
    per_problem = Counter(item.problem_id for item in eligible)
    room = sum(min(number, rule.per_problem) for number in per_problem.values())
    assert len(pick(pool, rule)) == min(rule.size, room)


@given(pools(), scored_rules)
def test_unsure_is_never_taken_for_wrong(pool, rule):
    assert all(item.candidate.verdict != "unsure" for item in pick(pool, rule))


@given(pools(), scored_rules)
def test_the_wrong_share_is_wrong_answers(pool, rule):
    picks = pick(pool, rule)
    first = [item for item in picks if item.reason.endswith("wrong answers")]
    assert picks[: len(first)] == first, "they come first"
    assert all(item.candidate.verdict == "wrong" for item in first)
    per_problem = Counter(item.problem_id for item in pool if item.verdict == "wrong")
    room = sum(min(number, rule.per_problem) for number in per_problem.values())
    assert len(first) == min(round(rule.size * rule.wrong_share), room)


@given(pools(), scored_rules)
def test_each_part_is_ranked(pool, rule):
    def rank(item):
        score = item.candidate.log_score
        return -score if rule.policy == "convincing" else abs(math.exp(score) - 0.5)

    picks = pick(pool, rule)
    for reason in {item.reason for item in picks}:
        part = [rank(item) for item in picks if item.reason == reason]
        assert part == sorted(part)


@given(pools(), scored_rules)
def test_nothing_better_of_the_same_problem_was_passed_over(pool, rule):
    """The most convincing wrong answer of each problem comes before any other wrong answer of it."""
    picks = ids(pick(pool, Rule(rule.policy, size=len(pool) + 1, per_problem=1, wrong_share=1.0, seed=rule.seed)))
    if rule.policy != "convincing":
        return
    for problem in {item.problem_id for item in pool}:
        wrong = [item for item in pool if item.problem_id == problem and item.verdict == "wrong"]
        if wrong:
            best = max(item.log_score for item in wrong)
            assert any(item.solution_id in picks and item.log_score == best for item in wrong)


@given(pools(), any_rules)
def test_a_seed_changes_ties_only(pool, rule):
    """With distinct scores the seed has no say."""
    distinct = [
        Candidate(item.solution_id, item.problem_id, item.verdict, -float(number)) for number, item in enumerate(pool)
    ]
    other = Rule(rule.policy, rule.size, rule.per_problem, rule.wrong_share, rule.seed + 1)
    if rule.policy == "convincing":
        assert pick(distinct, rule) == pick(distinct, other)


def tied(number, log_score=-1.0):
    return [Candidate(UUID(int=n), UUID(int=n), "wrong", log_score) for n in range(number)]


@pytest.mark.parametrize("policy", SCORED)
def test_ties_are_broken_by_a_hash_not_by_id(policy):
    picks = {seed: ids(pick(tied(20), Rule(policy, size=5, seed=seed))) for seed in range(3)}
    assert len({tuple(found) for found in picks.values()}) == 3, "each seed draws its own"
    assert all(found != sorted(found) for found in picks.values())


def test_uniform_draws_from_all_verdicts_and_needs_no_score():
    pool = [
        Candidate(UUID(int=number), UUID(int=number), verdict, None)
        for number, verdict in enumerate(["right", "wrong", "unsure"] * 20)
    ]
    picks = pick(pool, Rule("uniform", size=60))
    assert Counter(item.candidate.verdict for item in picks) == {"right": 20, "wrong": 20, "unsure": 20}
    assert {item.reason for item in picks} == {"drawn at random"}


def test_uniform_draws_everyone_as_often():
    drawn = Counter[UUID]()
    for seed in range(400):
        pool = [replace(item, text_hash=hashed(f"{seed}, {item.problem_id}")) for item in tied(10)]
        drawn.update(item.candidate.problem_id for item in pick(pool, Rule("uniform", size=2, seed=seed % 5)))
    assert len(drawn) == 10
    assert all(50 <= times <= 115 for times in drawn.values()), "80 each, give or take"


def test_each_seed_draws_its_own_and_the_first_follow_the_last():
    pool = [replace(item, text_hash=f"{item.problem_id.int:02x}") for item in tied(256)]
    drawn = [[each.int for each in ids(pick(pool, Rule("uniform", 200, seed=seed)))] for seed in range(9)]
    assert len({found[0] for found in drawn}) == 9
    assert all([(at - found[0]) % 256 for at in found] == list(range(200)) for found in drawn)


def test_the_most_convincing_wrong_answer_comes_first_by_hand():
    problem, other = UUID(int=1), UUID(int=2)
    pool = [
        Candidate(UUID(int=10), problem, "wrong", -0.2),
        Candidate(UUID(int=11), problem, "wrong", -0.1),
        Candidate(UUID(int=12), problem, "right", -0.01),
        Candidate(UUID(int=13), other, "wrong", -3.0),
        Candidate(UUID(int=14), other, "unsure", -0.001),
        Candidate(UUID(int=15), other, "right", -0.02),
    ]
    picks = pick(pool, Rule("convincing", size=4, per_problem=2, wrong_share=0.5))
    assert [(item.candidate.solution_id.int, item.reason) for item in picks] == [
        (11, "most convincing wrong answers"),
        (10, "most convincing wrong answers"),
        (15, "most convincing of what remains"),
        (13, "most convincing of what remains"),
    ]


def test_uncertain_means_near_one_half():
    scores = [math.log(p) for p in (0.99, 0.5, 0.01, 0.6)]
    pool = [Candidate(UUID(int=n), UUID(int=n), "wrong", score) for n, score in enumerate(scores)]
    assert [item.int for item in ids(pick(pool, Rule("uncertainty", size=4)))] == [1, 3, 0, 2]


def test_scores_of_zero_chance_still_rank():
    pool = [Candidate(UUID(int=n), UUID(int=n), "wrong", score) for n, score in enumerate([-math.inf, -1e6, -2e6])]
    for policy in SCORED:
        assert len(pick(pool, Rule(policy, size=3))) == 3
    assert [item.int for item in ids(pick(pool, Rule("convincing", size=3)))] == [1, 2, 0]


@pytest.mark.parametrize("policy", SCORED)
def test_a_candidate_without_a_score_is_an_error(policy):
    pool = [Candidate(UUID(int=1), UUID(int=1), "wrong", None)]
    with pytest.raises(ValueError, match="has no score"):
        pick(pool, Rule(policy, size=1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"policy": "best"},
        {"size": 0},
        {"per_problem": 0},
        {"wrong_share": -0.1},
        {"wrong_share": 1.1},
        {"wrong_share": math.nan},
    ],
)
def test_a_rule_is_checked(wrong):
    with pytest.raises(ValueError, match=r".+"):
        Rule(**{"policy": "uniform", "size": 1} | wrong)


def test_an_empty_pool_gives_nothing():
    assert pick([], Rule("convincing", size=5)) == []


def test_a_budget_is_spent_by_the_smallest_batch():
    candidates = [Candidate(UUID(int=n), UUID(int=9), "wrong", -float(n)) for n in range(4)]
    rule = Rule("convincing", 1, None, wrong_share=1.0)
    picked = rules.pick_for(7, candidates, rule, cost=lambda each: 3)
    assert picked == candidates[:3]
    assert rules.pick_for(6, candidates, rule, cost=lambda each: 3) == candidates[:2]
    assert rules.pick_for(0, candidates, rule, cost=lambda each: 3) == []
    assert rules.pick_for(100, candidates, rule, cost=lambda each: 3) == candidates
