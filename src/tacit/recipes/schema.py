"""The JSON schema of a recipe, for editors: made from the declarations that check it."""

from __future__ import annotations

from typing import Any

from tacit.guarantees.registry import classes as guarantee_classes
from tacit.methods.registry import classes as method_classes
from tacit.parameters import Parameters
from tacit.recipes.sections import RecipeSections


def schema() -> dict[str, Any]:
    """Return the schema; every method and guarantee that exists is in it.

    Examples
    --------
    >>> sorted(schema()["$defs"])[0], schema()["properties"]["steps"]["items"]["anyOf"][0]["$ref"].split("/")[-1][:7]
    ('BatchesSection', 'method:')
    """
    whole = RecipeSections.model_json_schema(ref_template="#/$defs/{model}")
    definitions = whole.setdefault("$defs", {})
    known = {made: _define(definitions, "guarantee", "name", made) for made in guarantee_classes().values()}
    methods = [_define(definitions, "method", "method", c) for c in method_classes().values()]
    for base in {base for made in known for base in made.__mro__ if base.__name__ in definitions}:
        definitions[base.__name__] = {"anyOf": [place for made, place in known.items() if issubclass(made, base)]}
    whole["properties"]["steps"]["items"] = {"anyOf": methods}
    _correct(whole)
    whole["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    whole["title"] = "tacit recipe"
    return whole


def _define(definitions: dict[str, Any], what: str, key: str, described: type[Parameters]) -> dict[str, str]:
    own = described.model_json_schema(ref_template="#/$defs/{model}")
    definitions |= {name: part for name, part in own.pop("$defs", {}).items() if name not in definitions}
    own["properties"] = {key: {"const": described.name}, **own.get("properties", {})}
    own["required"] = [key, *own.get("required", [])]
    own["description"] = (described.__doc__ or "").strip().splitlines()[0]
    definitions[f"{what}:{described.name}"] = own
    return {"$ref": f"#/$defs/{what}:{described.name}"}


_WORDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
"""Limits of a number that may be whole or not: pydantic writes them by its own names."""
_OF_ARRAYS = {"minLength": "minItems", "maxLength": "maxItems"}
"""Limits of what is made into a list first: pydantic writes them as if it were text."""


def _correct(part: Any, *, names: bool = False) -> None:
    """Call limits what JSON schema calls them; under `properties` the keys are names, not words of a schema."""
    if isinstance(part, list):
        for each in part:
            _correct(each)
    if not isinstance(part, dict):
        return
    if not names:
        renamed = _WORDS | (_OF_ARRAYS if part.get("type") == "array" else {})
        for word in renamed.keys() & part.keys():
            part[renamed[word]] = part.pop(word)
    for key, each in part.items():
        if key not in {"default", "const", "examples", "enum"} or names:
            _correct(each, names=not names and key in {"properties", "$defs"})
