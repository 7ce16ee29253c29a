# ruff: noqa: PLC0415  Django is set up on a database that main() starts
"""`make bench-select`: picks the best of a million scored solutions, on its own PostgreSQL with default settings."""

import argparse
import json
import os
import platform
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

import django
from rich.console import Console
from rich.table import Table

from benchmarks.targets import Target, tell
from tests.running import servers

RESULT = Path(__file__).parent / "results" / "select.json"
PER_PROBLEM = 20
SOURCE = "benchmark"
STEPS = '["First we add the two numbers that are given.", "Then we look at what that makes.", "So it is 3."]'
POLICIES = ("convincing", "whole_pool", "uncertainty", "random_wrong", "uniform")
ANSWER = "mod(n * 7 + s, 5)"
VERDICT = f"(array['right', 'wrong', 'wrong', 'wrong', 'unsure'])[1 + {ANSWER}]"
FILL = f"""
insert into labeling_problem (id, statement, reference_answer, reference_solution, subject, level, split, source,
    external_id, text_hash, version, created_at, markup, overlap)
  select gen_random_uuid(), 'What is ' || n || ' + 1?', '', '', '', '', 'train', '', n, md5(n::text),
    1, now(), 'plain', ''
  from generate_series(1, %(problems)s) n;
insert into labeling_solution (id, problem_id, generator, steps, answer, verdict, grader_version, source, external_id,
    in_pool, text_hash, created_at, markup)
  select gen_random_uuid(), p.id, '', '{STEPS}', {ANSWER}, {VERDICT}, 'given', '', '', true,
    md5(n || '.' || s), now(), 'plain'
  from (select id, external_id::int n from labeling_problem) p, generate_series(1, {PER_PROBLEM}) s;
insert into labeling_sample (solution_id, source, generator, external_id, draw, repeat)
  select id, '{SOURCE}', '', '', 0, 0 from labeling_solution;
insert into prm_training_score (reward_model_id, solution_id, log_score, mean_log_score, least_log_score,
    step_log_probabilities)
  select %(model)s, id, score, score / 3, score / 2, '[-0.1, -0.2, -0.3]'
  from (select id, -8 * random() * random() score from labeling_solution) scored;
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solutions", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, servers.postgres() as database:
        os.environ |= {
            "DATABASE_URL": database.url,
            "STEPMARK_DATA_DIR": name,
            "DJANGO_SETTINGS_MODULE": "stepmark.settings",
        }
        django.setup()
        result = measure(arguments.solutions, arguments.times)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    show(result)
    sys.exit(tell(targets(result)))


def measure(solutions: int, times: int) -> dict[str, Any]:
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    model = fill(solutions)
    with connection.cursor() as cursor:
        cursor.execute("vacuum analyze labeling_solution")
        cursor.execute("vacuum analyze labeling_sample")
        cursor.execute("vacuum analyze prm_training_score")
    before = peak_mb()
    runs = [
        {"policy": policy, "size": size, **timed(model, policy, size, times)}
        for policy in POLICIES
        for size in (1_000, 10_000)
    ]
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "solutions": solutions,
        "peak_mb_before": before,
        "runs": runs,
    }


def fill(solutions: int) -> Any:
    """Makes a pool, a model that has scored it, and the model's phase, which draws from it. Returns the model."""
    from django.db import connection

    from labeling.models import Phase
    from prm_training.models import RewardModel, TrainingRun

    phase = Phase.objects.create(name="Benchmark", sources=[SOURCE])
    run = TrainingRun.objects.create(name="Benchmark", phase=phase)
    model = RewardModel.objects.create(name="Benchmark", training_run=run)
    with connection.cursor() as cursor:
        cursor.execute(FILL, {"problems": solutions // PER_PROBLEM, "model": model.pk})
    return model


def timed(model: Any, policy: str, size: int, times: int) -> dict[str, float]:
    from prm_training.models import Selection
    from prm_training.selection import picking

    seconds = []
    own = {"phase": model.phase, "reward_model": None if policy in ("random_wrong", "uniform") else model}
    for _ in range(times):
        run = Selection.objects.create(policy=policy, size=size, **own)
        started = monotonic()
        picking.select(run, lambda **_: None)
        seconds.append(monotonic() - started)
    return {"seconds": round(median(seconds), 2), "worst_seconds": round(max(seconds), 2), "peak_mb": peak_mb()}


def peak_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def targets(result: dict[str, Any]) -> Iterator[Target]:
    for run in result["runs"]:
        yield Target(f"{run['policy']}, {run['size']:,}, s", run["seconds"], most=2)


def show(result: dict[str, Any]) -> None:
    table = Table(*result["runs"][0], title=f"Selecting from {result['solutions']:,} scored solutions")
    for run in result["runs"]:
        table.add_row(*map(str, run.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
