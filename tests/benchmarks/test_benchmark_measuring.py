"""Costs, memory, timings, the machine and the words for failures."""

import dataclasses
import getpass
import json
import os
import platform
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from benchmarks.measuring import Cost, Machine, Outcome, Peak, Timing, cost_of, peak_of, reason_of, without_places
from benchmarks.measuring.memory import GAUGES, Gauge, HighWaterMark, ProcessMaximum, Sampled

ROOT = Path(__file__).resolve().parents[2]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
SIZE = 64_000_000
NEAR = (0.8 * SIZE, 1.3 * SIZE)


def spend(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_cpu_counts_work_and_not_sleep():
    slept, _ = cost_of(lambda: time.sleep(0.1))
    worked, _ = cost_of(lambda: spend(0.05))
    assert slept.wall >= 0.1
    assert slept.cpu < slept.wall
    assert worked.cpu >= 0.05


def test_cpu_counts_all_threads():
    data = [np.random.default_rng(i).random(300_000) for i in range(3)]

    def threads() -> float:
        start = time.thread_time()
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(np.sort, data))
        return time.thread_time() - start

    cost, main_thread = cost_of(threads)
    assert cost.cpu > 2 * main_thread


@pytest.mark.skipif(sys.platform == "win32", reason="children are not seen there")
def test_cpu_counts_finished_children():
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    cost, _ = cost_of(lambda: subprocess.run([sys.executable, "-I", "-c", burn], check=True))
    assert cost.cpu >= 0.19


@LINUX
@pytest.mark.parametrize("gauge", [HighWaterMark, Sampled])
def test_an_allocation_of_known_size_is_seen(gauge: type[Gauge]):
    def allocate() -> int:
        block = b"x" * SIZE
        if gauge is Sampled:
            time.sleep(0.05)
        return len(block)

    peak, length = peak_of(allocate, (gauge,))
    assert length == SIZE
    assert peak is not None
    assert peak.how == gauge.how
    assert NEAR[0] < peak.bytes < NEAR[1]


@LINUX
def test_what_was_freed_before_the_call_is_not_counted():
    before = b"x" * (2 * SIZE)
    del before
    peak, _ = peak_of(lambda: b"x" * (SIZE // 2), (HighWaterMark,))
    assert peak is not None
    assert NEAR[0] / 2 < peak.bytes < NEAR[1] / 2


@pytest.mark.skipif(sys.platform == "win32", reason="no process maximum there")
def test_the_portable_gauge_works_in_a_fresh_process():
    script = f"""
        from benchmarks.measuring.memory import ProcessMaximum, peak_of
        print(peak_of(lambda: len(b"x" * {SIZE}), (ProcessMaximum,))[0].bytes)
    """
    # A shell in between: Linux lets a process begin with the maximum of the one that started it.
    command = ["sh", "-c", '"$0" -c "$1"; true', sys.executable, textwrap.dedent(script)]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert NEAR[0] < int(told.stdout) < NEAR[1]


def test_a_gauge_that_does_not_work_gives_way_to_the_next():
    class Broken(Sampled):
        def start(self) -> None:
            raise OSError

    peak, value = peak_of(lambda: 7, (Broken, ProcessMaximum))
    assert (peak.how, value) == ("process maximum", 7)
    assert peak_of(lambda: 7, (Broken,)) == (None, 7)


def test_gauges_stop_when_the_call_fails():
    stopped = []

    class Watched(ProcessMaximum):
        def stop(self) -> int:
            stopped.append(True)
            return 0

    with pytest.raises(ZeroDivisionError):
        peak_of(lambda: 1 / 0, (Watched,))
    assert stopped == [True]
    assert GAUGES[0] is HighWaterMark


def test_timing_takes_the_minimum_and_the_median():
    timing = Timing((Cost(4, 2), Cost(1, 1.5), Cost(2, 1)), first=Cost(9, 9), peak=Peak(10, "sampled"))
    assert (timing.cpu, timing.cpu_median, timing.wall, timing.wall_median) == (1, 2, 1, 1.5)
    assert timing.cores == 1 / 1.5
    assert timing.as_dict()["first"] == {"cpu": 9, "wall": 9}
    assert timing.as_dict()["peak_bytes"] == 10
    assert [run["cpu"] for run in timing.as_dict()["runs"]] == [4, 1, 2]


def test_ratio_and_rates():
    outcome = Outcome("x", rows=100, ours=Timing((Cost(3, 2), Cost(2, 4))), yardstick=Timing((Cost(4, 4), Cost(8, 8))))
    assert outcome.ratio == 0.5
    assert outcome.ratio_median == 2.5 / 6
    assert outcome.rows_per_second == 50
    assert outcome.rows_per_cpu_second == 50


def test_a_yardstick_that_took_no_time_gives_no_ratio():
    outcome = Outcome("x", rows=1, ours=Timing((Cost(1, 1),)), yardstick=Timing((Cost(0, 0),)))
    assert outcome.ratio is None
    assert outcome.ratio_median is None


def test_results_are_immutable():
    for value in (Cost(1, 1), Peak(1, "sampled"), Timing(()), Outcome("x"), Machine.this()):
        with pytest.raises(dataclasses.FrozenInstanceError):
            value.name = "other"  # type: ignore[attr-defined, misc]


def test_the_machine_names_nobody():
    machine = dataclasses.asdict(Machine.this())
    assert machine["cores"] >= 1
    assert {"polars", "numpy", "tacit"} <= set(machine["libraries"])
    values = {machine["system"], machine["architecture"], machine["python"], *machine["libraries"].values()}
    assert not values & {platform.node(), getpass.getuser()}
    assert os.sep not in json.dumps(machine)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("[Errno 2] No such file: '/home/ann/x y.csv'", "[Errno 2] No such file: <place>"),
        ("at /tmp/a/b.py, line 3", "at <place>, line 3"),
        (r"open C:\Users\ann\x.csv failed", "open <place> failed"),
        ("from https://ann:secret@host/simple now", "from <place> now"),
        ("~/data is missing", "<place> is missing"),
        ("1/3 of the rows and/or none", "1/3 of the rows and/or none"),
        ("goal: not met", "goal: not met"),
    ],
)
def test_places_are_left_out(text: str, plain: str):
    assert without_places(text) == plain


def test_reasons_are_one_short_line():
    assert reason_of(KeyError()) == "KeyError"
    assert reason_of(ValueError("a\n  b")) == "ValueError: a b"
    assert len(reason_of(ValueError("x" * 5000))) <= 300
