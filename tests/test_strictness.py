"""Numbers are finite numbers, true is not 1, and text is not a number: for every parameter of every class."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit as tc
from tacit import guarantees, methods
from tacit.parameters import Parameters, exported
from tacit.strictness import complaint_of_kind, not_finite, scalar_kinds, truth

FAMILIES = [
    *exported(guarantees, guarantees.Guarantee).values(),  # type: ignore[type-abstract]
    *exported(methods, methods.Method).values(),  # type: ignore[type-abstract]
    tc.DisclosureRisk,
]
NUMBERS = [
    (family, field.alias or key)
    for family in FAMILIES
    for key, field in family.model_fields.items()
    if scalar_kinds(field.annotation) & {int, float} and not scalar_kinds(field.annotation) & {str, object}
]
WRONG = [True, np.True_, "3", b"5", math.inf, -math.inf, math.nan, np.float64("nan"), Decimal("1e50"), Decimal("NaN"),
         10**400, 1j, object()]  # fmt: skip


@pytest.mark.parametrize(("family", "key"), NUMBERS, ids=lambda part: getattr(part, "__name__", part))
def test_every_number_of_every_class_is_strict(family: type[Parameters], key: str) -> None:
    for example in family.examples():
        given = example.get_params(deep=False)
        for wrong in WRONG:
            with pytest.raises(tc.ParameterError) as caught:
                family(**{**given, key: wrong})
            told = str(caught.value)
            assert "\n" not in told
            assert len(told) < 400


def test_there_are_many_of_them() -> None:
    assert len(NUMBERS) > 25


def test_nested_numbers_are_strict() -> None:
    for known in ({"a": "0.5"}, {"a": True}, {"a": math.nan}, {"a": math.inf}):
        with pytest.raises(tc.ParameterError):
            tc.DisclosureRisk(known=known)


def test_a_table_given_as_a_parameter_is_never_printed() -> None:
    secret = pl.DataFrame({"name": ["Ada Lovelace"], "ill": ["gout"]})
    for wrong in (
        secret,
        secret.to_pandas(),
        secret.to_arrow(),
        secret["name"],
        np.array(["Ada Lovelace"]),
        {"x": secret},
    ):
        for make in (lambda: tc.KAnonymity(k=wrong), lambda: tc.Mondrian(guarantees=wrong), lambda: tc.ART(r=wrong)):  # noqa: B023
            with pytest.raises(tc.ParameterError) as caught:
                make()
            assert "Ada" not in str(caught.value)
            assert len(str(caught.value)) < 400


@given(
    st.recursive(
        st.floats() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_a_number_that_is_not_finite_is_found_wherever_it_is(value: object) -> None:
    def any_infinite(part: object) -> bool:
        if isinstance(part, float):
            return part in {math.inf, -math.inf} or part != part  # noqa: PLR0124
        if isinstance(part, dict):
            return any(map(any_infinite, part.values()))
        return isinstance(part, list) and any(map(any_infinite, part))

    assert not_finite(value, depth=50) == any_infinite(value)


@pytest.mark.parametrize(
    ("value", "annotation", "fine"),
    [(1, bool, False), (True, bool, True), (True, int | bool, True), (1, int | None, True), (None, int | None, True),
     ("x", str | int, True), (0.5, float, True), (2, float, True), ("yes", bool, False), (np.True_, bool, True)],
)  # fmt: skip
def test_kinds(value: object, annotation: object, fine: bool) -> None:
    assert (complaint_of_kind(value, scalar_kinds(annotation)) is None) == fine


def test_verbs_are_strict_too(tmp_path) -> None:
    table = tc.Table({"age": [1, 1, 1, 1], "ill": ["a", "b", "a", "b"]}, quasi_identifiers="age", sensitive="ill")
    method = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)])
    for seed in (True, "3", 1.0, -1, 2.5):
        with pytest.raises(tc.ParameterError):
            method.protect(table, seed=seed)
    release = method.protect(table)
    for overwrite in (1, "no", None):
        with pytest.raises(tc.ParameterError):
            release.write(tmp_path / "out", overwrite=overwrite)
    for kind in (None, 5, "CSV", ["csv"]):
        with pytest.raises(tc.ParameterError):
            release.write(tmp_path / "out", format=kind)
    assert not list(tmp_path.iterdir())
    assert truth(np.True_, "overwrite") is True
