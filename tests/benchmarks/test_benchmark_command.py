"""The registry, the table, the JSON and the command."""

import doctest
import getpass
import json
import platform
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from benchmarks.__main__ import main
from benchmarks.alone import peak_alone
from benchmarks.harness import Benchmark, Settings
from benchmarks.measuring import Cost, Machine, Outcome, Peak, Timing, Verdict, cost, memory, reasons, timing
from benchmarks.registry import Entry, Registry, UnknownBenchmark
from benchmarks.showing import as_json, as_table
from rich.console import Console

import benchmarks
from benchmarks import harness

GOOD = """
from benchmarks.harness import Benchmark

def tiny(name):
    return Benchmark(
        name=name, what="a sum", setup=lambda rows, folder: rows, ours=lambda rows: sum(range(rows)),
        yardstick=lambda rows: sum(range(2 * rows)), yardstick_name="twice", rows=5000, quick_rows=50, target=1e9,
    )

BENCHMARKS = [tiny("one"), tiny("two")]
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch) -> ModuleType:
    """A package with a good script, a broken one, one that fails when run, and a file that is no script."""
    folder = tmp_path / "speedy"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "good.py").write_text(GOOD)
    (folder / "a_broken.py").write_text("import a_module_that_nobody_has")
    (folder / "failing.py").write_text(
        GOOD.replace("sum(range(rows))", "1 / 0").replace('[tiny("one"), tiny("two")]', '[tiny("bad")]')
    )
    (folder / "plain.py").write_text("x = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("benchmarks.alone.peak_alone", lambda *_: Peak(2_000_000, "high-water mark"))
    yield __import__("speedy")
    for name in [name for name in sys.modules if name.partition(".")[0] == "speedy"]:
        del sys.modules[name]


def test_scripts_are_found_and_a_broken_one_is_an_entry(package: ModuleType):
    entries = Registry.of(package).entries
    assert [(entry.script, entry.name) for entry in entries] == [
        ("speedy.a_broken", "a_broken"),
        ("speedy.failing", "bad"),
        ("speedy.good", "one"),
        ("speedy.good", "two"),
    ]
    assert entries[0].run(Settings()).failure == "ModuleNotFoundError: No module named 'a_module_that_nobody_has'"


def test_selection_by_benchmark_and_by_script(package: ModuleType):
    registry = Registry.of(package)
    assert [entry.name for entry in registry.select(["two"]).entries] == ["two"]
    assert [entry.name for entry in registry.select(["good"]).entries] == ["one", "two"]
    assert registry.select([]) == registry
    with pytest.raises(UnknownBenchmark, match=r"no benchmark 'three'.*one, two"):
        registry.select(["one", "three"])


def test_a_failure_does_not_stop_the_others(package: ModuleType, tmp_path: Path, capsys):
    file, results = tmp_path / "out.json", tmp_path / "results"
    code = main(["--quick", "--json", str(file)], registry=Registry.of(package), results=results)
    assert code == 1
    found = json.loads(file.read_text())
    assert [(o["name"], o["failure"] is None) for o in found["outcomes"]] == [
        ("a_broken", False),
        ("bad", False),
        ("one", True),
        ("two", True),
    ]
    assert found["settings"] == {"repeat": 2, "quick": True, "memory": True}
    (saved,) = results.iterdir()
    assert saved.read_text() == file.read_text()
    shown = capsys.readouterr().out
    assert "failed: ZeroDivisionError: division by zero" in shown
    assert "goal at most 1e+09: met" in shown


def test_only_repeat_and_exit_codes(package: ModuleType, tmp_path: Path, capsys):
    file = tmp_path / "out.json"
    arguments = ["--only", "one", "--repeat", "3", "--no-memory", "--json", str(file)]
    assert main(arguments, registry=Registry.of(package), results=tmp_path) == 0
    (outcome,) = json.loads(file.read_text())["outcomes"]
    assert len(outcome["ours"]["runs"]) == 3
    assert outcome["rows"] == 5000
    assert outcome["ours"]["peak_bytes"] is None
    assert main(["--only", "nobody"], registry=Registry.of(package), results=tmp_path) == 2
    assert "no benchmark 'nobody'" in capsys.readouterr().err
    for wrong in (["--repeat", "0"], ["--json", str(tmp_path)], ["--json", str(tmp_path / "no" / "out.json")]):
        with pytest.raises(SystemExit, match="2"):
            main(wrong, registry=Registry.of(package), results=tmp_path)


def outcome(**changes: Any) -> Outcome:
    given: dict[str, Any] = {
        "name": "one",
        "what": "a sum",
        "rows": 1000,
        "yardstick_name": "polars [fast]",
        "ours": Timing((Cost(0.2, 0.1), Cost(0.3, 0.2)), Cost(1.0, 1.0), Peak(5_000_000, "high-water mark")),
        "yardstick": Timing((Cost(0.4, 0.4), Cost(0.4, 0.4))),
        "figures": {"NCP": 0.0563, "worst": float("inf")},
        "verdicts": (Verdict("CPU ratio", 0.5, 3, True), Verdict("NCP", 0.0563, 0.05, False, "ARX")),
    }
    return Outcome(**given | changes)


def test_the_shape_of_the_json():
    found = as_json([outcome()], Machine.this(), Settings())
    text = json.dumps(found, allow_nan=False)
    assert set(found) == {"machine", "settings", "outcomes"}
    assert set(found["machine"]) == {"system", "architecture", "cores", "memory_bytes", "python", "libraries"}
    (one,) = found["outcomes"]
    assert one["ratio"] == 0.5
    assert one["rows_per_second"] == 10_000
    assert one["ours"]["cpu"] == 0.2
    assert one["ours"]["peak_bytes"] == 5_000_000
    assert one["figures"] == {"NCP": 0.0563, "worst": None}
    assert one["goals"][1] == {"goal": "NCP", "value": 0.0563, "at_most": 0.05, "met": False, "quoted": "ARX"}
    assert str(Path.home()) not in text
    assert platform.node() not in found["machine"].values()
    assert getpass.getuser() not in found["machine"].values()


def shown(*outcomes: Outcome) -> str:
    console = Console(width=150)
    with console.capture() as capture:
        console.print(as_table(outcomes, Machine.this()))
    return capture.get()


def test_the_table_says_what_was_reached():
    text = shown(outcome())
    for part in ("ours", "polars [fast]", "0.200", "0.50", "10,000", "NCP 0.0563, goal at most 0.05, quoted from ARX"):
        assert part in text
    assert "CPU ratio 0.5, goal at most 3: met" in text
    assert ": not met" in text


def test_the_table_says_what_is_missing():
    text = shown(outcome(yardstick=None, missing="not available: pip could not install x==1", verdicts=()))
    assert "polars [fast]: not available" in text
    assert "yardstick not available: pip could not install x==1" in text
    text = shown(Outcome("two", failure="ValueError: no"))
    assert "two: failed: ValueError: no" in text


@pytest.mark.parametrize("module", [cost, harness, memory, reasons, timing], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module: ModuleType):
    """The folder is outside pytest's reach, so its examples are run here."""
    assert doctest.testmod(module).failed == 0


def test_every_script_of_ours_is_declared_well():
    entries = Registry.of(benchmarks).entries
    assert [entry.failure for entry in entries] == [None] * len(entries)
    names = [entry.name for entry in entries]
    assert len(set(names)) == len(names)
    assert {"auditing", "encoding", "grouping", "reading"} <= set(names)


@pytest.mark.parametrize("entry", Registry.of(benchmarks).entries, ids=lambda entry: entry.name)
def test_every_script_of_ours_runs(entry: Entry, tmp_path: Path):
    """Both sides once, on few rows."""
    benchmark = entry.benchmark
    assert isinstance(benchmark, Benchmark)
    state = benchmark.setup(300, tmp_path)
    assert benchmark.call("ours", state)() is not None
    if callable(benchmark.yardstick):
        assert benchmark.call("yardstick", state)() is not None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_alone_in_a_fresh_process():
    peak = peak_alone("benchmarks.encoding", "encoding", "ours", 100_000)
    assert peak is not None
    assert peak.bytes > 100_000 * 4 * 5  # at least the codes of half the columns
    assert peak_alone("benchmarks.encoding", "nobody", "ours", 10) is None
