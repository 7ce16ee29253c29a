"""labeling.completions.outgoing: addresses that people enter must be on the public internet."""

import socket

import httpx
import pytest

from labeling.completions import outgoing

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2002:a00:1::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private(address):
    assert not outgoing.is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_public(address):
    assert outgoing.is_public(address)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("HTTPS://API.Example.org/v1", "https://api.example.org"),
        ("https://api.example.org:443/v1", "https://api.example.org"),
        ("http://api.example.org:8000", "http://api.example.org:8000"),
        ("https://user:key@api.example.org/", "https://api.example.org"),
        ("http://[::1]:8000/v1", "http://[::1]:8000"),
        ("https://api.example.org@evil.example/", "https://evil.example"),
    ],
)
def test_origins(url, origin):
    assert outgoing.origin(url) == origin


def answering(monkeypatch, *replies):
    """Makes successive look-ups of example.org resolve to these lists of addresses."""
    left, real = list(replies), socket.getaddrinfo

    def look_up(host, port, *args, **options):
        if host != "example.org":  # an address, which is connected to
            return real(host, port, *args, **options)
        addresses = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_one_private_address_among_others_is_enough(monkeypatch):
    answering(monkeypatch, ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(outgoing.PrivateAddress, match="SETTING"):
        outgoing.resolved("http://example.org/", unless="SETTING")


def test_a_name_that_resolves_to_another_address_later_gains_nothing(monkeypatch, generator):
    """The name is looked up only once, so a changed second address is never used."""
    generator.answers = [["One."]]
    answering(monkeypatch, ["127.0.0.1"], ["203.0.113.1"])
    url = f"http://example.org:{generator.server_port}/v1"
    with outgoing.client(unless=lambda _: "") as http:
        reply = http.post(url, json={})
    assert (reply.status_code, len(generator.asked)) == (200, 1)
    assert reply.request.headers["Host"] == f"example.org:{generator.server_port}"


def test_every_request_is_checked_at_the_call(generator):
    url = httpx.URL(generator.url)
    with outgoing.client(unless=lambda _: "SETTING") as http, pytest.raises(outgoing.PrivateAddress):
        http.get(url)
    assert generator.asked == []
