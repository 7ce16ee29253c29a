"""Calls to addresses that people typed in: only to the public internet and to what the environment names.

A request goes to the very address that was checked: a name that resolves to another one a moment later gains nothing.
Redirects are not followed.
"""

import functools
import socket
import ssl
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

import httpx

# Where a network translates IPv6 to IPv4 (RFC 6052), the last four bytes are the address actually called.
NAT64 = IPv6Network("64:ff9b::/96")


class Unreachable(Exception):
    """The address can't or must not be called; the message says why."""


class PrivateAddress(Unreachable):
    """The address is private; the message names the setting that would allow it."""


def is_public(address: str) -> bool:
    """Returns whether the address is outside private networks; an IPv4 address wrapped in an IPv6 one decides."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address) and (inner := _wrapped(found)):
        return is_public(str(inner))
    is_own = isinstance(found, IPv6Address) and found.is_site_local
    return found.is_global and not (found.is_multicast or found.is_reserved or is_own)


def _wrapped(address: IPv6Address) -> IPv4Address | None:
    if address in NAT64:
        return IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour


def origin(url: httpx.URL | str) -> str:
    """Returns `https://host:port`, in lower case, without the scheme's default port."""
    found = httpx.URL(url)
    host = f"[{found.host}]" if ":" in found.host else found.host
    return f"{found.scheme}://{host}" + (f":{found.port}" if found.port else "")


def resolved(url: httpx.URL | str, *, unless: str = "") -> str:
    """Returns the IP address of the URL's host. Raises Unreachable, and for a private one PrivateAddress, which names
    `unless`, the setting that would allow it; an empty `unless` allows it.
    """
    target = httpx.URL(url)
    port = target.port or (443 if target.scheme == "https" else 80)
    try:
        found = {str(row[4][0]) for row in socket.getaddrinfo(target.host, port, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        raise Unreachable(f"There is no host “{target.host}”.") from None
    if unless and not all(map(is_public, found)):
        raise PrivateAddress(f"“{target.host}” is a private address; only public ones are called ({unless}).")
    return min(found, key=lambda each: (":" in each, each))


@functools.cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()  # reading them takes longer than most calls


class _Checked(httpx.HTTPTransport):
    def __init__(self, unless: Callable[[httpx.URL], str]) -> None:
        super().__init__(verify=_certificates(), trust_env=False)
        self.unless = unless

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        address = resolved(request.url, unless=self.unless(request.url))
        # The connection goes to the address that was checked; the certificate is still checked against the name.
        request.extensions = {**request.extensions, "sni_hostname": request.url.host}
        request.url = request.url.copy_with(host=address)
        return super().handle_request(request)


def client(*, unless: Callable[[httpx.URL], str], **options: Any) -> httpx.Client:
    """An HTTP client whose requests raise what `resolved` does; `unless` names the setting for a URL."""
    return httpx.Client(transport=_Checked(unless), trust_env=False, **options)
