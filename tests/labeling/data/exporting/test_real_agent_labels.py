"""Real label sets of traces survive reading and writing; their mistakes lie where people put them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from labeling.data.formats.files import read_records
from labeling.data.formats.labels import READERS, REFERRING, WRITERS
from labeling.data.formats.labels.agents import placing
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import READERS as TRACES
from labeling.data.importing import import_gold, import_solutions
from labeling.models import Gold, Solution
from labeling.rules.error_kinds import AGENTRX
from tests.labeling.data.exporting.test_label_formats import stored
from tests.real_data import DATA

FOLDER = DATA / "agents"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"there is no {FOLDER}")


def records(name: str) -> list[dict[str, Any]]:
    return [item[1] for item in read_records(FOLDER / name) if isinstance(item, tuple)]


@pytest.mark.parametrize("name", ["who_and_when_algorithm_generated.jsonl.gz", "who_and_when_hand_crafted.jsonl.gz"])
def test_every_decisive_mistake_is_kept_in_all_label_sets(name: str) -> None:
    moved = Counter[str]()
    for record in records(name):
        parsed = READERS["who_and_when"](record)
        moved.update(parsed.noted)
        first = stored(parsed)
        is_moved = any("put at the turn" in what for what in parsed.noted)
        assert (first.turns[len(parsed.completions) - 1].at == int(record["mistake_step"])) != is_moved
        for file_format in ("who_and_when", "agent_process_bench", "codetracebench"):
            (written,) = WRITERS[file_format](first)
            again = stored(READERS[file_format](json.loads(json.dumps(written))))
            assert (again.solution_steps, again.contexts) == (first.solution_steps, first.contexts)
            assert [item.rating for item in again.path] == [item.rating for item in first.path]
            (second,) = WRITERS[file_format](again)
            assert second == {**written, **{key: second[key] for key in ("record_id", "traj_id") if key in second}}
    assert sum(many for what, many in moved.items() if "put at the turn" in what) <= 1


def test_every_failure_of_a_model_is_a_turn() -> None:
    """A step number counts messages from 1; mostly, the agent named wrote that message."""
    fits, others = Counter[bool](), 0
    for name, key, reader in (("tau", "traj", "messages"), ("magentic", "messages", "multi_agent")):
        found = {
            str(each.get("trajectory_id", each.get("task_id"))): each for each in records(f"agentrx_{name}.jsonl.gz")
        }
        for record in records(f"agentrx_{name}_labels.jsonl.gz"):
            reference = REFERRING["agentrx"](record)
            assert reference is not None
            trace = found[reference.external_id]
            (solution,) = TRACES[reader](trace, Notes())
            ats = {turn.at for turn in solution.turns or ()}
            for failure in record["failures"]:
                at = failure["step_number"] - 1
                agent = failure["failed_agent"].lower()
                fits[trace[key][at]["role"].lower().startswith(agent)] += 1
                others += at not in ats
    assert (fits, others) == ({True: 196, False: 31}, 9)  # eight are the user's; one dialogue broke off


@pytest.mark.django_db
def test_labels_find_their_dialogues(tmp_path: Path) -> None:
    import_solutions(FOLDER / "agentrx_tau.jsonl.gz", source="agentrx", file_format="messages")
    report = import_gold(FOLDER / "agentrx_tau_labels.jsonl.gz", file_format="agentrx")
    assert (report.golds, report.error_count) == (19, 0)
    assert Solution.objects.count() == 19
    last = Counter(gold.ratings[-1] for gold in Gold.objects.all())
    assert last == {-1: 13, 1: 6}  # if only the user failed, all turns are right
    wrong = [gold for gold in Gold.objects.all() if -1 in gold.ratings]
    assert {said["kind"] for gold in wrong for said in gold.mistakes} <= {kind.name for kind in AGENTRX}
    assert all(len(gold.mistakes) == 1 and gold.rationale.startswith("Step ") for gold in wrong)


@pytest.mark.parametrize("name", ["agentrx_tau", "agentrx_magentic"])
def test_kinds_of_failures_and_the_root_cause_are_written_as_they_were_read(name: str) -> None:
    """Compares failures on turns; a root cause that is the user's is left out."""
    reader = {"agentrx_tau": "messages", "agentrx_magentic": "multi_agent"}[name]
    found = {str(each.get("trajectory_id", each.get("task_id"))): each for each in records(f"{name}.jsonl.gz")}
    kinds = [{"key": kind.key, "name": kind.name, "parent": "", "help": ""} for kind in AGENTRX]
    keys = {kind["name"]: kind["key"] for kind in kinds}
    for record in records(f"{name}_labels.jsonl.gz"):
        reference = REFERRING["agentrx"](record)
        assert reference is not None
        (solution,) = TRACES[reader](found[reference.external_id], Notes())
        ats = [turn.at for turn in solution.turns or ()]
        ratings, said = reference.ratings(ats), reference.placed_mistakes(ats)
        parsed = placing.judged(solution, ratings, Notes())
        items = [
            item._replace(
                error_kind=keys[said[item.step].kind], root_cause=earlier(said[item.step].root_cause, item.step)
            )
            if item.step in said
            else item
            for item in parsed.completions
        ]
        given = replace(stored(parsed), completions=items, error_kinds=kinds)
        (written,) = WRITERS["agentrx"](given)
        again = REFERRING["agentrx"](written)
        assert again is not None
        told = again.placed_mistakes(ats)
        assert {step: each.kind for step, each in told.items()} == {step: each.kind for step, each in said.items()}
        blamed, again_blamed = (
            {earlier(each.root_cause, step) for step, each in mistakes.items()} - {None} for mistakes in (said, told)
        )
        assert not blamed or again_blamed == blamed


def earlier(cause: int | None, step: int) -> int | None:
    return cause if cause is not None and cause < step else None
