"""The vocabularies that the whole server shares: each word once, with what belongs to it (pure).

Columns, messages, filters, formats and exports read them: a new word is an entry here, and a migration.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Literal, Self


@dataclass(frozen=True)
class Traits:
    """The data of a word of a vocabulary."""

    label: str


class Word(StrEnum):
    """A word of a vocabulary, with Django's `values` and `choices`, but not its metaclass, which msgspec rejects."""

    values: ClassVar[list[str]]
    choices: ClassVar[list[tuple[str, str]]]
    traits: Any

    def __init_subclass__(cls) -> None:
        cls.values = [word.value for word in cls]
        cls.choices = [(word.value, word.label) for word in cls]

    def __new__(cls, value: str, traits: Traits | None = None) -> Self:
        word = str.__new__(cls, value)
        word._value_ = value
        word.traits = traits
        return word

    @property
    def label(self) -> str:
        return str(self.traits.label)


class Verdict(Word):
    """The verdict on a solution's final answer."""

    RIGHT = "right", Traits("Right")
    WRONG = "wrong", Traits("Wrong")
    UNSURE = "unsure", Traits("Unsure")


class Markup(Word):
    """The way in which a text is shown; what is stored stays the same."""

    MATHEMATICS = "mathematics", Traits("Mathematics")
    MARKDOWN = "markdown", Traits("Markdown")
    PLAIN = "plain", Traits("Plain text")
    CODE = "code", Traits("Code")


class PartKind(Word):
    """The kind of a part of a model's turn."""

    TEXT = "text", Traits("Text")
    REASONING = "reasoning", Traits("Reasoning")
    CODE = "code", Traits("Code")
    TOOL_CALL = "tool_call", Traits("Tool call")
    OBSERVATION = "observation", Traits("Observation")
    MESSAGE = "message", Traits("Message")
    IMAGE = "image", Traits("Image")
    DIFF = "diff", Traits("Diff")
    FILE = "file", Traits("File")


class PhaseKind(Word):
    SOLUTIONS = "solutions", Traits("Whole solutions (PRM800K phase 2)")
    ALTERNATIVES = "alternatives", Traits("Alternatives per step (PRM800K phase 1)")


class LaterSteps(Word):
    SHOWN = "shown", Traits("Shown")
    DIMMED = "dimmed", Traits("Dimmed until reached")
    HIDDEN = "hidden", Traits("Hidden until reached")


class SolutionProgress(Word):
    """The progress of a solution before its first negative step."""

    NONE = "none", Traits("Nowhere yet")
    SOME = "some", Traits("Some of the way")
    MOST = "most", Traits("Most of the way")
    ALMOST = "almost", Traits("Almost there")


@dataclass(frozen=True)
class QueueTraits(Traits):
    """`is_reported`: a report of this kind puts a task into the queue; else its labellings or a case do."""

    is_reported: bool = False


class Queue(Word):
    """The reasons why a task waits for adjudication."""

    traits: QueueTraits

    DISAGREEMENT = "disagreement", QueueTraits("People see the first error at different steps")
    UNSURE = "unsure", QueueTraits("Somebody is unsure about a step")
    BAD_PROBLEM = "bad_problem", QueueTraits("Somebody calls the problem bad")
    REFERENCE_ANSWER = "reference_answer", QueueTraits("Somebody reports the reference answer", is_reported=True)
    GOLD = "gold", QueueTraits("Somebody disputes the experts' labels", is_reported=True)
    GIVE_UP = "give_up", QueueTraits("Somebody gave up")
    QUESTION = "question", QueueTraits("Somebody has a question", is_reported=True)
    STEPS = "steps", QueueTraits("Somebody says that steps are cut wrongly", is_reported=True)
    GRADER = "grader", QueueTraits("Graded wrong or unsure, and somebody finds no error")
    SECOND_LOOK = "second_look", QueueTraits("A second look disagrees with the label")


@dataclass(frozen=True)
class EndTraits(Traits):
    """`gives_up`: the solution is not rated to its end; the annotator says why, and no model is trained on it unless
    asked to. `is_void`: what was rated before judges nothing, not even a mistake. `queue`: where an expert looks at it.
    """

    phase_kinds: tuple[PhaseKind, ...] = tuple(PhaseKind)
    gives_up: bool = False
    is_void: bool = False
    queue: Queue | None = None


class FinishReason(Word):
    """The end of a labelling. PRM800K's files have the first four."""

    traits: EndTraits

    FOUND_ERROR = "found_error", EndTraits("Found an error", phase_kinds=(PhaseKind.SOLUTIONS,))
    SOLUTION = "solution", EndTraits("Reached the end")
    BAD_PROBLEM = "bad_problem", EndTraits("Bad problem", gives_up=True, is_void=True, queue=Queue.BAD_PROBLEM)
    GIVE_UP = "give_up", EndTraits("Gave up", gives_up=True, queue=Queue.GIVE_UP)


