"""The guard: without the cookie of the start, from a foreign page or by a foreign name, nothing is answered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.studio.guard import Guard

PORT, TOKEN = 8123, "the-token"
HOST = ("host", f"127.0.0.1:{PORT}")


async def _inner(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"public, max-age=9999")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"<html><script>1</script>", "more_body": True})
    await send({"type": "http.response.body", "body": b"<script type=module>2</script></html>"})


class Asked:
    def __init__(self, guard: Guard | None = None, **options: Any) -> None:
        self.guard = guard or Guard(_inner, token=TOKEN, port=PORT, **options)

    def get(
        self, *headers: tuple[str, str], path: str = "/", query: str = "", method: str = "GET", kind: str = "http"
    ) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []
        scope = {"type": kind, "method": method, "path": path, "query_string": query.encode()}
        scope["headers"] = [(key.encode(), value.encode("latin-1")) for key, value in headers]

        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(dict(message))

        asyncio.run(self.guard(scope, receive, send))
        return sent

    def cookie(self) -> tuple[str, str]:
        headers = dict(self.get(HOST, query=f"token={TOKEN}")[0]["headers"])
        assert b"HttpOnly" in headers[b"set-cookie"]
        assert b"SameSite=Strict" in headers[b"set-cookie"]
        return ("cookie", headers[b"set-cookie"].decode().partition(";")[0])


def status(sent: list[dict[str, Any]]) -> int:
    return int(sent[0].get("status", 0))


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address() -> None:
    asked = Asked()
    sent = asked.get(HOST, query=f"token={TOKEN}")
    headers = dict(sent[0]["headers"])
    assert status(sent) == 303
    assert headers[b"location"] == b"/"
    assert status(asked.get(HOST, asked.cookie())) == 200
    assert TOKEN.encode() not in headers[b"set-cookie"]


@pytest.mark.parametrize("path", ["/", "/columns", "/_nicegui/3/static/nicegui.js", "/_nicegui_ws/socket.io/", "/x"])
def test_nothing_is_answered_without_the_cookie(path: str) -> None:
    asked = Asked()
    assert status(asked.get(HOST, path=path)) == 403
    assert status(asked.get(HOST, ("cookie", f"tacit_studio_{PORT}=guess"), path=path)) == 403
    assert status(asked.get(HOST, path=path, query="token=wrong")) == 403


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", "", f"127.0.0.1.evil:{PORT}"]
)
def test_a_foreign_host_is_refused_with_cookie_and_token(host: str) -> None:
    asked = Asked()
    assert status(asked.get(("host", host), asked.cookie())) == 403
    assert status(asked.get(("host", host), query=f"token={TOKEN}")) == 403
    assert asked.get(("host", host), asked.cookie(), kind="websocket")[0]["type"] == "websocket.close"


def test_two_hosts_or_none_are_refused() -> None:
    asked = Asked()
    assert status(asked.get(HOST, HOST, asked.cookie())) == 403
    assert status(asked.get(asked.cookie())) == 403


@pytest.mark.parametrize("origin", ["http://evil.example", f"https://127.0.0.1:{PORT}", "null", f"http://evil:{PORT}"])
def test_a_foreign_origin_is_refused(origin: str) -> None:
    asked = Asked()
    assert status(asked.get(HOST, asked.cookie(), ("origin", origin))) == 403
    assert asked.get(HOST, asked.cookie(), ("origin", origin), kind="websocket")[0]["type"] == "websocket.close"


def test_the_web_socket_needs_the_cookie_and_an_own_origin() -> None:
    asked = Asked()
    own = ("origin", f"http://127.0.0.1:{PORT}")
    assert asked.get(HOST, asked.cookie(), own, kind="websocket")[0]["type"] == "websocket.accept"
    assert asked.get(HOST, own, kind="websocket")[0]["type"] == "websocket.close"
    assert asked.get(HOST, asked.cookie(), kind="websocket")[0]["type"] == "websocket.close"


def test_a_foreign_page_cannot_load_anything_even_with_the_cookie() -> None:
    asked = Asked()
    assert status(asked.get(HOST, asked.cookie(), ("sec-fetch-site", "cross-site"))) == 403
    assert status(asked.get(HOST, asked.cookie(), ("sec-fetch-site", "same-site"))) == 403
    assert status(asked.get(HOST, asked.cookie(), ("sec-fetch-site", "same-origin"))) == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_sent_but_through_the_web_socket(method: str) -> None:
    asked = Asked()
    assert status(asked.get(HOST, asked.cookie(), method=method)) == 403


def test_headers_keep_a_page_to_itself_and_mark_its_scripts() -> None:
    asked = Asked()
    start, body = asked.get(HOST, asked.cookie())
    headers = dict(start["headers"])
    assert headers[b"x-frame-options"] == b"DENY"
    assert headers[b"referrer-policy"] == b"no-referrer"
    assert [value for key, value in start["headers"] if key == b"cache-control"] == [b"no-store"]
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'none'" in policy
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert body["body"].count(f'<script nonce="{nonce}"'.encode()) == 2
    assert int(headers[b"content-length"]) == len(body["body"])
    again = dict(asked.get(HOST, asked.cookie())[0]["headers"])
    assert nonce not in again[b"content-security-policy"].decode()


def test_a_host_that_was_asked_for_is_accepted_and_names_that_lead_here_are_not() -> None:
    asked = Asked(host="0.0.0.0")  # noqa: S104
    here = ("host", f"192.168.1.7:{PORT}")
    assert status(asked.get(here, asked.cookie())) == 200
    assert status(asked.get(("host", f"rebound.example:{PORT}"), asked.cookie())) == 403


@given(
    st.lists(
        st.tuples(st.sampled_from(["host", "origin", "cookie", "sec-fetch-site"]), st.text(max_size=30)), max_size=5
    )
)
def test_whatever_is_sent_without_the_cookie_is_refused(headers: list[tuple[str, str]]) -> None:
    asked = Asked()
    plain = [(key, value.encode("latin-1", "replace").decode("latin-1")) for key, value in headers]
    assert status(asked.get(HOST, *plain)) == 403
    assert asked.get(HOST, *plain, kind="websocket")[0]["type"] == "websocket.close"
