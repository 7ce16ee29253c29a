"""Requests are sent again where that is safe, and refusals are errors that say all that the server says."""

import httpx
import pytest

import stepmark
from labeling.campaign import phases
from labeling.models import Run
from prm_training.models import Selection

LOST = httpx.ReadError("the line broke")
NOT_CONNECTED = httpx.ConnectError("nobody listens")
SELECTION = {"policy": "uniform", "size": 1}


@pytest.mark.parametrize("failure", [408, 429, 500, 502, 503, 504, LOST, NOT_CONNECTED])
def test_reading_is_repeated(client, server, pauses, phase, failure):
    server.failures = [failure, failure]
    assert [each["name"] for each in client.phases()] == ["Arithmetic"]
    assert len(server.requests) == 3
    assert 0.25 <= pauses[0] <= 0.5 <= pauses[1] <= 1


@pytest.mark.parametrize("failure", [408, 429, 503, NOT_CONNECTED])
def test_a_run_is_asked_for_again_if_it_surely_was_not_started(client, server, open_round, make, failure):
    make.solution()
    server.failures = [failure]
    client.run("selections", phase=str(open_round.phase_id), **SELECTION)
    assert Selection.objects.count() == 1


@pytest.mark.parametrize("failure", [500, 502, 504])
def test_a_run_that_may_have_been_started_is_not_started_twice(client, server, pauses, phase, failure):
    server.failures = [failure]
    with pytest.raises(stepmark.ServerError):
        client.run("selections", phase=str(phase.pk), **SELECTION)
    assert (len(server.requests), pauses) == (1, [])


def test_a_lost_answer_to_starting_a_run_is_an_error(client, server, phase):
    server.failures = [LOST]
    with pytest.raises(stepmark.ConnectionFailed, match=r"POST selections/: no answer \(the line broke\)"):
        client.run("selections", phase=str(phase.pk), **SELECTION)
    assert Run.objects.count() == 0


def test_requests_that_the_api_stores_once_are_sent_again(client, server, make, superuser):
    phase = make.phase(superuser)
    make.round(phase, 1)
    server.failures = [LOST]
    task = client.claim(str(phase.pk))
    server.failures = [502, LOST]
    assert client.submit(task, [1] * len(task["solution"]["steps"])) is None


def test_it_waits_as_long_as_the_server_says(client, server, pauses, phase):
    server.failures = [httpx.Response(429, headers={"Retry-After": "7"})]
    list(client.phases())
    assert pauses == [7]


def test_it_does_not_wait_for_minutes(client, server, pauses):
    server.failures = [httpx.Response(429, headers={"Retry-After": "900"})]
    with pytest.raises(stepmark.TooManyRequests) as refused:
        list(client.phases())
    assert (refused.value.retry_after, pauses) == (900, [])


def test_it_gives_up_at_last(client, server, pauses):
    server.failures = [httpx.Response(502, text="<h1>Bad gateway</h1>")] * 5
    with pytest.raises(stepmark.ServerError, match=r"Bad Gateway from http://127\.0\.0\.1:8000/api/phases/"):
        list(client.phases())
    assert (len(pauses), server.failures) == (4, [])
    assert max(pauses) <= 8


def test_with_await_likewise(with_async, server, pauses, phase):
    server.failures = [LOST, 503]

    async def names(client):
        return [each["name"] async for each in client.phases()]

    assert with_async(names) == ["Arithmetic"]
    assert len(pauses) == 2


def test_a_refusal_says_all(client, server):
    with pytest.raises(stepmark.BadRequest) as refused:
        client.create_phase("Mine", kind="neither", sources=["nowhere"])
    error = refused.value
    assert (error.status, error.code) == (400, "invalid")
    assert set(error.errors) == {"kind", "sources"}
    assert len(error.request_id) == 12
    assert error.detail in str(error)
    assert error.request_id in str(error)


@pytest.mark.parametrize(
    ("act", "kind", "code"),
    [
        (lambda client: client.get_run("0" * 8 + "-0000-4000-8000-" + "0" * 12), stepmark.NotFound, "not_found"),
        (lambda client: client.score(None, "1 + 1?", ["2"]), stepmark.Conflict, "no_model"),
        (lambda client: client.request("PUT", "phases/"), stepmark.ApiError, "method_not_allowed"),
    ],
)
def test_errors_are_classes_by_status(client, act, kind, code):
    with pytest.raises(kind) as refused:
        act(client)
    assert refused.value.code == code


def test_a_wrong_token(server, db):
    with stepmark.Client(token="x", transport=server) as client, pytest.raises(stepmark.Unauthorized):
        client.me()


def test_a_crash_says_the_id_that_the_log_has(client, monkeypatch):
    monkeypatch.setattr(phases, "create", lambda **_: 1 / 0)
    with pytest.raises(stepmark.ServerError) as crash:
        client.create_phase("Mine")
    assert f"(id {crash.value.request_id})" in crash.value.detail


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("STEPMARK_URL", "https://example.org/stepmark/api/")
    monkeypatch.setenv("STEPMARK_TOKEN", "secret")
    with stepmark.Client() as client:
        http = client.connection.http
        assert (str(http.base_url), http.headers["Authorization"]) == (
            "https://example.org/stepmark/api/",
            "Token secret",
        )


def test_no_token_is_one_sentence(monkeypatch):
    monkeypatch.delenv("STEPMARK_TOKEN", raising=False)
    with pytest.raises(stepmark.StepmarkError, match="There is no token"):
        stepmark.Client()
