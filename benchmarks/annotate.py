"""`make bench-annotate`: how long an annotator waits, measured in Chromium at a quarter of the processor's speed.

Labels tasks of the demo world by keyboard and times two waits in each: from a rating's key press to the painted rating,
and from submit to the next task on the screen, readable. Rates every step of an agent's long trace, likewise. Also
weighs the JavaScript and CSS that the page loads. Prints each against its budget; exit status 1 when one is over.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from benchmarks import loop
from benchmarks.lab.world.pool import make_world
from benchmarks.lab.world.records import write_records
from benchmarks.targets import Target, tell
from tests.running import product
from tests.running.product import Client, Product

RESULT = Path(__file__).parent / "results" / "annotate.json"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
OPTIONS += ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
ANNOTATOR = loop.ANNOTATORS[0]
SLOWER = 4
PACE_MS = 250  # between two keys: faster than anybody reads a step
POLL_MS = 50  # not in every frame, which is what is measured
BUDGETS = {
    "key to painted rating, ms": 50,
    "submit to next task, ms": 100,
    "key to painted rating in a trace, ms": 50,
    "JavaScript and CSS, kB": 200,
}
TURNS, LINES = 200, 5000  # of the trace, and of each output in it

# From the key's own time stamp to the moment after the frame in which `when` first holds was painted.
STOPWATCH = """
window.measured = [];
window.armed = null;
addEventListener("keydown", (event) => {
  if (!window.armed) return;
  const { name, holds } = window.armed, start = event.timeStamp;
  window.armed = null;
  const look = () => requestAnimationFrame(() => {
    if (!holds()) return look();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.measured.push([name, performance.now() - start]);
    port2.postMessage(0);
  });
  look();
}, { capture: true });
// The one in sight: the task that stands ready, and the last one until it is cleared away, are hidden.
const visible = (selector) => [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());
const current = () => visible("li[aria-current=step]");
const statement = () => visible("aside [role=group]")?.textContent;
window.arm = {
  rating: () => {
    const card = current();
    window.armed = { name: "rating", holds: () => card.dataset.rating !== undefined };
  },
  next: () => {
    const before = statement();
    window.armed = { name: "next", holds: () => statement() && statement() !== before && current() };
  },
};
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench-annotate", description=__doc__)
    parser.add_argument("--tasks", type=int, default=60, help="tasks to label (default %(default)s)")
    tasks = parser.parse_args().tasks
    with tempfile.TemporaryDirectory(prefix="stepmark-bench-") as folder, product.running(Path(folder)) as running:
        write_records(make_world(seed=0, problems=tasks + 1), running.folder / "world.jsonl")
        running.manage("import", str(running.folder / "world.jsonl"), "--source", "demo")
        (running.folder / "trace.jsonl").write_text(json.dumps(trace()) + "\n", "utf-8")
        running.manage("import", str(running.folder / "trace.jsonl"), "--format", "messages", "--source", "agents")
        team = loop.gather(running, lambda assignment: [])
        phase = publish(team, {"sources": ["demo"]}, tasks + 1)
        traces = publish(team, {"sources": ["agents"], "profile": "agents"}, 1)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
            found = measure(browser, running, phase, tasks) | measure_trace(browser, running, traces)
            browser.close()
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n")
    show(found)
    sys.exit(tell(targets(found)))


def trace() -> dict[str, Any]:
    """A solution in which an agent calls a tool again and again, each time with a long output."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "The build prints warnings. Mend it."}]
    output = "\n".join(f"{line:04}" for line in range(LINES))
    for turn in range(TURNS):
        code = json.dumps({"command": f"make part-{turn} 2>&1\ngrep --count warning log"})
        call = {"id": f"call-{turn}", "type": "function", "function": {"name": "bash", "arguments": code}}
        messages.append({"role": "assistant", "content": f"Now **part {turn}**.", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})
    return {"id": "long", "generator": "agent", "correct": True, "messages": messages}


def publish(team: loop.Team, settings: dict[str, Any], tasks: int) -> str:
    """Publishes a round for one annotator. Returns the phase's id."""
    named = {"name": "Bench " + settings["sources"][0], "kind": "solutions", "shared_rate": 0}
    phase: dict[str, Any] = team.admin.call("POST", "phases/", named | settings)
    team.admin.call("POST", f"phases/{phase['id']}/members/", {"usernames": [ANNOTATOR, loop.ML_STAFF]})
    wanted = {"phase": phase["id"], "size": tasks, "policy": "uniform", "per_problem": 1, "reward_model": None}
    loop.publish(team, loop.finish(team, "selections", wanted))
    return str(phase["id"])


