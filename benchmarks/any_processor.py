"""Machine code for any processor of the platform against code for this one, in CPU seconds per method.

`python -m benchmarks.any_processor` prints the least of five runs of each method, compiled already. Run it as it is,
and again with `NUMBA_CPU_NAME=generic` or where the package `tacit-kernels` is installed, which brings such code.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import tacit as tc
from benchmarks import distribution
from benchmarks.people import QUASI_IDENTIFIERS, SENSITIVE, people
from tacit.datasets import student_risk, students

RUNS = 5


def methods() -> dict[str, Callable[[], object]]:
    """Return what is timed, each with its table made and encoded."""
    census = tc.Table(
        people(200_000).select(*QUASI_IDENTIFIERS, SENSITIVE), quasi_identifiers=QUASI_IDENTIFIERS, sensitive=SENSITIVE
    )
    pupils, schooled = students(100_000), distribution._table(20_000)
    risk = tc.DisclosureRisk(**student_risk())
    a, b, *_ = schooled.quasi_identifiers
    return {
        "Mondrian, 200,000 rows": lambda: tc.Mondrian(guarantees=[tc.KAnonymity(k=10)]).protect(census, seed=1),
        "risk, 100,000 students": lambda: risk.score(pupils, delta=0.1),
        "ART, 20,000 rows": lambda: distribution.method(schooled).protect(schooled, seed=1),
        "Anatomy, 20,000 rows": lambda: tc.Anatomy(l=3).protect(schooled, seed=1),
        "marginals, 20,000 rows": lambda: tc.InvariantMarginals(m=3, marginals={"a": [a], "b": [b]}).protect(
            schooled, seed=1
        ),
    }


def main() -> None:
    """Print a line per method."""
    for name, run in methods().items():
        run()
        costs = []
        for _ in range(RUNS):
            start = time.process_time()
            run()
            costs.append(time.process_time() - start)
        print(f"{name:<28} {min(costs):.3f} CPU s", flush=True)


if __name__ == "__main__":
    main()
