import time

import pytest

from labeling.steps import split_steps, strip_calculator_notes


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


def test_many_unclosed_openings_cost_nothing():
    started_at = time.monotonic()
    assert len(split_steps("\\[ \n" * 50_000)) == 50_000
    assert time.monotonic() - started_at < 2
