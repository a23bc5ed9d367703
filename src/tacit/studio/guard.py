"""The guard around the web server: who may ask, from where, and what an answer may do in a browser.

Every request must name a host that is this machine, come from a page of the studio or from no page, and carry the
cookie that was given for the token of the start. That holds for pages, static files and the web socket alike.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""What a browser on this machine calls it."""

_REFUSED = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Refused</title></head>
<body><h1>Refused</h1><p>This page belongs to a studio that somebody opened on this machine. Open it with the address
that <code>tacit studio</code> printed.</p></body></html>"""

_SCRIPT = re.compile(rb"<script\b")


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine and cannot be reached from another.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """An ASGI application that lets only the owner's browser through to another one.

    Parameters
    ----------
    app
        What is guarded.
    token
        What the address of the start holds; exchanged for a cookie at once.
    port
        Where it listens.
    host
        What it listens on; a host that is not this machine adds itself to the names that are accepted.
    """

    def __init__(self, app: App, *, token: str, port: int, host: str = "127.0.0.1") -> None:
        self.app = app
        self._token = token.encode()
        self._cookie = secrets.token_urlsafe(32)
        self._name = f"tacit_studio_{port}"
        self._port = port
        self._elsewhere = not is_loopback(host)
        names = [*LOOPBACK, host.strip("[]").lower()] if self._elsewhere else list(LOOPBACK)
        self._hosts = {f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = scope["headers"]
        from_here = self._is_here(headers) and _one(headers, b"origin") is not None and self._is_own(headers)
        if from_here and self._is_owner(headers):
            await self.app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": 4403})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = scope["headers"]
        # Nothing is ever sent to the studio but through the web socket, so only reading is allowed.
        if scope["method"] not in {"GET", "HEAD"} or not self._is_here(headers) or not self._is_own(headers):
            await _refuse(send)
            return
        given = parse_qs(scope.get("query_string", b"")).get(b"token")
        if given is not None and scope["path"] == "/" and len(given) == 1:
            await (self._welcome(send) if compare_digest(given[0], self._token) else _refuse(send))
            return
        if not self._is_owner(headers):
            await _refuse(send)
            return
        await self.app(scope, receive, _Hardened(send).send)

    async def _welcome(self, send: Send) -> None:
        """Exchange the token for a cookie, and the address for one without it."""
        cookie = f"{self._name}={self._cookie}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), *_HEADERS]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def _is_here(self, headers: list[tuple[bytes, bytes]]) -> bool:
        """Tell whether the host that was asked for is this one: a foreign name may be made to lead here."""
        host = _one(headers, b"host")
        return host is not None and self._is_known(host)

    def _is_known(self, host: str) -> bool:
        if host.lower() in self._hosts:
            return True
        name, _, port = host.rpartition(":")
        if not self._elsewhere or port != str(self._port):
            return False
        try:  # an address is no name that somebody could make lead here
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True

    def _is_own(self, headers: list[tuple[bytes, bytes]]) -> bool:
        """Tell whether the page that asks is one of the studio; a request that no page made has no origin."""
        origins = [value for key, value in headers if key == b"origin"]
        if not origins:
            return _one(headers, b"sec-fetch-site") in {None, "same-origin", "none"}
        scheme, _, host = origins[0].decode("latin-1").partition("://")
        return len(origins) == 1 and scheme == "http" and self._is_known(host)

    def _is_owner(self, headers: list[tuple[bytes, bytes]]) -> bool:
        for key, value in headers:
            if key == b"cookie":
                try:
                    given = SimpleCookie(value.decode("latin-1")).get(self._name)
                except CookieError:
                    continue
                if given is not None and compare_digest(given.value.encode(), self._cookie.encode()):
                    return True
        return False


_POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
"""What a page may load and do. NiceGUI compiles templates in the browser, which needs 'unsafe-eval', and sets styles on
elements, which needs 'unsafe-inline' for styles. No script runs that is not a file of the server or marked by it, and
nothing is loaded from, or sent to, another machine."""

_HEADERS = [
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), usb=()"),
]


class _Hardened:
    """Adds the headers to an answer, and the mark to every script of a page."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._nonce = secrets.token_urlsafe(16)
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        """Pass a message of the answer on; a page is kept until it is whole, because marking changes its length."""
        if message["type"] == "http.response.start":
            set_here = {key for key, _ in _HEADERS}
            kept = [(key, value) for key, value in message["headers"] if key.lower() not in set_here]
            policy = (b"content-security-policy", _POLICY.format(nonce=self._nonce).encode())
            message = {**message, "headers": [*kept, *_HEADERS, policy]}
            kind = next((value for key, value in kept if key.lower() == b"content-type"), b"")
            if kind.startswith(b"text/html"):
                self._start = message
                return
            await self._send(message)
            return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        page = _SCRIPT.sub(f'<script nonce="{self._nonce}"'.encode(), bytes(self._body))
        headers = [(k, v) for k, v in self._start["headers"] if k.lower() != b"content-length"]
        headers.append((b"content-length", str(len(page)).encode()))
        await self._send({**self._start, "headers": headers})
        await self._send({"type": "http.response.body", "body": page})


def _one(headers: list[tuple[bytes, bytes]], name: bytes) -> str | None:
    """Return the value of a header that stands there once; None where it is missing or stands there twice."""
    values = [value for key, value in headers if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else None


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8"), *_HEADERS]
    headers.append((b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"))
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": _REFUSED})
