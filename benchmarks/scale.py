"""Beyond memory, beyond one machine: what fragments cost, and what a row costs out of core and on Spark.

    python -m benchmarks.scale --only fragments            NCP in 8 fragments beside the local one, 1,000,000 rows
    python -m benchmarks.scale --only out-of-core          40,000,000 rows in 4 GiB beside 10,000,000 in memory
    python -m benchmarks.scale --only spark                10,000,000 and 100,000,000 rows on two cores
    python -m benchmarks.scale --only spark --rows 10000000 --local 1000000
    python -m benchmarks.scale --only spark --methods shift-anatomy
    python -m benchmarks.scale --only out-of-core --rows 4000000 --local 1000000

Figures are ratios of CPU seconds over all threads in one run. The yardsticks are a group_by of the same file by DuckDB
and by Polars. Files are made with the census generator in a temporary folder, which is removed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
SENSITIVE = "occupation"
BATCH = 1_000_000
LIMIT = 4 * 1024**3
"""Bytes that the process out of core may have resident."""
RECIPE = """
[table]
source = "{source}"
[roles]
quasi_identifiers = {qi}
sensitive = ["{sensitive}"]
{steps}
[engine]
{engine}
[output]
folder = "{folder}"
"""
MONDRIAN = """
[[steps]]
method = "mondrian"
guarantees = [{ name = "k-anonymity", k = 10 }, { name = "l-diversity", l = 3 }]
"""
K_ONLY = """
[[steps]]
method = "mondrian"
guarantees = [{ name = "k-anonymity", k = 10 }]
"""
BUCKETS = """
[[steps]]
method = "shift-suppression"
l = 3
[[steps]]
method = "anatomy"
l = 3
"""


SPARK = {"mondrian": K_ONLY, "shift-anatomy": BUCKETS}
"""The steps that are measured on Spark."""


def census_file(folder: Path, rows: int) -> Path:
    """Write so many people as parts of Parquet, one seed per part."""
    from tacit.datasets import census

    target = folder / f"census-{rows}"
    if target.exists():
        return target
    target.mkdir()
    for part in range(-(-rows // BATCH)):
        many = min(BATCH, rows - part * BATCH)
        frame = census(many, seed=part).frame.select([*QI, SENSITIVE])
        frame.write_parquet(target / f"part-{part:04d}.parquet", statistics=False)
    return target


def recipe(folder: Path, source: Path, steps: str, engine: str, name: str) -> Path:
    path = folder / f"{name}.toml"
    out = folder / name
    path.write_text(
        RECIPE.format(
            source=source / "*.parquet", qi=json.dumps(QI), sensitive=SENSITIVE, steps=steps, engine=engine, folder=out
        )
    )
    return path


WORK = """
import json, os, resource, sys, threading, time
from pathlib import Path
import polars as pl
what, path, rows, limit = sys.argv[1:5]
if int(limit):
    # Memory of its own that a process may have; what is resident, the peak below, is less.
    resource.setrlimit(resource.RLIMIT_DATA, (int(limit), int(limit)))
def started_by(pid):
    # The processes of a cluster on this machine are descendants of this one; nobody waits for them.
    about = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rsplit(")", 1)[1].split()
            about[int(place.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])), fields[19])
        except OSError:
            pass
    found, more = {pid}, {pid}
    while more:
        more = {child for child, (parent, *_) in about.items() if parent in found} - found
        found |= more
    return {(child, about[child][2]): about[child][1] / os.sysconf("SC_CLK_TCK") for child in found - {pid}}
others = {}
def watch():
    # A worker may end long before the job does, and its seconds with it: they are read again and again.
    while True:
        others.update(started_by(os.getpid()))
        time.sleep(0.5)
if what == "spark":
    threading.Thread(target=watch, daemon=True).start()
start = time.perf_counter()
if what == "local":
    import tacit as tc
    from tacit.recipes import Recipe
    followed = Recipe.read(path)
    frame = pl.read_parquet(followed.pattern)
    table = tc.Table(frame, **followed.roles())
    release = followed.method.protect(table)
    written = release.write(followed.folder)
    held = written.audit.holds
elif what == "streaming":
    from tacit.recipes import Recipe
    from tacit.jobs.large import engine_of, large_table
    from tacit.methods.large.protecting import protect_large
    from tacit.methods.large.writing import write_large
    followed = Recipe.read(path)
    engine = engine_of(followed, what)
    try:
        release = protect_large(followed.method, large_table(followed, engine))
        written, _ = write_large(release, followed.folder)
    finally:
        engine.close()
    held = written.audit.holds
elif what in ("published", "spark"):
    from tacit.recipes import Recipe
    from tacit.jobs.publish import publish
    result = publish(Recipe.read(path), engine="streaming" if what == "published" else what)
    held = result.audit.holds
elif what == "duckdb":
    import duckdb
    duckdb.sql(f"select age, education, sex, occupation, count(*) from '{path}' group by all").fetchall()
    held = None
else:
    names = ["age", "education", "sex", "occupation"]
    pl.scan_parquet(path).group_by(names).len().collect(engine="streaming")
    held = None
def peak_of(pid):
    return next(int(line.split()[1]) * 1024 for line in open(f"/proc/{pid}/status") if line.startswith("VmHWM"))
