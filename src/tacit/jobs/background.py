"""Background: a job in a process of its own, that tells its stages, hands out partial results and can be stopped.

Whoever starts a job keeps a `Running`: it knows the stage, the share done and about how long it will still take, and
is asked, never waited for. The process is spawned, so it shares nothing with the one that started it. A job that does
not end after the signal to stop is killed; publishing survives that, because files are staged before they are moved.
"""

from __future__ import annotations

import inspect
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Literal

from tacit.borders import first_line
from tacit.errors import TacitError
from tacit.progress import monotone, told_of_compiling

State = Literal["running", "done", "failed", "cancelled"]

_GRACE = 3.0
"""Seconds between the signal to stop and the end by force. A compiled loop hears the signal only when it returns.
Longer loses less work of a method that would end by itself; chosen by hand."""

_OFTEN = 0.05
"""Seconds between two messages of progress, at least: more would fill the pipe without being seen."""

_SOONEST = 0.02
"""The share that must be done before the time left is estimated: before that, the estimate jumps."""

COMPILING = "compiling, once for this version"
"""The stage of a job that has to wait for machine code; for some methods this takes half a minute."""

NOT_FINISHED = "The job ended without a result: its process was ended from outside, perhaps for want of memory."


class Cancelled(BaseException):
    """Raised inside a job that was told to stop; no handler of exceptions swallows it by accident."""


@dataclass(frozen=True)
class Failure:
    """Why a job failed, in one sentence, and the kind of the error.

    Attributes
    ----------
    message, hint
        What is wrong and the way out, as errors say it.
    kind
        The name of the error's class, such as "Infeasible".
    expected
        Whether the error is one that this package raises on purpose.
    """

    message: str
    hint: str | None = None
    kind: str = "TacitError"
    expected: bool = True

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message} {self.hint}"


