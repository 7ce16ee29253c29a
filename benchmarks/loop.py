"""`make loop`: two whole rounds of the loop, driven over HTTP by scripted people with logins of their own.

Without --data: on the demo world, judged by its truth. With --data FOLDER: labels of PRM800K's phase 1 train the first
reward model, ProcessBench's solutions are the pool, and the annotators find the first errors that people found in them.
"""

import argparse
import gzip
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.lab.human_labels import Judged, judged
from benchmarks.lab.world import judges
from benchmarks.lab.world.judges import Judge
from benchmarks.lab.world.pool import make_world
from benchmarks.lab.world.records import TEST_SOLUTIONS, write_records
from tests.running import product
from tests.running.product import Client, Product

PASSWORD = "loop-password-1"
ML_STAFF = "loop-ml"
ANNOTATORS = [f"loop-annotator-{number}" for number in range(1, 5)]
POLL_SECONDS = 1.0
RUN_WITHIN_SECONDS = 1800
console = Console(highlight=False)


@dataclass(frozen=True)
class Settings:
    """The size of the run: `tasks` a round; a world of `problems` with six solutions each; `seed` for all draws."""

    tasks: int
    problems: int
    seed: int
    data: Path | None
    trajectories: int

    @property
    def epochs(self) -> int:
        """Returns the epochs: usually two, but four for the demo world, whose thousand labels are few."""
        return 4 if self.data is None else 2


@dataclass(frozen=True)
class Team:
    """The people of the loop, signed in."""

    admin: Client
    ml_staff: Client
    annotators: list[Client]
    judge: Judge


