"""deploy/: the files agree with the code, with one another, and with the programs that read them."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings as product
from gunicorn.config import Config
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docs import generated
from stepmark import supervisor
from tests.running import libraries
from tests.running.proxy import DEPLOY, TEMPLATE, settings

pytestmark = pytest.mark.any_database
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSED: dict[str, Any] = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
SERVICES = COMPOSED["services"]
OURS = [name for name, service in SERVICES.items() if service["image"].startswith("stepmark-")]
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
READ = set(re.findall(r'\benv\.\w+\(\s*["\'](\w+)', (DEPLOY.parent / "stepmark" / "settings.py").read_text()))
PARSERS = generated.command_parsers()

VARIABLE = re.compile(r"\$\{(\w+)(?::\?)?\}")


def accepted(words: list[str]) -> str:
    """Gives the words to the command's own parser, which exits on what it doesn't know. Returns the command."""
    PARSERS[words[0]].parse_args(words[1:])
    return words[0]


def started(unit: Path, instance: str) -> list[str]:
    (line,) = re.findall(r"^ExecStart=/opt/stepmark/bin/stepmark (.*)$", unit.read_text(), re.MULTILINE)
    return shlex.split(line.replace("%i", instance))


@pytest.mark.parametrize(("unit", "instance"), [*zip(UNITS, ["8000", "cpu"], strict=True)])
def test_a_unit_starts_an_existing_command(unit, instance):
    assert f"stepmark-{accepted(started(unit, instance))}@.service" == unit.name


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_accepts_the_unit(unit, tmp_path):
    if not shutil.which("systemd-analyze") and os.environ.get("CI") != "true":
        pytest.skip("there is no systemd-analyze")
    named = tmp_path / unit.name.replace("@", "@8000")
    named.write_text(unit.read_text().replace("/opt/stepmark/bin/stepmark", shutil.which("true") or ""))
    command = ["systemd-analyze", "verify", "--man=no", str(named)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_does_not_run_as_root_and_restarts_for_ever(unit):
    lines = unit.read_text().splitlines()
    needed = {"User=stepmark", "NoNewPrivileges=yes", "Restart=always", "StartLimitIntervalSec=0", "UMask=0077"}
    assert needed <= set(lines)


def test_all_settings_are_read():
    assert settings(DEPLOY / "systemd" / "stepmark.env").keys() <= READ
    for name in OURS:
        assert SERVICES[name]["environment"].keys() <= READ


def test_units_and_composition_set_the_same():
    units = settings(DEPLOY / "systemd" / "stepmark.env")
    images = dict(re.findall(r"(STEPMARK_DATA_DIR)=(\S+)", DOCKERFILE))
    for name in OURS:
        composed = SERVICES[name]["environment"] | images
        assert composed.keys() == units.keys()
        for own in ("HTTPS_ONLY", "TRUSTED_PROXIES"):
            assert composed[own] == units[own]


@pytest.mark.parametrize("name", OURS)
def test_a_container_runs_an_existing_command_unprivileged(name):
    service = SERVICES[name]
    stage = service["build"]["target"]
    (image,) = re.findall(rf"^FROM base AS {stage}$\n(.*?)(?=^FROM|\Z)", DOCKERFILE, re.MULTILINE | re.DOTALL)
    (own,) = re.findall(r"^CMD (\[.*\])$", image, re.MULTILINE)
    assert accepted(service.get("command") or yaml.safe_load(own)) in {"web", "worker", "migrate"}
    assert service["image"] == f"stepmark-{stage}"
    assert "USER 10001:10001\n" in image
    assert (service["cap_drop"], service["read_only"]) == (["ALL"], True)
    assert f"VOLUME {settings_of_image()['STEPMARK_DATA_DIR']}\n" in image
    assert service["volumes"] == [f"files:{settings_of_image()['STEPMARK_DATA_DIR']}"]


def settings_of_image() -> dict[str, str]:
    return dict(re.findall(r"^(?:ENV|   ) (\w+)=(\S+)", DOCKERFILE, re.MULTILINE))


def test_everything_that_the_composition_names_exists():
    for service in SERVICES.values():
        assert set(service.get("depends_on", {})) <= SERVICES.keys()
        volumes = [volume.split(":")[0] for volume in service.get("volumes", [])]
        files = [volume for volume in volumes if volume.startswith(".")]
        named = {volume for volume in volumes if volume[0] not in "./$"}
        assert named <= COMPOSED["volumes"].keys()
        assert all((DEPLOY / "compose" / file).exists() for file in files)
    text = (DEPLOY / "compose" / "compose.yaml").read_text()
    assert set(VARIABLE.findall(text)) == settings(DEPLOY / "compose" / ".env.example").keys()


def test_there_are_two_workers_and_two_web_servers_behind_the_proxy():
    webs = [name for name in OURS if name.startswith("web")]
    workers = [name for name in OURS if name.startswith("worker")]
    servers = re.findall(r"server (\S+):8000 ", SERVICES["proxy"]["environment"]["WEB_SERVERS"])
    assert (len(webs), len(workers), servers) == (2, 2, webs)


@pytest.mark.parametrize("name", [name for name in OURS if name != "migrate"])
def test_a_container_has_as_long_to_stop_as_a_unit(name):
    """Docker's ten seconds would end web servers in the middle of requests."""
    unit = (DEPLOY / "systemd" / f"stepmark-{name.partition('-')[0]}@.service").read_text()
    (unit_seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert SERVICES[name]["stop_grace_period"] == f"{unit_seconds}s"
    assert int(unit_seconds) >= supervisor.STOP_WITHIN_SECONDS > Config().graceful_timeout


def test_a_web_server_is_healthy_without_a_worker(db, client):
    *_, program = SERVICES["web-1"]["healthcheck"]["test"]
    (address,) = re.findall(r"http://127\.0\.0\.1:8000(/[^']*)'", program)
    assert client.get(address).status_code == 200


def test_prometheus_is_told_to_ask_the_web_servers_themselves():
    """Through the proxy, each answer would come from another one."""
    page = (DEPLOY.parent / "docs" / "how-to" / "monitor.md").read_text()
    (example,) = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (job,) = yaml.safe_load(example)["scrape_configs"]
    servers = re.findall(r"server (\S+) ", settings(DEPLOY / "nginx" / "proxy.env")["WEB_SERVERS"])
    assert job["static_configs"] == [{"targets": servers}]


def test_the_proxy_is_given_every_variable():
    wanted = set(VARIABLE.findall(TEMPLATE.read_text()))
    assert wanted == settings(DEPLOY / "nginx" / "proxy.env").keys()
    assert wanted == SERVICES["proxy"]["environment"].keys()


def test_the_proxy_takes_large_bodies_where_files_are_uploaded_alone():
    text, paths = TEMPLATE.read_text(), json.loads(product.OPENAPI.read_text())["paths"]
    ((place, largest),) = re.findall(r"location ~ (\S+) \{\n +client_max_body_size (\d+)m;", text)
    (usual,) = re.findall(r"^    client_max_body_size (\d+)m;", text, re.MULTILINE)
    assert (int(usual) - 1, int(largest)) == (product.JSON_LIMIT_MB, product.UPLOAD_LIMIT_MB)
    taken = {
        path: [[*each.get("requestBody", {}).get("content", {})] for each in acts.values()]
        for path, acts in paths.items()
    }
    taking = {path for path, kinds in taken.items() if ["multipart/form-data"] in kinds}
    assert {path for path in paths if re.search(place, path)} == taking


def test_images_copy_exactly_the_files_of_their_context():
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split("\n*\n")[1]
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE)
    assert [f"!{path}" for line in copied for path in line.split()] == ignored.split()


