"""prm_training.loop.notices: e-mails and signed webhooks: retried, logged, and never to private addresses."""

import json
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from prm_training.loop import notices
from prm_training.models import Autopilot, Notice


@pytest.fixture
def pilot(phase, generator, settings):
    settings.WEBHOOK_MAY_BE_PRIVATE = True
    url = generator.url.replace("/v1", "/hook?x=1")
    return Autopilot.objects.create(phase=phase, webhook_url=url, webhook_secret="s3cret")


@pytest.fixture
def heard(generator):
    """The requests that the webhook got, as (headers, path, body); `answer(status)` sets its replies."""
    calls, status = [], 200

    def hear(handler):
        calls.append((dict(handler.headers), handler.path, handler.body))
        handler.reply(status, "")

    def answer(code):
        nonlocal status
        status = code

    generator.answers = [hear]
    return calls, answer


def test_it_works(pilot, heard, now):
    calls, _ = heard
    notices.announce(pilot, "stopped", now=now, reason="It failed.")
    assert notices.send_due(now=now) == 1
    (headers, path, body) = calls[0]
    assert path == "/hook?x=1"
    assert (body["event"], body["reason"], body["phase_name"]) == ("stopped", "It failed.", "Arithmetic")
    assert headers["Host"] == urlsplit(pilot.webhook_url).netloc
    raw = json.dumps(body, sort_keys=True).encode()
    sent_at = headers["X-Stepmark-Timestamp"]
    assert headers["X-Stepmark-Signature"] == notices.signature("s3cret", sent_at, raw)
    notice = Notice.objects.get()
    assert (notice.status, notice.attempts, headers["X-Stepmark-Id"]) == ("sent", 1, str(notice.pk))
    assert notices.send_due(now=now + timedelta(hours=9)) == 0
    assert len(calls) == 1


def test_a_signature_equals_that_of_openssl():
    """The expected value is the output of `printf '1.{}' | openssl dgst -sha256 -hmac key`."""
    assert (
        notices.signature("key", "1", b"{}")
        == "sha256=1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224"
    )


def test_a_failed_notice_is_retried_ever_later_then_given_up(pilot, heard, now):
    calls, answer = heard
    answer(500)
    notices.announce(pilot, "done", now=now)
    waits, at = [], now
    while (notice := Notice.objects.get()).status == "waiting":
        waits.append((notice.next_try_at - at).total_seconds())
        at = notice.next_try_at
        assert notices.send_due(now=at) == 0
    assert waits == [0, *(10 * 2**number for number in range(7))]
    assert (notice.status, notice.attempts, len(calls)) == ("failed", notices.MAX_ATTEMPTS, notices.MAX_ATTEMPTS)
    assert notice.error == "The webhook answered 500."


def test_it_arrives_when_the_other_side_is_back(pilot, heard, now):
    _, answer = heard
    answer(503)
    notices.announce(pilot, "done", now=now)
    notices.send_due(now=now)
    assert notices.send_due(now=now + timedelta(seconds=9)) == 0
    answer(200)
    assert notices.send_due(now=now + timedelta(seconds=10)) == 1
    assert (Notice.objects.get().status, Notice.objects.get().error) == ("sent", "")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://10.1.2.3/",
        "http://192.168.0.1/",
        "http://169.254.169.254/",
        "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/",
    ],
)
def test_a_private_address_is_never_called(pilot, heard, now, settings, url):
    settings.WEBHOOK_MAY_BE_PRIVATE = False
    pilot.webhook_url = url
    notices.announce(pilot, "done", now=now)
    assert notices.send_due(now=now) == 0
    assert "private" in Notice.objects.get().error
    assert heard[0] == []


def test_a_redirect_is_not_followed(pilot, generator, now):
    def elsewhere(handler):
        handler.send_response(302)
        handler.send_header("Location", "http://169.254.169.254/")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    generator.answers = [elsewhere]
    notices.announce(pilot, "done", now=now)
    assert notices.send_due(now=now) == 0
    assert Notice.objects.get().error == "The webhook answered 302."


def test_an_unreachable_webhook_is_an_error(pilot, now):
    pilot.webhook_url = "http://127.0.0.1:1/"
    notices.announce(pilot, "done", now=now)
    assert notices.send_due(now=now) == 0
    assert Notice.objects.get().error


def test_an_email(pilot, now, mailoutbox):
    pilot.webhook_url, pilot.emails = "", ["a@example.org", "b@example.org"]
    notices.announce(pilot, "stopped", now=now, reason="It failed.")
    assert notices.send_due(now=now) == 2
    assert [mail.to for mail in mailoutbox] == [["a@example.org"], ["b@example.org"]]
    assert mailoutbox[0].subject == "Autopilot of Arithmetic: stopped"
    assert "reason: It failed." in mailoutbox[0].body


def test_two_workers_send_it_once(pilot, heard, now):
    notices.announce(pilot, "done", now=now)
    (seen,) = Notice.objects.select_related("autopilot__phase")
    assert notices.send_due(now=now) == 1
    assert notices._send(seen, now) is False
    assert len(heard[0]) == 1
