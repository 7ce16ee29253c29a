"""An ensemble of heads: they agree on what the labels settle."""

import torch

from benchmarks.lab.heads import HEADS, _fitted, _largest


def test_heads_agree_where_labels_are_and_differ_where_none_are():
    torch.manual_seed(0)
    right = torch.rand(400) > 0.5
    states = torch.zeros(400, 4)
    states[:, 0] = right.float() * 2 - 1
    states[:3, 1] = 1.0  # hardly ever seen
    heads = _fitted(states, right.float(), seed=1)
    known, unknown = heads(torch.tensor([[1.0, 0, 0, 0], [1.0, 8.0, 0, 0]])).detach()
    assert known.shape == (HEADS,)
    assert (known > 1).all()
    assert unknown.std() > 2 * known.std()


def test_the_same_seed_gives_the_same_heads():
    states, right = torch.rand(20, 3), torch.ones(20)
    assert torch.equal(_fitted(states, right, seed=1).weight, _fitted(states, right, seed=1).weight)


def test_one_step_in_doubt_is_enough():
    assert _largest([(-1.0, -1.0, -1.0), (-1.0, -3.0, -2.0)]) == 1.0
    assert _largest([]) == 0.0
