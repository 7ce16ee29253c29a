"""Profiles: the settings and texts that a phase of one domain begins with. Settings can be changed; the texts stand
until the phase has its own (pure).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from labeling.rules import error_kinds
from labeling.rules.error_kinds import ErrorKind
from labeling.rules.words import Grader, Markup, Traits, Word


class Meanings(NamedTuple):
    """The meanings of the ratings, for the annotators' page."""

    great: str
    okay: str
    bad: str


GUIDELINES = """Read the task, then the steps in order. Rate each one by what was known when it was written.

- **Great**: {great}
- **Okay**: {okay}
- **Bad**: {bad}

{instruction} If you can't tell, say Unsure: a guess is worth less than a gap.
"""


@dataclass(frozen=True)
class ProfileTraits(Traits):
    """`instruction` stands below the problem; `markup` is how most texts of the domain are written; `grader` compares
    their answers where no other is chosen. The rest are settings of a phase; `error_kinds` is an example.
    """

    markup: Markup
    grader: Grader
    instruction: str
    meanings: Meanings
    error_kinds: tuple[ErrorKind, ...] = ()
    rates_all_steps: bool = False
    asks_result: bool = False
    finishes_by_hand: bool = True

    @property
    def guidelines(self) -> str:
        """Example guidelines, in Markdown."""
        return GUIDELINES.format(**self.meanings._asdict(), instruction=self.instruction)


class Profile(Word):
    """The domain of a phase."""

    traits: ProfileTraits

    MATHEMATICS = (
        "mathematics",
        ProfileTraits(
            "Mathematics",
            markup=Markup.MATHEMATICS,
            grader=Grader.MATHEMATICS,
            instruction="Judge the steps by the mathematics.",
            meanings=Meanings(
                "Correct, can be verified in about half a minute, fits what came before, and moves the solution on.",
                "Reasonable and correct, but adds nothing: a repetition, a remark, a plan.",
                "Anything else: wrong, gibberish, cannot be verified, or a dead end.",
            ),
            error_kinds=error_kinds.MATHEMATICS,
            finishes_by_hand=False,
        ),
    )
    CODE = (
        "code",
        ProfileTraits(
            "Code",
            markup=Markup.MARKDOWN,
            grader=Grader.NONE,
            instruction="Judge the steps by what the code does, not by how it looks.",
            meanings=Meanings(
                "Correct, does what it says, and brings the task closer.",
                "Harmless, but brings the task no closer: a repetition, a remark, a look around.",
                "Anything else: doesn't work, breaks something, solves another task, or cannot be verified.",
            ),
            error_kinds=error_kinds.CODE,
            asks_result=True,
        ),
    )
    AGENTS = (
        "agents",
        ProfileTraits(
            "Agents",
            markup=Markup.MARKDOWN,
            grader=Grader.NONE,
            instruction="Judge each step by what the agent knew then: does it bring the task closer?",
            meanings=Meanings(
                "Right at this point, and brings the task closer.",
                "Allowed and harmless, but brings the task no closer: a repetition, a detour that costs little.",
                "Against the instructions, wrong about what happened, or leads away from the task.",
            ),
            error_kinds=error_kinds.AGENTRX,
            rates_all_steps=True,
            asks_result=True,
        ),
    )
    MEDICINE = (
        "medicine",
        ProfileTraits(
            "Medicine",
            markup=Markup.MARKDOWN,
            grader=Grader.CHOICE,
            instruction="Judge the steps by current medical knowledge and the facts of the case.",
            meanings=Meanings(
                "Correct, supported by the case or by accepted evidence, and moves the assessment on.",
                "Correct, but adds nothing: a repetition, or general knowledge that doesn't matter here.",
                "Wrong, unsupported, unsafe, or leaves out what matters at this point.",
            ),
            error_kinds=error_kinds.MEDICINE,
            rates_all_steps=True,
            asks_result=True,
        ),
    )
    LAW = (
        "law",
        ProfileTraits(
            "Law",
            markup=Markup.MARKDOWN,
            grader=Grader.CHOICE,
            instruction="Judge the steps by the law that applies and the facts of the case.",
            meanings=Meanings(
                "A correct rule, fact or application, with a source that says so where one is needed, that moves the "
                "argument on.",
                "Correct, but adds nothing: a repetition, or a rule that doesn't matter here.",
                "Wrong law, wrong facts, a source that doesn't say so, or a conclusion that doesn't follow.",
            ),
            error_kinds=error_kinds.LAW,
            rates_all_steps=True,
            asks_result=True,
        ),
    )
    PLAIN = (
        "plain",
        ProfileTraits(
            "Plain text",
            markup=Markup.PLAIN,
            grader=Grader.EXACT,
            instruction="Judge each step by the task and by what came before.",
            meanings=Meanings(
                "Right, fits what came before, and brings the task closer.",
                "Acceptable, but brings the task no closer.",
                "Wrong, unintelligible, or leads away from the task.",
            ),
            rates_all_steps=False,
        ),
    )


def settings_of(profile: Profile) -> dict[str, Any]:
    """The columns that the profile sets in a phase, with their values, but not texts read from the profile itself."""
    traits = profile.traits
    flags = ("rates_all_steps", "finishes_by_hand", "asks_result")
    # Not its kinds of error: they are an example, for whoever asks for them.
    return {"instructions": traits.guidelines, **{name: getattr(traits, name) for name in flags}}
