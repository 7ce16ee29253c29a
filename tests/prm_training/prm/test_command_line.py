"""The command line: train, evaluate and score from files; the library stands by itself."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from prm_training.prm.__main__ import main
from prm_training.prm.metrics.evaluate import choose_threshold, first_error, processbench_f1
from prm_training.prm.pretrain import WrittenSolution
from prm_training.prm.score import score_solutions
from prm_training.prm.trees.data import LabelledTree
from prm_training.prm.trees.readers import read_first_errors
from tests.running import libraries

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[3]
ALONE = """
import sys
from prm_training.prm import train, score, __main__ as command_line
from prm_training.prm.trees.data import Completion, LabelledTree, Step
trees = [LabelledTree(str(n), str(n), "train", f"{n} + 1?", (Step((Completion("We add.", 1),), 0),)) for n in range(3)]
report = train.train(trees, sys.argv[1], "run", train.TrainConfig(epochs=1))
assert report.train.labels == 3
others = {"django", "rest_framework", "celery", "kombu", "redis", "psycopg", "environ", "stepmark"}
assert not others & {name.partition(".")[0] for name in sys.modules}
"""


def written(path: Path, records: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_train_evaluate_score(
    base: Path, trees: list[LabelledTree], texts: list[WrittenSolution], tmp_path: Path, capsys: Capture
) -> None:
    tree_file = written(tmp_path / "trees.jsonl", [asdict(tree) for tree in trees])
    records: list[dict[str, object]] = [
        {"id": str(number), "problem": problem, "steps": list(steps)}
        for number, (problem, steps) in enumerate(texts[:3])
    ]
    solution_file = written(tmp_path / "solutions.jsonl", records)
    main(["train", tree_file, str(tmp_path / "run"), "--base", str(base), "--epochs", "1"])
    report = json.loads(capsys.readouterr().out)
    main(["evaluate", report["model_dir"], tree_file])
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert metrics["step_auc"] == pytest.approx(report["epochs"][-1]["step_auc"], abs=1e-6)
    main(["score", report["model_dir"], solution_file])
    captured = capsys.readouterr()
    assert [json.loads(line)["id"] for line in captured.out.splitlines()] == ["0", "1", "2"]
    assert "scoring 3/?" in captured.err


def test_a_bad_file_is_named(base: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "trees.jsonl", [{"id": "t"}])
    with pytest.raises(SystemExit, match=r"trees.jsonl: nothing in it can be read. .*line 1: Object missing required"):
        main(["train", path, str(tmp_path / "run"), "--base", str(base)])


def outcomes(texts: list[WrittenSolution]) -> list[dict[str, object]]:
    return [
        {"id": str(number), "problem": problem, "steps": list(steps), "correct": number % 2 == 0}
        for number, (problem, steps) in enumerate(texts[:4])
    ]


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated")  # peft asks transformers for it
def test_every_setting_is_a_flag(base: Path, texts: list[WrittenSolution], tmp_path: Path, capsys: Capture) -> None:
    """Trains an outcome model by LoRA in bf16, stopped early."""
    labels = written(tmp_path / "outcomes.jsonl", outcomes(texts))
    flags = "--lora-rank 2 --precision bf16 --patience 1 --epochs 3 --batch-tokens 100 --max-length 128"
    main(["train", labels, str(tmp_path / "run"), "--test", labels, "--base", str(base), *flags.split()])
    report = json.loads(capsys.readouterr().out)
    assert (report["train"]["labels"], report["metrics"]["steps"]) == (4, 4)
    found = {}
    for settings in ("", "--aggregate last", "--no-neutral-is-positive"):
        main(["score", report["model_dir"], labels, labels, *settings.split()])
        found[settings] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(len(rows) == 8 for rows in found.values())
    assert all(row["score"] == row["steps"][-1] for rows in found.values() for row in rows)
    with pytest.raises(SystemExit, match="An outcome reward model judges whole solutions"):
        main(["score", report["model_dir"], labels, "--aggregate", "minimum"])


def test_a_small_base_is_made_from_texts(texts: list[WrittenSolution], tmp_path: Path, capsys: Capture) -> None:
    labels = written(tmp_path / "outcomes.jsonl", outcomes(texts))
    size = "--pretraining-hidden 32 --pretraining-layers 1 --pretraining-steps 2 --pretraining-vocabulary 300"
    main(["train", labels, str(tmp_path / "run"), "--texts", labels, "--epochs", "1", *size.split()])
    assert json.loads((tmp_path / "run" / "model" / "config.json").read_text())["hidden_size"] == 32


def bench(path: Path, texts: list[WrittenSolution], label: int) -> str:
    """Writes a subset of ProcessBench in its own format, with one solution too long to read."""
    cut = {"id": "long", "problem": "P?", "steps": ["1 + 1 = 2.", "7" * 1000], "label": -1}
    rows = [each | {"label": label if number % 2 else -1} for number, each in enumerate(outcomes(texts))]
    path.write_text(json.dumps([*rows, cut]))
    return str(path)


def evaluated(capsys: Capture, *arguments: str) -> list[dict[str, Any]]:
    main(["evaluate", *arguments])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_processbench_is_its_own_number(
    saved_model: Path, texts: list[WrittenSolution], tmp_path: Path, capsys: Capture
) -> None:
    one, other = bench(tmp_path / "one.json", texts, 0), bench(tmp_path / "other.json", texts, 1)
    both = ["--processbench", one, "--processbench", other]
    first, second, average = evaluated(capsys, str(saved_model), *both)
    assert (first["truncated"], first["metrics"]["solutions"], first["metrics"]["threshold"]) == (1, 5, 0.5)
    scores = [each.probabilities for each in score_solutions(saved_model, [each for each, _ in read_first_errors(one)])]
    guessed = [first_error(row, 0.5) for row in scores]
    by_hand = processbench_f1(guessed, [first for _, first in read_first_errors(one)])
    assert {name: first["metrics"][name] for name in by_hand} == pytest.approx(by_hand)
    assert average["metrics"]["f1"] == pytest.approx((first["metrics"]["f1"] + second["metrics"]["f1"]) / 2)
    *_, fitted, _ = evaluated(capsys, str(saved_model), *both, "--fit-threshold-on", one)
    fit = choose_threshold(scores, [first for _, first in read_first_errors(one)])
    assert fitted["metrics"]["threshold"] == fit
    halves = evaluated(capsys, str(saved_model), *both, "--halves")
    assert [each["metrics"]["solutions"] < 5 for each in halves] == [True, True]


def test_prmbench_is_evaluated(saved_model: Path, tmp_path: Path, capsys: Capture) -> None:
    record = {"question": "1 + 1?", "modified_process": ["One.", "Two."], "error_steps": [2], "idx": "a"}
    records = [record | {"classification": kind} for kind in ("circular", "deception")]
    (found,) = evaluated(capsys, str(saved_model), "--prmbench", written(tmp_path / "x.jsonl", records))
    assert found["metrics"]["steps"] == 4
    assert found["metrics"]["kinds"].keys() == {"circular", "deception"}


def test_traces_are_evaluated_beside_baselines(saved_model: Path, tmp_path: Path, capsys: Capture) -> None:
    said = [("human", "Find it."), ("Planner", "I plan."), ("Searcher", "I search."), ("Planner", "Done.")]
    record = {
        "history": [{"role": role, "content": text} for role, text in said],
        "question": "Find it.",
        "is_correct": False,
        **{"mistake_agent": "Searcher", "mistake_step": "2", "mistake_reason": "wrong page", "question_ID": "q"},
    }
    (found,) = evaluated(capsys, str(saved_model), "--traces", written(tmp_path / "x.jsonl", [record]))
    metrics = found["metrics"]
    assert (metrics["traces"], metrics["steps"]) == (1, 2)  # up to the mistake
    assert metrics["mistake_accuracy"] in {0, 1}
    assert metrics["baselines"].keys() == {"length", "position", "constant"}
    assert metrics["baselines"]["constant"]["agent_accuracy"] == pytest.approx(1 / 3)


def test_an_outcome_model_finds_no_first_error(
    base: Path, texts: list[WrittenSolution], tmp_path: Path, capsys: Capture
) -> None:
    labels = written(tmp_path / "outcomes.jsonl", outcomes(texts))
    main(["train", labels, str(tmp_path / "run"), "--base", str(base), "--epochs", "1"])
    with pytest.raises(SystemExit, match="NotARewardModel: An outcome reward model"):
        main(["evaluate", str(tmp_path / "run" / "model"), "--processbench", bench(tmp_path / "x.json", texts, 0)])


def test_records_that_are_no_training_data_are_counted(saved_model: Path, tmp_path: Path, capsys: Capture) -> None:
    step = {"completions": [{"text": "1.", "rating": 1}], "chosen_completion": 0}
    labels = [{"steps": [step], "finish_reason": reason} for reason in ("solution", "give_up")]
    path = written(tmp_path / "x.jsonl", [{"question": {"problem": "P?"}, "label": label} for label in labels])
    main(["evaluate", str(saved_model), path])
    found = json.loads(capsys.readouterr().out)
    assert (found["counts"]["labels"], found["records_left_out"]) == (1, {"give_up": 1})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", "nowhere/at/all", "none.jsonl"], "nowhere/at/all"),
        (["score", "folder", "good.jsonl"], "folder is not a model that transformers can load"),
        (["score", "MODEL", "none.jsonl"], "none.jsonl"),
        (["score", "MODEL", "bad.jsonl"], "bad.jsonl, line 1: not JSON"),
        (["score", "MODEL", "bad.jsonl", "--strict"], "BadLine: bad.jsonl, line 1: not JSON"),
        (["score", "MODEL", "good.jsonl", "--window", "0"], "at least 1"),
        (["evaluate", "MODEL", "--processbench", "bad.jsonl"], "line 1: not JSON"),
        (["evaluate", "MODEL", "bad.jsonl"], "line 1: not JSON"),
        (["evaluate", "MODEL"], "NothingToEvaluate: name a file of labels"),
        (["evaluate", "MODEL", "good.jsonl"], "good.jsonl: there is no label of split test in it"),
        (["evaluate", "MODEL", "--prmbench", "good.jsonl"], "there is no judged solution in it"),
        (["evaluate", "MODEL", "--traces", "good.jsonl"], "there is no judged solution in it"),
        (["train", "good.jsonl", "run", "--base", "BASE"], "no rated step"),
        (["train", "good.jsonl", "run", "--epochs", "0"], "at least 1"),
        (["train", "good.jsonl", "run"], "there is no text"),
        (["train", "good.jsonl", "bad.jsonl", "--base", "BASE"], "File exists: 'bad.jsonl'"),
    ],
)
def test_mistakes_are_reported_in_one_line(
    base: Path, saved_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text("no JSON at all\n")
    (tmp_path / "good.jsonl").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(SystemExit) as caught:
        main([{"BASE": str(base), "MODEL": str(saved_model)}.get(each, each) for each in arguments])
    assert said in str(caught.value)


def test_the_library_trains_without_django_settings_or_a_data_folder(base: Path, tmp_path: Path) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "STEPMARK"))}
    command = [*libraries.python("prm"), "-c", ALONE, str(base)]
    own |= {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name != ".cache"] == ["run"]
    assert all(path.is_socket() for path in Path(libraries.address("prm")).parent.iterdir())
