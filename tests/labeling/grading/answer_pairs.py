"""Pairs of answers by kind: the same (never wrong), different (never right), and those that only a person can tell.

answer_pairs.txt has pairs of kinds that mislead graders; each line says whether its two answers are the same.
"""

from pathlib import Path

Pair = tuple[str, str]
TEXT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


def misleading() -> dict[str, list[dict[str, str]]]:
    """The pairs of answer_pairs.txt by kind."""
    kinds = dict[str, list[dict[str, str]]]()
    for section in TEXT.strip().split("\n\n"):
        heading, *lines = section.splitlines()
        parts = [(line.partition(": ")[0], *line.partition(": ")[2].split(" ≟ ")) for line in lines]
        kinds[heading.removeprefix("# ")] = [{"truth": truth, "a": a, "b": b} for truth, a, b in parts]
    return kinds


# The same: right.
RIGHT: dict[str, list[Pair]] = {
    "whole numbers": [
        ("18", "18"),
        ("007", "7"),
        ("+5", "5"),
        ("-0", "0"),
        ("−5", "-5"),
        ("5.", "5"),
        ("$5$", "5"),
        ("18", "18.0"),
        ("1,234", "1234"),
        ("1{,}234", "1234"),
        ("1 234 567", "1234567"),
        ("1\\,234\\,567", "1234567"),
        ("1,234,567", "1 234 567"),
        ("10,\\!000", "10000"),
        ("12~345", "12345"),
        ("1,000,000", "10^6"),
    ],
    "fractions": [
        ("\\frac{1}{2}", "1/2"),
        ("\\dfrac12", "\\tfrac{1}{2}"),
        ("-\\frac{1}{2}", "\\frac{-1}{2}"),
        ("2/4", "1/2"),
        ("\\frac{1}{-2}", "-1/2"),
        ("0.5", "1/2"),
        (".5", "\\frac12"),
        ("\\cfrac{3}{4}", "0.75"),
        ("6/3", "2"),
        ("\\frac{\\frac{1}{2}}{3}", "1/6"),
    ],
    "mixed numbers": [
        ("3 1/2", "3.5"),
        ("3\\frac{1}{2}", "7/2"),
        ("3\\frac12", "3 1/2"),
        ("-3\\frac{1}{2}", "-3.5"),
        ("-1 1/4", "-5/4"),
        ("2\\dfrac{3}{4}", "2.75"),
        ("1\\,\\frac{1}{3}", "4/3"),
    ],
    "repeating decimals": [
        ("0.1\\overline{6}", "1/6"),
        ("0.\\overline{3}", "1/3"),
        ("1.\\overline{09}", "12/11"),
        ("0.\\bar{6}", "2/3"),
        (".\\overline{9}", "1"),
        ("2.5\\overline{0}", "2.5"),
    ],
    "powers and scientific notation": [
        ("2^{10}", "1024"),
        ("2**10", "1024"),
        ("1.5e3", "1500"),
        ("1.5 \\times 10^3", "1500"),
        ("10^{-3}", "0.001"),
        ("3.0 \\cdot 10^{8}", "300000000"),
        ("6.02\\times10^{23}", "6.02e23"),
    ],
    "units and money": [
        ("18 dollars", "\\$18"),
        ("5 cm", "5"),
        ("5\\text{ cm}", "5 \\mathrm{cm}"),
        ("5\\text{ m}", "5"),
        ("60^\\circ", "60"),
        ("60^{\\circ}", "60 degrees"),
        ("60°", "60^\\circ"),
        ("12\\text{ square units}", "12"),
        ("\\$1,000", "1000"),
        ("7 apples", "7"),
        ("5 \\text{ cm}^2", "5\\text{ cm}^{2}"),
        ("\\$18.00", "18"),
        ("3 hours", "3 hour"),
    ],
    "percentages": [
        ("25\\%", "0.25"),
        ("25\\%", "25%"),
        ("25 percent", "25\\%"),
        ("12.5\\%", "1/8"),
        ("$50\\%$", "\\frac12"),
    ],
    "choices": [
        ("\\text{(C)}", "C"),
        ("(B)", "B."),
        ("\\text{(A)}\\ 5", "5"),
        ("\\textbf{(C) } 25", "25"),
        ("(D) 7", "D"),
        ("\\textbf{(B)}\\ \\frac{1}{2}", "0.5"),
        ("Choice C", "(C)"),
        ("(A) 5", "\\text{(A)}\\ 5"),
        ("(E)\\ \\sqrt{8}", "2\\sqrt2"),
    ],
    "words": [
        ("\\text{Evelyn}", "evelyn"),
        ("DNE", "does not exist"),
        ("\\text{no solution}", "No solutions"),
        ("infinity", "\\infty"),
        ("\\varnothing", "\\emptyset"),
        ("3:30\\text{ p.m.}", "3:30 PM"),
    ],
    "bases": [("52_8", "52_{8}"), ("1010_{2}", "1010_2")],
    "algebra": [
        ("x^2+2x+1", "(x+1)^2"),
        ("x=5", "5"),
        ("y = 2x + 1", "1 + 2x"),
        ("f(x) = x^2", "x^2"),
        ("2xy", "2yx"),
        ("\\sqrt{8}", "2\\sqrt{2}"),
        ("2^{1/2}", "\\sqrt2"),
        ("\\frac{\\sqrt2}{2}", "\\frac{1}{\\sqrt2}"),
        ("\\cot x", "\\frac{\\cos x}{\\sin x}"),
        ("1,000\\pi", "1000\\pi"),
        ("3\\frac{1}{2}\\pi", "\\frac{7\\pi}{2}"),
        ("(9)(7)", "63"),
        ("2(3)", "6"),
        ("2(x+1)", "2x+2"),
        ("2\\log 3", "\\log 9"),
        ("\\log_2(8)", "3"),
        ("\\binom{5}{2}", "10"),
        ("5!", "120"),
        ("e^{i\\pi}", "-1"),
    ],
    "complex numbers": [
        ("\\frac{1}{1+i}", "\\frac{1-i}{2}"),
        ("(2+i)(2-i)", "5"),
        ("i^2", "-1"),
        ("3+4i", "4i+3"),
        ("\\sqrt{-4}", "2i"),
        ("(1+i)^2", "2i"),
    ],
    "degrees in trigonometry": [
        ("\\cos 60^\\circ", "1/2"),
        ("\\sin 60^\\circ", "\\frac{\\sqrt3}{2}"),
        ("\\tan(45^{\\circ})", "1"),
        ("2\\sin 30^\\circ", "1"),
    ],
    "lists and sets": [
        ("2, 3", "3,2"),
        ("2 or 3", "2,3"),
        ("2\\text{ and }3", "3, 2"),
        ("\\{1, 2\\}", "\\{2,1\\}"),
        ("x=2 or x=3", "2,3"),
        ("3\\pm\\sqrt2", "3-\\sqrt2, 3+\\sqrt2"),
        ("\\pm 5", "5, -5"),
        ("1; 2", "1, 2"),
        ("2, 3, and 5", "2,3,5"),
    ],
    "points, intervals, matrices": [
        ("(1,2)", "(1, 2)"),
        ("\\left(3,4\\right]", "(3,4]"),
        ("(1,2,3)", "( 1, 2, 3 )"),
        ("[0, 1/2]", "[0,0.5]"),
        ("\\begin{pmatrix} 1/3 \\\\ 2 \\end{pmatrix}", "\\begin{pmatrix}\\frac{1}{3}\\\\2\\end{pmatrix}"),
        ("(-\\infty, 2)\\cup(3,\\infty)", "(-\\infty,2) \\cup (3,\\infty)"),
    ],
}

