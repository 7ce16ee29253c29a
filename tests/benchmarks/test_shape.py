"""benchmarks.shape: its counts and its refusals, on small trees."""

from pathlib import Path

import pytest

from benchmarks.shape import (
    client_problems,
    count_python,
    count_typescript,
    import_graph,
    module_cycles,
    package_cycles,
    problems,
    python_files,
    spread,
    typescript_files,
)

SOURCE = '''"""A docstring
of two lines."""

import os
from pathlib import (
    Path,
)

# a comment


class Thing:
    """Another."""

    @property
    def place(self) -> Path:  # a comment beside code
        """One more."""
        from sys import path

        return Path(path[0])


TEXT = """
# no comment
"""
'''


def write(folder: Path, **files: str) -> None:
    """Writes `a__b="text"` as a/b.py, and makes every folder a package."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path, tiny__first="", tiny__left__one="", tiny__left__two="", tiny__right__three="")
    (tmp_path / "tiny" / "__init__.py").touch()
    return tmp_path


def test_code_lines_are_no_blanks_comments_docstrings_or_imports() -> None:
    source = count_python(SOURCE)
    assert (source.lines, source.filled) == (25, 17)
    assert source.code == 7  # class, property, def, return, and three of TEXT
    assert source.comments == 1


def test_a_function_is_counted_without_its_decorators() -> None:
    assert count_python(SOURCE).functions == (5,)


def test_an_empty_file_has_no_lines() -> None:
    assert (count_python("").lines, count_python("").code) == (0, 0)


def test_the_client_is_counted_without_tests_and_generated_types(tmp_path: Path) -> None:
    for name in ("page.tsx", "page.test.tsx", "schema.d.ts", "rules.ts"):
        (tmp_path / name).write_text("const a = 1\n\n")
    assert [path.name for path in typescript_files(tmp_path)] == ["page.tsx", "rules.ts"]
    assert (count_typescript("const a = 1\n\n").lines, count_typescript("const a = 1\n\n").filled) == (2, 1)


def test_migrations_are_not_counted(tmp_path: Path) -> None:
    write(tmp_path, tiny__migrations__first="", tiny__models="")
    assert [path.stem for path in python_files(tmp_path / "tiny")] == ["__init__", "models"]


@pytest.mark.parametrize(("values", "told"), [([], ""), ([7], "7 / 7"), (list(range(1, 11)), "5.5 / 9")])
def test_a_spread_is_median_and_90th_percentile(values: list[int], told: str) -> None:
    assert spread(values) == told


def test_a_sound_tree_has_no_problems(tree: Path) -> None:
    write(tree, tiny__left__one="from tiny.left import two", tiny__left__two="from tiny.right.three import x")
    assert list(problems(["tiny"], tree)) == []


def test_a_cycle_of_modules_is_found(tree: Path) -> None:
    write(tree, tiny__left__one="from tiny.left import two", tiny__left__two="def late():\n    import tiny.left.one")
    (cycle,) = module_cycles(import_graph(["tiny"]))
    assert cycle.members == ("tiny.left.one", "tiny.left.two")
    assert cycle.way_round == ("tiny.left.one", "tiny.left.two", "tiny.left.one")
    assert package_cycles(import_graph(["tiny"])) == []
    assert len(list(problems(["tiny"], tree))) == 1


def test_a_cycle_of_packages_is_found_where_no_modules_have_one(tree: Path) -> None:
    write(tree, tiny__left__one="import tiny.right.three", tiny__right__three="import tiny.left.two")
    assert module_cycles(import_graph(["tiny"])) == []
    assert list(problems(["tiny"], tree)) == [
        "import cycle of packages: tiny.left -> tiny.right -> tiny.left; in all 2: tiny.left, tiny.right"
    ]


def test_a_cycle_through_a_module_beside_the_packages_is_found(tree: Path) -> None:
    write(tree, tiny__left__one="import tiny.first", tiny__first="import tiny.left.two")
    (cycle,) = package_cycles(import_graph(["tiny"]))
    assert cycle.members == ("tiny.first", "tiny.left")


def test_imports_for_the_type_checker_make_no_cycle(tree: Path) -> None:
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from tiny.left.one import x"
    write(tree, tiny__left__one="import tiny.left.two", tiny__left__two=typed)
    assert list(problems(["tiny"], tree)) == []


def test_thirteen_modules_are_refused(tree: Path) -> None:
    write(tree, **{f"tiny__right__m{number}": "" for number in range(11)})
    assert list(problems(["tiny"], tree)) == []
    write(tree, tiny__right__m11="")
    assert list(problems(["tiny"], tree)) == ["too many modules: tiny/right has 13, at most 12"]


def test_the_client_is_checked_for_full_rooms_and_cycles(tmp_path: Path) -> None:
    files = {
        "a/one.ts": 'import type { T } from "@/b/two";\nimport { x } from "./two";\n',
        "a/two.tsx": 'const Later = lazily(() => import("./one"));\n',
        "b/two.ts": 'import {\n  one,\n} from "@/a/one";\n',
        **{f"c/module{number}.ts": "" for number in range(13)},
        "c/module.test.ts": 'import "@/b/two";\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    full, cycle = client_problems(tmp_path)
    assert full == "too many modules: c has 13, at most 12"
    assert cycle.startswith("import cycle of modules: a/")
    (tmp_path / "a/two.tsx").write_text('import { y } from "@/b/two";\n')
    (tmp_path / "b/two.ts").write_text("")
    (tmp_path / "b/three.ts").write_text('import { z } from "../a/three";\n')
    (tmp_path / "a/three.ts").write_text("")
    _, cycle = client_problems(tmp_path)
    assert cycle in {"import cycle of rooms: a -> b -> a", "import cycle of rooms: b -> a -> b"}
