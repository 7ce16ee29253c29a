"""Every rule that cuts a text into steps: examples, and properties of all rules."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.rules.texts.cutting import MARK, Cutting, cut_before_parts, cut_into_parts, cut_steps
from labeling.rules.texts.splitting import split_steps
from labeling.rules.words import StepRule
from tests.processor_time import processor_seconds
from tests.real_data import DATA

RULES = [rule.value for rule in StepRule]
JOINING = [rule for rule in RULES if rule not in (StepRule.USUAL, StepRule.MARK)]
# Rules whose steps, cut again, are one step each.
REPEATABLE = [StepRule.PARAGRAPHS, StepRule.LINES, StepRule.SECTIONS, StepRule.MARK]


def cut(rule: str, text: str) -> list[str]:
    """Returns the steps of a text. By the model rule, each step has two parts."""
    if rule == StepRule.MODEL:
        numbers = range(1, len(cut_into_parts(text)) + 1, 2)
        return [text[start:end] for start, end in cut_before_parts(text, numbers)]
    return cut_steps(text, Cutting(rule))


@pytest.mark.parametrize(
    ("rule", "text", "steps"),
    [
        ("paragraphs", "One,\nstill one\n\nTwo", ["One,\nstill one", "Two"]),
        ("paragraphs", "One\nline", ["One\nline"]),
        ("paragraphs", "We do:\n\n1. add\n2. stop\n\nSo 16.", ["We do:\n\n1. add\n2. stop", "So 16."]),
        ("lines", "One\n\n  Two\r\nThree", ["One", "  Two", "Three"]),
        ("lines", "Look:\n| a | b |\n|---|---|\n| 1 | 2 |\nSo 3.", ["Look:\n| a | b |\n|---|---|\n| 1 | 2 |", "So 3."]),
        ("lines", "First\n---\n## Title\nSecond\n---", ["First", "---\n## Title\nSecond\n---"]),
        ("lines", "</think>\nSo 3.", ["</think>\nSo 3."]),
        ("lines", "So 3.\n# Answer", ["So 3.\n# Answer"]),
        ("numbered", "1. Add.\n   1. carefully\n2. Stop.", ["1. Add.\n   1. carefully", "2. Stop."]),
        ("numbered", "Plan:\n\n1. add\n2. stop\n\nSo 16.", ["Plan:\n\n1. add", "2. stop", "So 16."]),
        ("numbered", "1. add\n\nmore\n\n2. stop\n\nmore", ["1. add\n\nmore", "2. stop\n\nmore"]),
        ("numbered", "## Step 1: a\n1. x\n2. y\n## Step 2\nb\n# Answer\n5", None),
        ("numbered", "**Step 1.** Add\n\nmore\n\n**Step 2.** Stop", ["**Step 1.** Add\n\nmore", "**Step 2.** Stop"]),
        ("numbered", "Step one: add\nStep in\nStep II: stop", ["Step one: add\nStep in", "Step II: stop"]),
        ("numbered", "It takes\n3.5 hours", ["It takes\n3.5 hours"]),
        ("numbered", "Schritt 1: a\nSchritt 2: b", ["Schritt 1: a", "Schritt 2: b"]),
        ("numbered", "Шаг 1. а\nШаг 2. б", ["Шаг 1. а", "Шаг 2. б"]),
        ("numbered", "第一步：加\n第2步：乘", ["第一步：加", "第2步：乘"]),
        ("numbered", "ステップ1：足す\nステップ2：掛ける", ["ステップ1：足す", "ステップ2：掛ける"]),
        ("numbered", "1단계: 더하기\n2단계: 곱하기", ["1단계: 더하기", "2단계: 곱하기"]),
        ("numbered", "الخطوة الأولى: نجمع\nالخطوة ٢: نضرب", ["الخطوة الأولى: نجمع", "الخطوة ٢: نضرب"]),
        ("numbered", "चरण १: जोड़\nचरण 2: गुणा", ["चरण १: जोड़", "चरण 2: गुणा"]),
        ("numbered", "ขั้นตอนที่ 1 บวก\nขั้นตอนที่ 2 คูณ", ["ขั้นตอนที่ 1 บวก", "ขั้นตอนที่ 2 คูณ"]),
        ("numbered", "① add\n② stop", ["① add", "② stop"]),
        ("sections", "Intro\n# A\nx\n\ny\n## B\n### C\nz", ["Intro", "# A\nx\n\ny", "## B\n### C\nz"]),
        ("sections", "**A**\nx\n**B**\ny", ["**A**\nx", "**B**\ny"]),
        ("sections", "x\n```\n# no heading\n```\n# A\ny", ["x\n```\n# no heading\n```", "# A\ny"]),
        (
            "statements",
            "import a\n\n# why\ndef f():\n    b\n\n    c\n",
            ["import a", "# why\ndef f():\n    b\n\n    c"],
        ),
        ("model", "Add. Stop.\nSo it is\n16.", ["Add. Stop.", "So it is\n16."]),
        ("model", "$$\nA. B\n$$\nSo 16.\n  Done. Really.", ["$$\nA. B\n$$\nSo 16.", "  Done. Really."]),
        ("numbered", "I. Facts\n1. a\n2. b\nII. Law\nc", ["I. Facts\n1. a\n2. b", "II. Law\nc"]),
        ("numbered", "1. a\nI. b\nII. c\n2. d", ["1. a\nI. b\nII. c", "2. d"]),
        ("numbered", "A. 3\nX. 4\nV. 5", ["A. 3\nX. 4\nV. 5"]),
        ("numbered", "一、求和\n3+5=8\n二、加倍\n16", ["一、求和\n3+5=8", "二、加倍\n16"]),
        ("numbered", "Step 1: add. Step 2: double. Done.", ["Step 1: add.", "Step 2: double. Done."]),
        ("numbered", "Then, by Step 2: 5. Step 1: 6.", ["Then, by Step 2: 5. Step 1: 6."]),
        ("numbered", "解：①求和；②加倍，由①得16。", ["解：①求和；", "②加倍，由①得16。"]),
        ("sections", "One\n===\n\na\n\nTwo\n---\nb", ["One\n===\n\na", "Two\n---\nb"]),
        ("sections", "\\section{A}\na\n\\subsection*{B}\nb", ["\\section{A}\na", "\\subsection*{B}\nb"]),
        ("sections", "<h2>A</h2>\na\n<h2>B</h2>\nb", ["<h2>A</h2>\na", "<h2>B</h2>\nb"]),
        ("sections", "HISTORY\nFever.\n\nPLAN\nRest.", ["HISTORY\nFever.", "PLAN\nRest."]),
        ("sections", "I. Facts\na. b\nII. Law\nc", ["I. Facts\na. b", "II. Law\nc"]),
        ("statements", "SELECT a,\n  b\nFROM t;\nDELETE FROM t;", ["SELECT a,\n  b\nFROM t;", "DELETE FROM t;"]),
        ("lines", "PLAN\nRest.\nDrink.\nDONE", ["PLAN\nRest.", "Drink.", "DONE"]),
        ("lines", "II. Issue\nIs it so?\n一、求和\n二、加倍", ["II. Issue\nIs it so?", "一、求和", "二、加倍"]),
        ("statements", "@one\nclass A:\n    x\ny = 1; z = 2\n# end", ["@one\nclass A:\n    x", "y = 1; z = 2\n# end"]),
        ("statements", "x = '''\n\na\n'''\ny", ["x = '''\n\na\n'''", "y"]),
        ("statements", "```py\nx = 1\ny = 2\n```", ["```py\nx = 1", "y = 2\n```"]),
        ("statements", "We add:\n```\na = 1\n\nb\n```\n\nDone", ["We add:\n```\na = 1\n\nb\n```", "Done"]),
        ("statements", "int f() {\n  a;\n\n  b;\n}\nint g()\n{\n  c;\n}", None),
        ("thinking", "<think>\nA\n\nB\n</think>\n\nC\n\nD", ["<think>\nA", "B\n</think>", "C\n\nD"]),
        ("thinking", "A\n\nB</think>C", ["A", "B</think>", "C"]),
        ("thinking", "A\n\nB", ["A", "B"]),
        ("mark", f"a {MARK}b\n\nc{MARK}\n{MARK}", ["a", "b\n\nc"]),
        ("mark", f"```\na{MARK}b\n```", ["```\na", "b\n```"]),
    ],
)
def test_the_rules(rule, text, steps):
    expected = {
        "numbered": ["## Step 1: a\n1. x\n2. y", "## Step 2\nb", "# Answer\n5"],
        "statements": ["int f() {\n  a;\n\n  b;\n}", "int g()\n{\n  c;\n}"],
    }
    assert cut(rule, text) == (steps or expected[rule])


@pytest.mark.parametrize(
    "sentences",
    [
        ["Adding 3 and 5 gives 8.", "Doubling gives 16!", "Is it right?", "“Yes.”", "So 16."],
        ["Dr. Smith has 3.5 apples.", "He eats e.g. Two of them.", "See Fig. 2 for it."],
        ["Then 5! = 120.", "It costs $5.", "Then $6.", "The set $A. B$ is \\(C. D\\).", "Call `a. B` now."],
        ["1. Add.", "2. Double it.", "A. Nothing.", "- Stop.", "The answer is B.", "So no.", "It ends."],
        ["Wait...", "Let me check.", "It is 5 p.m.", "The U.S. Army stops.", "So 3."],
        ["See Roe v. Wade, 410 U.S. 113 (9th Cir. 1973).", "On Jan. 5, Mr. J. Doe paid.", "Judge A. Smith agreed."],
        ["Smith et al. (2020) show it.", "Sect. 4(b) applies."],
        [
            "Step 1. Add them.",
            "Step 2. Double it.",
            "II. Then stop.",
            "„Nein.“",
            "Er kam am 3. Mai.",
            "Gem. § 3 gilt es.",
        ],
        ["Wir nehmen z. B. Äpfel.", "Шаг 2. Удвоим.", "И т. е. Так."],
        ["「はい。」と言った。", "次へ。"],
        ["首先，3+5=8。", "然后乘以2，得到16！", "对吗？", "“是的。”", "所以得到8.", "最后"],
        ["まず３＋５＝８です。", "次に２倍します。", "答えは１６。"],
        ["먼저 더합니다.", "그다음 곱합니다."],
        ["نجمع 3 و5.", "هل هو صحيح؟", "نعم، الجواب 16."],
        ["پہلے جمع کریں۔", "جواب ۱۶ ہے۔"],
        ["पहला कदम है।", "उत्तर १६ है॥", "बस।"],
        ["รวม 3 กับ 5 ได้ 8", "ดังนั้นคูณ 2 ได้ 16", "สุดท้ายตอบ 16"],
        ["Сложим 3 и 5.", "Получим 8, т.е. Восемь."],
        ["መጀመሪያ ደምር።", "መልሱ 16 ነው።"],
        ["Գումարենք։", "Պատասխանը 16 է։"],
        ["We get\n$$x=1.\n\nY$$\nso it holds.", "Done"],
    ],
)
@pytest.mark.parametrize("space", [" ", "\n", "\n\n"])
def test_sentences_end_in_any_script(sentences, space):
    assert cut("sentences", space.join(sentences)) == sentences


def test_sentences_of_scripts_without_spaces():
    assert cut("sentences", "加得8。乘得16！对吗？“是。”好") == ["加得8。", "乘得16！", "对吗？", "“是。”", "好"]


def test_a_line_break_within_a_sentence_does_not_end_it():
    assert cut("sentences", "We add\nthe two.\nx = 5\ny = 6") == ["We add\nthe two.", "x = 5", "y = 6"]


CASES = DATA / "cases" / "splitting.jsonl"
BAD = {"---", "</think>", "**Step 1**", "We do three things:", "Draw:"}


@pytest.mark.skipif(not CASES.is_file(), reason=f"there is no {CASES}")
@pytest.mark.parametrize("rule", JOINING)
def test_real_texts_are_cut_well(rule):
    for line in CASES.read_text().strip().split("\n"):
        text = json.loads(line)["text"]
        steps = cut(rule, text)
        assert pieces_in_order(text, steps, rule) == []
        assert not BAD & set(steps)


def pieces_in_order(text: str, steps: list[str], rule: str) -> list[str]:
    """Returns the text lost between steps, besides white space and the mark. Raises ValueError if a step is missing."""
    lost, at = [], 0
    for step in steps:
        start = text.index(step, at)
        lost.append(text[at:start])
        at = start + len(step)
    lost.append(text[at:])
    gaps = (gap.replace(MARK, "") if rule == StepRule.MARK else gap for gap in lost)
    return [gap for gap in gaps if gap.strip()]


SIGNS = [
    "\n",
    "\n\n",
    "\r\n",
    "\u2028",
    " ",
    "\t",
    "a",
    "B",
    "7",
    ".",
    "!",
    ":",
    "。",
    "؟",
    "।",
    "…",
    "ก",
    "ดังนั้น",
    "然",
]
SIGNS += ["1. ", "Step 1: ", "第一步", "# ", "**", "---", "<think>", "</think>", "|", "| a |\n| b |", "- ", "`", "```"]
SIGNS += [
    "$",
    "$$",
    "\\[",
    "\\]",
    "\\(",
    "\\)",
    "\\begin{a}",
    "\\end{a}",
    "[asy]",
    "[/asy]",
    MARK,
    "def f():\n  x",
    "}",
]
TEXTS = st.lists(st.sampled_from(SIGNS), max_size=30).map("".join)


@pytest.mark.parametrize("rule", RULES)
@given(text=TEXTS)
def test_steps_are_pieces_of_the_unchanged_text(rule, text):
    steps = cut(rule, text)
    assert pieces_in_order(text, steps, rule) == []
    assert all(step.strip() for step in steps)


@pytest.mark.parametrize("rule", REPEATABLE)
@given(text=TEXTS)
def test_a_step_cut_again_is_one_step(rule, text):
    for step in cut(rule, text):
        assert cut(rule, step) == [step]


@pytest.mark.parametrize("rule", JOINING)
@given(before=st.sampled_from(["", "Add.\n\n", "1. Add\n"]), after=st.sampled_from(["", "\n\nDone.", "\nStep 2: b"]))
@pytest.mark.parametrize("block", ["$$\nA. B\n\n1. c\n$$", "\\begin{a}\n\n# B\n\\end{a}", "[asy]\na;\n\nb;\n[/asy]"])
def test_blocks_stay_whole(rule, block, before, after):
    assert any(block in step for step in cut(rule, before + block + after))


@pytest.mark.parametrize("rule", JOINING)
@given(text=TEXTS)
def test_no_step_is_a_title_or_a_rule(rule, text):
    steps = cut(rule, text)
    if len(steps) > 1:
        assert not {"---", "# a", "# B", "<think>", "</think>"} & {step.strip() for step in steps}


@given(text=TEXTS, data=st.data())
def test_whatever_parts_a_model_chooses_no_text_is_lost(text, data):
    parts = cut_into_parts(text)
    assert pieces_in_order(text, [text[start:end] for start, end in parts], "model") == []
    chosen = data.draw(st.sets(st.integers(1, len(parts)))) if parts else set()
    steps = [text[start:end] for start, end in cut_before_parts(text, sorted(chosen))]
    assert pieces_in_order(text, steps, "model") == []
    assert all(step.strip() for step in steps)


@given(text=TEXTS)
def test_the_usual_rule_is_split_steps(text):
    assert cut("usual", text) == split_steps(text)


@given(mark=st.sampled_from(["ки", ".*", "\n\n", "(", "<step>"]), parts=st.lists(st.sampled_from(["a", " b", "c\n"])))
def test_a_mark_is_taken_literally(mark, parts):
    found = cut_steps(mark.join(parts), Cutting("mark", mark))
    assert [step.strip() for step in found] == [part.strip() for part in parts]


REPEATED = [
    ("\\(", 100_000),
    ("\\( \n", 50_000),
    (".", 200_000),
    (". ", 100_000),
    ("A. ", 70_000),
    ("1. ", 70_000),
    ("1.\n\n", 20_000),
    ("Step 1\n", 30_000),
    (" ", 200_000),
    ("\n", 100_000),
    ("\n ", 100_000),
    ("| a\n", 50_000),
    ("$a ", 70_000),
    ("`", 100_000),
    ("# a\n", 25_000),
    ("**a**\n", 15_000),
    ("a:\n", 50_000),
    ("</think>\n", 25_000),
    ("(", 100_000),
    ("- ", 100_000),
    ("ก  ", 70_000),
    ("。", 200_000),
    ("a = (\n", 30_000),
]
GROWING = [
    "".join("`" * length + " " for length in range(1, 600)),
    "{" * 5_000 + ":" * 5_000,
    "if a:\n" + "".join(" " * depth + "if a:\n" for depth in range(1, 400)),
]
RULES_IN_TIME = [rule for rule in RULES if rule != StepRule.MODEL]


def takes_linear_time(act, scrap, times):
    """Returns whether a quarter of the text takes under half a second, and about four times as long as a sixteenth (16
    times if quadratic). Measures up to three times, as other programs can disturb one measurement.
    """
    for _ in range(3):
        short, long = (processor_seconds(lambda n=n: act(scrap * n)) for n in (times // 16, times // 4))
        if long < min(0.5, 6 * short + 0.02):
            return True
    return False


@pytest.mark.parametrize(("scrap", "times"), REPEATED)
def test_time_is_linear(scrap, times):
    for rule in RULES_IN_TIME:
        assert takes_linear_time(lambda text, rule=rule: cut(rule, text), scrap, times), rule


@pytest.mark.parametrize(("scrap", "times"), REPEATED)
def test_time_is_linear_for_a_models_parts(scrap, times):
    assert takes_linear_time(lambda text: cut_before_parts(text, []), scrap, times)


@pytest.mark.parametrize("text", GROWING, ids=[text[:6] for text in GROWING])
def test_time_is_short_for_texts_of_growing_scraps(text):
    for rule in RULES_IN_TIME:
        assert processor_seconds(lambda rule=rule: cut(rule, text)) < 2, rule
    assert processor_seconds(lambda: cut_before_parts(text, [])) < 2


def test_quadratic_time_is_found():
    assert takes_linear_time(lambda text: text.split(" "), "a ", 500_000)
    assert not takes_linear_time(lambda text: [text[:end].count("b") for end in range(len(text))], "a ", 50_000)
