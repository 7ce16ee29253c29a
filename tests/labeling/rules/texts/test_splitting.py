from itertools import islice, product
from string import ascii_lowercase

import pytest

from labeling.rules.texts.splitting import split_steps
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
        ("[asy]\ndraw(a);\n\ndot(b);\n[/asy]\n\nDone", ["[asy]\ndraw(a);\n\ndot(b);\n[/asy]", "Done"]),
        ("1. Do:\n   ```\n   a\n\n   b\n   ```\n\n2. Stop", ["1. Do:\n   ```\n   a\n\n   b\n   ```", "2. Stop"]),
        ("# Title\n\n## First\n\nAdd.", ["# Title\n\n## First\n\nAdd."]),
        ("# Answer\n5", ["# Answer\n5"]),
        ("**Step 1**\n\nAdd.\n\n**Step 2:**\n\nDouble.", ["**Step 1**\n\nAdd.", "**Step 2:**\n\nDouble."]),
        ("Add.\n\n**5**", ["Add.", "**5**"]),
        ("**Add: 8**\n\n**Double: 16**", ["**Add: 8**", "**Double: 16**"]),
        ("First\n\n---\n\nSecond\n\n***", ["First", "---\n\nSecond\n\n***"]),
        ("---", ["---"]),
        ("<think>\n\nHm.\n\n</think>\n\n5", ["<think>\n\nHm.\n\n</think>", "5"]),
        ("<think>\n\n</think>\n\n5", ["<think>\n\n</think>\n\n5"]),
        ("</think>\n\n5", ["</think>", "5"]),
        ("First\u2028Second\u2029Third", ["First", "Second", "Third"]),
        ("First\u2028 \u2028Second\u2028more", ["First", "Second\u2028more"]),
        ("\r\n  a\r\n  b\r\n\r\n\tc \r\n", ["  a\r\n  b", "\tc "]),
        ("x = <<3+5=8>>8; cout << a; cin >> b", ["x = <<3+5=8>>8; cout << a; cin >> b"]),
    ],
)
def test_the_rule(text, steps):
    assert split_steps(text) == steps


NAMES = ["".join(letters) for letters in islice(product(ascii_lowercase, repeat=4), 40_000)]
BEGUN = [f"\\begin{{{name}}}" for name in NAMES]
ENDED = [f"\\end{{{name}}}" for name in NAMES]


@pytest.mark.parametrize(
    "text",
    [
        "\\[ \n" * 200_000,
        "\n" * 1_000_000,
        "\u2028 " * 500_000,
        "</a>\n" * 200_000,
        "---\n" * 200_000,
        "**a" * 300_000,
        "".join("`" * length + " \n" for length in range(3, 1400)),
        "".join(BEGUN),
        "".join(ENDED + BEGUN),
        "".join(end + begin for end, begin in zip(ENDED, BEGUN, strict=True)),
    ],
    ids=[
        "brackets",
        "lines",
        "other lines",
        "tags",
        "rules",
        "bold",
        "fences",
        "environments",
        "ended before",
        "each ended before",
    ],
)
def test_unclosed_blocks_take_little_time(text):
    assert processor_seconds(lambda: split_steps(text)) < 3


def test_a_longer_fence_holds_a_shorter_one():
    assert split_steps("````\na\n```\n\nb\n````\n\nDone") == ["````\na\n```\n\nb\n````", "Done"]