def test_the_locked_versions_are_those_tested():
    """`make lock` renews deploy/requirements.txt."""
    locked, tested = (
        {
            canonicalize_name(name): version
            for name, version in re.findall(r"^(\S+)==(\S+)", file.read_text(), re.MULTILINE)
        }
        for file in (DEPLOY / "requirements.txt", DEPLOY.parent / "constraints.txt")
    )
    assert {name: version for name, version in locked.items() if tested.get(name, version) != version} == {}
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["s3"]]
    assert {canonicalize_name(Requirement(each).name) for each in wanted} - locked.keys() == set()


@pytest.mark.parametrize("python", ["3.11.0", "3.11.2", "3.12.0", "3.13.0"])
def test_the_lock_is_complete_for_every_python(python):
    """Given hashes, pip refuses requirements that are not locked. boto3, which is not installed here, is left out."""
    locked = set(re.findall(r"^(\S+)==", (DEPLOY / "requirements.txt").read_text(), re.MULTILINE))
    here = {"python_full_version": python, "python_version": python.rpartition(".")[0], "extra": ""}
    wanted = [
        Requirement(each)
        for distribution in distributions()
        if canonicalize_name(distribution.name) in locked
        for each in distribution.requires or []
    ]
    asked = {canonicalize_name(each.name) for each in wanted if not each.marker or each.marker.evaluate(here)}
    assert "wcwidth" in asked  # some are required by other packages alone
    assert asked - locked == set()


def test_djangos_check_of_a_deployment_finds_nothing(tmp_path):
    """The settings are those behind the proxy, which redirects and sends HSTS."""
    shipped = settings(DEPLOY / "systemd" / "stepmark.env")
    own = {"SECRET_KEY": "a text that is long and random enough " * 2, "STEPMARK_DATA_DIR": str(tmp_path)}
    own |= {"REDIRECT_TO_HTTPS": "1", "HSTS_SECONDS": "31536000", "PATH": os.defpath}
    command = [*libraries.python("django"), "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=DEPLOY.parent, env=shipped | own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout, done.stdout
