"""The whole way on files alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prm_training.prm.__main__ import main
from prm_training.prm.data import LabelledTree, tree_record
from prm_training.prm.pretrain import Text


def written(path: Path, records: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_train_evaluate_score(
    base: Path, trees: list[LabelledTree], texts: list[Text], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree_file = written(tmp_path / "trees.jsonl", [tree_record(tree) for tree in trees])
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
    with pytest.raises(SystemExit, match="line 1: 'group' is missing"):
        main(["train", path, str(tmp_path / "run"), "--base", str(base)])
