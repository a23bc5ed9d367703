"""The tables and the example of docs/threats/skew.md are what the code computes."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from benchmarks.figures.worst_posterior import outputs, worst

from tacit.knowledge.skew import Algorithm, expected_r_suppression, expected_safe_d, expected_shift, expected_unsafe_d
from tacit.knowledge.skew.posterior import Prior, posterior

PAGE = (Path(__file__).parents[2] / "docs" / "threats" / "skew.md").read_text(encoding="utf-8")
PRIORS: tuple[Prior, ...] = get_args(Prior)
SHOWN: tuple[Algorithm, ...] = ("r-suppression", "unsafe-d", "shift", "v-shift", "safe-d")


def table(name: str) -> dict[str, list[str]]:
    """Read the table after a marker: first cell -> the other cells."""
    block = PAGE.split(f"<!-- {name} -->\n")[1].split("\n\n")[0]
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in block.splitlines()[2:]]
    return {first: rest for first, *rest in rows}


def test_table_of_the_most_frequent() -> None:
    shown = table("posteriors: most frequent")
    assert tuple(shown) == SHOWN
    for algorithm in SHOWN:
        largest = [worst(n, 5, 3, algorithm=algorithm, prior=prior) for n in (18, 100) for prior in PRIORS]
        assert [f"{float(w.posterior):.4f}" for w in largest if w is not None] == shown[algorithm]


@pytest.mark.parametrize("algorithm", SHOWN)
def test_table_of_all_questions(algorithm: Algorithm) -> None:
    seen = {
        prior: [
            posterior(counts, 18, 3, algorithm=algorithm, prior=prior)
            for counts in outputs(18, 6, 3, algorithm=algorithm)
        ]
        for prior in PRIORS
    }
    largest = [
        max(max(getattr(one, question)) for one in seen[prior])
        for question in ("most_frequent", "violating", "withheld")
        for prior in PRIORS
    ]
    assert [f"{float(value):.4f}" for value in largest] == table("posteriors: all questions")[algorithm]


def test_table_of_suppression_rates() -> None:
    for alpha, shown in table("suppression rates").items():
        frequencies = [round(1000 / i ** float(alpha)) for i in range(1, 21)]
        expected = [
            f(frequencies, 5) for f in (expected_unsafe_d, expected_r_suppression, expected_shift, expected_safe_d)
        ]
        assert [f"{float(x / sum(frequencies)):.4f}" for x in expected] == shown


def test_the_example_runs() -> None:
    code = PAGE.split("```python\n")[1].split("```")[0]
    exec(compile(code, "skew.md", "exec"), {})  # noqa: S102 - our own page
