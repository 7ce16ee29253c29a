"""Rewards of turns, for reinforcement learning over several: chat messages, and a number for each of the model's.

The form of verl's and TRL's rollouts of agents: `messages`, and `turn_rewards`, one for each message of the assistant
in order: 1 right, 0 neutral, -1 wrong, null without a label. `reward` is the outcome's, 1 or 0. Write only;
alternatives, who labelled, and when are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labeling.data.formats.labels.agents import rebuilt
from labeling.rules.labelled import Labelled

OUTCOMES = {"right": 1.0, "wrong": 0.0}


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    ratings = rebuilt.ratings(labelled)
    if labelled.has_alternatives_only or not ratings:
        return
    messages, places = rebuilt.messages(labelled)
    yield {
        "id": labelled.id,
        "messages": messages,
        "turn_rewards": [ratings.get(step) for step in range(len(places))],
        "reward": OUTCOMES.get(labelled.verdict),
    }
