"""Schemas: which fields a form has, read from the declarations that check recipes.

A method, guarantee or section that is added to the package appears in the forms by itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from tacit.errors import ParameterError
from tacit.methods.registry import classes as method_classes
from tacit.recipes import schema
from tacit.recipes.writing import as_value

FieldKind = Literal["number", "whole", "text", "choice", "yes", "named", "named list", "group", "value"]


@dataclass(frozen=True)
class FieldSpec:
    """One field of a form.

    Attributes
    ----------
    key
        The key in the recipe.
    kind
        How it is asked for. "named" is one of several things with a name, such as a guarantee; "group" has fields of
        its own; "value" is written as in a recipe.
    hint
        What it is, as its declaration says.
    required
        Whether the recipe must have it.
    default
        What holds where the recipe says nothing.
    options
        Of a choice, its words; of something named, the names.
    least, most
        Limits of a number, where they are simple.
    fields
        The fields of a group.
    is_file
        Whether it may name a file.
    """

    key: str
    kind: FieldKind
    hint: str = ""
    required: bool = False
    default: Any = None
    options: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    fields: tuple[FieldSpec, ...] = ()
    is_file: bool = False

    def read(self, text: str) -> Any:
        """Turn what was typed into a value; nothing typed means the default.

        Examples
        --------
        >>> FieldSpec("k", "whole").read("5"), FieldSpec("t", "number").read("0.2"), FieldSpec("x", "value").read("[1]")
        (5, 0.2, [1])
        """
        if not text.strip():
            return None
        try:
            if self.kind == "whole":
                return int(text)
            if self.kind == "number":
                number = float(text)
                return int(number) if number == int(number) and "." not in text and "e" not in text.lower() else number
        except (ValueError, OverflowError):
            what = "a whole number" if self.kind == "whole" else "a number"
            raise ParameterError(f"{self.key} is {what}, not {text!r}.") from None
        return text if self.kind in {"text", "choice"} else read_value(text)

    def written(self, value: Any) -> str:
        """Write a value as it is typed."""
        if value is None:
            return ""
        return str(value) if self.kind in {"text", "choice", "number", "whole"} else _plain(value)


def read_value(text: str) -> Any:
    """Read a value as a recipe writes it; what is not TOML is a text.

    Examples
    --------
    >>> read_value('["age", "sex"]'), read_value("{ a = 0.5 }"), read_value("diseases.json")
    (['age', 'sex'], {'a': 0.5}, 'diseases.json')
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        if text.lstrip().startswith(("[", "{")):
            raise ParameterError(
                f"{text!r} is not written as a recipe writes it.", hint='Lists are ["a", "b"], mappings { a = 0.5 }.'
            ) from None
        return text.strip()


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else as_value(value)


def methods() -> dict[str, str]:
    """Return every method with the first sentence about it."""
    return {name: _definition("method", name)["description"] for name in _named("method")}


def guarantees() -> dict[str, str]:
    """Return every guarantee with the first sentence about it."""
    return {name: _definition("guarantee", name)["description"] for name in _named("guarantee")}


def promise(name: str) -> str:
    """Return what a method promises, in the first sentence of its own words.

    Examples
    --------
    >>> promise("invariant-marginals")
    "MInvariance: nobody's value is known with more than 1/m, whatever the number of marginals."
    """
    text = " ".join((method_classes()[name].__doc__ or "").split())
    said = re.search(r"Promise -+ (.*?)(?: Parameters -+|$)", text)
    sentence = re.split(r"(?<=[a-z0-9)]\.) ", said[1])[0] if said else ""
    # Where the sentence goes on to name the page that proves it, it is complete before.
    said_here = sentence.replace("`", "").partition("docs/")[0]
    return re.sub(r"[,;:(]?\s*(?:[Pp]roved|is computed)?\s*(?:in|as)?\s*\(?$", "", said_here).rstrip(" :;,.") + "."


def step_fields(name: str) -> tuple[FieldSpec, ...]:
    """Return the fields of a method."""
    return _fields(_definition("method", name), leave="method")


def guarantee_fields(name: str) -> tuple[FieldSpec, ...]:
    """Return the fields of a guarantee."""
    return _fields(_definition("guarantee", name), leave="name")


def section_fields(name: str) -> tuple[FieldSpec, ...]:
    """Return the fields of a section of recipes; none where it is not made of fields."""
    part = schema_of_recipes()["properties"].get(name, {})
    return _fields(_resolved(_present(part)))


