"""The documents at the root agree with the code; what is said of code stands alone."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CODE = {".py", ".ts", ".tsx"}
SCHEMA = json.loads(settings.OPENAPI.read_text())


def test_the_version_is_pyprojects() -> None:
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == SCHEMA["info"]["version"] == PROJECT["version"]


def test_the_license_is_one() -> None:
    citation: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    client = json.loads((ROOT / "frontend" / "package.json").read_text())
    assert citation["license"] == client["license"] == PROJECT["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0" in (ROOT / "LICENSE").read_text()


def test_every_hook_before_a_commit_runs_what_is_installed() -> None:
    (hooks,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    programs = [hook["entry"].split()[0] for hook in hooks["hooks"] if hook["entry"].startswith(".venv/")]
    assert len(programs) == 3
    assert all((ROOT / program).exists() for program in programs)


def test_every_picture_is_shown_and_small() -> None:
    shown = {ROOT / path for path in re.findall(r"!\[[^]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text())}
    assert shown >= set((ROOT / "docs").glob("*.png"))
    assert [path for path in shown if not path.exists()] == []
    assert [path.name for path in shown if path.stat().st_size > 200_000] == []


def test_docstrings_stand_alone() -> None:
    """They open with a verb, or with the name of a thing."""
    unclear = re.compile(r'^ *(?:"""|/\*\*\s+(?:\* )?)(?:What|Those|With|By|As)\b.*', re.MULTILINE)
    packages = ("annotate", "benchmarks", "labeling", "prm_training", "stepmark", "tests", "frontend/src")
    files = [path for package in packages for path in (ROOT / package).rglob("*.*") if path.suffix in CODE]
    assert {path.suffix for path in files} == CODE
    assert {str(path): found for path in files if (found := unclear.findall(path.read_text()))} == {}
