"""Foreign tools: in an environment of their own, as a process that takes turns with our call.

Their pins clash with ours, so each gets a virtual environment under `benchmarks/.environments`, made when first needed
and kept. The process stays alive between turns: what is compared are warm calls, each measured by the process itself
with the same code that measures ours. Where an environment cannot be made or a tool breaks, the yardstick is reported
as not available, and the run goes on.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import Cost, Peak
from benchmarks.measuring import worker as far_end

ENVIRONMENTS = Path(__file__).parent / ".environments"
_INSTALL_LIMIT = 900
_STAMP = "complete.json"


class NotAvailable(Exception):
    """A foreign tool that cannot be run here."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment by name.

    Parameters
    ----------
    name
        The name of its folder.
    requirements
        What to install, each pinned: `"pycanon==1.0.0"`. One that asks for nothing is the interpreter that runs this.
    python
        The command of another Python, for tools that do not run on ours.
    """

    name: str
    requirements: tuple[str, ...] = ()
    python: str | None = None

    def interpreter(self, home: Path = ENVIRONMENTS) -> Path:
        """Return its Python; make the environment if it is not there, or not as declared."""
        base = sys.executable if self.python is None else shutil.which(self.python)
        if base is None:
            raise NotAvailable(f"there is no {self.python}")
        if not self.requirements:
            return Path(base)
        folder = home / self.name
        stamp = folder / _STAMP
        declared = json.dumps({"requirements": self.requirements, "python": self.python})
        if not stamp.exists() or stamp.read_text() != declared:
            self._make(Path(base), folder)
            stamp.write_text(declared)
        return _python_of(folder)

    def _make(self, base: Path, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "30"]
        steps: dict[str, list[Path | str]] = {
            f"python could not make the environment {self.name!r}": [base, "-m", "venv", folder],
            f"pip could not install {', '.join(self.requirements)}": [_python_of(folder), *pip, *self.requirements],
        }
        # What the installer says names the package index and places of this machine: it stays in a file.
        with (folder.parent / f"{self.name}.log").open("wb") as log:
            for failure, command in steps.items():
                try:
                    subprocess.run(command, check=True, stdout=log, stderr=log, timeout=_INSTALL_LIMIT)
                except (OSError, subprocess.SubprocessError):
                    raise NotAvailable(failure) from None


def _python_of(folder: Path) -> Path:
    return folder / "Scripts" / "python.exe" if sys.platform == "win32" else folder / "bin" / "python"


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """A yardstick in another environment.

    Parameters
    ----------
    environment
        Where it runs.
    script
        A Python file with `setup(task)`, called once, and `run(state)`, the call to measure. It sees only its own
        environment. If `run` returns a dictionary, these are figures (quality, verdicts) for the report.
    task
        What `setup` gets, made from the benchmark's state: names and numbers, and paths of files that the benchmark's
        own setup wrote.
    limit
        Wall seconds that one call may take.
    """

    environment: Environment
    script: Path
    task: Callable[[Any], Mapping[str, Any]]
    limit: float = 900

    def start(self, state: Any) -> Worker:
        """Start the process and set it up; a context manager that ends it."""
        return Worker(self.environment.interpreter(), self.script, self.task(state), self.limit)


class Worker(AbstractContextManager["Worker"]):
    """A foreign process that is called turn by turn."""

    def __init__(self, python: Path, script: Path, task: Mapping[str, Any], limit: float) -> None:
        self._limit = limit
        self._process = subprocess.Popen(
            [python, "-I", far_end.__file__, script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        try:
            self._ask("setup", task=dict(task))
        except BaseException:
            self.close()
            raise

    def run(self) -> tuple[Cost, Mapping[str, Any]]:
        """Call once: what it took by its own clock, and its figures."""
        reply = self._ask("run")
        return Cost(reply["cpu"], reply["wall"]), reply["figures"]

    def peak(self) -> Peak | None:
        """Call once for memory."""
        found = self._ask("peak")["peak"]
        return None if found is None else Peak(*found)

    def _ask(self, what: str, **more: Any) -> dict[str, Any]:
        process = self._process
        assert process.stdin is not None  # noqa: S101 - pipes were asked for
        assert process.stdout is not None  # noqa: S101
        timer = threading.Timer(self._limit, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps({"do": what, **more}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            timed_out = not timer.is_alive()
            timer.cancel()
        if not line:
            told = f"took more than {self._limit:g} seconds" if timed_out else f"ended with code {process.wait()}"
            raise NotAvailable(f"the tool {told}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise NotAvailable(f"the tool failed: {reply['error']}")
        return reply

    def close(self) -> None:
        """End the process."""
        process = self._process
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # the process ended before it read what was written
                    continue

    def __exit__(self, *_: object) -> None:
        self.close()
