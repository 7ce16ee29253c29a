"""Sets the markup of an import's texts: as chosen for it, or guessed from its first texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from msgspec import structs

from labeling.data.formats.solutions import ParsedSolution
from labeling.data.importing.markup_guess import guess
from labeling.data.importing.samples import Keyed
from labeling.models import Markup

LOOKED_AT = 500  # texts


@dataclass
class Shown:
    """The markup of an import's problems and of its steps; empty until it is guessed."""

    statements: str = ""
    steps: str = ""
    is_guessed: bool = False

    def settle(self, items: Iterable[ParsedSolution]) -> tuple[str, str]:
        """Guesses a markup that was not chosen. Returns those of statements and of steps."""
        if not (self.statements and self.steps):
            statements, steps = _guessed(list(islice(items, LOOKED_AT)))
            self.is_guessed = True
            self.statements, self.steps = self.statements or statements, self.steps or steps
        return self.statements, self.steps

    def __str__(self) -> str:
        how = "guessed from the first ones" if self.is_guessed else "as chosen"
        return f"Problems are shown as {self.statements}, steps as {self.steps} ({how})."


def marked(items: Sequence[Keyed], shown: Shown) -> list[Keyed]:
    """The solutions with the import's markup. Only new rows get it: what is stored keeps its own."""
    if not items:
        return []
    statements, steps = shown.settle(each.item for each in items)
    return [structs.replace(each, item=_as(each.item, statements, steps)) for each in items]


def _as(item: ParsedSolution, statements: str, steps: str) -> ParsedSolution:
    return structs.replace(item, markup=steps, problem=structs.replace(item.problem, markup=statements))


def _guessed(items: Sequence[ParsedSolution]) -> tuple[str, str]:
    if any(item.turns is not None for item in items):  # dialogues: their code has parts of its own
        return Markup.MARKDOWN, Markup.MARKDOWN
    statements = guess(item.problem.statement for item in items)
    steps = guess(islice(chain.from_iterable(item.steps for item in items), LOOKED_AT))
    # If one of them is mathematics, plain text in the other is a word problem, or words about formulas.
    if Markup.MATHEMATICS in (statements, steps):
        statements, steps = (Markup.MATHEMATICS if each == Markup.PLAIN else each for each in (statements, steps))
    return statements, steps
