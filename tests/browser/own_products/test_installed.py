"""Installs the wheel by `pip`, outside of the checkout and without Node, and labels the first task."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from stepmark.demo.installation import PASSWORD, PHASE
from tests.browser.conftest import Window
from tests.browser.desk import current
from tests.product.world import World
from tests.running.product import Client, Product

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("annotate", "labeling", "prm_training", "stepmark")
BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, 'build_' + sys.argv[1])(sys.argv[2]))"


def run(*command: str | Path, at: Path) -> str:
    done = subprocess.run(command, cwd=at, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built from the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    source = folder / run(sys.executable, "-c", BUILD, "sdist", folder, at=ROOT).split()[-1]
    shutil.unpack_archive(source, folder)
    unpacked = folder / source.name.removesuffix(".tar.gz")
    return folder / run(sys.executable, "-c", BUILD, "wheel", folder, at=unpacked).split()[-1]


def test_the_wheel_holds_the_packages_with_the_client_and_nothing_else(wheel: Path) -> None:
    tracked = run("git", "ls-files", *PACKAGES, at=ROOT).splitlines()
    built = [str(path.relative_to(ROOT)) for path in (ROOT / "stepmark/dist").rglob("[!.]*") if path.is_file()]
    assert "stepmark/dist/index.html.br" in built
    with zipfile.ZipFile(wheel) as archive:
        held = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert sorted(held) == sorted([*tracked, *built])


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment as deploy/Dockerfile makes it for `web`: without PyTorch."""
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", "--without-pip", folder, at=folder)
    # Python compiles what it imports: pip would compile all of it.
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "--quiet", "install", "--no-compile"]
    locked = [*pip, "--require-hashes", "--requirement", ROOT / "deploy" / "requirements.txt"]
    done = subprocess.run(locked, capture_output=True, text=True, check=False)
    if "No matching distribution found" in done.stderr and os.environ.get("CI") != "true":
        pytest.skip("the package index does not answer")
    assert done.returncode == 0, done.stderr
    run(*pip, "--no-deps", wheel, at=folder)
    run(*pip[:-3], "check", at=folder)
    return folder / "bin"


@pytest.fixture
def world(installed: Path, tmp_path: Path) -> Iterator[World]:
    """The demo of the installed product."""
    data = tmp_path / "home"
    data.mkdir()
    product = Product(data, {"PATH": str(installed), "PYTHONPATH": ""}, [installed / "stepmark"])
    try:
        product.start(command="demo")
        yield World(product, {}, "")
    finally:
        product.stop()


def test_a_newcomer_labels_a_task(world: World, window: Window) -> None:
    assert "Sign in with the password" in world.product.log()
    page = window()
    _sign_in(page, "ada")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    root = Client(world.product.address, "root", PASSWORD)
    phase = next(each for each in root.every("phases/") if each["name"] == PHASE)
    page.goto(f"/label/{phase['id']}")
    expect(current(page)).to_contain_text("Step 1")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("definition").first).to_have_text("1")  # today
    (labelling,) = root.call("GET", "labellings/")["results"]
    root.close()
    assert labelling["annotator"] == "ada"


def _sign_in(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_label("User name").fill(name)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.keyboard.press("Enter")
