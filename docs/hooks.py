"""Tells mkdocs what mkdocs.yml cannot: pages that stand elsewhere in the repository, and the list of decisions."""

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Pages of the site that are written elsewhere, where those who read the code look for them.
ELSEWHERE = {
    "project/architecture.md": "ARCHITECTURE.md",
    "project/benchmarks.md": "benchmarks/README.md",
    "project/changelog.md": "CHANGELOG.md",
    "project/contributing.md": "CONTRIBUTING.md",
    "project/deploy.md": "deploy/README.md",
    "project/laboratory.md": "benchmarks/lab/README.md",
    "project/reward-model.md": "prm_training/prm/README.md",
    "project/security.md": "SECURITY.md",
}
ON_SITE = {path: page for page, path in ELSEWHERE.items()}
SCRIPT = "[The loop from a script](../../README.md#the-loop-from-a-script)"  # the site shows it in its place
LINK = re.compile(r"(?<=\]\()([^)#\s]+)")


def on_config(config: Any) -> Any:
    """Puts every decision below the list of decisions."""
    own = [{title(page): f"decisions/{page.name}"} for page in sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))]
    next(each["Decisions"] for each in config.nav if "Decisions" in each).extend(own)
    return config


def title(page: Path) -> str:
    """The first heading, without Markdown."""
    return page.read_text().partition("\n")[0].removeprefix("# ").replace("`", "")


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File  # noqa: PLC0415 (tests read the rest without mkdocs)

    for page, path in ELSEWHERE.items():
        files.append(File.generated(config, page, content=as_page(path)))
    for picture in sorted((ROOT / "benchmarks/lab").glob("*.svg")):
        files.append(File.generated(config, f"project/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Leads links out of docs/ to the page that the file is here."""
    here = page.file.src_uri
    markdown = markdown.replace(SCRIPT, script())
    return markdown if here in ELSEWHERE else _relinked(markdown, f"docs/{here}", here)


def script() -> str:
    """README's script, which is tested where it stands."""
    _, _, section = (ROOT / "README.md").read_text().partition("## The loop from a script\n")
    return section.partition("\n## ")[0].strip()


def as_page(path: str) -> str:
    """The file as a page of the site: its links lead to pages, too."""
    return _relinked((ROOT / path).read_text(), path, ON_SITE[path])


def _relinked(markdown: str, path: str, page: str) -> str:
    def leads(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))
        if "://" in found[1] or not (ROOT / target).exists():
            return found[1]
        known = target.removeprefix("docs/") if target.startswith("docs/") else ON_SITE.get(target, _asset(target))
        return posixpath.relpath(known, posixpath.dirname(page)) if known else found[1]

    return LINK.sub(leads, markdown)


def _asset(target: str) -> str:
    """Returns where a file that is no page is on the site, whose first page is README; empty if it is not there."""
    if target == "README.md":
        return "index.md"
    return f"project/{posixpath.basename(target)}" if target.startswith("benchmarks/lab/") else ""
