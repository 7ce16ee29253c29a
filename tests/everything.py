"""Runs everything that CI runs, part by part: `python -m tests.everything`; with `check`, the static parts only.

A part that fails does not stop the others. Where PostgreSQL, Redis, Chromium or nginx is missing, the parts that need
it are left out and named at the end; with CI=true in the environment a missing one is a failure.
For each part it prints what it cost, and for one that failed the command that runs it again in the same order.
"""
# ruff: noqa: T201  what it prints is what it is for

import os
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from uuid import uuid4

from tests.running import libraries, proxy, servers
from tests.running.browsers import CHROMIUM, FIREFOX

ROOT = Path(__file__).resolve().parent.parent
FRONTEND = ROOT / "frontend"
BIN = Path(sys.executable).parent
DATABASE_URL = os.environ.get("STEPMARK_TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/test")
REDIS_URL = os.environ.get("STEPMARK_TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
AT_A_TIME = 4  # parts on two processors: those that drive a product or a database wait for it half of the time
SEED = random.randrange(10**6)  # for the order of tests, in all parts
SLOWEST = 10
OUTCOMES = {"passed": "passed", "failed": "failed", "error": "failed", "errors": "failed", "skipped": "skipped"}
ON_SERVERS = {"DATABASE_URL": DATABASE_URL, "REDIS_URL": REDIS_URL, "BROKER_PREFIX": f"test-{uuid4().hex[:10]}"}
# These get processes of their own: two that share all tests would each import everything, torch included.
MODELS = "tests/prm_training"
WITH_DATABASE = ["tests/labeling", "tests/annotate", "tests/doors/test_malformed.py"]
WITH_DATABASE += ["tests/benchmarks/test_select_top.py", "tests/stepmark/test_tables.py"]
WITH_DATABASE += ["tests/stepmark/test_single_sign_on.py", "tests/stepmark/web/test_probes.py"]
OF_LABELLING = ["tests/labeling", "tests/annotate", "tests/doors"]
IN_FIREFOX = "tests/browser/test_firefox.py"
OWN_PRODUCTS = "tests/browser/own_products"
OF_ANNOTATORS = "tests/browser/annotators"
PAGES = "tests/product/pages"
BEHIND_NGINX = "tests/deploy/behind_nginx"


def nothing() -> str:
    return ""


def missing_servers() -> str:
    """Returns why the parts on servers can't run, or an empty text."""
    import psycopg  # not needed by `check`
    import redis

    try:
        psycopg.connect(DATABASE_URL, connect_timeout=5).close()
        with redis.Redis.from_url(REDIS_URL, socket_timeout=5) as client:
            client.ping()
    except psycopg.Error as error:
        return f"PostgreSQL does not answer: {str(error).splitlines()[0]}"
    except redis.RedisError as error:
        return f"Redis does not answer: {error}"
    return ""


def missing_chromium() -> str:
    return "" if Path(CHROMIUM).exists() else f"there is no {CHROMIUM} (CHROMIUM names another)"


def missing_firefox() -> str:
    return "" if FIREFOX else "there is no firefox-esr and no firefox (FIREFOX names another)"


def missing_deployment() -> str:
    return proxy.missing() or servers.missing()


@dataclass(frozen=True)
class Part:
    """A command of the run. `missing` says why it can't run here."""

    name: str
    command: Sequence[str | Path]
    folder: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)
    missing: Callable[[], str] = nothing

    def again(self) -> str:
        """Returns the shell command that runs the part again."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([f"cd {self.folder} &&", *variables, shlex.join(map(str, self.command))])


@dataclass(frozen=True)
class Result:
    """A part's result: `passed`, `failed` or `left out`, with counts of its tests. `cpu_seconds` includes all processes
    that were waited for."""

    part: Part
    outcome: str
    seconds: float = 0
    cpu_seconds: float = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    output: str = ""

    def count(self, word: str) -> int:
        """Counts the tests with this result, or the part itself if it has none."""
        own = {"passed": "passed", "failed": "failed", "left out": "skipped"}[self.outcome]
        return max(self.counts.get(word, 0), int(word == own))


def pytest(*arguments: str) -> list[str | Path]:
    return [BIN / "pytest", "-q", "-ra", f"--durations={SLOWEST}", f"--randomly-seed={SEED}", *arguments]


def vitest() -> list[str | Path]:
    shuffled = ["--sequence.shuffle.files", "--sequence.shuffle.tests", f"--sequence.seed={SEED}"]
    return ["npm", "test", "--silent", "--", *shuffled]


def static_parts(folder: Path) -> list[Part]:
    """Returns the static parts, the longest first. Files that Django or its schema write go into the folder."""
    schema = folder / "openapi.json"
    data = {"STEPMARK_DATA_DIR": str(folder / "data")}
    spectacular = f"{BIN}/python manage.py spectacular --format openapi-json --validate --fail-on-warn"
    fresh = f"{spectacular} --file {schema} && cmp {schema} stepmark/schema/openapi.json"
    return [
        Part("client: types and lint", ["npm", "run", "--silent", "check"], FRONTEND),
        Part("mypy", [BIN / "mypy", "--no-error-summary"], ROOT, data),
        Part("ruff check", [BIN / "ruff", "check", "--quiet", "."]),
        Part("ruff format", [BIN / "ruff", "format", "--check", "--quiet", "."]),
        Part("import rules", [BIN / "lint-imports"]),
        Part("shape: full packages, cycles", [BIN / "python", "-m", "benchmarks.shape"]),
        Part("migrations match the models", [BIN / "python", "manage.py", "makemigrations", "--check"], ROOT, data),
        Part("openapi.json is fresh", ["bash", "-c", fresh], ROOT, data),
        Part("client's API types are fresh", ["npm", "run", "--silent", "check:api"], FRONTEND),
    ]


def test_parts() -> list[Part]:
    """Returns the parts with tests, the longest first, pairing those that wait for a product with busy ones."""
    on_servers = "PostgreSQL and Redis"
    product = pytest("tests/product", f"--ignore={PAGES}")
    here = [] if missing_servers() else ["-m", "not servers_if_any"]
    rows = ["--one-case", "-m", "database and not any_database"]
    return [
        Part(f"whole product on {on_servers}", [*product, "-m", "not any_database"], ROOT, ON_SERVERS, missing_servers),
        Part("browser: products of their own", pytest(OWN_PRODUCTS), missing=missing_chromium),
        Part("browser: annotators", pytest(OF_ANNOTATORS), missing=missing_chromium),
        Part("deployment behind nginx, with faults", pytest(BEHIND_NGINX), missing=missing_deployment),
        Part("tests of labelling", pytest(*OF_LABELLING)),
        Part(
            "browser: all else",
            without("tests/browser", OF_ANNOTATORS, OWN_PRODUCTS, IN_FIREFOX),
            missing=missing_chromium,
        ),
        Part("tests of all else", without("tests", *OF_LABELLING, "tests/product", "tests/browser", BEHIND_NGINX)),
        Part("whole product", [*product, *here]),
        Part(f"tests on {on_servers}", [*pytest(*WITH_DATABASE), *rows], ROOT, ON_SERVERS, missing_servers),
        Part(f"tests of models on {on_servers}", [*pytest(MODELS), *rows], ROOT, ON_SERVERS, missing_servers),
        Part("client: tests", vitest(), FRONTEND),
        Part("pages of the site", pytest(PAGES)),
        Part("browser: Firefox", pytest(IN_FIREFOX), ROOT, {"FIREFOX": FIREFOX}, missing_firefox),
    ]


def without(folder: str, *left_out: str) -> list[str | Path]:
    """Returns the command for the folder's other tests."""
    return pytest(folder, *(f"--ignore={path}" for path in left_out))


