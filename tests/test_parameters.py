"""Parameters: frozen, keyword-only, checked, and explained in one sentence."""

from typing import Annotated, Any

import numpy as np
import polars as pl
import pytest
from pydantic import Field, ValidationError

import tacit as tc
from tacit.errors import ParameterError
from tacit.parameters import PRIVATE, Parameters, kebab


class Probe(Parameters):
    size: Annotated[int, Field(strict=True, ge=1, le=9, description="a size from 1 to 9")]
    share: float = 0.5
    knowledge: Any = Field(None, json_schema_extra=PRIVATE)
    inner: Any = None


@pytest.mark.parametrize("three", [3, np.int64(3), np.int8(3), np.uint32(3)])
def test_integers_of_any_make(three):
    assert Probe(size=three) == Probe(size=3)
    assert type(Probe(size=three).size) is int


@pytest.mark.parametrize("wrong", [True, np.True_, 3.0, np.float64(3), "3", None, 2.5, [3]])
def test_what_is_not_an_integer(wrong):
    with pytest.raises(ParameterError, match=r"^probe: size = .* is not allowed: should be a valid integer\.$"):
        Probe(size=wrong)


def test_limits():
    with pytest.raises(
        ParameterError, match=r"^probe: size = 0 is not allowed: should be greater than or equal to 1\.$"
    ):
        Probe(size=0)
    with pytest.raises(ParameterError, match="size = 10 is not allowed: should be less than or equal to 9"):
        Probe(size=10)


def test_missing_and_unknown():
    with pytest.raises(ParameterError, match=r"^probe needs the parameter 'size'\. It is a size from 1 to 9\.$"):
        Probe()
    with pytest.raises(
        ParameterError, match=r"^probe has no parameter 'shar'\. Did you mean 'share'\? Parameters: size,"
    ):
        Probe(size=1, shar=0.1)
    with pytest.raises(ParameterError, match=r"^probe has no parameter 'siz'\. Did you mean 'size'\?"):
        Probe(siz=1)


def test_a_long_value_is_not_told_in_full():
    with pytest.raises(ParameterError) as error:
        Probe(size="x" * 10_000)
    assert len(str(error.value)) < 200


def test_keyword_only_and_frozen():
    with pytest.raises(TypeError):
        Probe(3)
    probe = Probe(size=3)
    with pytest.raises(ValidationError):
        probe.size = 4
    assert hash(probe) == hash(Probe(size=3))
    assert probe != Probe(size=4)


def test_an_error_is_also_a_value_error():
    with pytest.raises(ValueError, match="not allowed"):
        tc.KAnonymity(k=0)


def test_what_may_be_published():
    frame = pl.DataFrame({"a": [1]})
    probe = Probe(size=3, knowledge={"secret": 1}, inner=(Probe(size=1), [1, "x", None], {"k": 2.5}))
    assert probe.public() == {
        "size": 3,
        "share": 0.5,
        "inner": [{"name": "probe", "size": 1, "share": 0.5, "inner": None}, [1, "x", None], {"k": 2.5}],
    }
    assert "inner" not in Probe(size=3, inner=frame).public()
    assert "inner" not in Probe(size=3, inner=[1, frame]).public()
    assert "inner" not in Probe(size=3, inner={"k": frame}).public()
    assert "secret" not in str(probe)


def test_how_it_is_told():
    assert str(tc.KAnonymity(k=3)) == "k-anonymity(k=3)"
    assert str(tc.SmallGroups(guarantee=tc.Eligibility(l=2))) == "small-groups(guarantee=eligibility(l=2))"
    assert str(tc.Pipeline([tc.SmallGroups(guarantee=tc.KAnonymity(k=2))])) == (
        "pipeline(steps=[small-groups(guarantee=k-anonymity(k=2))])"
    )


def test_a_mistake_inside_a_mistake():
    with pytest.raises(ParameterError) as error:
        tc.SmallGroups(guarantee={"name": "k-anonymity", "k": 0})
    assert str(error.value).endswith("k-anonymity: k = 0 is not allowed: should be greater than or equal to 1.")
    with pytest.raises(ParameterError, match="small-groups: guarantee = 3 is not allowed"):
        tc.SmallGroups(guarantee=3)


def test_kebab():
    assert [kebab(name) for name in ("ART", "LDichotomy", "RSuppression", "QuasiSensitive", "BetaLikeness")] == [
        "art",
        "l-dichotomy",
        "r-suppression",
        "quasi-sensitive",
        "beta-likeness",
    ]
