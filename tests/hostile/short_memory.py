"""Short memory: a large table is published under limits of address space, and is done or refused in one sentence.

    python -m tests.hostile.short_memory --rows 2000000 --gigabytes 3

It takes minutes, so that it is no part of the other tests; a small table under small limits is.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.hostile.oracle import Outcome, command_line, leftovers

COLUMNS = 10
RECIPE = """[table]
source = "t.parquet"
[roles]
quasi_identifiers = [{known}]
sensitive = ["ill"]
[[steps]]
{step}
[output]
folder = "out"
"""
STEPS = {
    "mondrian": 'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 5 }, { name = "l-diversity", l = 2 }]',
    "anatomy": 'method = "anatomy"\nl = 2',
    "small-groups": 'method = "small-groups"\nguarantee = { name = "k-anonymity", k = 2 }',
}


def table(path: Path, rows: int) -> None:
    """Write a table of numbers with one sensitive column, in a process of its own."""
    code = (
        "import sys, numpy as np, polars as pl\n"
        "rows, draw = int(sys.argv[2]), np.random.default_rng(1)\n"
        f"frame = {{f'q{{at}}': draw.integers(0, 3 + 7 * at, rows) for at in range({COLUMNS - 1})}}\n"
        "frame['ill'] = draw.choice(['flu', 'cold', 'gout', 'mumps'], rows)\n"
        "pl.DataFrame(frame).write_parquet(sys.argv[1])\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path), str(rows)], check=True)


def publish(place: Path, step: str, limit: int) -> tuple[Outcome, str]:
    """Publish the table there under a limit; return how it is judged, and what was said."""
    known = ", ".join(f'"q{at}"' for at in range(COLUMNS - 1))
    (place / "r.toml").write_text(RECIPE.format(known=known, step=STEPS[step]))
    done = subprocess.run(
        [sys.executable, "-m", "tacit", "publish", "r.toml", "--overwrite"],
        cwd=place,
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    outcome = command_line(done.returncode, done.stdout, done.stderr)
    if not outcome.fault and outcome.kind == "accepted" and not (place / "out" / "release.json").exists():
        outcome = Outcome("fault", "it says that it is done, and there is no release")
    if not outcome.fault and (left := leftovers(place)):
        outcome = Outcome("fault", f"left behind: {left}")
    return outcome, (done.stderr or done.stdout).decode("utf-8", "replace").strip()


def main() -> int:
    """Publish by every step under every limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--gigabytes", type=float, nargs="+", default=[3.0])
    parser.add_argument("--steps", nargs="+", default=list(STEPS), choices=list(STEPS))
    given = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory(prefix="tacit-memory-") as folder:
        place = Path(folder)
        table(place / "t.parquet", given.rows)
        for step in given.steps:
            for size in given.gigabytes:
                outcome, said = publish(place, step, int(size * 2**30))
                faults += bool(outcome.fault)
                told = outcome.fault or said.partition("\n")[0]
                sys.stdout.write(f"{step}, {size} GiB: {outcome.kind}. {told[:300]}\n")
                sys.stdout.flush()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