def run(part: Part, environment: Mapping[str, str]) -> Result:
    """Runs the part and prints its result, with the whole output if it failed."""
    if why := part.missing():
        outcome = "failed" if environment.get("CI") == "true" else "left out"
        return told(Result(part, outcome, output=why))
    started_at = monotonic()
    with tempfile.TemporaryFile("w+", errors="replace", dir=environment["TMPDIR"]) as written:
        process = subprocess.Popen(
            part.command,
            cwd=part.folder,
            env={**environment, **part.environment},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        written.seek(0)
        output = written.read()
    outcome = "failed" if process.returncode else "passed"
    cpu_seconds = used.ru_utime + used.ru_stime
    return told(Result(part, outcome, monotonic() - started_at, cpu_seconds, counted(output), output))


def counted(output: str) -> dict[str, int]:
    """Reads the numbers in the last line of pytest (`3 passed, 1 error in 2.1s`) or vitest (`Tests  3 passed (3)`)."""
    summaries = re.findall(r"^(?:=* ?\d+ \w+.* in [\d.]+s.*| *Tests +\d+ \w+.*)$", output, re.MULTILINE)
    counts: dict[str, int] = {}
    for number, word in re.findall(r"(\d+) (\w+)", summaries[-1] if summaries else ""):
        if word in OUTCOMES:
            counts[OUTCOMES[word]] = counts.get(OUTCOMES[word], 0) + int(number)
    return counts


def slowest(results: Sequence[Result]) -> list[str]:
    """Returns the slowest tests, or their set-up, of all parts that pytest ran."""
    named = [
        (float(seconds), f"{seconds:>8} s  {what:8} {test}  ({result.part.name})")
        for result in results
        for seconds, what, test in re.findall(r"^([\d.]+)s (call|setup|teardown) +(.+)$", result.output, re.MULTILINE)
    ]
    return [text for _, text in sorted(named, reverse=True)[:SLOWEST]]


def failures(results: Sequence[Result]) -> list[str]:
    """Returns the tests that failed, or could not be set up, and the parts that failed without saying which."""
    named = []
    for result in results:
        if result.outcome == "failed":
            # As pytest's summary and vitest name them. A captured line of a log may begin with ERROR, too.
            tests = re.findall(r"^(?:(?:FAILED|ERROR) (?=tests/)| *FAIL +)(.+)$", result.output, re.MULTILINE)
            named += [f"{each}  ({result.part.name})" for each in dict.fromkeys(tests)] or [result.part.name]
    return named


def told(result: Result) -> Result:
    if result.outcome == "failed":
        again = f"again: {result.part.again()}"
        print(f"\n----- {result.part.name} -----\n{result.output.rstrip()}\n{again}\n-----", flush=True)
    print(line(result), flush=True)
    return result


def line(result: Result) -> str:
    counts = ", ".join(f"{number} {word}" for word, number in result.counts.items())
    why = result.output if result.outcome == "left out" else counts
    cost = f"{result.seconds:6.1f} s, {result.cpu_seconds:6.1f} s of processor time"
    return f"{result.outcome:9} {cost}  {result.part.name}{': ' if why else ''}{why}"


@contextmanager
def own_environment() -> Iterator[dict[str, str]]:
    """Yields an environment with a temporary folder to write to, and without your own installation's settings."""
    yours = {"DATABASE_URL", "REDIS_URL", "BROKER_PREFIX", "STEPMARK_DATA_DIR", "SECRET_KEY", "HTTPS_ONLY", "DEBUG"}
    with tempfile.TemporaryDirectory(prefix="stepmark-test-") as folder:
        kept = {key: value for key, value in os.environ.items() if key not in yours}
        # One thread for each process: there are always several.
        own = {"TMPDIR": folder, "MADE_ONCE": folder, "NO_COLOR": "1", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        own["PYTHONDONTWRITEBYTECODE"] = ""  # some machines set it, and each process would recompile all tests
        yield kept | own


def main(arguments: Sequence[str]) -> int:
    if arguments not in ([], ["check"]):
        print("usage: python -m tests.everything [check]", file=sys.stderr)
        return 2
    with own_environment() as environment, ExitStack() as running:
        if not arguments:
            shared = libraries.loaded(libraries.LIBRARIES, environment)
            environment[libraries.SHARED] = running.enter_context(shared)
        several_at_a_time = running.enter_context(ThreadPoolExecutor(AT_A_TIME))

        def run_here(part: Part) -> Result:
            return run(part, environment)

        parts = [*([] if arguments else test_parts()), *static_parts(Path(environment["TMPDIR"]))]
        results = list(several_at_a_time.map(run_here, parts))
    print("\n" + "\n".join(line(result) for result in results) + "\n")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    beside = used.ru_utime + used.ru_stime - sum(result.cpu_seconds for result in results)
    print(f"The products that the parts started took {beside:.1f} s of processor time.\n")
    if tests := slowest(results):
        print("The slowest, with what they set up:\n" + "\n".join(tests) + "\n")
    if tests := failures(results):
        print("Failed:\n" + "\n".join(tests) + "\n")
    words = ("passed", "failed", "skipped")
    print(", ".join(f"{sum(result.count(word) for result in results)} {word}" for word in words))
    return int(any(result.outcome == "failed" for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
