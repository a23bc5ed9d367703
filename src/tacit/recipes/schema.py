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
    guarantees = [_define(definitions, "guarantee", "name", c) for c in guarantee_classes().values()]
    methods = [_define(definitions, "method", "method", c) for c in method_classes().values()]
    for name in ("Guarantee", "GroupGuarantee"):
        definitions[name] = {"anyOf": guarantees}
    whole["properties"]["steps"]["items"] = {"anyOf": methods}
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
