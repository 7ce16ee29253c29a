"""What is labelled, by whom, and what they said."""

from labeling.models.campaign import (
    Assignment,
    Phase,
    PhaseKind,
    PhaseStatus,
    Round,
    RoundStatus,
    Task,
)
from labeling.models.labels import FinishReason, Labelling, RatedCompletion, Rating, Snapshot
from labeling.models.people import Membership, Role, User
from labeling.models.pool import Gold, Problem, Solution, Split, Verdict

__all__ = [
    "Assignment",
    "FinishReason",
    "Gold",
    "Labelling",
    "Membership",
    "Phase",
    "PhaseKind",
    "PhaseStatus",
    "Problem",
    "RatedCompletion",
    "Rating",
    "Role",
    "Round",
    "RoundStatus",
    "Snapshot",
    "Solution",
    "Split",
    "Task",
    "User",
    "Verdict",
]
