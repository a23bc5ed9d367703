"""The JSON schema of recipes is a schema, says everything, and takes every recipe of the documentation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tacit.recipes import Recipe, schema

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{page.stem}-{at}")
    for page in PAGES
    for at, block in enumerate(re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
    if "[[steps]]" in block and "[table]" in block
]
FILES = [
    pytest.param(path.read_text(encoding="utf-8"), id=path.name) for path in sorted((ROOT / "examples").rglob("*.toml"))
]


@pytest.fixture(scope="module")
def validator() -> Any:
    whole = schema()
    jsonschema.Draft202012Validator.check_schema(whole)
    return jsonschema.Draft202012Validator(whole)


def walk(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    below = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    found = [(path, part)] if isinstance(part, dict) and (not path or path[-1] not in {"properties", "$defs"}) else []
    return found + [each for key, inner in below for each in walk(inner, (*path, key))]


def test_its_words_are_those_of_json_schema(validator: Any) -> None:
    whole = validator.schema
    for path, part in walk(whole):
        if "default" in path or "const" in path:
            continue
        assert not {"ge", "gt", "le", "lt", "min_length"} & part.keys(), path
        if part.get("type") == "array":
            assert not {"minLength", "maxLength"} & part.keys(), path
        if "$ref" in part:
            assert part["$ref"].split("/")[-1] in whole["$defs"], part


def test_there_are_recipes_in_the_documentation() -> None:
    assert len(BLOCKS) > 5


@pytest.mark.parametrize("text", [*BLOCKS, *FILES])
def test_every_recipe_of_the_documentation_is_valid(validator: Any, text: str) -> None:
    validator.validate(tomllib.loads(text))


ROLES = '[table]\nsource = "t.csv"\n[roles]\nquasi_identifiers = ["age"]\nsensitive = ["ill"]\n[[steps]]\n'


@pytest.mark.parametrize(
    ("steps", "fine"),
    [
        ('method = "invariant-marginals"\nm = 2\nmarginals = [["age"], ["zip", "sex"]]', True),
        ('method = "invariant-marginals"\nm = 2\nmarginals = { a = ["age"] }', True),
        ('method = "invariant-marginals"\nm = 2\nmarginals = "age"', False),
        ('method = "anatomy"\nl = 2', True),
        ('method = "anatomy"\nl = "2"', False),
        ('method = "anatomy"\nl = true', False),
        ('method = "nothing"', False),
        ('method = "mondrian"\nguarantees = []', False),
        ('method = "mondrian"\nguarantees = [{ name = "l-diversity", l = 0 }]', False),
        ('method = "mondrian"\nguarantees = [{ name = "l-diversity", l = 2 }]', True),
    ],
)
def test_the_schema_and_the_recipe_agree(validator: Any, tmp_path: Path, steps: str, fine: bool) -> None:
    content = tomllib.loads(ROLES + steps)
    assert validator.is_valid(content) == fine
    (tmp_path / "r.toml").write_text(ROLES + steps)
    if fine:
        Recipe.read(tmp_path / "r.toml")
    else:
        from tacit import ParameterError

        with pytest.raises(ParameterError):
            Recipe.read(tmp_path / "r.toml")
