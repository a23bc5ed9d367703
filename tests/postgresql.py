"""A real PostgreSQL server, started on loopback for the tests of one module; skipped where there is none."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

PASSWORD = "s3cr3t/pass@wörd?%"  # noqa: S105
USER = "tester"


def find(program: str) -> str | None:
    """Look for a program of PostgreSQL."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    return shutil.which(program) or (str(installed[-1]) if installed else None)


def server_user() -> dict[str, object]:
    """Choose who runs the server: not root, which it refuses."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            found = pwd.getpwnam(name)
            return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    pytest.skip("there is no user to run a PostgreSQL server as")


def free_port() -> int:
    """Ask for a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Start a server, and stop it when the module is done."""
    initdb, pg_ctl = find("initdb"), find("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("there is no PostgreSQL server here")
    user = server_user()
    # Not pytest's own folder: only its owner may enter that.
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    try:
        (folder / "password").write_text(PASSWORD + "\n")
        if user:
            for path in (folder, folder / "password"):
                os.chown(path, int(str(user["user"])), int(str(user["group"])))
        data, port = folder / "data", free_port()

        def run(*command: str) -> None:
            done = subprocess.run(
                command,
                cwd=folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                **user,
            )
            assert done.returncode == 0, done.stderr

        run(initdb, "-D", str(data), "-U", USER, "-A", "scram-sha-256", "--pwfile=password", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        log = str(folder / "log")
        try:
            # Its output to a file, or the server would keep the pipe open and `run` would wait for it.
            run("/bin/sh", "-c", f'"{pg_ctl}" -D "{data}" -w -l "{log}" -o "{options}" start >/dev/null 2>&1')
            yield port
        finally:
            with contextlib.suppress(AssertionError):
                run(pg_ctl, "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def url(port: int) -> str:
    """Give the address of its database, with a password that is hard to write."""
    return f"postgresql://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/postgres"
