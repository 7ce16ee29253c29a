"""Rules for the code as a whole, and documents that have to agree with it."""

import re
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from benchmarks import tree
from tests.running import libraries

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["annotate", "benchmarks", "stepmark", "labeling", "prm_training", "tests"]
MOST_LINES = 400
APPS = ["annotate", "labeling", "prm_training"]
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
SITE = sorted((ROOT / "docs").rglob("*.md"))
DOCUMENTS = [ARCHITECTURE, ROOT / "docs" / "packages.md", *sorted((ROOT / "docs" / "decisions").glob("*.md"))]
# What a path in the repository begins with; others are addresses, or files of the reader's.
OURS = {*PACKAGES, "docs", "frontend"}

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
    named_by_django = ROOT / "stepmark" / "postgresql" / "base.py"
    assert [str(path) for path in SOURCES if path.stem in nameless and path != named_by_django] == []


def test_no_pattern_has_a_possessive_or_atomic_group() -> None:
    """Python before 3.11.5 matches too much with one (gh-106052). The one that reads JSON has a sweep of its own."""
    group = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")
    product = [path for path in SOURCES if "tests" not in path.parts]
    assert [path.name for path in product for _ in group.findall(path.read_text())] == ["items.py"]


def test_every_name_that_a_module_exports_is_there() -> None:
    exporting = [path for path in SOURCES if path.parts[-2] != "tests" and "\n__all__ = " in path.read_text()]
    assert len(exporting) > 4
    for path in exporting:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        module = import_module(name)
        assert [each for each in module.__all__ if not hasattr(module, each)] == [], name


def test_tests_do_not_shadow_the_packages() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_no_web_process_loads_torch() -> None:
    """A worker doesn't either, before its first training or scoring run."""
    entrances = "stepmark.wsgi, stepmark.urls, prm_training.worker.tasks"
    program = f"import django; django.setup(); import {entrances}, sys; sys.exit('torch' in sys.modules)"
    done = subprocess.run(
        [*libraries.python("django"), "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def paths_in_prose(text: str) -> Iterator[str]:
    for quoted in re.findall(r"`([^`\n]+)`", text):
        if "/" in quoted and not re.search(r"[ <>*:]", quoted):
            yield quoted


def test_every_path_that_the_documents_name_exists() -> None:
    named = [path for document in DOCUMENTS for path in paths_in_prose(document.read_text())]
    assert len(named) > 60
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(("pages", "many"), [([ROOT / "CONTRIBUTING.md"], 20), (SITE, 10)])
def test_every_path_of_ours_in_a_guide_exists(pages: list[Path], many: int) -> None:
    paths = [path for page in pages for path in paths_in_prose(page.read_text())]
    named = [path for path in paths if path.split("/")[0] in OURS]
    assert len(named) > many
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_link_leads_to_a_file() -> None:
    pages = [*SITE, *ROOT.glob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#\s]+)", page.read_text())]
    inner = [(page, link) for page, link in links if "://" not in link]
    assert len(inner) > 60
    assert [(page.name, link) for page, link in inner if not (page.parent / link).exists()] == []


def test_the_picture_of_tables_is_of_the_tables() -> None:
    _, _, section = ARCHITECTURE.read_text().partition("## Tables")
    arrows = [line.split(" --> ") for line in section.splitlines() if " --> " in line]
    drawn = {(table.strip(), other) for table, others in arrows for other in others.split(" & ")}
    tables = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    keys = {
        (table.__name__, key.related_model.__name__)
        for table in tables
        for key in table._meta.get_fields()
        if key.is_relation and key.concrete
    }
    assert drawn - keys == set()
    named = {name for arrow in drawn for name in arrow} | set(re.findall(r"`([A-Z]\w+)`", section))
    assert named == {table.__name__ for table in tables}


def test_the_tree_of_packages_is_fresh() -> None:
    assert tree.PAGE.read_text() == tree.page(), "run `make tree`"
    assert [line for line in tree.page().splitlines() if line.endswith("/")] == []  # a package without a docstring


def test_the_list_of_decisions_is_whole() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"^- (\S+) · \[(\d{4}) (.+)\]\((.+)\)$", (folder / "README.md").read_text(), flags=re.MULTILINE)
    written = []
    for page in sorted(folder.glob("[0-9]*.md")):
        heading, _, dated, *rest = page.read_text().splitlines()
        number, _, title = heading.removeprefix("# ").partition(" · ")
        written.append((dated.partition(" · ")[0], number, title, page.name))
        assert page.name.startswith(number)
        assert [word for word in ("Context", "Decision", "Consequences") if f"**{word}.**" not in "\n".join(rest)] == []
    assert sorted(listed, key=lambda line: line[1]) == written
    assert [int(number) for _, number, _, _ in written] == [*range(1, len(written) + 1)]
