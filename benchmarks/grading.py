"""`make bench-grading`: time on hostile answers, agreement with real verdicts, grades per second.

The parts on real answers need `gsm8k/`, `math500/` and `cases/` in STEPMARK_DATA (else ../shared/data).
"""

import gzip
import json
import logging
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks.targets import Target, tell
from labeling.data.formats.gsm8k import without_calculator_notes
from labeling.grading import grader
from labeling.rules.texts.answers import extract_answer
from labeling.rules.words import Grader

RESULT = Path(__file__).parent / "results" / "grading.json"
DATA = Path(os.environ.get("STEPMARK_DATA", Path(__file__).parents[1] / ".." / "shared" / "data"))
GATHERED = DATA / "cases" / "grader_pairs.jsonl"
ROUNDS = 4
Pair = tuple[str, str]

HOSTILE = (
    "99999999!",
    "((10!)!)!",
    "100!!!!",
    "9**9**9**9",
    "9^9^9^9",
    "9^{9^{9^9}}",
    "10^{10^{10}}",
    "2^{99999}",
    "2^{2^{2^{2^2}}}",
    "e^{e^{e^{e^{e}}}}",
    "i^{i^{i^i}}",
    "x^{y^{z^{w^{v}}}}",
    "\\pi^{\\pi^{\\pi^{\\pi}}}",
    "(x+1)^{10000}",
    "(x+1)^{999}(x-1)^{999}",
    "(a+b+c+d+e+f)^{60}",
    "x^{100000}+1",
    "1.0000000001^{10^9}",
    "\\prod_{n=1}^{1000000} n",
    "\\sum_{n=1}^{10^{10}} n",
    "\\int_0^1 x^{x^x} dx",
    "\\frac{d}{dx} x^{x^x}",
    "\\binom{100000}{50000}",
    "\\gcd(10^{100},3)",
    "\\sin(\\sin(\\sin(10^{100})))",
    "\\sqrt[1000000]{2}",
    "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}^{1000000}",
    "\\begin{pmatrix}" + "1&" * 50 + "1\\end{pmatrix}",
    "1e999999",
    "1e-999999",
    "\\infty",
    "nan",
    "1/0",
    "0/0",
    "\\log(\\log(0))",
    "1/2^{99999}",
    "(" * 150 + "1" + ")" * 150,
    "((((((((((((((((((1))))))))))))))))))",
    "(" * 290,
    "\\left(" * 40,
    "{" * 290,
    "\\frac{" * 40 + "1" + "}{2}" * 40,
    "\\sqrt{" * 50 + "2" + "}" * 50,
    "|x|" * 30,
    "[0,1)" * 30,
    "\\cup" * 40,
    "3" * 299,
    "3" * 100_000,
    "-" * 299,
    "." * 299,
    "1," * 149,
    "^" * 100,
    "_" * 100,
    "\\" * 99,
    "$" * 100,
    "__import__('os').system('sleep 5')",
    "exec('while 1: pass')",
    "(lambda f: f(f))(lambda f: f(f))",
    "x=x=x=x",
    "\x00",
    "\ud800",
    "\u202e18",
    "²³",
    "१८/०",
    "\n" * 200,
)


def gsm8k() -> Iterator[tuple[Pair, bool]]:
    """Yields answer and reference of every model solution, and whether the record calls it correct."""
    with gzip.open(DATA / "gsm8k" / "example_model_solutions.jsonl.gz") as lines:
        for record in map(json.loads, lines):
            reference = extract_answer(without_calculator_notes(record["ground_truth"]))
            for part in record.values():
                if isinstance(part, dict):
                    yield (extract_answer(without_calculator_notes(part["solution"])), reference), part["is_correct"]


def math500() -> Iterator[Pair]:
    """Yields each reference answer paired with itself and with the next problem's."""
    with gzip.open(DATA / "math500" / "test500.jsonl.gz") as lines:
        answers = [json.loads(line)["answer"] for line in lines]
    for answer, other in pairwise(answers):
        yield from [(f"{answer} ", answer), (answer, other)]


def hostile_seconds() -> dict[str, float]:
    """Returns the seconds that each input takes against a number or a polynomial, whichever is longer."""
    grader.grade("x + 1", "1 + 2x")  # the child starts
    return {answer: max(seconds(answer, "3"), seconds("x+1", answer)) for answer in HOSTILE}


