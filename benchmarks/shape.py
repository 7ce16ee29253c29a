"""`make shape`: how long files and functions are, how full packages are, and which imports form cycles.

Leaves out migrations, the client's tests and generated types. A cycle is one of imports that run: those for the type
checker alone don't count. Of benchmarks and tests only the folders are checked; of benchmarks the imports, too.
"""

import ast
import io
import posixpath
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import ceil
from pathlib import Path
from statistics import median

from grimp import ImportGraph, build_graph
from rich.columns import Columns
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("annotate", "labeling", "prm_training", "stepmark")
CHECKED = (*PACKAGES, "benchmarks")
MOST_MODULES = 12
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
TESTING = re.compile(r"\.(test|fixture)\.")
IMPORTED = re.compile(r'(?:^(?:import|export) (?!type )[^;"]*|\bimport\()"([.@]/?[^"]*)"', re.MULTILINE)
ANCHORS = {"healthchecks": ("42 / 161", "8"), "django-htmx": ("54 / 150", "3"), "import-linter": ("62 / 284", "9")}


@dataclass(frozen=True)
class Counts:
    """One file's lines. `code` excludes blank lines, comments, docstrings and imports; `comments` are lines that hold
    nothing else; `functions` are the lines of each, without decorators."""

    lines: int
    filled: int  # not blank
    code: int = 0
    comments: int = 0
    functions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Cycle:
    """Modules or packages that all reach one another, and the shortest way round among them."""

    members: tuple[str, ...]
    way_round: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' -> '.join(self.way_round)}; in all {len(self.members)}: {', '.join(self.members)}"


