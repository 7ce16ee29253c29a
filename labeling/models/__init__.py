"""Tables, each with its queryset: problems, solutions, campaigns, people, labels, runs."""

from labeling.models.adjudication import Case, Outcome
from labeling.models.campaign import ConsensusMethod, Guidelines, Phase, PhaseStatus
from labeling.models.consensus import Consensus
from labeling.models.counts import Rollup, Tally
from labeling.models.gold import Gold
from labeling.models.jobs import Batch, LogLine, Run, Status, Worker
from labeling.models.labels import (
    Critique,
    Labelling,
    RatedCompletion,
    Rating,
    Report,
    ReportKind,
    Snapshot,
)
from labeling.models.people import (
    LABELLING,
    ApiToken,
    BrowserSession,
    Change,
    FailedSignIns,
    FormerMember,
    Invitation,
    Membership,
    PhaseRole,
    Role,
    User,
)
from labeling.models.pool import (
    Benchmark,
    CompletionPurpose,
    CompletionSet,
    Image,
    Overlap,
    Problem,
    ProblemBand,
    Registration,
    Sample,
    Solution,
    Split,
    StepAnswer,
)
from labeling.models.rounds import AHEAD, Assignment, AssignmentKind, Round, RoundStatus, Task, Withdrawal
from labeling.rules.words import FinishReason, Markup, PhaseKind, Queue, Verdict
