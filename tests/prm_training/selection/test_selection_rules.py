"""prm_training.selection.rules: properties of the pure rules that choose what to label next."""

import hashlib
import math
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from statistics import fmean
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prm_training.selection import rules
from prm_training.selection.rules import Candidate, Rule

SCORED = ["convincing", "whole_pool", "uncertainty"]
MIXED = ["convincing", "whole_pool", "random_wrong"]


VERDICTS, SCORES = ["right", "wrong", "unsure"], [-0.0, -0.1, -math.log(2), -1.0, -5.0, -800.0]
ROWS = st.lists(st.sampled_from([*product(range(5), VERDICTS, SCORES)]), max_size=25)


@cache
def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()


@st.composite
def pools(draw):
    """Draws solutions of a few problems; scores are from a short list, so that many tie."""
    rows = draw(ROWS)
    return [
        Candidate(
            UUID(int=number),
            UUID(int=problem),
            verdict,
            score,
            text_hash=hashed(str(number)),
            problem_hash=hashed(f"problem {problem}"),
            group=f"subject {problem % 2}",
        )
        for number, (problem, verdict, score) in enumerate(rows)
    ]


def pick(pool, rule):
    """Picks as the selection job does, with a list in place of the database."""
    ranked = sorted(pool, key=rules.order(rule))
    return rules.pick(lambda verdicts: (item for item in ranked if item.verdict in verdicts), rule)


def problems(number, verdicts=("wrong",), *, scores=(-1.0,), first=0):
    """Returns candidates: this many problems, each with a solution of each verdict and score."""
    return [
        Candidate(
            UUID(int=1000 * problem + place),
            UUID(int=problem),
            verdict,
            score,
            text_hash=hashed(f"{problem}, {place}"),
            problem_hash=hashed(f"problem {problem}"),
        )
        for problem in range(first, first + number)
        for place, (verdict, score) in enumerate((verdict, score) for verdict in verdicts for score in scores)
    ]


any_rules = st.builds(
    Rule,
    policy=st.sampled_from(sorted(rules.Policy.values)),
    size=st.integers(1, 30),
    per_problem=st.integers(1, 5),
    wrong_share=st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0]),
    seed=st.integers(0, 3),
)
mixed_rules = any_rules.filter(lambda rule: rule.policy in MIXED)


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
    per_problem = Counter(item.problem_id for item in pool if item.verdict in rule.verdicts)
    room = sum(min(number, rule.per_problem) for number in per_problem.values())
    assert len(pick(pool, rule)) == min(rule.size, room)


@given(pools(), mixed_rules)
def test_unsure_is_never_taken_for_wrong(pool, rule):
    assert all(item.candidate.verdict != "unsure" for item in pick(pool, rule))


@given(pools(), mixed_rules)
def test_the_wrong_share_is_wrong_answers(pool, rule):
    picks = pick(pool, rule)
    first = [item for item in picks if item.reason.endswith("wrong answers")]
    assert all(item.candidate.verdict == "wrong" for item in first)
    assert len(first) <= math.floor(rule.size * rule.wrong_share + 0.5)


@pytest.mark.parametrize("policy", MIXED)
@pytest.mark.parametrize(("per_problem", "size"), [(1, 50), (5, 50), (10, 50), (3, 48)])
def test_in_a_rich_pool_the_share_is_exact(policy, per_problem, size):
    pool = problems(80, ["wrong", "right"], scores=[-float(n) for n in range(10)])
    picks = pick(pool, Rule(policy, size, per_problem))
    assert sum(item.reason.endswith("wrong answers") for item in picks) == round(0.8 * size)


@given(pools(), any_rules.filter(lambda rule: rule.policy == "whole_pool"))
def test_whole_pool_ranks_each_part_of_its_picks(pool, rule):
    picks = pick(pool, rule)
    for reason in {item.reason for item in picks}:
        part = [-item.candidate.log_score for item in picks if item.reason == reason]
        assert part == sorted(part)