def first_step(name: str) -> dict[str, Any]:
    """Return a method with usual parameters, to begin with."""
    return {"method": name} | usual_values(step_fields(name))


def usual_values(specs: Sequence[FieldSpec]) -> dict[str, Any]:
    """Give what must be given, as far as a usual value is known by its letter or limit."""
    letters = {"k": 5, "l": 3, "m": 2, "r": 2, "t": 0.2, "alpha": 0.5, "beta": 2, "delta": 0.2, "e": 1, "c": 1}
    given: dict[str, Any] = {}
    for spec in specs:
        if not spec.required:
            continue
        if spec.kind == "named list":
            first = "k-anonymity" if "k-anonymity" in spec.options else spec.options[0]
            given[spec.key] = [{"name": first} | usual_values(guarantee_fields(first))]
        elif spec.kind == "named":
            first = "k-anonymity" if "k-anonymity" in spec.options else spec.options[0]
            given[spec.key] = {"name": first} | usual_values(guarantee_fields(first))
        elif spec.kind in {"whole", "number"}:
            given[spec.key] = letters.get(spec.key, spec.least if spec.least is not None else 1)
        elif spec.kind == "choice":
            given[spec.key] = spec.options[0]
    return given


def section_hint(name: str) -> str:
    """Return what a section holds, as its declaration says."""
    return str(schema_of_recipes()["properties"].get(name, {}).get("description", ""))


def sections() -> list[str]:
    """Return the names of all sections."""
    return list(schema_of_recipes()["properties"])


@cache
def schema_of_recipes() -> dict[str, Any]:
    """Return the schema that editors get too."""
    return schema()


def _named(what: str) -> list[str]:
    return [key.partition(":")[2] for key in schema_of_recipes()["$defs"] if key.startswith(f"{what}:")]


def _definition(what: str, name: str) -> dict[str, Any]:
    known = schema_of_recipes()["$defs"]
    if f"{what}:{name}" not in known:
        raise ParameterError(f"There is no {what} {name!r}.")
    found: dict[str, Any] = known[f"{what}:{name}"]
    return found


def _fields(owner: Mapping[str, Any], leave: str = "") -> tuple[FieldSpec, ...]:
    needed = owner.get("required", [])
    parts = owner.get("properties", {})
    found = (_field(key, part, key in needed) for key, part in parts.items() if key != leave)
    return tuple(sorted(found, key=lambda each: not each.required))


def _field(key: str, part: Mapping[str, Any], required: bool) -> FieldSpec:
    hint, default = str(part.get("description", "")), part.get("default")
    about: dict[str, Any] = {"hint": hint, "required": required, "default": default}
    about["is_file"] = bool(part.get("file"))
    given = _resolved(_present(part))
    if given.get("type") == "array":
        names = _names(_resolved(given.get("items", {})))
        return FieldSpec(key, "named list", **about, options=names) if names else FieldSpec(key, "value", **about)
    if names := _names(given):
        return FieldSpec(key, "named", **about, options=names)
    if "enum" in given:
        return FieldSpec(key, "choice", **about, options=tuple(map(str, given["enum"])))
    if given.get("properties"):
        return FieldSpec(key, "group", **about, fields=_fields(given))
    limits = {
        "least": given.get("minimum", given.get("exclusiveMinimum", part.get("minimum"))),
        "most": given.get("maximum", given.get("exclusiveMaximum", part.get("maximum"))),
    }
    kinds = {each.get("type") for each in part.get("anyOf", [given])} - {"null"}
    if kinds == {"integer"}:
        return FieldSpec(key, "whole", **about, **limits)
    if kinds and kinds <= {"integer", "number"}:
        return FieldSpec(key, "number", **about, **limits)
    if kinds == {"boolean"}:
        return FieldSpec(key, "yes", **about)
    return FieldSpec(key, "text" if kinds == {"string"} else "value", **about)


def _present(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the only way to give something, if nothing is the only other one."""
    ways = [way for way in part.get("anyOf", []) if way.get("type") != "null"]
    return ways[0] if len(ways) == 1 else part


def _resolved(part: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in part:
        part = schema_of_recipes()["$defs"][part["$ref"].removeprefix("#/$defs/")]
    return part


def _names(part: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of guarantees that a place takes; none where it takes something else."""
    refs = [str(way.get("$ref", "")) for way in part.get("anyOf", [])]
    prefix = "#/$defs/guarantee:"
    return tuple(ref.removeprefix(prefix) for ref in refs) if refs and all(r.startswith(prefix) for r in refs) else ()
