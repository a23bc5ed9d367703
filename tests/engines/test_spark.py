"""Spark: a real cluster of separate processes on this machine, one session for all tests.

`make spark` runs 20 tables per method instead of two.
"""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import shutil
import signal
import sys
import threading
import time
import types
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import tacit as tc
from tacit.checks import of_engines, tables
from tacit.engines.keyed import HashRoute
from tacit.errors import ParameterError, SourceError
from tacit.jobs.publish import publish
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.table import LargeTable
from tacit.methods.large.writing import write_large
from tacit.recipes import Recipe

JAVA = shutil.which("java") or (Path(os.environ.get("JAVA_HOME", "/nowhere")) / "bin" / "java").exists()
if not JAVA or importlib.util.find_spec("pyspark") is None:
    pytest.skip(
        "SPARK IS NOT TESTED: it needs Java 17 or 21 and PySpark (`make spark` installs it)", allow_module_level=True
    )

MANY = int(os.environ.get("TACIT_SPARK_TABLES", "2"))
SOURCES = str(Path(tc.__file__).parent.parent)
pytestmark = pytest.mark.filterwarnings("ignore")


LOGGING = """
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {folder}/java-${{sys:tacit.process:-executor}}.log
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %p %c %m%n%ex
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where the cluster logs all that it does: its events, the driver and the executors."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "events").mkdir()
    (folder / "log4j2.properties").write_text(LOGGING.format(folder=folder))
    return folder


@pytest.fixture(scope="module")
def session(logs: Path) -> Iterator[object]:
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
        # Each of these waits as long as it must on a busy machine: nothing is decided by time.
        "spark.network.timeout": "1200s",
        "spark.executor.heartbeatInterval": "60s",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{logs}/events",
        "spark.eventLog.compress": "false",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{logs}/log4j2.properties "
        "-Dtacit.process=driver",
        "spark.executor.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{logs}/log4j2.properties",
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


@pytest.mark.parametrize("check", of_engines.CHECKS[:5], ids=lambda check: check.__name__)
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
    next(m for m in tc.QuasiSensitive.examples() if isinstance(m.guarantee, tc.QSCloseness)),
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
    from tacit.engines import spark_session
    from tacit.engines.spark import SparkEngine

    monkeypatch.setattr(spark_session, "ENCRYPTED", {"spark.io.encryption.not.there": "cells lie on disks"})
    with pytest.raises(ParameterError, match=r"spark.io.encryption.not.there = true: cells lie on disks"):
        SparkEngine(session)
    SparkEngine(session, allow_plain=True).close()


def test_spark_connect_is_refused() -> None:
    from tacit.engines.spark import SparkEngine

    connected = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with pytest.raises(ParameterError, match="does not run over Spark Connect"):
        SparkEngine(connected)


def without_package(batches):
    import tacit_of_another_cluster  # noqa: F401 - it is not there

    yield from batches


def without_memory(batches):
    raise MemoryError("no bytes left")
    yield


def ended_by_the_system(batches):
    os.kill(os.getpid(), signal.SIGKILL)
    yield


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (without_package, "The workers of the cluster cannot import 'tacit_of_another_cluster'"),
        (without_memory, "A worker of the cluster ran out of memory"),
        (ended_by_the_system, "A worker of the cluster ran out of memory, or was ended from outside"),
    ],
)
def test_what_a_worker_lacks_is_one_sentence(session, work, sentence: str) -> None:
    from tacit.engines.spark_complaints import explained

    own = types.FunctionType(work.__code__, {"os": os, "signal": signal, "__builtins__": __builtins__})
    with pytest.raises(SourceError, match=sentence) as told, explained():
        session.range(1, numPartitions=1).mapInArrow(own, "id bigint").toArrow()
    assert "\n" not in told.value.message


def test_java_and_python_talk_over_a_local_socket(session) -> None:
    assert session.sparkContext.getConf().get("spark.python.unix.domain.socket.enabled") == "true"


def test_what_is_done_one_after_another_is_done_by_one_worker(engine) -> None:
    table = pa.table({"row": pa.array(range(50), pa.int64()), "c0": pa.array([i % 5 for i in range(50)], pa.int32())})
    rows = engine.read(table)
    for quota in (8, 6, 4):
        rows = engine.rank(rows, "c0", dict.fromkeys(range(5), quota), bytes(16))
    marked = engine.fragments(rows, HashRoute(bytes(16), 3))
    plan = marked.frame._jdf.queryExecution().optimizedPlan().toString()
    assert plan.count("MapInArrow") == 1
    assert engine.count(rows, ["c0"])["count"].to_list() == [4] * 5
    assert engine.count(marked, [])["count"].to_list() == [20]


def its_task(part):
    from pyspark import TaskContext

    return pa.table({"task": [TaskContext.get().partitionId()]})


def test_small_fragments_are_not_all_given_to_one_task(engine) -> None:
    rows = engine.read(pa.table({"row": pa.array(range(1_000), pa.int64())}))
    own = types.FunctionType(its_task.__code__, {"pa": pa, "__builtins__": __builtins__})
    schema = pa.schema([pa.field("task", pa.int64())])
    told = engine.collect(engine.map(engine.fragments(rows, HashRoute(bytes(16), 12)), own, schema, keep=True))
    assert told.num_rows == 12
    assert len(set(told["task"].to_pylist())) > 3


def test_parts_with_other_columns_are_named(engine, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    people(50).write_parquet(tmp_path / "parts" / "a.parquet")
    people(60).drop("town").write_parquet(tmp_path / "parts" / "b.parquet")
    with pytest.raises(SourceError, match=r"b.parquet has other columns than a.parquet: it has no column 'town'"):
        engine.read(str(tmp_path / "parts"))
    people(60).with_columns(pl.col("age").cast(pl.String)).write_parquet(tmp_path / "parts" / "b.parquet")
    with pytest.raises(SourceError, match=r"'age' holds \w+ there and int64 here"):
        engine.read(str(tmp_path / "parts"))


def test_a_part_that_vanishes_is_one_sentence(engine, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    for name in "ab":
        people(50).write_parquet(tmp_path / "parts" / f"{name}.parquet")
    rows = engine.read(str(tmp_path / "parts"))
    (tmp_path / "parts" / "b.parquet").unlink()
    with pytest.raises(SourceError, match="cannot find a file of the table"):
        engine.domains(rows, ["town"])


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


def test_a_table_of_the_cluster_is_published_and_logs_hold_no_cell(session, logs: Path, tmp_path: Path) -> None:
    people(3_000).write_parquet(tmp_path / "people.parquet")
    session.read.parquet(str(tmp_path / "people.parquet")).createOrReplaceGlobalTempView("people")
    recipe = tmp_path / "job.toml"
    recipe.write_text(
        '[table]\nsource = "global_temp.people"\n[roles]\nquasi_identifiers = ["age", "town"]\nsensitive = ["ill"]\n'
        '[[steps]]\nmethod = "shift-suppression"\nl = 4\n'
        '[[steps]]\nmethod = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 5 }]\n'
        f'[engine]\nname = "spark"\nfragment_rows = 1000\nscratch = "{tmp_path}/scratch"\n[output]\nfolder = "out"\n'
    )
    done = publish(Recipe.read(recipe))
    assert done.audit.holds is True
    assert done.engine.name == "spark"
    assert json.loads((tmp_path / "out" / "release.json").read_text())["engine"] == "spark"
    assert list((tmp_path / "scratch").iterdir()) == []
    texts = {path: path.read_text(errors="replace") for path in logs.rglob("*") if path.is_file()}
    context = session.sparkContext
    home = Path(os.environ.get("SPARK_HOME") or Path(importlib.util.find_spec("pyspark").origin).parent)
    workers = list((home / "work" / context.applicationId).rglob("std*"))
    texts |= {path: path.read_text(errors="replace") for path in workers}
    assert any(context.applicationId in path.name and "SparkListenerJobStart" in texts[path] for path in texts)
    assert any("driver" in path.name and "DAGScheduler" in texts[path] for path in texts)
    assert any("executor" in path.name and "Executor" in texts[path] for path in texts)
    for path, text in texts.items():
        assert "illness-" not in text, path
        assert "town-" not in text, path


def test_an_interruption_leaves_nothing(session, tmp_path: Path) -> None:
    people(500).write_parquet(tmp_path / "people.parquet")
    recipe = tmp_path / "job.toml"
    recipe.write_text(
        '[table]\nsource = "people.parquet"\n[roles]\nquasi_identifiers = ["age", "town"]\nsensitive = ["ill"]\n'
        '[[steps]]\nmethod = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 5 }]\n'
        '[engine]\nname = "spark"\nscratch = "scratch"\n[output]\nfolder = "out"\n'
    )

    def interrupt(stage: str, share: float) -> None:
        if stage == "counting what was written":
            assert list((tmp_path / "scratch").glob("*/*-kept"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish(Recipe.read(recipe), progress=interrupt)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job.toml", "people.parquet", "scratch"]
    assert list((tmp_path / "scratch").iterdir()) == []


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


def is_executor(pid: int) -> bool:
    return "CoarseGrainedExecutorBackend" in command(pid)


def is_worker(pid: int) -> bool:
    """Whether a process is a worker of Python, which is a copy of the one that starts them."""
    try:
        parent = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return False
    return "pyspark.daemon" in command(pid) and "pyspark.daemon" in command(parent)


@pytest.mark.parametrize("victim", [is_executor, is_worker], ids=["executor", "worker"])
def test_a_process_is_killed_in_the_middle_and_no_row_is_lost_or_doubled(victim, session, tmp_path: Path) -> None:
    from tacit.engines.spark import SparkEngine

    rows = 200_000
    frame = people(rows)
    table = tc.Table(frame, quasi_identifiers=["age", "town"], sensitive="ill")
    engine = SparkEngine(session, scratch=tmp_path / "scratch", fragment_rows=30_000)
    large = LargeTable.of(table, engine)
    killed: list[int] = []

    def kill() -> None:
        # The first thing that is kept is what the method made of the fragments: its folder is there as soon as workers
        # begin with them.
        while thread_may_wait.is_set() and not list((tmp_path / "scratch").glob("*/*-kept")):
            time.sleep(0.05)
        victims = [pid for pid in descendants(os.getpid()) if victim(pid)]
        if victims:
            os.kill(victims[0], signal.SIGKILL)
            killed.append(victims[0])

    thread_may_wait = threading.Event()
    thread_may_wait.set()
    thread = threading.Thread(target=kill)
    thread.start()
    try:
        release = protect_large(tc.Mondrian(guarantees=[tc.KAnonymity(k=10), tc.LDiversity(l=3)]), large)
        written, verdict = write_large(release, tmp_path / "out")
    finally:
        thread_may_wait.clear()
        thread.join()
        engine.close()
    assert killed
    assert verdict.audit.holds is True
    back = tc.Release.read(written.folder)
    assert back.shape.rows == rows
    assert Counter(back.frames()["table"]["ill"].to_list()) == Counter(frame["ill"].to_list())
    inside = pl.read_parquet(tmp_path / "out.private" / "inside-*.parquet")
    assert sorted(inside["row"].to_list()) == list(range(rows))