# The same to a person: the grader may say unsure, but not wrong.
SAME: dict[str, list[Pair]] = {
    "numbers": [
        ("three", "3"),
        ("½", "1/2"),
        ("3,5", "3.5"),
        ("1.234", "1,234"),
        ("0,25", "1/4"),
        ("1.234,5", "1234.5"),
    ],
    "more numbers": [("1.234.567", "1234567"), ("0.333\\ldots", "1/3"), ("0.333...", "1/3"), ("1.1(6)", "7/6")],
    "large numbers": [
        ("3 million", "3000000"),
        ("2 dozen", "24"),
        ("3\\times10^3\\text{ g}", "3 kg"),
        ("1.5k", "1500"),
    ],
    "units": [
        ("2 hours", "120"),
        ("2 hours", "120 minutes"),
        ("5 dollars", "500"),
        ("\\$5", "500"),
        ("50 cents", "\\$0.50"),
    ],
    "more units": [("1 m", "100 cm"), ("5\\sqrt2\\text{ cm}", "5\\sqrt{2}"), ("1.5\\text{ ft}", "18\\text{ in}")],
    "angles": [
        ("180^\\circ", "\\pi\\text{ radians}"),
        ("\\frac{\\pi}{3}", "60^\\circ"),
        ("57.3^\\circ", "1\\text{ rad}"),
    ],
    "times": [("3:30 pm", "15:30"), ("3:30", "3.5\\text{ hours}"), ("half past three", "3:30")],
    "rounded": [("0.33", "1/3"), ("33.3\\%", "1/3"), ("1.41", "\\sqrt{2}"), ("3.14", "\\pi"), ("0.67", "0.6667")],
    "letters": [
        ("2n+1", "2k+1"),
        ("n^2 + n", "k^2+k"),
        ("\\frac{x^2}{2}+C", "\\frac{x^2}{2}+c"),
        ("A", "x^2"),
        ("(B)", "17"),
    ],
    "words": [
        ("yes", "true"),
        ("no", "false"),
        ("DNE", "undefined"),
        ("converges", "convergent"),
        ("none", "\\emptyset"),
    ],
    "more words": [
        ("Monday", "Mon"),
        ("two apples", "2 apples"),
        ("USA", "United States"),
        ("a right triangle", "right"),
    ],
    "intervals": [
        ("3 \\le x \\le 4", "[3,4]"),
        ("x \\in (3,4)", "(3,4)"),
        ("x<2", "(-\\infty,2)"),
        ("x \\ge 0", "[0,\\infty)"),
    ],
    "points": [("(x,y)=(2,3)", "(2,3)"), ("x=2, y=3", "(2,3)"), ("\\langle 1,2\\rangle", "(1,2)"), ("(1,2)", "[1,2]")],
    "vectors": [
        ("\\begin{pmatrix}1\\\\2\\end{pmatrix}", "(1,2)"),
        ("\\begin{bmatrix}1&2\\end{bmatrix}", "(1,2)"),
        ("1,2", "(1,2)"),
    ],
    "equations": [("y=2x+1", "2x-y+1=0"), ("x+y=1", "y+x=1"), ("2x+4y=6", "x+2y=3"), ("x^2+y^2=1", "1 = x^2 + y^2")],
    "sets": [
        ("5", "\\{5\\}"),
        ("\\{2,3\\}", "2, 3"),
        ("\\mathbb{R}", "(-\\infty,\\infty)"),
        ("all real numbers", "\\mathbb{R}"),
    ],
    "functions": [
        ("\\sqrt{x^2}", "|x|"),
        ("\\ln 10", "\\log_e 10"),
        ("\\arctan 1", "\\frac{\\pi}{4}"),
        ("\\sin^{-1} 1", "\\pi/2"),
    ],
    "ordinals": [("5^{\\text{th}}", "5th"), ("5\\text{th}", "fifth"), ("2^{nd}", "2nd"), ("1st", "1")],
    "others": [
        ("j", "i"),
        ("\\boxed{5}", "5"),
        ("5\\%\\text{ of }x", "0.05x"),
        ("10\\text{ mod }12", "10"),
        ("101_2", "5"),
        ("i", "\\sqrt{-1}"),
    ],
}