used = resource.getrusage(resource.RUSAGE_SELF)
alive = started_by(os.getpid())
others.update(alive)
drivers = [p for p, _ in alive if b"SparkSubmit" in Path(f"/proc/{p}/cmdline").read_bytes()]
print("FIGURES", json.dumps({"cpu": used.ru_utime + used.ru_stime + sum(others.values()), "holds": held,
    "rows": int(rows), "wall": time.perf_counter() - start, "peak": peak_of("self"), "java": sum(map(peak_of, drivers)),
    }))
"""


def run(what: str, path: Path, rows: int, limit: int = 0) -> dict[str, float]:
    """Run one job in a process of its own, which may be limited to so many bytes, and return what it used."""
    env = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "-c", WORK, what, str(path), str(rows), str(limit)],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    line = next((line for line in done.stdout.splitlines() if line.startswith("FIGURES")), None)
    if line is None:
        raise SystemExit(f"{what} failed: {done.stderr[-2000:]}")
    figures: dict[str, float] = json.loads(line.removeprefix("FIGURES"))
    print(
        f"{what:10s} {rows:>12,} rows  {figures['cpu']:8.1f} CPU s  {figures['cpu'] / rows * 1e6:6.2f} us a row  "
        f"{figures['wall']:7.1f} s  peak {figures['peak'] / 2**30:.2f} GiB"
        + (f" and {figures['java'] / 2**30:.2f} GiB of the driver's Java" if figures["java"] else "")
        + f"  holds {figures['holds']}",
        flush=True,
    )
    return figures


def fragments(folder: Path, rows: int) -> None:
    """Compare the NCP of 8 fragments with that of the table in one."""
    import tacit as tc
    from tacit.datasets import census

    table = census(rows, quasi_identifiers=QI)
    for guarantees in ([tc.KAnonymity(k=10)], [tc.KAnonymity(k=10), tc.LDiversity(l=3)]):
        method = tc.Mondrian(guarantees=guarantees)
        whole = tc.utility(method.protect(table), table).ncp
        engine = tc.StreamingEngine(fragment_rows=int(rows / 8 / 0.8) + 1)
        try:
            cut = tc.utility(method.protect(table, engine=engine), table).ncp
        finally:
            engine.close()
        print(
            f"NCP {method}: local {whole:.5f}, in fragments {cut:.5f}, ratio {cut / whole:.4f} (goal 1.03)", flush=True
        )


def out_of_core(folder: Path, rows: int, local: int) -> None:
    """Compare a row out of core, within 4 GiB, with a row in memory."""
    small = census_file(folder, local)
    beside = run("local", recipe(folder, small, MONDRIAN, 'name = "local"', "in-memory"), local)
    large = census_file(folder, rows)
    scratch = folder / "scratch"
    engine = f'name = "streaming"\nscratch = "{scratch}"\nfragment_rows = 2000000'
    figures = run("streaming", recipe(folder, large, MONDRIAN, engine, "out-of-core"), rows, LIMIT)
    for yardstick in ("duckdb", "polars"):
        mine = run(yardstick, large / "*.parquet", rows)
        print(f"  streaming / {yardstick}: {figures['cpu'] / mine['cpu']:.1f}")
    ratio = (figures["cpu"] / rows) / (beside["cpu"] / local)
    print(f"CPU per row, streaming over local: {ratio:.2f} (goal 1.5)")
    print(
        f"peak resident: {figures['peak'] / 2**30:.2f} GiB (limit 4): {'met' if figures['peak'] <= LIMIT else 'missed'}"
    )


def spark(folder: Path, rows: int, local: int, methods: list[str]) -> None:
    """Compare a row of a large table with one of a tenth of it, on a cluster of this machine."""
    settings = {
        "spark.executor.memory": "2g",
        "spark.driver.memory": "3g",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "16",
        "spark.driver.maxResultSize": "2g",
    }
    lines = "\n".join(f'"{key}" = "{value}"' for key, value in settings.items())
    for name in methods:
        steps = SPARK[name]
        seconds: dict[int, float] = {}
        for many in (local, rows):
            source = census_file(folder, many)
            engine = (
                f'name = "spark"\nmaster = "local-cluster[2,1,2048]"\nallow_plain = true\nfragment_rows = 1000000\n'
                f'scratch = "{folder}"\n[engine.settings]\n{lines}'
            )
            figures = run("spark", recipe(folder, source, steps, engine, f"spark-{name}-{many}"), many)
            seconds[many] = figures["cpu"]
        growth = (seconds[rows] / rows) / (seconds[local] / local)
        print(
            f"spark {name}: CPU per row from {local:,} to {rows:,} rows grows by {growth:.2f} (goal 1.25)",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["fragments", "out-of-core", "spark"])
    parser.add_argument("--methods", nargs="+", choices=list(SPARK), help="what is measured on Spark; by default all")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--local", type=int)
    parser.add_argument("--folder", type=Path, help="a folder for the files, which stay there")
    given = parser.parse_args()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = given.folder or Path(name)
        if given.only in {None, "fragments"}:
            fragments(folder, given.rows or 1_000_000)
        if given.only in {None, "out-of-core"}:
            out_of_core(folder, given.rows or 40_000_000, given.local or 10_000_000)
        if given.only in {None, "spark"}:
            methods = given.methods or list(SPARK)
            spark(folder, given.rows or 100_000_000, given.local or 10_000_000, methods)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"all: {time.perf_counter() - started:.0f} s, {used.ru_utime + used.ru_stime:.0f} CPU s of children")


if __name__ == "__main__":
    main()
