from itertools import islice, product
from string import ascii_lowercase

import pytest

from labeling.rules.splitting import split_steps, strip_calculator_notes
from tests.processor_time import processor_seconds


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", []),
        (" \n \n ", []),
        ("One line", ["One line"]),
        ("First\nSecond\n\n", ["First", "Second"]),
        ("First\r\nSecond", ["First", "Second"]),
        ("First,\nstill first\n\nSecond", ["First,\nstill first", "Second"]),
        ("First\n \t\n\n\nSecond", ["First", "Second"]),
        ("So 29.\n\n# Answer\n\n29", ["So 29.", "# Answer\n\n29"]),
        ("Look:\n```py\na = 1\n\nb = 2\n```\nDone", ["Look:", "```py\na = 1\n\nb = 2\n```", "Done"]),
        ("We get\n\\[\nx = 1\n\\]\nDone", ["We get", "\\[\nx = 1\n\\]", "Done"]),
        ("$$\nx\n\ny\n$$\n\nDone", ["$$\nx\n\ny\n$$", "Done"]),
        ("\\begin{align*}\na\\\\\n\nb\\end{align*}\n\nDone", ["\\begin{align*}\na\\\\\n\nb\\end{align*}", "Done"]),
        ("An open \\[ bracket\nSecond", ["An open \\[ bracket", "Second"]),
        ("16 - 3 = <<16-3=13>>13\nA: 13", ["16 - 3 = 13", "A: 13"]),
    ],
)
def test_the_rule(text, steps):
    assert split_steps(text) == steps


def test_calculator_notes_leave_comparisons_alone():
    assert strip_calculator_notes("1 << 2, <<1+1=2>>2") == "1 << 2, 2"


NAMES = ["".join(letters) for letters in islice(product(ascii_lowercase, repeat=4), 40_000)]
BEGUN = [f"\\begin{{{name}}}" for name in NAMES]
ENDED = [f"\\end{{{name}}}" for name in NAMES]


@pytest.mark.parametrize(
    "text",
    [
        "\\[ \n" * 200_000,
        "\n" * 1_000_000,
        "<<" * 500_000,
        "".join("`" * length + " \n" for length in range(3, 1400)),
        "".join(BEGUN),
        "".join(ENDED + BEGUN),
        "".join(end + begin for end, begin in zip(ENDED, BEGUN, strict=True)),
    ],
    ids=["brackets", "lines", "notes", "fences", "environments", "ended before", "each ended before"],
)
def test_what_is_never_closed_costs_nothing(text):
    assert processor_seconds(lambda: split_steps(text)) < 3


def test_a_longer_fence_holds_a_shorter_one():
    assert split_steps("````\na\n```\n\nb\n````\n\nDone") == ["````\na\n```\n\nb\n````", "Done"]
