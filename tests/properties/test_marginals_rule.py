"""How often somebody who knows how newcomers are chosen learns more than 1/m: not covered, and counted here."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

from tests.oracles.changing_rule import Stream, largest

STREAMS = 300


def test_the_rule_tells_more_than_the_files_and_the_page_says_how_often() -> None:
    told, certain, possible = 0, 0, 0
    for seed in range(10 * STREAMS):
        stream = Stream(Random(seed))  # noqa: S311 - which stream is no secret
        if not stream.possible or not stream.stay:
            continue
        possible += 1
        plain = stream.worlds(rule=False)
        assert stream.truth in plain
        assert largest(plain) == Fraction(1, 2), "what is promised, for a reader who does not know the rule"
        known = stream.worlds(rule=True)
        assert stream.truth in known
        told += largest(known) > Fraction(1, 2)
        certain += largest(known) == 1
        if possible == STREAMS:
            break
    assert possible == STREAMS
    page = Path(__file__).resolve().parents[2] / "docs" / "threats" / "marginals.md"
    said = " ".join(page.read_text(encoding="utf-8").split())
    assert f"in {told} of {STREAMS} somebody is known with more than one half, in {certain} for certain" in said
