"""The harness: declare a comparison, run it, get an immutable outcome.

Our call and the yardstick take turns in one run, so that both see the same machine in the same mood. Warm-up rounds
come first (kernels compile, caches fill), then a round for memory, then the timed rounds.

A scaling law is a comparison too: the yardstick is our own call on fewer rows, and the target the growth allowed.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from benchmarks.foreign import Foreign, NotAvailable
from benchmarks.measuring import Outcome, Peak, Verdict, reason_of
from benchmarks.turns import Here, Lane

SideName = Literal["ours", "yardstick"]
Elsewhere = Callable[[SideName], Peak | None]


@dataclass(frozen=True)
class Goal:
    """Something to reach: reported as met or not, never asserted.

    Parameters
    ----------
    name
        What is measured.
    value
        Takes the outcome, returns the figure, or None where it was not measured.
    at_most
        The largest figure that meets the goal.
    quoted
        Where `at_most` comes from, if it was measured elsewhere and is only quoted.
    """

    name: str
    value: Callable[[Outcome], float | None]
    at_most: float
    quoted: str | None = None

    def judge(self, outcome: Outcome) -> Verdict:
        """Say whether the goal is met."""
        value = self.value(outcome)
        return Verdict(self.name, value, self.at_most, None if value is None else value <= self.at_most, self.quoted)


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """One comparison.

    Parameters
    ----------
    name
        Short, for `--only`.
    what
        What our call does, in a few words.
    setup
        Takes the number of rows and an empty folder (removed at the end), returns the state that all calls share.
    ours
        Our call: takes the state.
    yardstick
        Takes the same state, or a `Foreign` tool; None where there is only an absolute goal.
    yardstick_name
        What the yardstick does, in a few words.
    target
        The ratio of CPU seconds, ours to the yardstick's, that we aim at.
    rows, quick_rows
        How many rows; how many for `--quick` and for warming up before memory is measured.
    prepare
        Makes from the state what `ours` takes, anew for each call and untimed: for values that remember what they once
        computed.
    goals
        Further goals.
    figures
        Takes the state, our result and the yardstick's, and returns figures besides cost (NCP, query error ...).
    warmup
        Rounds before the timed ones.
    """

    name: str
    what: str
    setup: Callable[[int, Path], Any]
    ours: Callable[[Any], object]
    yardstick: Callable[[Any], object] | Foreign | None = None
    yardstick_name: str = ""
    target: float | None = None
    rows: int = 1_000_000
    quick_rows: int = 20_000
    prepare: Callable[[Any], Any] | None = None
    goals: tuple[Goal, ...] = ()
    figures: Callable[[Any, Any, Any], Mapping[str, float]] | None = None
    warmup: int = 1

    def size(self, *, quick: bool) -> int:
        """Return how many rows a run takes."""
        return min(self.rows, self.quick_rows) if quick else self.rows

    def call(self, side: SideName, state: Any) -> Callable[[], object]:
        """Make ready one call of a side that runs in this process."""
        if side == "ours":
            ready = state if self.prepare is None else self.prepare(state)
            return lambda: self.ours(ready)
        if self.yardstick is None or isinstance(self.yardstick, Foreign):
            raise TypeError(f"The yardstick of {self.name!r} does not run in this process.")
        yardstick = self.yardstick
        return lambda: yardstick(state)

    def judge(self, outcome: Outcome) -> Outcome:
        """Add whether the goals are met."""
        goals = self.goals
        if self.target is not None:
            goals = (Goal("CPU ratio", lambda found: found.ratio, self.target), *goals)
        return replace(outcome, verdicts=tuple(goal.judge(outcome) for goal in goals))


@dataclass(frozen=True)
class Settings:
    """How to run: how many timed rounds, whether on few rows, whether with a round for memory."""

    repeat: int = 5
    quick: bool = False
    memory: bool = True


DEFAULT = Settings()
_log = logging.getLogger(__name__)


def run(benchmark: Benchmark, settings: Settings = DEFAULT, elsewhere: Elsewhere | None = None) -> Outcome:
    """Run one benchmark; a failure is an outcome too.

    Parameters
    ----------
    benchmark
        What to run.
    settings
        How.
    elsewhere
        Measures the memory of a side in a fresh process; without it, memory is measured in this one.
    """
    rows = benchmark.size(quick=settings.quick)
    blank = Outcome(benchmark.name, benchmark.what, rows, benchmark.yardstick_name)
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            state = benchmark.setup(rows, Path(folder))
            return benchmark.judge(_take_turns(benchmark, state, blank, settings, elsewhere))
    except Exception as error:
        _log.info("%s failed", benchmark.name, exc_info=True)
        return replace(blank, failure=reason_of(error))


def _take_turns(
    benchmark: Benchmark, state: Any, blank: Outcome, settings: Settings, elsewhere: Elsewhere | None
) -> Outcome:
    def side(name: SideName) -> Here:
        return Here(lambda: benchmark.call(name, state), None if elsewhere is None else lambda: elsewhere(name))

    lanes = {"ours": Lane(side("ours"))}
    missing: str | None = None
    with ExitStack() as stack:
        try:
            if isinstance(benchmark.yardstick, Foreign):
                lanes["yardstick"] = Lane(stack.enter_context(benchmark.yardstick.start(state)))
            elif benchmark.yardstick is not None:
                lanes["yardstick"] = Lane(side("yardstick"))
        except NotAvailable as error:
            missing = f"not available: {error}"

        def everyone(act: Callable[[Lane], None]) -> None:
            nonlocal missing
            for name, lane in list(lanes.items()):
                try:
                    act(lane)
                except NotAvailable as error:  # only a foreign tool says so; ours goes on alone
                    del lanes[name]
                    missing = f"not available: {error}"

        for _ in range(benchmark.warmup):
            everyone(lambda lane: lane.turn(keep=False))
        if settings.memory:
            everyone(Lane.weigh)
        for _ in range(settings.repeat):
            everyone(lambda lane: lane.turn(keep=benchmark.figures is not None))
    ours, yardstick = lanes["ours"], lanes.get("yardstick")
    figures: Mapping[str, float] = {}
    if benchmark.figures is not None:
        figures = benchmark.figures(state, ours.result, None if yardstick is None else yardstick.result)
    return replace(
        blank,
        ours=ours.timing(benchmark.warmup),
        yardstick=None if yardstick is None else yardstick.timing(benchmark.warmup),
        figures=dict(figures),
        missing=missing,
    )