@dataclass(eq=False)
class Running:
    """A job that runs, or ran, in a process of its own.

    Attributes
    ----------
    name
        What the job is called where it is shown.
    state
        "running", "done", "failed" or "cancelled".
    stage, share
        What it does now, and the share that is done, 0 to 1.
    stages
        Every stage so far, in order.
    partial
        What the job handed out before its end.
    result, failure
        What it returned, or why it failed.
    """

    name: str
    process: Any
    pipe: Connection
    state: State = "running"
    stage: str = "starting"
    share: float = 0.0
    stages: list[str] = field(default_factory=list)
    partial: list[Any] = field(default_factory=list)
    result: Any = None
    failure: Failure | None = None
    begun: float = field(default_factory=time.monotonic)
    ended: float | None = None
    _stopping: float | None = None

    @property
    def seconds(self) -> float:
        """How long it runs, or ran."""
        return (self.ended or time.monotonic()) - self.begun

    @property
    def seconds_left(self) -> float | None:
        """About how long it will still take, by the share done so far; None where that cannot be told yet."""
        if self.state != "running" or self.share < _SOONEST:
            return None
        return self.seconds * (1.0 - self.share) / self.share

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop and has not ended yet."""
        return self._stopping is not None and self.state == "running"

    def poll(self) -> bool:
        """Hear what the job told since the last time; return whether something changed. It never waits."""
        if self.state != "running":
            return False
        changed = self._hear()
        if self.state == "running" and not self.process.is_alive():
            changed = self._hear() or changed  # what was sent just before the end
            if self.state == "running":
                self._end("failed", failure=Failure(NOT_FINISHED, kind="MemoryError"))
        if self.state == "running" and self._stopping is not None and time.monotonic() - self._stopping > _GRACE:
            self.process.kill()
            self._end("cancelled")
        return changed or self.state != "running"

    def cancel(self) -> None:
        """Tell the job to stop; what is not written then is not written."""
        if self.state == "running" and self._stopping is None:
            self._stopping = time.monotonic()
            self.process.terminate()

    def wait(self, timeout: float | None = None) -> State:
        """Wait until it has ended, for programs and tests; pages ask `poll` instead."""
        until = None if timeout is None else time.monotonic() + timeout
        while self.state == "running" and (until is None or time.monotonic() < until):
            self.poll()
            if self.state == "running":
                self.pipe.poll(0.05)
        return self.state

    def _hear(self) -> bool:
        heard = False
        while self.state == "running":
            try:
                if not self.pipe.poll():
                    break
                kind, *content = self.pipe.recv()
            except (EOFError, OSError):
                break
            heard = True
            self._take(kind, content)
        return heard

    def _take(self, kind: str, content: list[Any]) -> None:
        if kind == "stage":
            self.stage, self.share = content[0], max(self.share, content[1])
            if not self.stages or self.stages[-1] != self.stage:
                self.stages.append(self.stage)
        elif kind == "partial":
            self.partial.append(content[0])
        elif kind == "done":
            self.share = 1.0
            self._end("done", result=content[0])
        elif kind == "failed":
            self._end("failed", failure=content[0])
        else:
            self._end("cancelled")

    def _end(self, state: State, *, result: Any = None, failure: Failure | None = None) -> None:
        self.state, self.result, self.failure, self.ended = state, result, failure, time.monotonic()
        if self._stopping is not None and state == "failed":
            self.state, self.failure = "cancelled", None
        self.process.join(_GRACE)
        self.pipe.close()


def start(job: Callable[..., Any], /, *given: Any, name: str | None = None, **named: Any) -> Running:
    """Run a function in a process of its own.

    Parameters
    ----------
    job
        A function of a module. It is given `progress`, and `partial` if it takes that: a callable for results before
        the end.
    given, named
        Its arguments; they and its result travel between processes.
    name
        What the job is called where it is shown.

    Examples
    --------
    >>> from tacit.jobs.compare import parse_sweep
    >>> running = start(parse_sweep, "l=2..4")
    >>> running.wait(60), running.result
    ('done', ('l', [2, 3, 4]))
    """
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_work, args=(there, job, given, named), daemon=True)
    process.start()
    there.close()
    return Running(name or job.__name__, process, here)


def _work(pipe: Connection, job: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Do the job and tell how it ended; the body of the process."""
    for heard in (signal.SIGTERM, signal.SIGINT):
        signal.signal(heard, _stop)
    threading.Thread(target=_stop_with, args=(pipe,), daemon=True).start()
    sending = threading.Lock()

    def send(*message: Any) -> None:
        with sending:
            pipe.send(message)

    try:
        taken = inspect.signature(job).parameters
        if "progress" in taken:
            named["progress"] = monotone(seldom(send))
        if "partial" in taken:
            named["partial"] = lambda value: send("partial", value)
        with told_of_compiling(lambda: send("stage", COMPILING, 0.0)):
            last: tuple[Any, ...] = ("done", job(*given, **named))
    except Cancelled:
        last = ("cancelled",)
    except (OSError, Exception, MemoryError) as error:
        last = ("failed", explained(error))
    except BaseException as error:  # a panic of a library written in Rust is no Exception
        last = ("failed", explained(error))
    for stopped in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stopped, signal.SIG_IGN)
    try:
        send(*last)
    except (OSError, ValueError):  # nobody listens any more
        sys.exit(1)
    except Exception as error:  # the result cannot travel
        send("failed", explained(error))


def seldom(send: Callable[..., None]) -> Callable[[str, float], None]:
    """Pass progress on, but not more often than anybody can see; a new stage is always told."""
    last: list[Any] = ["", 0.0]

    def tell(stage: str, done: float) -> None:
        now = time.monotonic()
        if stage != last[0] or now - last[1] >= _OFTEN:
            last[:] = [stage, now]
            send("stage", stage, done)

    return tell


def explained(error: BaseException) -> Failure:
    """Say an error in one sentence that can travel between processes."""
    if isinstance(error, TacitError):
        return Failure(error.message, error.hint, type(error).__name__)
    if isinstance(error, MemoryError):
        return Failure("There is not enough memory for this table.", kind="MemoryError")
    if os.environ.get("TACIT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return Failure(f"This should not happen: {type(error).__name__}: {first_line(error)}.", None, "Exception", False)


def _stop(number: int, frame: Any) -> None:
    raise Cancelled


def _stop_with(pipe: Connection) -> None:
    """End this process when the one that started it is gone: the other end of the pipe closes with it."""
    try:
        pipe.recv()
    except (EOFError, OSError):
        os._exit(1)
