"""Recipes on the streaming engine: files in, parts out, judged by a reader who shares no code."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles.written_parts import groups_of_buckets, groups_of_cells, k_of, l_of, rows_of, t_of

import tacit as tc
from tacit import cli
from tacit.checks import tables
from tacit.engines import StreamingEngine
from tacit.errors import ParameterError
from tacit.jobs.engine_choice import choose
from tacit.recipes import Recipe

_K, _L = '{ name = "k-anonymity", k = 5 }', '{ name = "l-diversity", l = 2, kind = "frequency" }'
STEPS = {
    "mondrian": f'[[steps]]\nmethod = "mondrian"\nguarantees = [{_K}, {_L}]',
    "closeness": f'[[steps]]\nmethod = "mondrian"\nguarantees = [{_K}, {{ name = "t-closeness", t = 0.3 }}]',
    "small-groups": f'[[steps]]\nmethod = "small-groups"\nguarantee = {_K}',
    "shift-anatomy": '[[steps]]\nmethod = "shift-suppression"\nl = 3\n[[steps]]\nmethod = "anatomy"\nl = 3',
}


def people(rows: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    ill = rng.choice(["flu", "cold", "gout", "mumps", "lupus"], rows, p=[0.4, 0.2, 0.15, 0.15, 0.1])
    return pl.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "town": rng.choice(["Aberdeen", "Bath", "Cork", ""], rows, p=[0.5, 0.3, 0.15, 0.05]),
            "ill": ill,
        }
    ).with_columns(pl.col("town").replace("", None))


def recipe(folder: Path, steps: str, source: str = "parts/*.parquet", engine: str = "", frames=None) -> Path:
    (folder / "parts").mkdir(exist_ok=True)
    for number, frame in enumerate(frames or [people(2_000, 1), people(2_000, 2)]):
        frame.write_parquet(folder / "parts" / f"p{number}.parquet")
    path = folder / "job.toml"
    path.write_text(
        f'[table]\nsource = "{source}"\n[roles]\nquasi_identifiers = ["age", "town"]\nsensitive = ["ill"]\n{steps}\n'
        f'[engine]\nname = "streaming"\nfragment_rows = 1000\nscratch = "scratch"\n{engine}\n[output]\nfolder = "out"\n'
    )
    return path


@dataclass
class Ended:
    exit_code: int
    output: str


def tacit(*arguments: object) -> Ended:
    """Run the command line in this process."""
    told, complained = io.StringIO(), io.StringIO()
    with redirect_stdout(told), redirect_stderr(complained):
        code = cli.run([str(argument) for argument in arguments])
    return Ended(code, told.getvalue() + complained.getvalue())


def run(path: Path, *more: str) -> Ended:
    return tacit("publish", path, *more)


@pytest.mark.parametrize("name", STEPS)
def test_what_is_written_holds_for_a_reader_who_counts(name: str, tmp_path: Path) -> None:
    result = run(recipe(tmp_path, STEPS[name]), "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["audit"]["holds"] is True
    assert told["fragments"] > 1
    out = tmp_path / "out"
    groups = groups_of_buckets(out, "ill") if name == "shift-anatomy" else groups_of_cells(out, ["age", "town"], "ill")
    assert sum(group.total() for group in groups) == told["published"]
    if name == "mondrian":
        assert k_of(groups) >= 5
        assert l_of(groups) >= 2
        assert told["withheld"] == 0
    if name == "closeness":
        assert t_of(groups) <= 0.3 + 1e-12
    if name == "small-groups":
        assert k_of(groups) >= 5
        assert told["withheld"] == 0 or told["withheld"] >= 5
    if name == "shift-anatomy":
        assert l_of(groups) >= 3
    about = json.loads((out / "release.json").read_text())
    assert about["engine"] == "streaming"
    assert list((tmp_path / "scratch").iterdir()) == []
    assert (tmp_path / "out.private").stat().st_mode & 0o777 == 0o700
    report = (out / "report.md").read_text()
    assert "streaming engine made it" in report
    assert "NCP" not in report
    assert told["certificate"]["missing"] is None
    assert (out / "certificate.pdf").exists()
    assert (tmp_path / "out.private" / "certificate.pdf").exists()
    assert told["utility"]["suppression_rate"] == told["withheld"] / 4_000
    assert "information lost (NCP)" in (tmp_path / "out.private" / "report.md").read_text()
    again = tc.Release.read(out)
    assert tc.audit(again).holds is not False


def test_parts_are_written_read_back_and_audited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.methods.large.protecting._PART_ROWS", 900)
    assert run(recipe(tmp_path, STEPS["mondrian"])).exit_code == 0
    about = json.loads((tmp_path / "out" / "release.json").read_text())
    assert len(about["files"]["table"]["parts"]) == 5
    release = tc.Release.read(tmp_path / "out")
    assert release.shape.rows == 4_000
    assert len(rows_of(tmp_path / "out", "table")) == 4_000
    assert tacit("audit", tmp_path / "out").exit_code == 0
    assert tacit("verify", tmp_path / "out").exit_code == 0
    (tmp_path / "out" / "table-00003.parquet").unlink()
    assert tacit("audit", tmp_path / "out").exit_code == 2


def test_order_and_parts_tell_nothing_of_the_input(tmp_path: Path) -> None:
    frame = people(3_000, 5).with_columns(ill=pl.Series(["a", "b", "c"] * 1_000)).sort("age")
    assert run(recipe(tmp_path, STEPS["mondrian"], frames=[frame])).exit_code == 0
    rows = [row["age"] for row in rows_of(tmp_path / "out", "table")]
    runs = sum(a != b for a, b in pairwise(rows))
    assert runs > 1_500


def test_csv_and_parquet_lead_to_the_same_counts(tmp_path: Path) -> None:
    path = recipe(tmp_path, STEPS["small-groups"])
    first = json.loads(run(path, "--json").output)
    pl.concat([people(2_000, 1), people(2_000, 2)]).write_csv(tmp_path / "all.csv")
    path.write_text(path.read_text().replace("parts/*.parquet", "all.csv"))
    second = json.loads(run(path, "--json", "--overwrite").output)
    assert (first["published"], first["withheld"]) == (second["published"], second["withheld"])


def test_a_folder_of_parts_is_one_table(tmp_path: Path) -> None:
    result = run(recipe(tmp_path, STEPS["mondrian"], source="parts"), "--json")
    assert json.loads(result.output)["rows"] == 4_000


def test_parts_that_differ_are_refused(tmp_path: Path) -> None:
    odd = people(50, 3).with_columns(pl.col("age").cast(pl.String))
    result = run(recipe(tmp_path, STEPS["mondrian"], frames=[people(100, 1), odd]))
    assert result.exit_code == 2
    assert "p1.parquet has other columns than p0.parquet" in result.output
    assert not (tmp_path / "out").exists()


def test_a_part_that_vanishes_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = recipe(tmp_path, STEPS["mondrian"])
    original = StreamingEngine.domains

    def vanish(self, rows, columns):
        found = original(self, rows, columns)
        (tmp_path / "parts" / "p1.parquet").unlink()
        return found

    monkeypatch.setattr(StreamingEngine, "domains", vanish)
    result = run(path)
    assert result.exit_code == 2
    assert "p1.parquet has vanished" in result.output
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize("name", ["value-suppression", "injector", "mask", "angel"])
def test_methods_that_need_the_whole_table_are_refused_in_one_sentence(name: str) -> None:
    from tacit.methods.registry import classes

    table = tc.Table(people(50, 1), quasi_identifiers=["age", "town"], sensitive="ill")
    engine = StreamingEngine()
    with pytest.raises(ParameterError, match=f"{name} does not run on the streaming engine") as refused:
        classes()[name].examples()[0].protect(table, engine=engine)
    assert "10,000,000 rows" in str(refused.value)
    engine.close()


def test_a_guarantee_that_compares_withholds_nothing_in_fragments(tmp_path: Path) -> None:
    steps = STEPS["closeness"].replace("guarantees", "allow_withheld = 0.1\nguarantees")
    result = run(recipe(tmp_path, steps))
    assert result.exit_code == 2
    assert "rows that a fragment withholds change" in result.output


@pytest.mark.parametrize(
    ("found", "put", "sentence"),
    [
        ("[output]", '[ledger]\npath = "x.ledger"\n[output]', "[ledger]: the streaming engine does not follow it"),
        ("[output]", '[batches]\ncolumn = "town"\n[output]', "[batches]: the streaming engine does not follow it"),
        ("[output]", '[report]\nmodels = ["ill"]\n[output]', "[report] models: the streaming engine does not follow"),
        ("[output]", '[report]\nprofile = "wp216"\n[output]', "[report]: the streaming engine answers no profile"),
        ('folder = "out"', 'folder = "out"\nformat = "xlsx"', "A large release is not written as 'xlsx'"),
        ('folder = "out"', 'folder = "out"\nurl_env = "DB"', "the streaming engine does not follow it"),
    ],
)
def test_what_only_the_local_engine_does_is_refused_in_one_sentence(
    found: str, put: str, sentence: str, tmp_path: Path
) -> None:
    path = recipe(tmp_path, STEPS["mondrian"])
    text = path.read_text().replace('quasi_identifiers = ["age", "town"]', 'quasi_identifiers = ["town"]')
    path.write_text(text.replace(found, put))
    result = run(path)
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "scratch").exists() or list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (tc.ART(r=2, distribution="naive-bayes"), "one that is given or learned is read in memory"),
    ],
    ids=["art"],
)
def test_knowledge_that_must_be_in_memory_is_refused_in_one_sentence(method: tc.Method, sentence: str) -> None:
    engine = StreamingEngine()
    with pytest.raises(ParameterError, match=sentence):
        method.protect(tables.ordinary(100), engine=engine)
    engine.close()


@pytest.mark.parametrize("engine", ["local", "streaming"])
def test_a_table_without_a_sensitive_column_is_published(engine: str, tmp_path: Path) -> None:
    steps = f'[[steps]]\nmethod = "mondrian"\nguarantees = [{_K}]'
    path = recipe(tmp_path, steps, source="parts/p0.parquet")
    path.write_text(path.read_text().replace('sensitive = ["ill"]\n', "").replace('"streaming"', f'"{engine}"'))
    result = run(path)
    assert result.exit_code == 0, result.output
    assert len(rows_of(tmp_path / "out", "table")) == 2_000


def test_an_engine_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    result = run(recipe(tmp_path, STEPS["mondrian"]), "--engine", "hadoop")
    assert result.exit_code == 2
    assert "There is no engine 'hadoop'" in result.output


def test_auto_takes_memory_if_half_of_it_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = recipe(tmp_path, STEPS["mondrian"])
    path.write_text(path.read_text().replace('name = "streaming"', 'name = "auto"'))
    assert choose(Recipe.read(path)).name == "local"
    monkeypatch.setattr("tacit.jobs.engine_choice.memory", lambda: 1_000_000)
    choice = choose(Recipe.read(path))
    assert choice.name == "streaming"
    assert "more than half" in choice.sentence


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    path = recipe(tmp_path, STEPS["mondrian"])
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from tacit.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        f"sys.argv = ['tacit', 'publish', {str(path)!r}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "Temporary files cannot be written" in done.stderr
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_an_interruption_leaves_nothing(number: int, tmp_path: Path) -> None:
    path = recipe(tmp_path, STEPS["mondrian"], frames=[people(60_000, 1), people(60_000, 2)])
    child = subprocess.Popen(
        [sys.executable, "-m", "tacit", "publish", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    scratch = tmp_path / "scratch"
    for _ in range(6_000):
        if scratch.exists() and any(any(folder.iterdir()) for folder in scratch.iterdir()):
            break
        if child.poll() is not None:
            break
        time.sleep(0.02)
    os.kill(child.pid, number)
    child.communicate(timeout=300)
    if child.returncode == 0:
        pytest.skip("it was done before it was interrupted")
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out.private").exists()
    assert list(scratch.iterdir()) == []
    assert [p.name for p in tmp_path.iterdir() if "staged" in p.name] == []


def test_twenty_tables_have_the_same_counts_and_verdict_as_in_memory() -> None:
    method = tc.SmallGroups(guarantee=tc.KAnonymity(k=4))
    engine = StreamingEngine(fragment_rows=60)
    for seed in range(20):
        table = tc.Table(people(200, seed), quasi_identifiers=["age", "town"], sensitive="ill")
        try:
            here = method.protect(table)
        except tc.Infeasible:
            with pytest.raises(tc.Infeasible):
                method.protect(table, engine=engine)
            continue
        there = method.protect(table, engine=engine)
        assert (here.inside.kept == there.inside.kept).all()
        assert tc.audit(there, table).holds is True
    engine.close()


def test_a_suppression_that_leaves_nobody_is_one_sentence() -> None:
    frame = pl.DataFrame({"age": range(40), "ill": ["flu"] * 36 + ["cold"] * 4})
    table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    engine = StreamingEngine(fragment_rows=10)
    with pytest.raises(tc.Infeasible, match="would withhold every row"):
        tc.SuppressAll(l=3).protect(table, engine=engine)
    engine.close()