# Both readings are common: only a person can tell.
UNSURE: dict[str, list[Pair]] = {
    "ratios": [("2:3", "2/3"), ("2:3", "0.667"), ("3:2", "2:3"), ("1:2", "2")],
    "percentages": [("25\\%", "25"), ("50\\%", "50"), ("0.5\\%", "0.5"), ("25 percent", "25")],
    "logarithms": [("\\log 100", "2"), ("\\log e", "1"), ("\\log x", "\\ln x"), ("\\log_{10} 7", "\\log 7")],
    "angles": [("180^\\circ", "\\pi"), ("90^\\circ", "\\frac{\\pi}{2}"), ("\\pi", "180 degrees")],
    "mixed or multiplied": [("3\\frac{1}{2}", "3/2"), ("2 1/4", "1/2")],
    "unlike grounds": [
        ("\\sqrt{x^2}", "x"),
        ("Evelyn", "Evelyn Smith"),
        ("18 cm", "18 m"),
    ],
    "unreadable": [("52_8", "52"), ("((((", "3"), ("exec('x')", "3"), ("", "18"), ("1" * 400, "2" * 400)],
    "choices": [("(A) 5", "(B) 5"), ("(A) 5", "6"), ("B", "17")],
}

# Different: the grader says wrong (see NOT_RIGHT for the others).
WRONG: dict[str, list[Pair]] = {
    "numbers": [
        ("17", "18"),
        ("2.5", "2.6"),
        ("0.3", "1/2"),
        ("1/2^99", "1/2^98"),
        ("1,234", "1235"),
        ("-5", "5"),
        ("22/7", "3"),
    ],
    "more numbers": [
        ("3 1/2", "4 1/2"),
        ("0.\\overline{3}", "0.\\overline{6}"),
        ("1.5e3", "1.5e4"),
        ("2^{10}", "1000"),
    ],
    "percentages": [("50\\%", "5000\\%"), ("25\\%", "30\\%"), ("25\\%", "0.4")],
    "units": [("18 cm", "19 cm"), ("60^\\circ", "45^\\circ"), ("\\$18", "\\$17"), ("\\$18", "17")],
    "algebra": [
        ("\\pi/2^{99}", "\\pi/2^{98}"),
        ("x+1", "x+2"),
        ("2x", "3x"),
        ("\\sqrt2", "\\sqrt3"),
        ("\\pi", "2\\pi"),
        ("x^2", "x^3"),
        ("\\log 3", "\\log 5"),
    ],
    "complex numbers": [("1+i", "1-i"), ("3+4i", "4+3i"), ("i^2", "1"), ("\\frac{1}{1+i}", "\\frac{1+i}{2}")],
    "trigonometry": [("\\cos 60^\\circ", "\\frac{\\sqrt3}{2}"), ("\\sin 30^\\circ", "1")],
    "lists and points": [
        ("2, 3", "2, 4"),
        ("\\{1,2\\}", "\\{1,2,3\\}"),
        ("(1,2)", "(2,1)"),
        ("(3,4]", "[3,4]"),
        ("(1,2,3)", "(1,2,4)"),
    ],
    "intervals and matrices": [
        ("[0,1]", "[0,2]"),
        ("\\begin{pmatrix}1\\\\2\\end{pmatrix}", "\\begin{pmatrix}1\\\\3\\end{pmatrix}"),
        ("(-\\infty,2)", "(-\\infty,3)"),
    ],
    "words and choices": [
        ("\\text{Evelyn}", "Carla"),
        ("A", "B"),
        ("\\text{(A)}", "(D)"),
        ("ellipse", "hyperbola"),
        ("even", "odd"),
    ],
}

# Different, but the grader may say unsure.
NOT_RIGHT: list[Pair] = [
    ("6\\text{ more}", "6"),
    ("2 3", "5"),
    ("2(3)", "5"),
    ("3t", "3"),
    ("7m", "7"),
    ("2l", "2"),
    ("3d", "3"),
    ("5x", "5"),
    ("3ab", "3"),
    ("5 pi", "5"),
    ("\\pm 5", "5"),
    ("2, 3", "2"),
    ("x+1", "5"),
    ("x", "y"),
    ("52_8", "52_9"),
    ("0.333\\ldots", "0.333"),
    ("yes", "no"),
    ("\\infty", "-\\infty"),
    ("\\infty", "5"),
    ("DNE", "0"),
    ("2 hours", "2 minutes"),
    ("y=2x+1", "y=2x+2"),
    ("x<2", "x>2"),
    ("3:30 pm", "3:30 am"),
    ("(A) 5", "(B) 6"),
    ("5 \\text{ cm}", "5\\text{ cm}^2"),
    ("|x|", "x"),
    ("n\\pi", "2n\\pi"),
    ("(2,3)\\cup(4,5)", "(2,3)"),
    ("1.234,5", "1.2345"),
    ("three", "four"),
    ("A", "A+1"),
]