def seconds(answer: str, reference: str) -> float:
    started_at = monotonic()
    grader.grade(answer, reference)
    return monotonic() - started_at


def agreement() -> dict[str, Any]:
    counts, unsure = Counter[str](), Counter[str]()
    for (answer, reference), is_correct in gsm8k():
        verdict = grader.grade(answer, reference)
        word = "unsure" if verdict == "unsure" else "agrees" if (verdict == "right") == is_correct else "contradicts"
        counts[word] += 1
        if word != "agrees":
            unsure[f"{answer or '(no answer)'} for {reference}: {verdict}"] += 1
    return {**counts, "share": round(counts["agrees"] / counts.total(), 4), "not_agreed": dict(unsure)}


def gathered() -> list[dict[str, str]]:
    """Returns misleading pairs, whose truth is known."""
    return [json.loads(line) for line in GATHERED.read_text().splitlines()]


def told(pairs: list[dict[str, str]], grade: Callable[[str, str], str]) -> dict[str, float]:
    """Returns the number of false verdicts, and the share of equal answers left unsure."""
    counts = Counter[tuple[str, str]]((pair["truth"], grade(pair["a"], pair["b"])) for pair in pairs)
    same = sum(count for (truth, _), count in counts.items() if truth == "same")
    return {
        "pairs": counts.total(),
        "false_wrong": counts["same", "wrong"],
        "false_right": counts["different", "right"],
        "open_but_decided": counts["open", "right"] + counts["open", "wrong"],
        "unsure_of_the_same": round(counts["same", "unsure"] / same, 3),
    }


def math_verify_alone(answer: str, reference: str) -> str:
    """Grades by math-verify with its default settings; unsure if it reads nothing."""
    from math_verify import parse, verify  # noqa: PLC0415  slow to load

    logging.getLogger("math_verify").setLevel(logging.ERROR)  # which warns of each call without a time limit
    read = [parse(f"\\boxed{{{text}}}", parsing_timeout=None) for text in (reference, answer)]
    if not all(read):
        return "unsure"
    return "right" if verify(*read, timeout_seconds=None) else "wrong"


GRADERS = {"stepmark": grader.grade, "math_verify": math_verify_alone}


def speed(pairs: list[Pair], rounds: int) -> float:
    """Returns grades a second, starting with an empty cache."""
    grader._grade.cache_clear()
    started_at = monotonic()
    for answer, reference in pairs * rounds:
        grader.grade(answer, reference)
    return round(len(pairs) * rounds / (monotonic() - started_at), 1)


def measure() -> dict[str, Any]:
    times = hostile_seconds()
    worst = max(times, key=lambda answer: times[answer])
    pairs = [*(pair for pair, _ in gsm8k()), *math500()]
    return {
        "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
        "grader": Grader.MATHEMATICS.version,
        "hostile": {"inputs": len(times), "slowest": worst[:60], "slowest_seconds": round(times[worst], 2)},
        "gsm8k": agreement(),
        "gathered": {name: told(gathered(), grade) for name, grade in GRADERS.items()},
        "grades_per_second": {
            f"GSM8K and MATH, each pair {ROUNDS} times": speed(pairs, ROUNDS),
            "MATH, each pair once": speed(list(math500()), 1),
        },
    }


def targets(found: dict[str, Any]) -> Iterator[Target]:
    hostile, mixed = found["hostile"], next(iter(found["grades_per_second"].values()))
    yield Target(f"slowest of {hostile['inputs']} hostile answers, s", hostile["slowest_seconds"], most=1)
    yield Target("GSM8K verdicts met, share", found["gsm8k"]["share"], least=0.995)
    ours = found["gathered"]["stepmark"]
    yield Target(f"false verdicts on {ours['pairs']} gathered pairs", ours["false_wrong"] + ours["false_right"], most=0)
    yield Target("unsure of those that are the same, share", ours["unsure_of_the_same"], most=0.15)
    yield Target(f"grades a second, each pair {ROUNDS} times", mixed, least=2000)


def main() -> None:
    found = measure()
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    print(f"{found['grader']}, {found['machine']}")
    sys.exit(tell(targets(found)))


if __name__ == "__main__":
    main()