@given(pools(), st.sampled_from(["convincing", "uncertainty"]), st.integers(0, 3))
def test_of_each_problem_the_best_comes_first(pool, policy, seed):
    rule = Rule(policy, size=len(pool) + 1, per_problem=1, wrong_share=1.0, seed=seed)
    verdicts = ["wrong"] if policy == "convincing" else rule.verdicts
    first = {item.candidate.problem_id: item.candidate for item in reversed(pick(pool, rule))}
    for problem in {item.problem_id for item in pool if item.verdict in verdicts}:
        own = [item for item in pool if item.problem_id == problem and item.verdict in verdicts]
        assert first[problem] == min(own, key=rules.order(rule))


def test_n_of_each_problem_are_mixed_as_in_the_paper():
    """Four of five picks are the most convincing wrong answers, the fifth the most convincing of the rest."""
    pool = problems(9, ["wrong", "right"], scores=[-0.1, -0.2, -0.3, -0.4, -0.5, -0.6])
    picks = pick(pool, Rule("convincing", size=30, per_problem=5))
    by_problem = {problem: [] for problem in dict.fromkeys(item.candidate.problem_id for item in picks)}
    for item in picks:
        by_problem[item.candidate.problem_id].append(item)
    assert len(by_problem) == 6
    for items in by_problem.values():
        wrong = [item.candidate.log_score for item in items if item.reason == "most convincing wrong answers"]
        assert wrong == [-0.1, -0.2, -0.3, -0.4]
        (other,) = [item.candidate for item in items if item.reason == "most convincing of what remains"]
        assert (other.verdict, other.log_score) == ("right", -0.1)


@pytest.mark.parametrize("policy", ["convincing", "uncertainty"])
def test_no_family_of_problems_takes_over(policy):
    """Two of ten families score far higher than all others, and would fill a pool ranked by score alone."""
    liked = -0.01 if policy == "convincing" else math.log(0.5)
    pool = problems(40, scores=[liked, liked]) + problems(160, scores=[-5.0, -6.0], first=40)
    shares = [
        fmean(item.candidate.problem_id.int < 40 for item in pick(pool, Rule(policy, size=50, seed=seed)))
        for seed in range(30)
    ]
    assert 0.14 < fmean(shares) < 0.26, "20 % of the problems are of these families"
    assert max(shares) < 0.45
    assert {item.candidate.problem_id.int < 40 for item in pick(pool, Rule("whole_pool", size=40, wrong_share=1))} == (
        {True}
    )


