"""What an audit prints of a table that anyone published: what it is, by the usual measures."""

import math

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.report.readings import readings

# Two groups: four people of whom two have flu, and two who both have cold.
FRAME = pl.DataFrame({"age": ["30-39"] * 4 + ["40-49"] * 2, "ill": ["flu", "flu", "gout", "mumps", "cold", "cold"]})


def _measured(frame=FRAME):
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill")
    return {reading.name: reading for reading in readings(release)}


def test_worked_values():
    found = _measured()
    assert found["k"].value == 2
    assert found["unique"].value == 0
    assert found["prosecutor's risk"].value == 0.5
    assert found["marketer's risk"].value == pytest.approx(2 / 6)
    assert found["worst group of ill"].value == 1.0
    assert "2 of 2 have the same ill (age '40-49')" in found["worst group of ill"].sentence
    assert "the ill of 2 rows is certain" in found["worst group of ill"].sentence
    assert [found[f"l of ill, {kind}"].value for kind in ("distinct", "entropy", "recursive", "frequency")] == [1] * 4
    # The first group: 1/2, 1/4, 1/4, 0 against 2/6, 1/6, 1/6, 2/6; the second: all on cold, which is 2/6.
    assert found["t of ill"].value == pytest.approx(4 / 6)
    assert found["beta of ill"].value == pytest.approx(2.0)
    assert math.isinf(found["delta of ill"].value)
    assert found["delta of ill"].written == "unbounded"


def test_thresholds_are_said_and_met_or_not():
    even = pl.DataFrame({"age": ["*"] * 10, "ill": ["flu", "cold"] * 5})
    found = _measured(even)
    assert found["k"].met
    assert found["l of ill, frequency"].value == 2
    assert found["t of ill"].value == 0
    assert found["beta of ill"].met
    assert found["delta of ill"].met
    assert not _measured()["k"].met
    assert all(reading.threshold and reading.sentence for reading in found.values())


def test_what_a_learning_reader_may_guess_is_said_as_it_is_applied_and_where_she_is_asked_about_a_sample():
    """Before, the threshold was printed without what it allows beyond, so .24 met .23, and a sample was not said."""
    rng = np.random.default_rng(1)
    for rows in (300, 24_000):
        age = rng.integers(0, 4, rows)
        frame = pl.DataFrame({"age": age, "ill": [f"v{x}" for x in (age + rng.integers(0, 2, rows)) % 4]})
        found = _measured(frame)["learning reader of ill"]
        words = found.threshold.split()
        assert words[1:] == ["or", "less"]
        assert found.met == (round(found.value, 4) <= float(words[0]))
        assert ("(asked about" in found.sentence) == (rows > 20_000)


def test_the_command_prints_every_measure(clinic, tacit):
    done = tacit("audit", "patients.csv", "--qi", "age,zip,sex", "--sensitive", "disease")
    assert done.code == 0, done.err
    words = ["k ", "unique", "prosecutor's risk", "marketer's risk", "worst group of disease", "learning reader"]
    kinds = ["distinct", "entropy", "recursive", "frequency"]
    for measure in [*words, *(f"l of disease, {kind}" for kind in kinds), "t of", "beta of", "delta of"]:
        assert f"\n {measure}" in done.out
    told = tacit("audit", "patients.csv", "--qi", "age,zip,sex", "--sensitive", "disease", "--json").json
    assert {reading["name"] for reading in told["readings"]} >= {"k", "unique", "t of disease"}
    plain = tacit("audit", "patients.csv", "--qi", "age,zip,sex")
    assert plain.code == 0, plain.err
    assert "k " in plain.out
