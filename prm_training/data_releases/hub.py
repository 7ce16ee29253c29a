"""Pushes a release to a hub of data sets, such as huggingface.co. Needs huggingface_hub (`stepmark[worker]`)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from labeling.errors import DomainError
from labeling.jobs.lifecycle import NotReady, explain
from prm_training.models import DataRelease

KIND = "dataset"


class Damaged(DomainError, code="damaged"):
    """The stored archive is not the one that was released."""


class NotPushed(DomainError, code="not_pushed"):
    """The hub refused the release, or can't be reached."""


def push(release: DataRelease, *, repo: str, is_private: bool = False, endpoint: str | None = None) -> str:
    """Uploads the release's folder as one commit, tagged with its name; returns the data set's address. A data set that
    exists gets another commit.

    The token is that of huggingface_hub's settings (HF_TOKEN, `hf auth login`); so is the endpoint if none is given.
    Raises NotReady without an archive, Damaged, NotPushed.
    """
    from huggingface_hub import HfApi  # noqa: PLC0415  large, and an extra's

    api = HfApi(endpoint=endpoint)
    with TemporaryDirectory(prefix="stepmark-push-") as parent:
        folder = _unpacked(release, Path(parent))
        try:
            made = api.create_repo(repo, repo_type=KIND, private=is_private, exist_ok=True)
            message = f"Stepmark data release {release.name}"
            commit = api.upload_folder(repo_id=repo, repo_type=KIND, folder_path=folder, commit_message=message)
            api.create_tag(repo, repo_type=KIND, tag=release.name, revision=commit.oid, exist_ok=True)
        except Exception as error:  # of its transport, too, which is another library in other versions
            raise NotPushed(f"It was not pushed to “{repo}”: {explain(error).splitlines()[0]}") from error
    return str(made)


def _unpacked(release: DataRelease, parent: Path) -> Path:
    if not release.file.name:
        raise NotReady(f"“{release.name}” has no archive: it is not done, or withdrawn.")
    with release.file.open() as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != release.sha256:
            raise Damaged(f"The stored archive of “{release.name}” is not the one that was released.")
        with ZipFile(file) as packed:
            packed.extractall(parent)
    return parent / release.name
