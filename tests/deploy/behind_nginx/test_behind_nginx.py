"""The deployment as its visitors and its operator see it."""

import httpx
import psutil
import pytest

from tests.deploy.behind_nginx.conftest import FAILURES, Deployment
from tests.product.words import PASSWORD
from tests.product.world import until

pytestmark = pytest.mark.product


def test_nginx_accepts_its_configuration(deployed: Deployment) -> None:
    said = deployed.proxy.check()
    assert "test is successful" in said
    assert [line for line in said.splitlines() if "[warn]" in line and '"user"' not in line] == []


def test_people_sign_in_over_tls_alone(deployed: Deployment) -> None:
    with deployed.client() as client:
        client.get("/api/session/")
        headers = {"X-CSRFToken": client.cookies["__Host-csrftoken"], "Referer": deployed.proxy.address}
        signed_in = client.post("/api/session/", json={"username": "root", "password": PASSWORD}, headers=headers)
        assert signed_in.is_success, signed_in.text
        cookies = signed_in.headers.get_list("set-cookie")
        assert len(cookies) >= 2
        assert all(cookie.startswith("__Host-") and "; Secure" in cookie for cookie in cookies), cookies
        until(lambda: client.get("/api/workers/").json()["is_alive"], "the worker is alive")


def test_plain_http_is_sent_to_tls(deployed: Deployment) -> None:
    answer = httpx.get(f"http://localhost:{deployed.proxy.http}/phases?x=1")
    assert (answer.status_code, answer.headers["location"]) == (301, "https://localhost/phases?x=1")


def test_a_visitor_cannot_choose_their_address(deployed: Deployment) -> None:
    """Wrong passwords are counted for the address that the proxy saw."""
    with deployed.client("127.0.0.2") as client:
        client.get("/api/session/")
        headers = {"X-CSRFToken": client.cookies["__Host-csrftoken"], "Referer": deployed.proxy.address}
        answers = [
            client.post(
                "/api/session/",
                json={"username": f"nobody-{number}", "password": "wrong"},
                headers=headers | {"X-Forwarded-For": f"10.0.0.{number}"},
            ).status_code
            for number in range(FAILURES + 1)
        ]
    assert [status == 429 for status in answers] == [False] * FAILURES + [True]


def test_no_log_has_the_secret_of_an_invitation(deployed: Deployment) -> None:
    def logs() -> str:
        return "".join(path.read_text(errors="replace") for path in deployed.folder.rglob("*.log"))

    httpx.get(f"http://localhost:{deployed.proxy.http}/invite/opens-an-account")
    with deployed.client() as client:
        page = client.get("/invite/opens-an-account")
        client.get("/api/invite/opens-an-account/")
        client.get("/api/session/ways/")
    assert page.headers["Referrer-Policy"] == "strict-origin"  # what the page loads is asked for without its address
    until(lambda: "GET /api/session/ways/" in logs(), "the proxy has written its log")
    assert "opens-an-account" not in logs()


def test_no_process_or_file_belongs_to_root(deployed: Deployment) -> None:
    for service in deployed.services:
        assert service.process is not None
        tree = psutil.Process(service.process.pid)
        assert all(0 not in each.uids() for each in [tree, *tree.children(recursive=True)])
    roots = {path for path in deployed.folder.rglob("*") if path.exists() and path.stat().st_uid == 0}
    assert roots <= {service.log for service in deployed.services}  # which the test opened
    assert (deployed.folder / "data").stat().st_mode & 0o077 == 0
