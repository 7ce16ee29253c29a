"""labeling.data.importing.markup_guess: guesses a source's markup from its texts."""

import pytest

from labeling.data.importing.markup_guess import guess
from labeling.models import Markup

TEXTS = {
    "mathematics": [
        r"We factor: $x^2 - 9 = (x + 3)(x - 3)$.",
        "She sells 16 - 3 - 4 = 9 eggs a day for $2 each.",
        "So 3x = 6.\n\n# Answer\n\n2",
        "The area is a*b, and 2*3 = 6*1; so *x* 2 = x * y.",
        r"\[ \frac{1}{2} \]",
    ],
    "markdown": [
        "## Step 1: Find the area\n\nThe **area** is $3 \\cdot 4$.",
        "Use this:\n\n```python\nprint(1)\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "See [the manual](https://example.org/manual).",
        "A display is an invitation to treat (*Fisher v Bell* [1961]).",
        "*Section 2 requires writing.*",
    ],
    "plain": ["The customer asks for a refund.", "I will look up the flight, then tell the user.", "Надо спросить."],
    "code": [
        "def f(x):\n    return x * 2",
        "#include <iostream>\nint main() {\n  std::cout << 1;\n}",
        "@@ -1,2 +1,2 @@\n-    return a\n+    return b\n     # end",
        "$ cat <<EOF >> out.txt\n$ ls -l",
        "SELECT COUNT(*)\nFROM t\nWHERE a = 1;",
        "import os\nx = os.environ['HOME']",
    ],
}


@pytest.mark.parametrize(("markup", "text"), [(name, text) for name, texts in TEXTS.items() for text in texts])
def test_texts_look_like_their_markup(markup, text):
    assert guess([text]) == markup


@pytest.mark.parametrize("markup", TEXTS)
def test_a_source_is_judged_as_a_whole(markup):
    assert guess(["  ", *TEXTS[markup]]) == markup


def test_one_program_does_not_make_a_source_code():
    assert guess([*TEXTS["mathematics"], TEXTS["code"][0]]) == "mathematics"


def test_one_table_among_twenty_steps_makes_a_source_markdown():
    assert guess(["The dose is 3 = 2 + 1 g."] * 19 + [TEXTS["markdown"][2]]) == "markdown"


def test_without_texts_it_is_mathematics():
    assert guess([]) == guess([" \n"]) == "mathematics"


def test_every_markup_of_the_model_is_tested():
    assert set(TEXTS) == set(Markup.values)
