"""What holds for the code as a whole, and the documents that describe it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["annotate", "benchmarks", "config", "labeling", "prm_training", "tests"]
MOST_LINES = 400
ARCHITECTURE = ROOT / "ARCHITECTURE.md"

SOURCES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.parts and "__pycache__" not in path.parts
)


def test_no_file_is_too_long() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in SOURCES}
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > MOST_LINES} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    nameless = {"base", "common", "helpers", "manager", "misc", "utils"}
    named_by_django = ROOT / "config" / "postgresql" / "base.py"
    assert [str(path) for path in SOURCES if path.stem in nameless and path != named_by_django] == []


def test_tests_do_not_shadow_the_packages() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_migrations_are_complete(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.parametrize("entrance", ["config.wsgi, config.urls", "prm_training.worker.tasks"])
def test_no_web_process_loads_torch(entrance: str) -> None:
    """Nor does a worker before its first training or scoring run."""
    program = f"import django; django.setup(); import {entrance}, sys; sys.exit('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def architecture() -> str:
    return ARCHITECTURE.read_text()


def paths_in_prose(text: str) -> Iterator[str]:
    for quoted in re.findall(r"`([^`\n]+)`", text):
        if "/" in quoted and not re.search(r"[ <>*:]", quoted):
            yield quoted


def paths_in_tree(text: str) -> Iterator[str]:
    """The tree's lines: two spaces of indent a level, a name, spaces, a caption."""
    tree = re.search(r"^## The tree\n+```\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    above: list[str] = []
    for line in tree.group(1).splitlines() if tree else []:
        found = re.match(r"(?P<indent> {0,8})(?P<name>[\w.-]+(/[\w.-]+)*/?)(?=\s|$)", line)
        if found is None or not ("." in found["name"] or found["name"].endswith("/")):
            continue  # a caption that goes on
        above = [*above[: len(found["indent"]) // 2], found["name"].rstrip("/")]
        yield "/".join(above)


def test_every_path_that_architecture_names_exists() -> None:
    text = architecture()
    named = [*paths_in_prose(text), *paths_in_tree(text)]
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_path_that_contributing_names_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = [path for path in paths_in_prose(text) if path.split("/")[0] in [*PACKAGES, "frontend"]]
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_package_has_its_line_in_the_tree() -> None:
    drawn = set(paths_in_tree(architecture()))
    packages = {str(path.parent.relative_to(ROOT)) for path in SOURCES if path.name == "__init__.py"}
    untold = {path for path in packages if not path.endswith(("/management", "/management/commands"))}
    assert untold - drawn == set()
