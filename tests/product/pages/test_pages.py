"""Every command of the tutorials and how-tos is carried out, in its order, on one product."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

import stepmark
from tests.hub import TOKEN, Hub
from tests.product.pages.reader import DOCS, Reader, blocks
from tests.product.words import PASSWORD, texts
from tests.running import product
from tests.running.product import ROOT, Client

pytestmark = [pytest.mark.product, pytest.mark.any_database]
RESULT = re.compile(r"(\d+) ([*-]) (\d+) = (\d+)")
Row = dict[str, Any]
# What the page of traces does in the browser, from the phase to the last label.
LABEL_TRACES = """
from django.utils import timezone
from annotate import allocation, submission
from labeling.campaign import phases, rounds
from labeling.models import Solution
from labeling.people import accounts
from labeling.rules.ratings import Judgement, StepRating
eve = accounts.add_person(username="eve", password="stepmark-eve")
phase = phases.create(name="Airline", sources=["airline"], profile="agents")
accounts.add_members(phase=phase, users=[eve])
solutions = list(Solution.objects.drawn_by(phase).values_list("pk", flat=True))
rounds.publish(phase=phase, solution_ids=solutions, overlap=1, now=timezone.now())
for number, _ in enumerate(solutions):
    task = allocation.claim_next(phase=phase, annotator=eve, now=timezone.now())
    steps = [StepRating(step, 1) for step, _ in enumerate(task.task.solution.steps)]
    steps[number % len(steps)] = StepRating(number % len(steps), -1)
    judgement = Judgement(steps, "found_error", result="wrong")
    made = submission.Submission(judgement)
    submission.submit(assignment_id=task.pk, annotator=eve, submission=made, now=timezone.now())
"""


def is_right(step: str) -> bool:
    times_or_less = {"*": int.__mul__, "-": int.__sub__}
    return all(times_or_less[sign](int(a), int(b)) == int(c) for a, sign, b, c in RESULT.findall(step))


def label(client: stepmark.Client, phase: Row) -> None:
    """Labels by the rule of the page until nothing is left."""
    task = client.claim(phase)
    while task:
        wrong = [number for number, step in enumerate(task["solution"]["steps"]) if not is_right(step)]
        ratings = [1] * wrong[0] + [-1] if wrong else [1] * len(task["solution"]["steps"])
        task = client.submit(task, ratings)


def of_reader(reader: Reader) -> stepmark.Client:
    """The reader's client, with a token from the Account page."""
    if not reader.token:
        with closing(Client(reader.address, reader.home.name, PASSWORD)) as account:
            reader.token = account.call("POST", "tokens/", {"name": "page"})["secret"]
    return stepmark.Client(reader.address, reader.token)


def label_a_round(reader: Reader) -> None:
    """Does what the first campaign's page does in the browser, from the phase to the last label."""
    with of_reader(reader) as client:
        phase = client.create_phase("Apples", sources=["apples"], shared_rate=0)
        client.add_members(phase, client.me()["username"])
        client.next_round(phase, size=40)
        label(client, phase)


def people_of(reader: Reader, stop: Event) -> None:
    """Labels whatever is open, until it is told to stop."""
    with of_reader(reader) as client:
        (phase,) = client.phases()
        while not stop.wait(0.5):
            label(client, phase)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of the reader who followed the first campaign, and carried it round the loop from a terminal."""
    home = tmp_path_factory.mktemp("campaign")
    stop = Event()
    people: list[Thread] = []

    def begin_to_label(reader: Reader) -> None:
        people.append(Thread(target=people_of, args=(reader, stop)))
        people[0].start()

    reader = Reader(
        home, with_tables(home / "data"), {"stepmark export": label_a_round, "stepmark loop": begin_to_label}
    )
    with reader.services:
        reader.follow("tutorials/first-campaign.md")
        try:
            reader.follow("how-to/script.md")
        finally:
            stop.set()
            [each.join() for each in people]
        with of_reader(reader) as client:
            found = {each["number"]: (each["status"], each["task_count"]) for each in client.rounds()}
        assert found == {0: ("closed", 40), 1: ("closed", 20), 2: ("open", 20)}
    yield reader.data


def with_tables(folder: Path) -> Path:
    """Makes the folder with empty tables: `migrate` from nothing is tested elsewhere, and takes long."""
    folder.mkdir(parents=True)
    (folder / product.DATABASE).write_bytes(product.tables().read_bytes())
    return folder


@pytest.fixture
def reader(data: Path, tmp_path: Path) -> Iterator[Reader]:
    reader = Reader(tmp_path, data)
    with reader.services:
        yield reader


def write(path: Path, records: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def prm800k(number: int) -> Row:
    """A record of PRM800K's second phase."""
    statement, attempts = list(texts())[number]
    steps = [{"completions": [{"text": text, "rating": 1}], "chosen_completion": 0} for text in attempts[0].steps]
    question = {"problem": statement, "ground_truth_answer": str(attempts[0].answer)}
    return {"question": question, "label": {"steps": steps, "finish_reason": "solution"}}


def processbench() -> list[Row]:
    return [
        {"id": str(number), "problem": statement, "steps": attempt.steps, "label": -1 if attempt.is_right else 1}
        for number, (statement, attempts) in enumerate(list(texts())[:4])
        for attempt in attempts[1:3]
    ]