def count_python(text: str) -> Counts:
    lines = text.splitlines()
    filled = {number for number, line in enumerate(lines, start=1) if line.strip()}
    comments = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT and not lines[token.start[0] - 1][: token.start[1]].strip()
    }
    nodes = list(ast.walk(ast.parse(text)))
    uncounted = {line for node in nodes for line in lines_without_code(node)}
    functions = [extent(node) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return Counts(
        lines=len(lines),
        filled=len(filled),
        code=len(filled - comments - uncounted),
        comments=len(comments),
        functions=tuple(map(len, functions)),
    )


def lines_without_code(node: ast.AST) -> range:
    """Returns the lines of an import, or of the docstring of a module, class or function; else none."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return extent(node)
    if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
        return extent(node.body[0])
    return range(0)


def extent(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def count_typescript(text: str) -> Counts:
    return Counts(len(text.splitlines()), sum(bool(line.strip()) for line in text.splitlines()))


def python_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.py")) if "migrations" not in path.parts]


def client_graph(folder: Path) -> dict[str, set[str]]:
    """Maps each module to those it imports, by paths below `folder`; type-only imports don't count."""
    names = {path.relative_to(folder).with_suffix("").as_posix() for path in typescript_files(folder)}
    graph: dict[str, set[str]] = {name: set() for name in names}
    for path in typescript_files(folder):
        name = path.relative_to(folder).with_suffix("").as_posix()
        for place in IMPORTED.findall(path.read_text()):
            above = "" if place.startswith("@/") else posixpath.dirname(name)
            graph[name] |= {posixpath.normpath(posixpath.join(above, place.removeprefix("@/")))} & names
    return graph


def client_problems(folder: Path) -> Iterator[str]:
    for full, count in modules_per_package(typescript_files(folder)).most_common():
        if count > MOST_MODULES:
            yield f"too many modules: {full.relative_to(folder)} has {count}, at most {MOST_MODULES}"
    modules = client_graph(folder)
    rooms: dict[str, set[str]] = {}
    for name, imported in modules.items():
        room = posixpath.dirname(name)
        rooms.setdefault(room, set()).update({posixpath.dirname(each) for each in imported} - {room})
    for what, graph in (("modules", modules), ("rooms", rooms)):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            yield f"import cycle of {what}: {' -> '.join(error.args[1][::-1])}"


def typescript_files(folder: Path) -> list[Path]:
    found = [*folder.rglob("*.ts"), *folder.rglob("*.tsx")]
    return [path for path in sorted(found) if path.name != "schema.d.ts" and not TESTING.search(path.name)]


def modules_per_package(files: Iterable[Path]) -> Counter[Path]:
    """Counts each folder's own modules, without `__init__`, `conftest` and those of folders below."""
    return Counter(path.parent for path in files if path.stem not in {"__init__", "conftest"})


def import_graph(packages: Sequence[str]) -> ImportGraph:
    graph = build_graph(*packages, cache_dir=None, exclude_type_checking_imports=True)
    for module in [module for module in graph.modules if "migrations" in module.split(".")]:
        graph.remove_module(module)
    return graph


def module_cycles(graph: ImportGraph) -> list[Cycle]:
    reached = {name: graph.find_upstream_modules(name) & graph.find_downstream_modules(name) for name in graph.modules}
    groups = {tuple(sorted({name, *others})) for name, others in reached.items() if others - {name}}
    return [Cycle(group, shortest_way_round(graph, group)) for group in sorted(groups)]


def package_cycles(graph: ImportGraph) -> list[Cycle]:
    """Returns cycles among sibling packages and modules; each package counts as one module."""
    roots = {module for module in graph.modules if "." not in module}
    found: list[Cycle] = []
    for children in (roots, *(graph.find_children(module) for module in sorted(graph.modules))):
        packages = {child for child in children if graph.find_children(child)}
        folded = deepcopy(graph)
        for package in packages:
            folded.squash_module(package)
        found += [cycle for cycle in module_cycles(folded) if packages & {*cycle.members}] if packages else []
    return found


def shortest_way_round(graph: ImportGraph, group: Sequence[str]) -> tuple[str, ...]:
    ways = [
        (importer, *(graph.find_shortest_chain(importer=imported, imported=importer) or ()))
        for importer in group
        for imported in sorted(graph.find_modules_directly_imported_by(importer) & {*group} - {importer})
    ]
    return min(ways, key=len)


def problems(packages: Sequence[str], folder: Path) -> Iterator[str]:
    """Yields a line for each overfull package or folder of tests, and for each cycle.

    `folder` holds `packages`, and is importable.
    """
    modules = modules_per_package(path for package in (*packages, "tests") for path in python_files(folder / package))
    for package, count in modules.most_common():
        if count > MOST_MODULES:
            yield f"too many modules: {package.relative_to(folder)} has {count}, at most {MOST_MODULES}"
    graph = import_graph(packages)
    yield from (f"import cycle of packages: {cycle}" for cycle in package_cycles(graph))
    yield from (f"import cycle of modules: {cycle}" for cycle in module_cycles(graph))


def contracts() -> str:
    """Returns how many of import-linter's contracts are kept and broken, in its words."""
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    found = re.search(r"\d+ kept, \d+ broken", done.stdout)
    return found[0] if found else "not checked: lint-imports failed"


def spread(values: Sequence[int]) -> str:
    """Returns "median / 90th percentile"."""
    return f"{median(values):g} / {sorted(values)[ceil(0.9 * len(values)) - 1]}" if values else ""


def row(name: str, sources: Sequence[Counts]) -> list[str]:
    code, filled = sum(each.code for each in sources), sum(each.filled for each in sources)
    return [
        name,
        f"{len(sources):,}",
        f"{sum(each.lines for each in sources):,}",
        f"{code:,}" if code else "",
        spread([each.lines for each in sources if each.code or not code]),
        spread([length for each in sources for length in each.functions]),
        f"{sum(each.comments for each in sources) / filled:.1%}" if code else "",
    ]


def sizes() -> Table:
    columns = ("files", "lines", "code", "a file", "a function", "comments")
    table = Table("", *columns, caption="lines of a file, of a function: median / 90th percentile")
    counted = {name: [count_python(path.read_text()) for path in python_files(ROOT / name)] for name in PACKAGES}
    for name, sources in counted.items():
        table.add_row(*row(name, sources))
    table.add_row(*row("all Python", [each for sources in counted.values() for each in sources]))
    client = [count_typescript(path.read_text()) for path in typescript_files(ROOT / "frontend" / "src")]
    table.add_row(*row("TypeScript", client))
    return table


def anchors() -> Table:
    table = Table("for comparison", "a file", "a function")
    for name, measured in ANCHORS.items():
        table.add_row(name, *measured)
    return table


def main() -> None:
    console = Console(highlight=False)
    console.print(Columns([sizes(), anchors()]))
    modules = modules_per_package(path for package in PACKAGES for path in python_files(ROOT / package))
    fullest = ", ".join(f"{folder.relative_to(ROOT)} {count}" for folder, count in modules.most_common(6))
    console.print(f"modules in a package: median {median(modules.values()):g}; most: {fullest}", soft_wrap=True)
    found = [*problems(CHECKED, ROOT), *client_problems(ROOT / "frontend" / "src")]
    kinds = Counter(line.split(":")[0] for line in found)
    cycles = [f"{kinds[f'import cycle of {what}']} of {what}" for what in ("packages", "modules", "rooms")]
    console.print(f"import cycles: {', '.join(cycles)}")
    console.print(f"import contracts: {contracts()}")
    for line in found:
        console.print(line, style="red", soft_wrap=True, markup=False)
    sys.exit(int(bool(found)))


if __name__ == "__main__":
    main()
