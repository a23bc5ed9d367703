"""A studio that runs in a process of its own, as a user starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any


class Studio:
    """`tacit studio --port 0 --no-open` in a folder; its address, port and process."""

    def __init__(self, folder: Path, *arguments: str, home: Path | None = None) -> None:
        self.folder = folder
        # Another home, so that files elsewhere are out of reach; machine code is still taken from where it is kept.
        kept = os.environ.get("TACIT_CACHE") or os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")) + "/tacit"
        environment = os.environ | {"HOME": str(home or folder), "NO_COLOR": "1", "TACIT_CACHE": kept}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tacit", "studio", *arguments, "--port", "0", "--no-open", "--json"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        text = ""
        while not text.rstrip().endswith("}"):
            line = self.process.stdout.readline()
            if not line:
                assert self.process.stderr is not None
                raise AssertionError(f"the studio did not start: {self.process.stderr.read()}")
            text += line
        told: dict[str, Any] = json.loads(text)
        self.address, self.port = str(told["address"]), int(told["port"])
        self.root = f"http://127.0.0.1:{self.port}"

    def close(self) -> str:
        """Stop it as Ctrl-C does; return what it wrote to stderr."""
        self.process.send_signal(signal.SIGINT)
        try:
            _, errors = self.process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, errors = self.process.communicate()
        return errors

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