class Check(Word):
    """Oddities of a submission that make it worth a second look."""

    NO_ERROR = "no_error", Traits("No error found: look again")
    FINE_BUT_INCOMPLETE = "fine_but_incomplete", Traits("The last step is fine, but states no final answer")
    TOO_FAST = "too_fast", Traits("Faster than anybody reads")


GIVEN_UP = tuple(reason.value for reason in FinishReason if reason.traits.gives_up)
COMPLETE = tuple(reason.value for reason in FinishReason if not reason.traits.gives_up)


@dataclass(frozen=True)
class RuleTraits(Traits):
    """`help`: where a text is cut."""

    help: str


class StepRule(Word):
    """A rule that cuts the texts of a source into steps."""

    traits: RuleTraits

    USUAL = "usual", RuleTraits("Paragraphs, else lines", "At blank lines; a text without any, at every line.")
    PARAGRAPHS = "paragraphs", RuleTraits("Paragraphs", "At blank lines.")
    LINES = "lines", RuleTraits("Lines", "At every line.")
    NUMBERED = "numbered", RuleTraits("Numbered steps", "At “Step 1”, in many languages; else at “1.” and headings.")
    SECTIONS = "sections", RuleTraits("Sections", "At headings; else at bold lines, or lines like titles.")
    SENTENCES = "sentences", RuleTraits("Sentences", "At the ends of sentences, in any script.")
    STATEMENTS = "statements", RuleTraits("Statements of code", "At Python’s top-level statements; else at blocks.")
    THINKING = "thinking", RuleTraits("Thinking and answer", "At paragraphs up to “</think>”; the answer is one step.")
    MARK = "mark", RuleTraits("A mark", "Where a text stands that is no part of a step, such as “<extra_0>”.")
    MODEL = "model", RuleTraits("A language model", "At those lines and sentences that a model says begin a step.")

    @property
    def help(self) -> str:
        return self.traits.help


@dataclass(frozen=True)
class GraderTraits(Traits):
    """`help`: when it calls an answer right. `version`: stored with its verdicts."""

    help: str
    version: str


class Grader(Word):
    """A way to tell whether a final answer is the reference answer, where a record doesn't say it itself."""

    traits: GraderTraits

    MATHEMATICS = (
        "mathematics",
        GraderTraits("Mathematics", "Right if of one value: 1/2 and 0.5.", "stepmark-4"),
    )
    EXACT = "exact", GraderTraits("The same words", "Right if the same but for case and spaces.", "exact-1")
    CHOICE = (
        "choice",
        GraderTraits("The same letter", "Right if both begin with one letter: “(B)”, “b.”.", "choice-1"),
    )
    NONE = "none", GraderTraits("Nothing", "Unsure, whatever the answer is.", "none")

    @property
    def help(self) -> str:
        return self.traits.help

    @property
    def version(self) -> str:
        return self.traits.version

    @classmethod
    def of_version(cls, version: str) -> Self:
        """The grader of a verdict; mathematics for its older versions, and for verdicts of records and people."""
        return next((grader for grader in cls if grader.version == version), cls.MATHEMATICS)


@dataclass(frozen=True)
class FormatTraits(Traits):
    """`becomes`: the rows that its files are imported as. `is_held_out`: its problems are for testing, being
    test problems of their sources.
    """

    becomes: Literal["problems", "solutions", "labellings", "gold"]
    is_held_out: bool = False


