"""Turns, goals, failures: on tiny callables, never on seconds."""

import gc
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.harness import Benchmark, Goal, Settings, run
from benchmarks.measuring import Peak
from benchmarks.turns import Here, Lane

ONCE = Settings(repeat=1, memory=False)


def make(**changes: Any) -> Benchmark:
    given: dict[str, Any] = {
        "name": "tiny",
        "what": "nothing",
        "setup": lambda rows, folder: rows,
        "ours": lambda state: state,
        "yardstick": lambda state: -state,
        "rows": 100,
        "quick_rows": 10,
    }
    return Benchmark(**given | changes)


def test_the_two_take_turns_after_the_warm_up():
    calls: list[str] = []
    benchmark = make(ours=lambda _: calls.append("ours"), yardstick=lambda _: calls.append("yardstick"), warmup=2)
    outcome = run(benchmark, Settings(repeat=3, memory=False))
    assert calls == ["ours", "yardstick"] * 5
    assert len(outcome.ours.runs) == len(outcome.yardstick.runs) == 3
    assert outcome.ours.first is not None
    assert outcome.ours.peak is None


def test_memory_has_a_round_of_its_own_between_warm_up_and_timing():
    calls: list[str] = []
    benchmark = make(ours=lambda _: calls.append("ours"), yardstick=lambda _: calls.append("yardstick"))
    outcome = run(benchmark, Settings(repeat=2))
    assert calls == ["ours", "yardstick"] * 4
    assert len(outcome.ours.runs) == 2


def test_memory_can_be_measured_elsewhere():
    asked: list[str] = []

    def elsewhere(side: str) -> Peak:
        asked.append(side)
        return Peak(123, "elsewhere")

    calls: list[int] = []
    outcome = run(make(ours=calls.append), Settings(repeat=2), elsewhere)
    assert asked == ["ours", "yardstick"]
    assert outcome.ours.peak == outcome.yardstick.peak == Peak(123, "elsewhere")
    assert len(calls) == 3  # one to warm up, two timed


def test_setup_gets_the_rows_and_a_folder_that_is_removed():
    seen: list[tuple[int, Path]] = []

    def setup(rows: int, folder: Path) -> int:
        (folder / "data").write_text("x")
        seen.append((rows, folder))
        return rows

    assert run(make(setup=setup), ONCE).rows == 100
    assert run(make(setup=setup), replace(ONCE, quick=True)).rows == 10
    assert run(make(setup=setup, rows=5), replace(ONCE, quick=True)).rows == 5
    assert [rows for rows, _ in seen] == [100, 10, 5]
    assert not any(folder.exists() for _, folder in seen)


def test_prepare_is_called_anew_for_each_of_our_calls():
    made: list[list[int]] = []
    used: list[list[int]] = []

    def prepare(state: int) -> list[int]:
        made.append([state])
        return made[-1]

    run(make(prepare=prepare, ours=used.append, yardstick=lambda state: state + 1), Settings(repeat=2, memory=False))
    assert len(made) == 3
    assert all(a is b for a, b in zip(made, used, strict=True))


def test_figures_see_both_results():
    benchmark = make(figures=lambda state, ours, yardstick: {"ours": ours, "yardstick": yardstick, "state": state})
    assert run(benchmark, ONCE).figures == {"ours": 100, "yardstick": -100, "state": 100}


def test_results_are_dropped_before_the_next_call():
    class Result:
        pass

    alive: list[weakref.ref[Result]] = []

    def call() -> Result:
        gc.collect()
        assert all(found() is None for found in alive)
        result = Result()
        alive.append(weakref.ref(result))
        return result

    lane = Lane(Here(lambda: call))
    for _ in range(3):
        lane.turn(keep=True)
    assert alive[-1]() is not None
    lane.turn(keep=False)
    assert lane.result is None


def test_goals_are_judged_and_never_asserted():
    benchmark = make(
        target=-1,
        figures=lambda *_: {"ncp": 0.05},
        goals=(
            Goal("NCP", lambda found: found.figures["ncp"], 0.0563, quoted="another tool"),
            Goal("nothing", lambda _: None, 1),
            Goal("equal", lambda _: 2.0, 2),
        ),
        ours=lambda _: sum(range(2000)),
        yardstick=lambda _: sum(range(2000)),
    )
    outcome = run(benchmark, ONCE)
    assert outcome.failure is None
    assert [(v.goal, v.met) for v in outcome.verdicts] == [
        ("CPU ratio", False),
        ("NCP", True),
        ("nothing", None),
        ("equal", True),
    ]
    assert outcome.verdicts[1].quoted == "another tool"


def test_without_a_yardstick_there_is_no_ratio():
    outcome = run(make(yardstick=None, target=1.0), ONCE)
    assert outcome.ours is not None
    assert outcome.yardstick is outcome.ratio is outcome.missing is None
    assert outcome.verdicts[0].met is None
    with pytest.raises(TypeError, match="tiny"):
        make(yardstick=None).call("yardstick", 1)


@pytest.mark.parametrize("part", ["setup", "prepare", "ours", "yardstick", "figures"])
def test_a_failure_is_an_outcome(part: str):
    def fail(*_: object) -> None:
        raise RuntimeError("cannot open '/home/ann/data.csv'")

    outcome = run(make(**{part: fail}), ONCE)
    assert outcome.failure == "RuntimeError: cannot open <place>"
    assert outcome.ours is None
    assert (outcome.name, outcome.rows) == ("tiny", 100)
