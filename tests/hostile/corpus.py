"""Real files to begin from: tables in every format, releases of several methods, ledgers, recipes.

They are made by a process of their own: the process that forks must never have run Polars or Numba, whose threads do
not survive a fork.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

ILLS = ("flu", "cold", "gout", "mumps")
PEOPLE = "name,age,zip,sex,disease\n" + "".join(
    f"p{i},{20 + i % 5},{100 + i % 3:05d},{'FM'[i % 2]},{ILLS[i * 3 % 4]}\n" for i in range(60)
)
QUOTED = '"na""me","age, years",note\n' + "".join(f'"p{i}","{20 + i}","a ""word"" and\na line"\n' for i in range(20))
ROLES = """[table]
source = "{source}"
[roles]
identifiers = ["name"]
quasi_identifiers = ["age", "zip", "sex"]
sensitive = ["disease"]
"""
STEPS = {
    "small-groups": 'method = "small-groups"\nguarantee = { name = "k-anonymity", k = 2 }',
    "mondrian": 'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 3 }, { name = "l-diversity", l = 2 }]',
    "anatomy": 'method = "anatomy"\nl = 2',
    "invariant": 'method = "invariant-marginals"\nm = 2\nmarginals = { a = ["age", "sex"], z = ["zip"] }',
    "people": 'method = "invariant-marginals"\nm = 2\nmarginals = { a = ["age", "sex"], z = ["zip"] }',
    "shift": 'method = "shift-suppression"\nl = 3\n[[steps]]\nmethod = "anatomy"\nl = 3',
    "values": 'method = "value-suppression"\ndelta = 0.4\nrisk = { known = { sex = 0.8, age = 0.3 } }',
}
FORMATS = ("csv", "parquet", "arrow")
LARGE = '[engine]\nname = "streaming"\nfragment_rows = 1000\n'
MONTHS = ("january", "february")
"""Releases of a table that changes, with a ledger that follows people."""


def recipe(steps: str, *, kind: str = "csv", folder: str = "out", source: str = "people.csv", more: str = "") -> str:
    """Write a recipe."""
    return (
        ROLES.format(source=source)
        + f'[[steps]]\n{STEPS[steps]}\n{more}[output]\nfolder = "{folder}"\nformat = "{kind}"\n'
    )


def make(folder: Path) -> None:
    """Fill a folder with the corpus, in a process of its own."""
    command = [
        sys.executable,
        "-c",
        "import sys; from tests.hostile.corpus import fill; fill(sys.argv[1])",
        str(folder),
    ]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2])


def _with_extras(people: Any, files: Path) -> None:
    """Write the formats that need an extra, where it is installed, and a database."""
    import sqlite3
    from contextlib import closing, suppress

    with suppress(ImportError):
        import pyreadstat

        pandas = people.to_pandas()
        pyreadstat.write_dta(pandas, str(files / "people.dta"))
        pyreadstat.write_sav(pandas, str(files / "people.sav"))
        pyreadstat.write_xport(pandas, str(files / "people.xpt"))
    with suppress(ImportError):
        people.write_excel(files / "people.xlsx")
    with closing(sqlite3.connect(files / "people.sqlite")) as database, database:
        database.execute("CREATE TABLE people (name TEXT, age INTEGER, zip TEXT, sex TEXT, disease TEXT)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", people.rows())


def fill(place: str) -> None:
    """Write every file of the corpus."""
    import polars as pl
    import pyarrow as pa
    from tests.releases.releases_made import every_type

    folder = Path(place)
    files = folder / "files"
    files.mkdir(parents=True)
    (files / "people.csv").write_text(PEOPLE)
    (files / "quoted.csv").write_text(QUOTED)
    (files / "people.tsv").write_text(PEOPLE.replace(",", "\t"))
    (files / "semicolon.csv").write_text(PEOPLE.replace(",", ";"))
    (files / "people.csv.gz").write_bytes(gzip.compress(PEOPLE.encode(), mtime=0))
    people, types = pl.read_csv(files / "people.csv"), every_type(24)
    for name, frame in (("people", people), ("types", types)):
        frame.write_parquet(files / f"{name}.parquet")
        table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        with pa.OSFile(str(files / f"{name}.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    with pa.OSFile(str(files / "people.arrows"), "wb") as sink:
        table = people.to_arrow(compat_level=pl.CompatLevel.oldest())
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    _with_extras(people, files)
    (folder / "people.csv").write_text(PEOPLE)
    for name in STEPS:
        for kind in FORMATS:
            ledger = f'[ledger]\npath = "../ledgers/{name}.ledger"\n' if name == "invariant" and kind == "csv" else ""
            text = recipe(name, kind=kind, source="../people.csv", folder=f"{name}-{kind}", more=ledger)
            _published(folder / "releases" / f"{name}-{kind}.toml", text)
    for kind in FORMATS:
        text = recipe("mondrian", kind=kind, source="../people.csv", folder=f"large-{kind}", more=LARGE)
        _published(folder / "releases" / f"large-{kind}.toml", text)
    months = folder / "months"
    months.mkdir()
    for month, text in month_recipes().items():
        (months / f"{month}.csv").write_text(month_of(month))
        _published(months / f"{month}.toml", text)


def month_of(month: str) -> str:
    """Write the people of one month: some come, and some leave."""
    first, *lines = PEOPLE.splitlines()
    kept = lines[:52] if month == MONTHS[0] else lines[4:]
    return "\n".join([first, *kept]) + "\n"


def month_recipes() -> dict[str, str]:
    """Write the recipe of every month, all with one ledger."""
    more = '[ledger]\npath = "c.ledger"\n[report]\ncertificate = false\n'
    made = {month: recipe("people", source=f"{month}.csv", folder=month, more=more) for month in MONTHS}
    return {month: text.replace('identifiers = ["name"]', 'person = "name"') for month, text in made.items()}


def _published(path: Path, text: str) -> None:
    from tacit import cli

    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    code = cli.run(["publish", str(path), "--quiet"])
    if code != 0:
        raise RuntimeError(f"the recipe {path.name} ended with {code}")
