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


def test_the_first_parameter_may_be_given_by_position():
    assert Probe(3) == Probe(size=3)
    assert tc.Mondrian([tc.KAnonymity(5)]) == tc.Mondrian(guarantees=[tc.KAnonymity(k=5)])
    assert tc.QSDiversity(1, l=2, knowledge={"a": ["x"]}).c == 1
    assert tc.TCloseness(0.2).t == 0.2
    with pytest.raises(
        ParameterError, match=r"^probe takes one parameter by position, 'size'; 2 were given\. Give the"
    ):
        Probe(3, 0.1)
    with pytest.raises(ParameterError, match=r"^probe is given 'size' twice, by position and by name\."):
        Probe(3, size=3)


def test_every_method_and_guarantee_takes_its_first_parameter_by_position():
    from tacit.guarantees.registry import classes as guarantees
    from tacit.methods.registry import classes as methods

    for described in (*methods().values(), *guarantees().values()):
        for example in described.examples():
            given = example.get_params(deep=False)
            names = {field.alias or key: field for key, field in described.model_fields.items()}
            first = described.by_position or next(name for name, field in names.items() if field.is_required())
            assert described(given.pop(first), **given) == example


def test_params_as_scikit_learn_asks_for_them():
    method = tc.Mondrian([tc.KAnonymity(5), tc.LDiversity(3)])
    assert method.get_params(deep=False)["guarantees"] == (tc.KAnonymity(5), tc.LDiversity(3))
    assert method.get_params()["guarantees__1__l"] == 3
    changed = method.set_params(guarantees__1__l=2, allow_withheld=0.5)
    assert (changed.guarantees[1].l, changed.allow_withheld, method.guarantees[1].l) == (2, 0.5, 3)
    assert tc.SmallGroups(tc.KAnonymity(2)).set_params(guarantee__k=4).guarantee.k == 4
    with pytest.raises(ParameterError, match=r"^anatomy has no parameter 'll'\. Did you mean 'l'\?"):
        tc.Anatomy(2).set_params(ll=3)
    with pytest.raises(ParameterError, match=r"^mondrian has no parameter 'guarantees__7__k'\."):
        method.set_params(guarantees__7__k=3)


def test_calls_that_misspell_a_keyword_or_give_the_wrong_kind():
    frame = {"age": [30, 30], "ill": ["a", "b"]}
    table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    release = tc.Mondrian([tc.KAnonymity(2)]).protect(table)
    with pytest.raises(ParameterError, match=r"^Table has no parameter 'quasi_identifers'\. Did you mean 'quasi_ident"):
        tc.Table(frame, quasi_identifers="age")
    with pytest.raises(ParameterError, match=r"^Table\.read has no parameter 'seperator'\. Did you mean 'separator'\?"):
        tc.Table.read(frame, seperator=";")
    with pytest.raises(ParameterError, match=r"^Table\.read has no parameter 'sensitiv'\. Did you mean 'sensitive'\?"):
        tc.Table.read(frame, sensitiv="ill")
    with pytest.raises(ParameterError, match=r"^Method\.protect has no parameter 'sede'\. Did you mean 'seed'\?"):
        tc.Anatomy(2).protect(table, sede=1)
    with pytest.raises(ParameterError, match=r"^Release\.foreign was called wrongly: missing a required argument"):
        tc.Release.foreign(frame)
    with pytest.raises(ParameterError, match=r"^Release\.write has no parameter 'overwite'\. Did you mean 'overwrite'"):
        release.write("nowhere", overwite=True)
    with pytest.raises(ParameterError, match=r"^audit has no parameter 'claim'\. Did you mean 'claims'\?"):
        tc.audit(release, claim=tc.KAnonymity(2))
    with pytest.raises(ParameterError, match=r"^utility takes a release, not a Table\. Protect it first"):
        tc.utility(table, release)
    with pytest.raises(ParameterError, match=r"^utility takes a Table, not a Release\. The release comes first"):
        tc.utility(release, release)
    with pytest.raises(ParameterError, match=r"^query_error takes a Table, not a dict\."):
        tc.query_error(release, frame)
    assert tc.audit(release, claims=tc.LDiversity(2)).holds


def test_frozen():
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
