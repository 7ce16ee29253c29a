"""`python -m tests.quick [revision]`: the checks that a change needs, in two minutes.

Lints files that differ from the revision (default: HEAD), and runs the tests that mirror them.
`make test` runs the rest.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
ALWAYS = ["tests/everywhere/test_architecture.py", "tests/everywhere/test_documents.py"]
STAFF_PAGES = Path("frontend/src/app/staff/pages.ts")  # the server's list of pages must match it
NOT_HERE = "not browser and not product"


def changed(revision: str) -> list[str]:
    """Returns files that differ from the revision and still exist, new ones included."""
    git = ["git", "-C", str(ROOT)]
    commands = [[*git, "diff", "--name-only", revision], [*git, "ls-files", "--others", "--exclude-standard"]]
    found = [subprocess.run(each, check=True, capture_output=True, text=True).stdout.splitlines() for each in commands]
    return sorted({name for names in found for name in names if (ROOT / name).exists()})


def needed(files: Iterable[str]) -> list[str]:
    """Returns the tests to run: changed tests, the deepest folder that mirrors each changed module's package, and
    tests/doors if an endpoint changed."""
    found = set(ALWAYS)
    for file in map(Path, files):
        if file == STAFF_PAGES:
            found.add("tests/everywhere/test_pages.py")
        if file.suffix != ".py":
            continue
        if file.name.startswith("test_"):
            found.add(str(file))
            continue
        mirror = file.parent if file.parts[0] == "tests" else "tests" / file.parent
        if "api" in file.parts or file.name == "urls.py":
            found.add("tests/doors")
        while not (ROOT / mirror).is_dir():
            mirror = mirror.parent
        if mirror != Path("tests"):  # shared by all tests, or mirrored by none
            found.add(str(mirror))
    return sorted(path for path in found if not any(folder in map(str, Path(path).parents) for folder in found))


def main(revision: str = "HEAD") -> int:
    files = changed(revision)
    python = [file for file in files if file.endswith(".py")]
    commands = [([BIN / "ruff", "check", "--quiet", *python], ROOT)] if python else []
    commands.append(([BIN / "pytest", "-q", "-n", "2", "-m", NOT_HERE, *needed(files)], ROOT))
    if any(file.startswith("frontend/src/") for file in files):
        commands.append((["npx", "vitest", "run", "--changed", revision], ROOT / "frontend"))
    return max([subprocess.run(command, cwd=folder, check=False).returncode for command, folder in commands])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