@contextmanager
def opened(browser: Browser, running: Product, phase: str) -> Iterator[tuple[Page, dict[str, int]]]:
    """Yields the phase's labelling page, its processor slowed down once it is there, and the sizes of its assets."""
    annotator = Client(running.address, ANNOTATOR, loop.PASSWORD)
    context = browser.new_context(base_url=running.address, viewport={"width": 1440, "height": 900}, bypass_csp=True)
    context.add_cookies(
        [{"name": name, "value": value, "url": running.address} for name, value in annotator.cookies.items()]
    )
    context.add_init_script(STOPWATCH)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    assets: dict[str, int] = {}

    def weigh(event: dict[str, Any]) -> None:
        response = event["response"]
        if response["url"].endswith((".js", ".css")):
            headers = {name.lower(): value for name, value in response["headers"].items()}
            assets[response["url"].rsplit("/", 1)[-1]] = int(headers["content-length"])

    session.on("Network.responseReceived", weigh)
    page.goto(f"/label/{phase}")
    page.wait_for_selector("li[aria-current=step]")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("Escape")  # the tour, which is for the first time only
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    yield page, assets
    context.close()


def measure(browser: Browser, running: Product, phase: str, tasks: int) -> dict[str, Any]:
    with opened(browser, running, phase) as (page, assets):
        for _ in range(tasks):
            rate_all(page)
            press(page, "Enter", "next")
        times = page.evaluate("measured")
    return {
        "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {SLOWER}x slowed down",
        "browser": browser.version,
        "tasks": tasks,
        "rating": summary([time for name, time in times if name == "rating"]),
        "next": summary([time for name, time in times if name == "next"]),
        "assets_kb": {name: round(size / 1000, 1) for name, size in sorted(assets.items())},
        "assets_total_kb": round(sum(assets.values()) / 1000, 1),
    }


def measure_trace(browser: Browser, running: Product, phase: str) -> dict[str, Any]:
    with opened(browser, running, phase) as (page, _):
        rate_all(page)
        times = [time for _, time in page.evaluate("measured")]
    return {"trace_turns": TURNS, "trace_lines": LINES, "trace": summary(times)}


def rate_all(page: Page) -> None:
    """Rates every step Great, measuring the wait after each key."""
    while page.locator("li[aria-current=step]:not([data-rating]):visible").count():
        press(page, "1", "rating")


def press(page: Page, key: str, name: str) -> None:
    before = page.evaluate("measured.length")
    page.evaluate(f"arm.{name}()")
    page.keyboard.press(key)
    page.wait_for_function(f"measured.length > {before}", polling=POLL_MS)
    page.wait_for_timeout(PACE_MS)


def summary(times: list[float]) -> dict[str, float]:
    return {
        "count": len(times),
        "median_ms": round(median(times), 1),
        "p95_ms": round(quantiles(times, n=20)[-1], 1),
        "worst_ms": round(max(times), 1),
    }


def targets(found: dict[str, Any]) -> Iterator[Target]:
    values = [*(found[name]["p95_ms"] for name in ("rating", "next", "trace")), found["assets_total_kb"]]
    for (name, budget), value in zip(BUDGETS.items(), values, strict=True):
        yield Target(name, value, most=budget)


def show(found: dict[str, Any]) -> None:
    columns = list(found["rating"])
    table = Table("", *columns, title=f"{found['tasks']} tasks, {found['machine']}")
    for name in ("rating", "next", "trace"):
        table.add_row(name, *(f"{found[name][column]:g}" for column in columns))
    Console().print(table)


if __name__ == "__main__":
    main()