@given(pools(), any_rules)
def test_quotas_hold(pool, rule):
    quotas = {"subject 0": rule.size // 3, "subject 1": rule.size - rule.size // 3}
    groups = Counter(item.candidate.group for item in pick(pool, replace(rule, quotas=quotas)))
    assert all(groups[name] <= most for name, most in quotas.items())
    assert not groups.keys() - quotas.keys()


@given(st.integers(1, 1000), st.lists(st.floats(0.01, 1), min_size=1, max_size=6))
def test_a_size_is_shared_out_to_the_last_one(size, parts):
    shares = {str(name): part / sum(parts) for name, part in enumerate(parts)}
    found = rules.shared_out(size, shares)
    assert sum(found.values()) == size
    assert all(abs(found[name] - size * share) < 1 for name, share in shares.items())


@given(pools(), any_rules)
def test_what_others_picked_is_not_picked_again(pool, rule):
    others = pick(pool, Rule("uniform", size=3, per_problem=None, seed=9))
    picks = rules.pick(
        lambda verdicts: (item for item in sorted(pool, key=rules.order(rule)) if item.verdict in verdicts),
        rule,
        others,
    )
    assert not set(ids(picks)) & set(ids(others))
    own = Counter(item.candidate.problem_id for item in picks)
    theirs = Counter(item.candidate.problem_id for item in others)
    assert all(number + theirs[problem] <= rule.per_problem for problem, number in own.items())


@given(pools(), any_rules)
def test_a_seed_changes_ties_only(pool, rule):
    """If scores are distinct, the seed changes nothing."""
    distinct = [
        Candidate(item.solution_id, item.problem_id, item.verdict, -float(number)) for number, item in enumerate(pool)
    ]
    other = Rule(rule.policy, rule.size, rule.per_problem, rule.wrong_share, rule.seed + 1)
    if rule.policy == "whole_pool":
        assert pick(distinct, rule) == pick(distinct, other)


def tied(number, log_score=-1.0):
    return [Candidate(UUID(int=n), UUID(int=n), "wrong", log_score, problem_hash=hashed(str(n))) for n in range(number)]


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


def test_uniform_draws_all_equally_often():
    drawn = Counter[UUID]()
    for seed in range(400):
        pool = [replace(item, text_hash=hashed(f"{seed}, {item.problem_id}")) for item in tied(10)]
        drawn.update(item.candidate.problem_id for item in pick(pool, Rule("uniform", size=2, seed=seed % 5)))
    assert len(drawn) == 10
    assert all(50 <= times <= 115 for times in drawn.values()), "80 each, give or take"


def test_each_seed_starts_at_its_own_place_and_wraps_around():
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
    picks = pick(pool, Rule("whole_pool", size=4, per_problem=2, wrong_share=0.5))
    assert [(item.candidate.solution_id.int, item.reason) for item in picks] == [
        (11, "most convincing wrong answers"),
        (10, "most convincing wrong answers"),
        (15, "most convincing of what remains"),
        (13, "most convincing of what remains"),
    ]


def test_uncertain_means_near_one_half():
    scores = [math.log(p) for p in (0.99, 0.5, 0.01, 0.6)]
    pool = [Candidate(UUID(int=n), UUID(int=n), "wrong", score) for n, score in enumerate(scores)]
    one = [replace(item, problem_id=UUID(int=0)) for item in pool]
    assert [item.int for item in ids(pick(one, Rule("uncertainty", size=4, per_problem=4)))] == [1, 3, 0, 2]


def test_the_most_uncertain_are_taken_whatever_their_verdict():
    """The 80 % of wrong answers belong to another policy."""
    pool = problems(60, ["right"], scores=[math.log(0.5)]) + problems(60, ["wrong"], scores=[-9.0])
    assert {item.candidate.verdict for item in pick(pool, Rule("uncertainty", size=60))} == {"right"}
    assert {item.reason for item in pick(pool, Rule("uncertainty", size=60))} == {"most uncertain of its problem"}


def test_wrong_answers_drawn_at_random_need_no_score():
    pool = [replace(item, log_score=None) for item in problems(100, ["right", "wrong", "unsure"])]
    picks = pick(pool, Rule("random_wrong", size=50))
    assert [item.reason for item in picks] == 40 * ["drawn at random, wrong answers"] + (
        10 * ["drawn at random of what remains"]
    )
    assert {item.candidate.verdict for item in picks[:40]} == {"wrong"}


def test_scores_of_zero_chance_still_rank():
    pool = [Candidate(UUID(int=n), UUID(int=n), "wrong", score) for n, score in enumerate([-math.inf, -1e6, -2e6])]
    for policy in SCORED:
        assert len(pick(pool, Rule(policy, size=3))) == 3
    assert [item.int for item in ids(pick(pool, Rule("whole_pool", size=3)))] == [1, 2, 0]


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
    rule = Rule("whole_pool", 1, None, wrong_share=1.0)
    picked = rules.pick_for(7, candidates, rule, cost=lambda each: 3)
    assert picked == candidates[:3]
    assert rules.pick_for(6, candidates, rule, cost=lambda each: 3) == candidates[:2]
    assert rules.pick_for(0, candidates, rule, cost=lambda each: 3) == []
    assert rules.pick_for(100, candidates, rule, cost=lambda each: 3) == candidates
