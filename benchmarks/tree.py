"""`make tree`: writes docs/packages.md, the tree of packages, from the first lines of their docstrings."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "packages.md"
ROOTS = ("stepmark", "annotate", "prm_training", "labeling", "benchmarks")
WITHOUT = {"migrations", "management"}
HEAD = "# Packages\n\nWritten by `make tree` from the packages' docstrings. Each module says more in its own.\n"


def tree(folder: Path, depth: int = 0) -> Iterator[str]:
    """Yields the package's line, then those of the packages in it."""
    caption = (ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or "").partition("\n")[0]
    yield f"{'  ' * depth}{folder.name + '/':<{26 - 2 * depth}}{caption}"
    for inner in sorted(path.parent for path in folder.glob("*/__init__.py")):
        if inner.name not in WITHOUT:
            yield from tree(inner, depth + 1)


def page() -> str:
    lines = [line for name in ROOTS for line in tree(ROOT / name)]
    return "\n".join([HEAD, "```", *lines, "```", ""])


if __name__ == "__main__":
    PAGE.write_text(page())