def test_the_first_campaign_and_the_loop_from_a_script(data: Path) -> None:
    """The fixture follows both pages, and compares."""


def test_own_models(reader: Reader) -> None:
    reader.follow("tutorials/own-models.md")


def test_prm800k(reader: Reader) -> None:
    there = reader.folder / "prm800k/prm800k/data"
    write(there / "phase1_train.jsonl", [prm800k(number) for number in range(4)])
    write(there / "phase1_test.jsonl", [prm800k(number) for number in range(4, 6)])
    answers = [
        {
            "question": statement,
            "ground_truth": "x #### 1",
            "6B_finetuning": {"is_correct": True, "solution": "One.\nTwo.\nA: 1"},
        }
        for statement, _ in list(texts())[:4]
    ]
    write(reader.folder / "grade-school-math/grade_school_math/data/example_model_solutions.jsonl", answers)
    (reader.folder / "gsm8k.json").write_text(json.dumps(processbench()))
    reader.follow("tutorials/prm800k.md")


def test_add_a_format(reader: Reader) -> None:
    import pyarrow
    from pyarrow import parquet

    rows = [
        {"task": statement, "attempt": "\n".join(each.steps)} for statement, attempts in texts() for each in attempts
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), reader.folder / "samples.parquet")
    reader.follow("how-to/add-a-format.md")


def test_label_traces(reader: Reader) -> None:
    runs = (ROOT / "stepmark" / "demo" / "agents.jsonl").read_text()
    (reader.folder / "runs.jsonl").write_text(runs)
    (reader.folder / "in_the_browser.py").write_text(LABEL_TRACES)

    def label_all(reader: Reader) -> None:
        reader.run("stepmark shell --no-imports -c \"exec(open('in_the_browser.py').read())\"")

    def label_others(reader: Reader) -> None:
        (reader.folder / "others.jsonl").write_text((reader.folder / "labelled.jsonl").read_text())

    reader.before = {"export --into": label_all, "evaluate": label_others}
    reader.follow("how-to/label-traces.md")
    labelled = [json.loads(line) for line in (reader.folder / "labelled.jsonl").read_text().splitlines()]
    assert all(record["stepmark"][0]["step_labels"] for record in labelled)


def test_screen_annotators(reader: Reader) -> None:
    (reader.folder / "gsm8k.json").write_text(json.dumps(processbench()))
    reader.follow("how-to/screen-annotators.md")


def test_back_up_and_restore(reader: Reader) -> None:
    before = reader.run("stepmark export --format trl --output before.jsonl")
    reader.follow("how-to/back-up.md")
    reader.follow("how-to/restore.md")
    assert reader.run("stepmark export --format trl --output after.jsonl") == before
    assert (reader.folder / "after.jsonl").read_bytes() == (reader.folder / "before.jsonl").read_bytes()


def test_upgrade(reader: Reader) -> None:
    reader.follow("how-to/upgrade.md")


def test_a_stuck_run(reader: Reader) -> None:
    reader.follow("how-to/stuck-run.md")


def test_deploy(reader: Reader) -> None:
    for folder in ("srv/stepmark", "mnt/shared/stepmark"):
        with_tables(reader.home / folder)
    reader.follow("how-to/deploy.md")
    assert "no issues" in reader.run("stepmark check")


def test_release_labels(reader: Reader) -> None:
    write(
        reader.folder / "samples.jsonl",
        [{"problem": "1 + 1?", "reference_answer": "2", "generator": "g", "steps": ["It is 2."]}],
    )
    reader.run("stepmark createsuperuser")
    reader.run("stepmark run")
    of_reader(reader).close()
    own = {"STEPMARK_URL": reader.address, "STEPMARK_TOKEN": reader.token, "HF_TOKEN": TOKEN}
    with closing(Hub()) as hub:
        here = {"HF_ENDPOINT": hub.url, "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1", "HF_HOME": str(reader.home)}
        fresh = {"PYTHON": sys.executable}  # the hub's library reads those once
        reader.environment |= own | here | fresh
        reader.follow("how-to/release-labels.md")
    assert hub.tags.keys() == {"algebra-2026-11"}
    assert "# algebra-2026-11" in hub.files["README.md"].decode()


def test_personal_data(reader: Reader) -> None:
    """Each command answers one request: a person who was erased is added again for the next."""
    add = "from labeling.people.accounts import add_person; add_person(username='ada', password='stepmark-ada')"

    def add_ada(reader: Reader) -> None:
        reader.run(f'stepmark shell --no-imports -c "{add}"')

    reader.before = {"--export": add_ada, "--erase": add_ada}
    reader.follow("how-to/personal-data.md")
    assert "stepmark-ada" not in (reader.folder / "ada.jsonl").read_text()


def test_the_prm_library(reader: Reader) -> None:
    reader.follow("reference/prm-library.md")


def test_no_page_is_left_out() -> None:
    tests = Path(__file__).read_text()
    pages = [page for folder in ("tutorials", "how-to") for page in (DOCS / folder).glob("*.md")]
    with_commands = {
        f"{page.parent.name}/{page.name}" for page in pages if any(b.language == "sh" for b in blocks(page))
    }
    assert with_commands == set(re.findall(r"follow\(\"((?:tutorials|how-to)/[^\"]+)\"\)", tests))