class FileFormat(Word):
    """The format of an imported file."""

    traits: FormatTraits

    SOLUTIONS = "solutions", FormatTraits("Solutions JSONL", "solutions")
    GSM8K = "gsm8k", FormatTraits("GSM8K model solutions", "solutions")
    MESSAGES = "messages", FormatTraits("Chat messages with tool calls", "solutions")
    ATIF = "atif", FormatTraits("ATIF trajectories", "solutions")
    SESSIONS = "sessions", FormatTraits("Coding agents' sessions", "solutions")
    INSPECT = "inspect", FormatTraits("Inspect logs", "solutions")
    SWE_AGENT = "swe_agent", FormatTraits("SWE-agent trajectories", "solutions")
    MULTI_AGENT = "multi_agent", FormatTraits("Conversations among agents", "solutions")
    OPENTELEMETRY = "opentelemetry", FormatTraits("OpenTelemetry spans", "solutions")
    PRM800K = "prm800k", FormatTraits("PRM800K labels", "labellings")
    TRL = "trl", FormatTraits("TRL stepwise supervision", "labellings")
    MATH_SHEPHERD = "math_shepherd", FormatTraits("Math-Shepherd", "labellings")
    OPENRLHF = "openrlhf", FormatTraits("OpenRLHF", "labellings")
    RLHFLOW = "rlhflow", FormatTraits("RLHFlow", "labellings")
    PARQUET = "parquet", FormatTraits("Stepmark's Parquet", "labellings")
    PROCESSBENCH = "processbench", FormatTraits("ProcessBench", "gold", is_held_out=True)
    PROCESSBENCH_LABELS = "processbench_labels", FormatTraits("ProcessBench, as labels", "labellings")
    PRMBENCH = "prmbench", FormatTraits("PRMBench", "gold", is_held_out=True)
    WHO_AND_WHEN = "who_and_when", FormatTraits("Who&When", "gold", is_held_out=True)
    AGENT_PROCESS_BENCH = "agent_process_bench", FormatTraits("AgentProcessBench", "gold", is_held_out=True)
    CODETRACEBENCH = "codetracebench", FormatTraits("CodeTraceBench", "gold", is_held_out=True)
    AGENTRX = "agentrx", FormatTraits("AgentRx labels", "gold")
    LABELLED_TRACES = "labelled_traces", FormatTraits("Solutions with Stepmark's labels", "gold")
    PROBLEMS = "problems", FormatTraits("Problems JSONL", "problems")


@dataclass(frozen=True)
class PolicyTraits(Traits):
    """`by_problem`: problems are drawn at random, and their solutions ranked within each; else all are ranked together.
    `mixes`: a share of the picks are wrong answers, the rest right or wrong; else verdicts don't matter.
    `asks_ensemble`: candidates are only those that the model's ensemble is unsure of.
    """

    word: str  # what is ranked first: the most convincing, the most uncertain, or whatever is drawn
    by_problem: bool = False
    mixes: bool = False
    asks_ensemble: bool = False

    @property
    def is_random(self) -> bool:
        return self.word == "random"

    @property
    def needs_model(self) -> bool:
        return not self.is_random or self.asks_ensemble


class Policy(Word):
    """A rule that picks a round. The first is the paper's."""

    traits: PolicyTraits

    CONVINCING = (
        "convincing",
        PolicyTraits("Most convincing wrong answers of random problems", "convincing", by_problem=True, mixes=True),
    )
    WHOLE_POOL = (
        "whole_pool",
        PolicyTraits("Most convincing wrong answers of the whole pool", "convincing", mixes=True),
    )
    UNCERTAINTY = "uncertainty", PolicyTraits("Most uncertain of random problems", "uncertain", by_problem=True)
    RANDOM_WRONG = "random_wrong", PolicyTraits("Wrong answers at random", "random", mixes=True)
    UNIFORM = "uniform", PolicyTraits("Uniformly at random", "random")
    ACTPRM = "actprm", PolicyTraits("What the model's ensemble is unsure of", "random", asks_ensemble=True)


@dataclass(frozen=True)
class RunTraits(Traits):
    """`queue`: cpu or gpu; its workers take the run. `of_phase`: it works for one phase. `fills_device`: no two such
    runs share a device. `is_interruptible`: a verification can be answered between two steps of it. `path`: its address
    in the API; empty for runs that people don't start, which the list of all runs shows only if `is_listed`.
    """

    path: str = ""
    queue: str = "gpu"
    of_phase: bool = False
    fills_device: bool = False
    is_interruptible: bool = False
    is_for_ml_staff: bool = False  # admins may not start it
    is_listed: bool = True


class RunKind(Word):
    traits: RunTraits

    TRAIN = (
        "train",
        RunTraits(
            "Training", "training-runs", of_phase=True, fills_device=True, is_interruptible=True, is_for_ml_staff=True
        ),
    )
    EVALUATE = (
        "evaluate",
        RunTraits("Evaluation", "evaluation-runs", of_phase=True, is_interruptible=True, is_for_ml_staff=True),
    )
    REPLAY = (
        "replay",
        RunTraits("Policy replay", "policy-replays", of_phase=True, fills_device=True, is_for_ml_staff=True),
    )
    SCORE = "score", RunTraits("Scoring", "scoring-runs", is_interruptible=True, is_for_ml_staff=True)
    SELECT = "select", RunTraits("Selection", "selections", queue="cpu", of_phase=True)
    PUBLISH = "publish", RunTraits("Publication", "publications", queue="cpu", of_phase=True)
    GENERATE = "generate", RunTraits("Generation", "generations", is_interruptible=True, is_for_ml_staff=True)
    IMPORT = "import", RunTraits("Import", "imports", queue="cpu")
    RELEASE = "release", RunTraits("Data release", "data-releases", queue="cpu")
    VERIFY = "verify", RunTraits("Verification", of_phase=True)
    COMPLETE = "complete", RunTraits("Completions", queue="cpu", is_listed=False)