def main() -> None:
    settings = parse()
    folder = Path(tempfile.mkdtemp(prefix="stepmark-loop-"))
    started_at = monotonic()
    try:
        with product.running(folder) as running:
            judge = bring_data_in(running, settings)
            team = gather(running, judge)
            rows = list(play(team, settings))
    except product.ProductError as error:
        console.print(f"[red]The loop stopped.[/red] {error}", markup=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit("The loop was stopped.")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    show(rows, monotonic() - started_at)


def parse() -> Settings:
    parser = argparse.ArgumentParser(prog="make loop", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with prm800k/ and processbench/")
    parser.add_argument("--tasks", type=int, default=200, help="tasks a round (default %(default)s)")
    parser.add_argument("--problems", type=int, default=400, help="problems of the demo world")
    parser.add_argument("--trajectories", type=int, default=100, help="of PRM800K's, with --data (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.data is not None and not (given.data / "prm800k" / "phase1_train.jsonl.gz").is_file():
        parser.error(f"{given.data} holds no prm800k/phase1_train.jsonl.gz")
    return Settings(given.tasks, given.problems, given.seed, given.data, given.trajectories)


def bring_data_in(running: Product, settings: Settings) -> Judge:
    """Imports problems, solutions and labels through the same commands that people use."""
    if settings.data is None:
        world = make_world(settings.seed, settings.problems, test_solutions=TEST_SOLUTIONS)
        write_records(world, running.folder / "world.jsonl")
        import_file(running, str(running.folder / "world.jsonl"), "--source", "demo")
        return judges.by_truth(world)
    prm800k, part = settings.data / "prm800k", running.folder / "phase1_train_part.jsonl"
    draw_trajectories(prm800k / "phase1_train.jsonl.gz", part, settings)
    import_file(running, str(part))
    import_file(running, str(prm800k / "phase1_test.jsonl.gz"), "--split", "test")
    pool = judged(settings.data)
    write_solutions(pool, running.folder / "pool.jsonl")
    import_file(running, str(running.folder / "pool.jsonl"), "--source", "processbench")
    return judges.by_ratings(known_ratings(pool))


def known_ratings(pool: Sequence[Judged]) -> dict[judges.Text, Sequence[int]]:
    """Returns people's ratings, by the statement and the steps of each solution."""
    return {(each.problem, each.steps): each.ratings for each in pool}


def write_solutions(pool: Sequence[Judged], path: Path) -> None:
    """Writes the solutions with verdicts on their final answers, but without people's ratings."""
    with path.open("w", encoding="utf-8") as file:
        for each in pool:
            record = {"problem": each.problem, "generator": each.generator, "steps": each.steps}
            file.write(json.dumps(record | {"correct": each.final_answer_correct}) + "\n")


def draw_trajectories(source: Path, target: Path, settings: Settings) -> None:
    """Writes the set number of trajectories, drawn by the seed: training on all of them takes too long."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        lines = list(dict.fromkeys(file))  # a few records are there twice
    drawn = Random(settings.seed).sample(lines, min(settings.trajectories, len(lines)))
    console.print(f"{len(drawn)} of {len(lines)} PRM800K trajectories, drawn at random")
    target.write_text("".join(drawn), encoding="utf-8")


def import_file(running: Product, *arguments: str) -> None:
    console.print(f"import {' '.join(arguments)}")
    console.print(running.manage("import", *arguments).strip(), style="dim")


def gather(running: Product, judge: Judge) -> Team:
    """Creates everyone's account over HTTP, as an admin would."""
    make_root = f"from labeling.models import User; User.objects.create_superuser('root', password='{PASSWORD}')"
    running.manage("shell", "--no-imports", "-c", make_root)
    root = Client(running.address, "root", PASSWORD)
    people = {"loop-admin": "admin", ML_STAFF: "ml_staff"} | dict.fromkeys(ANNOTATORS, "annotator")
    for username, role in people.items():
        root.call("POST", "people/", {"username": username, "password": PASSWORD, "role": role})
    signed_in = {username: Client(running.address, username, PASSWORD) for username in people}
    annotators = [signed_in[username] for username in ANNOTATORS]
    return Team(signed_in["loop-admin"], signed_in[ML_STAFF], annotators, judge)


def play(team: Team, settings: Settings) -> Iterator[dict[str, Any]]:
    """Yields the results of two rounds; data without labels get a uniform round first, to train on."""
    source = "processbench" if settings.data else "demo"
    phase = team.admin.call(
        "POST", "phases/", {"name": "Loop", "kind": "solutions", "sources": [source], "shared_rate": 0}
    )
    team.admin.call("POST", f"phases/{phase['id']}/members/", {"usernames": [*ANNOTATORS, ML_STAFF]})
    shared = {"phase": phase["id"], "size": settings.tasks, "seed": settings.seed}
    if settings.data is None:
        publish(team, finish(team, "selections", {**shared, "policy": "uniform"}))
        label(team, phase)
    # With --data, the first labels are those that were imported, each into a phase of its own.
    phases = [each["id"] for each in team.admin.every("phases/")]
    for each in phases:
        team.admin.call("POST", f"phases/{each}/members/", {"usernames": [ML_STAFF]})
    how = {"phase": phase["id"], "phases": phases, "settings": {"seed": settings.seed, "epochs": settings.epochs}}
    for number in (1, 2):
        training = finish(team, "training-runs", {"name": f"loop-{number}"} | how)
        if settings.data is None:  # ProcessBench has hardly a problem with two solutions to choose from
            finish(team, "training-runs", {"name": f"loop-{number}-orm", "supervision": "outcome"} | how)
        evaluation = finish(team, "evaluation-runs", {"reward_model": training["reward_model"]})
        finish(team, "scoring-runs", {"reward_model": training["reward_model"], "phase": phase["id"]})
        is_current = promote(team, training["reward_model"])
        selection = finish(team, "selections", shared)
        publish(team, selection)
        yield {
            "round": number,
            "training": training,
            "is_current": is_current,
            "chosen": evaluation["metrics"].get("best_of_n", {}),
            "selection": selection,
            "labelled": label(team, phase),
        }


def finish(team: Team, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """Starts a run as ML staff and waits for its end. Raises ProductError unless it succeeds."""
    run: dict[str, Any] = team.ml_staff.call("POST", f"{kind}/", body)
    started_at = monotonic()
    with console.status(kind) as status:
        while run["status"] in {"queued", "running"} and monotonic() - started_at < RUN_WITHIN_SECONDS:
            product.wait(POLL_SECONDS)
            run = team.ml_staff.call("GET", f"runs/{run['id']}/")["details"]
            status.update(f"{kind}: {run['stage'] or run['status']} {run['done']}/{run['total']}")
    if run["status"] != "done":
        raise product.ProductError(f"{kind} ended {run['status']} at {run['stage']}: {run['error']}")
    console.print(f"{kind}: done in {monotonic() - started_at:.0f} s", style="dim")
    return run


def promote(team: Team, reward_model: str) -> bool:
    """Makes the model current unless it is worse than the one before. Returns whether it is current."""
    model = team.ml_staff.call("GET", f"reward-models/{reward_model}/")
    for each in model["compared"]:
        console.print(each)
    if not model["obstacle"]:
        team.ml_staff.call("POST", f"reward-models/{reward_model}/promote/")
    return not model["obstacle"]


def publish(team: Team, selection: dict[str, Any]) -> None:
    published = finish(team, "publications", {"selection": selection["id"]})
    console.print(f"round {published['round']['number']} is open with {selection['summary']['picked']} tasks")


def label(team: Team, phase: dict[str, Any]) -> int:
    """Labels the round with everybody until nothing is left, and closes it. Returns the number of labellings."""
    with ThreadPoolExecutor(len(team.annotators)) as pool:
        counts = list(pool.map(lambda annotator: label_all(annotator, phase["id"], team.judge), team.annotators))
    current = next(each for each in team.admin.every(f"rounds/?phase={phase['id']}") if each["status"] == "open")
    if current["labellings_done"] != current["labellings_wanted"]:
        raise product.ProductError(f"round {current['number']} is not fully labelled: {current}")
    team.admin.call("POST", f"rounds/{current['id']}/close/")
    console.print(f"round {current['number']} is labelled: {' + '.join(map(str, counts))} labellings", style="dim")
    return sum(counts)


def label_all(annotator: Client, phase_id: str, judge: Judge) -> int:
    """Claims, judges and submits as one annotator until nothing is left. Returns the number of labellings."""
    claim = annotator.call("POST", f"phases/{phase_id}/claim/")
    made = 0
    while claim["assignment"] is not None:
        claim = annotator.call("POST", f"assignments/{claim['assignment']['id']}/submit/", submission(claim, judge))[
            "next"
        ]
        made += 1
    return made


def submission(claim: dict[str, Any], judge: Judge) -> dict[str, Any]:
    ratings = judge(claim["assignment"])
    return {
        "ratings": [{"step": step, "rating": rating} for step, rating in enumerate(ratings)],
        "finish_reason": "found_error" if ratings[-1] == -1 else "solution",
    }


def show(rows: list[dict[str, Any]], seconds: float) -> None:
    table = Table(title=f"The loop, {seconds / 60:.1f} minutes")
    table.add_column("round")
    for row in rows:
        table.add_column(str(row["round"]), justify="right")
    columns = [figures(row) for row in rows]
    for name in dict.fromkeys(chain.from_iterable(columns)):
        table.add_row(name, *(column.get(name, "–") for column in columns))
    console.print(table)


def figures(row: dict[str, Any]) -> dict[str, str]:
    """Returns a round's results, by name."""
    training, summary = row["training"], row["selection"]["summary"]
    metrics = training["metrics"]
    return {
        "labels trained on": f"{training['snapshot']['counts']['labels']:,}",
        "training loss": f"{metrics['train_loss']:.3f}",
        "held-out step AUC": f"{metrics['held_out']['step_auc']:.3f}",
        "becomes the current model": "yes" if row["is_current"] else "no",
        **chosen(row["chosen"]),
        "solutions selected": f"{summary['picked']:,}",
        "of them wrong answers": f"{summary['wrong']:,} ({summary['wrong'] / summary['picked']:.0%})",
        "wrong answers in the pool": f"{summary['pool_wrong'] / summary['candidates']:.0%}",
        "their mean score": f"{summary['mean_score']:.3f}",
        "the pool's mean score": f"{summary['pool_mean_score']:.3f}",
        "labellings made of them": f"{row['labelled']:,}",
    }


def chosen(best_of_n: dict[str, Any]) -> dict[str, str]:
    """Returns how many held-out problems the PRM, the ORM and majority vote solve, at the largest N."""
    if "curves" not in best_of_n:  # no held-out problem has several graded solutions
        return {}
    curves = {name: best_of_n["curves"][name]["values"][-1] for name in ("prm", "orm", "majority")}
    return {
        f"best of {best_of_n['sizes'][-1]}: PRM, ORM, majority": ", ".join(f"{value:.3f}" for value in curves.values())
    }


if __name__ == "__main__":
    main()
