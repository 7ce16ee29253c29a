"""Rows that look like violations of a constraint, but are allowed."""

from labeling.models import Phase, Solution


def test_a_screening_round_may_be_open_beside_a_real_one(make, phase, open_round):
    make.screening(phase)
    assert Phase.objects.get().rounds.filter(status="open").count() == 2


def test_the_same_text_may_answer_two_problems(make):
    first = make.solution()
    make.solution(text_hash=first.text_hash)
    assert Solution.objects.count() == 2
