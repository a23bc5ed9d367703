"""The studio as it is started, asked by programs and pages that are not its owner's."""

from __future__ import annotations

import http.client
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.studio.opened import Studio
from tests.studio.visitor import Visitor


def _asked(studio: Studio, path: str = "/", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=300)
    given = {"Host": f"127.0.0.1:{studio.port}"} | {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest("GET", path, skip_host=True)
    for name, value in given.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {key.lower(): value for key, value in answer.getheaders()}, body


def _cookie(studio: Studio) -> str:
    status, headers, _ = _asked(studio, studio.address.removeprefix(studio.root))
    assert status == 303
    return headers["set-cookie"].partition(";")[0]


def test_nothing_is_answered_to_strangers(studio: Studio) -> None:
    static = "/_nicegui/"
    for path in ("/", "/columns", static, "/_nicegui_ws/socket.io/?EIO=4&transport=polling", "/report/recipe"):
        assert _asked(studio, path)[0] == 403
    cookie = _cookie(studio)
    assert _asked(studio, Cookie=cookie)[0] == 200
    assert _asked(studio, Cookie=cookie, Host="evil.example")[0] == 403
    assert _asked(studio, Cookie=cookie, Origin="http://evil.example")[0] == 403


def test_a_page_is_kept_to_itself(studio: Studio) -> None:
    _, headers, body = _asked(studio, Cookie=_cookie(studio))
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert b"<title>tacit studio</title>" in body


def test_another_host_needs_a_second_word(tmp_path: Path) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "tacit", "studio", "--host", "0.0.0.0", "--no-open"],  # noqa: S104
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert "--i-know" in refused.stderr


@pytest.mark.parametrize(
    "arguments", [["nowhere.csv"], ["--host", "", "--i-know"], ["--port", "99999"], ["--port", "x"]]
)
def test_bad_arguments_are_one_sentence(tmp_path: Path, arguments: list[str]) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "tacit", "studio", *arguments, "--no-open"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert len(refused.stderr.strip().splitlines()) == 1


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['nicegui'] = None; from tacit.cli import run; sys.exit(run(['studio', '--no-open']))"
    )
    refused = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "tacit[studio]" in refused.stderr


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with Studio(tmp_path) as studio:
        assert [path.stat().st_mode & 0o777 for path in temporary.glob("tacit-studio-*")] == [0o700]
        assert _asked(studio, Cookie=_cookie(studio))[0] == 200
    assert not list(temporary.glob("tacit-studio-*"))
    assert not (tmp_path / ".nicegui").exists()


def test_a_signal_to_end_leaves_nothing_behind_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    studio = Studio(tmp_path)
    assert list(tmp_path.glob("tacit-studio-*"))
    studio.process.terminate()
    studio.process.communicate()
    assert not list(tmp_path.glob("tacit-studio-*"))


def test_a_foreign_page_gets_no_socket_and_nothing_private_is_in_the_browser(
    browser: Any, visitor: Visitor, studio: Studio, hospital_csv: Path
) -> None:
    visitor.open(hospital_csv)
    page = visitor.page
    assert "token" not in page.url
    assert page.title() == "tacit studio"
    kept = page.evaluate("[JSON.stringify(localStorage), document.cookie]")
    assert "patients" not in kept[0]
    assert kept[1] == ""  # the cookie is out of reach for scripts
    assert "patients" not in page.evaluate("JSON.stringify(sessionStorage)")
    stranger = browser.new_context()
    other = stranger.new_page()
    other.goto("data:text/html,<p>elsewhere</p>")
    opened = other.evaluate(
        """(port) => new Promise((done) => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket`);
          socket.onopen = () => done(true);
          socket.onerror = socket.onclose = () => done(false); })""",
        studio.port,
    )
    assert opened is False
    stranger.close()
