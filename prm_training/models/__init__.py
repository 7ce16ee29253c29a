"""Tables, each with its queryset: the kinds of runs, and their results."""

from labeling.rules.words import Policy
from prm_training.models.autopilot import Autopilot, Notice, NoticeStatus, PilotStatus
from prm_training.models.pool import Generation, Import, Score, ScoringRun
from prm_training.models.releases import DataRelease
from prm_training.models.round_settings import (
    ROUND_SETTINGS,
    SCORE_COLUMNS,
    WITHOUT_MODEL,
    QuotaBy,
    RankBy,
    RoundSettings,
)
from prm_training.models.second_looks import SecondLook
from prm_training.models.selection import Publication, Selection, SelectionItem
from prm_training.models.training import (
    EvaluationRun,
    LossPoint,
    PolicyReplay,
    Promotion,
    RewardModel,
    Supervision,
    TrainingRun,
    Verification,
)
