"""Forms are made from the declarations that check recipes: every method, guarantee and section is in them."""

from __future__ import annotations

import pytest

from tacit.errors import ParameterError
from tacit.guarantees.registry import classes as guarantee_classes
from tacit.guarantees.registry import make as make_guarantee
from tacit.methods.registry import classes as method_classes
from tacit.methods.registry import make as make_method
from tacit.recipes.sections import RecipeSections
from tacit.studio.schemas import (
    FieldSpec,
    first_step,
    guarantee_fields,
    guarantees,
    methods,
    promise,
    read_value,
    section_fields,
    sections,
    step_fields,
    usual_values,
)

NEEDS_MORE = {"quasi-sensitive", "qs-diversity", "qs-closeness", "mask"}
"""What cannot be begun without something that only the user has: a table of labels, values to protect."""


def test_every_method_guarantee_and_section_is_there() -> None:
    assert set(methods()) == set(method_classes())
    assert set(guarantees()) == set(guarantee_classes())
    assert set(sections()) == set(RecipeSections.model_fields)


@pytest.mark.parametrize("name", sorted(method_classes()))
def test_every_parameter_of_a_method_has_a_field(name: str) -> None:
    kind = method_classes()[name]
    assert {spec.key for spec in step_fields(name)} == {f.alias or key for key, f in kind.model_fields.items()}
    assert all(spec.hint for spec in step_fields(name))
    assert promise(name).endswith(".")
    assert len(promise(name)) > 10
    if name not in NEEDS_MORE:
        make_method(first_step(name))


@pytest.mark.parametrize("name", sorted(guarantee_classes()))
def test_every_parameter_of_a_guarantee_has_a_field(name: str) -> None:
    kind = guarantee_classes()[name]
    assert {spec.key for spec in guarantee_fields(name)} == {f.alias or key for key, f in kind.model_fields.items()}
    if name not in NEEDS_MORE:
        make_guarantee({"name": name} | usual_values(guarantee_fields(name)))


@pytest.mark.parametrize("name", ["output", "ledger", "batches", "read", "report"])
def test_sections_have_fields(name: str) -> None:
    assert section_fields(name)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [("whole", "5", 5), ("whole", "", None), ("number", "0.5", 0.5), ("number", "3", 3), ("value", '["a"]', ["a"])],
)
def test_what_is_typed_becomes_a_value(kind: str, text: str, value: object) -> None:
    assert FieldSpec("k", kind).read(text) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "text"), [("whole", "5.5"), ("whole", "x"), ("number", "x"), ("value", "[1")])
def test_what_cannot_be_read_is_a_sentence(kind: str, text: str) -> None:
    with pytest.raises(ParameterError):
        FieldSpec("k", kind).read(text)  # type: ignore[arg-type]


def test_a_value_that_is_no_toml_is_text() -> None:
    assert read_value("diseases.json") == "diseases.json"
    assert read_value("true") is True
