"""Jobs in processes of their own: stages, partial results, failure, and an end on demand."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tacit.errors import Infeasible
from tacit.jobs.attendant import Attendant, QuestionFailed
from tacit.jobs.background import Running, start
from tacit.progress import Progress

_LONG = 3_600.0
"""Seconds that a job would go on if nothing ended it."""


def _count(upto: int, progress: Progress, partial: Callable[[Any], None]) -> int:
    for at in range(upto):
        progress("counting", at / upto)
        partial(at)
    return upto


def _sleep(seconds: float, progress: Progress) -> str:
    progress("sleeping", 0.5)
    time.sleep(seconds)
    return "woke"


def _deaf(seconds: float, progress: Progress) -> None:
    import signal

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    progress("deaf", 0.5)
    time.sleep(seconds)


def _until_it_told_a_stage(running: Running) -> None:
    while not running.stages and running.state == "running":
        running.poll()
        time.sleep(0.05)


def _impossible() -> None:
    raise Infeasible("No grouping exists.", hint="Withhold rows.")


def _wrong() -> None:
    raise KeyError("x")


def _killed() -> None:
    import os

    os._exit(9)


class Held:
    def __init__(self) -> None:
        self.number = 0

    def add(self, more: int, progress: Progress) -> int:
        progress("adding", 0.5)
        self.number += more
        return self.number

    def fail(self) -> None:
        raise Infeasible("It cannot be had.")


def test_stages_partial_results_and_the_result() -> None:
    running = start(_count, 5, name="count")
    assert running.wait() == "done"
    assert (running.result, running.partial, running.stages) == (5, [0, 1, 2, 3, 4], ["counting"])
    assert running.share == 1.0
    assert not running.process.is_alive()


def test_a_job_ends_when_it_is_told_to() -> None:
    running = start(_sleep, _LONG)
    _until_it_told_a_stage(running)
    running.cancel()
    assert running.stopping
    assert running.wait() == "cancelled"
    assert not running.process.is_alive()


def test_a_job_that_does_not_hear_is_ended_by_force() -> None:
    running = start(_deaf, _LONG)
    _until_it_told_a_stage(running)
    running.cancel()
    assert running.wait() == "cancelled"
    running.process.join()
    assert not running.process.is_alive()


def test_failures_are_sentences() -> None:
    running = start(_impossible)
    assert running.wait() == "failed"
    assert str(running.failure) == "No grouping exists. Withhold rows."
    assert running.failure is not None
    assert running.failure.kind == "Infeasible"
    running = start(_wrong)
    running.wait()
    assert "KeyError" in str(running.failure)
    running = start(_killed)
    running.wait()
    assert "ended without a result" in str(running.failure)


def test_an_attendant_holds_something_and_answers() -> None:
    stages: list[str] = []
    with Attendant(Held) as attendant:
        assert attendant.ask("add", 2) == 2
        assert attendant.ask("add", 3, progress=lambda stage, done: stages.append(stage)) == 5
        with pytest.raises(QuestionFailed, match="cannot be had"):
            attendant.ask("fail")
        assert attendant.ask("add", 1) == 6
    assert stages == ["adding"]
    assert not attendant.process.is_alive()
    with pytest.raises(QuestionFailed, match="Open the table again"):
        attendant.ask("add", 1)
