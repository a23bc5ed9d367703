"""Spark: a real cluster of separate processes on this machine, one session for all tests.

`make spark` runs 20 tables per method instead of two.
"""

from __future__ import annotations

import importlib.util
import os
import secrets
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.checks import of_engines, tables
from tacit.errors import ParameterError, SourceError
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.table import LargeTable
from tacit.methods.large.writing import write_large

JAVA = shutil.which("java") or (Path(os.environ.get("JAVA_HOME", "/nowhere")) / "bin" / "java").exists()
if not JAVA or importlib.util.find_spec("pyspark") is None:
    pytest.skip(
        "SPARK IS NOT TESTED: it needs Java 17 or 21 and PySpark (`make spark` installs it)", allow_module_level=True
    )

MANY = int(os.environ.get("TACIT_SPARK_TABLES", "2"))
SOURCES = str(Path(tc.__file__).parent.parent)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def session() -> Iterator[object]:
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from tacit.engines.spark import SparkEngine

    settings = {
        "spark.executor.memory": "1g",
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.authenticate": "true",
        "spark.authenticate.secret": secrets.token_hex(),
        "spark.io.encryption.enabled": "true",
        "spark.network.crypto.enabled": "true",
        "spark.executorEnv.PYTHONPATH": SOURCES,
        "spark.task.maxFailures": "8",
    }
    engine = SparkEngine(master="local-cluster[2,1,1024]", settings=settings)
    engine.close()
    yield engine.session
    engine.session.stop()


@pytest.fixture
def engine(session: object, tmp_path: Path) -> Iterator[object]:
    from tacit.engines.spark import SparkEngine

    made = SparkEngine(session, scratch=tmp_path / "scratch", fragment_rows=150)
    yield made
    made.close()
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize("check", of_engines.CHECKS[:4], ids=lambda check: check.__name__)
def test_its_verbs_count_what_is_there(check, engine) -> None:
    check(engine)


METHODS = [
    tc.SmallGroups(guarantee=tc.KAnonymity(k=3)),
    tc.Mondrian(guarantees=[tc.KAnonymity(k=4), tc.LDiversity(l=2)]),
    tc.Mondrian(guarantees=[tc.KAnonymity(k=4), tc.TCloseness(t=0.4)]),
    tc.ShiftSuppression(l=3),
    tc.RSuppression(l=3),
    tc.SafeDSuppression(l=3),
    tc.UnsafeDSuppression(l=3),
    tc.SuppressAll(l=3),
    tc.Anatomy(l=2),
    tc.InvariantMarginals(m=2, marginals=[["age"], ["town"]]),
    tc.ART(r=2),
    tc.QuasiSensitive.examples()[0],
    tc.Pipeline([tc.ShiftSuppression(l=3), tc.Anatomy(l=3)]),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: f"{method.name}-{len(str(method))}")
def test_every_method_holds_and_does_what_it_does_out_of_core(method, engine) -> None:
    for seed in range(MANY):
        table = tables.ordinary(400, seed=seed)
        beside = tc.StreamingEngine(fragment_rows=engine.fragment_rows)
        try:
            there = method.protect(table, engine=beside, seed=seed)
        except tc.Infeasible:
            with pytest.raises(tc.Infeasible):
                method.protect(table, engine=engine, seed=seed)
            continue
        finally:
            beside.close()
        here = method.protect(table, engine=engine, seed=seed)
        assert tc.audit(here, table).holds is True
        assert (here.inside.kept == there.inside.kept).all()
        for name, frame in here.frames().items():
            assert Counter(map(str, frame.rows())) == Counter(map(str, there.frames()[name].rows()))


def test_methods_that_need_the_whole_table_are_refused(engine) -> None:
    for method in (tc.Injector.examples()[0], tc.Mask.examples()[0], tc.Angel.examples()[0]):
        with pytest.raises(ParameterError, match="does not run on the spark engine"):
            method.protect(tables.ordinary(100), engine=engine)


def test_a_session_without_encryption_is_refused(session, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.engines import spark

    monkeypatch.setattr(spark, "ENCRYPTED", {"spark.io.encryption.not.there": "cells lie on disks"})
    with pytest.raises(ParameterError, match=r"spark.io.encryption.not.there = true: cells lie on disks"):
        spark.SparkEngine(session)
    spark.SparkEngine(session, allow_plain=True).close()


def test_workers_without_the_package_are_one_sentence() -> None:
    from tacit.engines.spark_complaints import said as explained_as

    said = explained_as("ModuleNotFoundError: No module named 'tacit'")
    assert isinstance(said, SourceError)
    assert "cannot import 'tacit'" in str(said)
    assert "ran out of memory" in str(explained_as("java.lang.OutOfMemoryError: Java heap space"))


def people(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(rows)
    values = [f"illness-{i:02d}" for i in range(12)]
    return pl.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "town": rng.choice([f"town-{i}" for i in range(9)], rows),
            "ill": rng.choice(values, rows),
        }
    )


def test_plans_hold_no_cell(engine, tmp_path: Path) -> None:
    table = tc.Table(people(500), quasi_identifiers=["age", "town"], sensitive="ill")
    large = LargeTable.of(table, engine)
    kept = engine.rank(large.rows, large.layout.coded("ill"), {0: 5}, secrets.token_bytes(16))
    for rows in (large.rows, kept):
        plan = rows.frame._jdf.queryExecution().toString()
        assert "illness-" not in plan
        assert "town-" not in plan


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def descendants(pid: int) -> set[int]:
    """The processes that this one started, and those that they started."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            parents[int(place.parent.name)] = int(place.read_text().rsplit(")", 1)[1].split()[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def test_an_executor_is_killed_in_the_middle_and_no_row_is_lost_or_doubled(session, tmp_path: Path) -> None:
    from tacit.engines.spark import SparkEngine

    rows = 200_000
    frame = people(rows)
    table = tc.Table(frame, quasi_identifiers=["age", "town"], sensitive="ill")
    engine = SparkEngine(session, scratch=tmp_path / "scratch", fragment_rows=30_000)
    large = LargeTable.of(table, engine)
    killed: list[int] = []

    def kill() -> None:
        time.sleep(4)
        executors = [pid for pid in descendants(os.getpid()) if "CoarseGrainedExecutorBackend" in command(pid)]
        if executors:
            os.kill(executors[0], signal.SIGKILL)
            killed.append(executors[0])

    thread = threading.Thread(target=kill)
    thread.start()
    release = protect_large(tc.Mondrian(guarantees=[tc.KAnonymity(k=10), tc.LDiversity(l=3)]), large)
    written, verdict = write_large(release, tmp_path / "out")
    thread.join()
    engine.close()
    assert killed
    assert verdict.audit.holds is True
    back = tc.Release.read(written.folder)
    assert back.shape.rows == rows
    assert Counter(back.frames()["table"]["ill"].to_list()) == Counter(frame["ill"].to_list())
    inside = pl.read_parquet(tmp_path / "out.private" / "inside-*.parquet")
    assert sorted(inside["row"].to_list()) == list(range(rows))
