"""Recipe: a TOML file with all of a job."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import ValidationError

from tacit import sources
from tacit.engines.parts import files_of
from tacit.errors import ParameterError, SourceError, TacitError, nearest, shown
from tacit.guarantees.registry import classes as guarantee_classes
from tacit.methods import Method
from tacit.methods.registry import classes as method_classes
from tacit.methods.registry import in_order, make
from tacit.parameters import Parameters, as_written, complaint
from tacit.recipes.sections import RecipeSections
from tacit.regular_files import regular_bytes
from tacit.releases import Destination, Ledger
from tacit.releases.places import as_path, resolved
from tacit.table import Table

_LARGEST = 1 << 20
"""Bytes that a recipe has at most (1 MB): people write it by hand."""
_DEEPEST = 20
"""How many recipes may include one another in a row."""


class RecipeError(ParameterError):
    """A recipe that cannot be followed; the message names file, section and key."""


@dataclass(frozen=True)
class Recipe:
    """A job, read from a file.

    Attributes
    ----------
    path
        The file; relative paths in it are relative to its folder.
    sections
        Its content, checked.
    written
        Its text, where that is not in the file.
    """

    path: Path
    sections: RecipeSections
    written: str | None = None

    @classmethod
    def read(cls, path: str | Path) -> Recipe:
        """Read and check a recipe; nothing of the data is touched."""
        path = Path(path)
        return cls._checked(path, _merged(path, ()))

    @classmethod
    def parse(cls, text: str, path: str | Path) -> Recipe:
        """Check a recipe that is not in its file yet; paths in it are relative to where the file would lie."""
        path = Path(path)
        return replace(cls._checked(path, _merged(path, (), text)), written=text)

    @classmethod
    def _checked(cls, path: Path, content: Mapping[str, Any]) -> Recipe:
        try:
            sections = RecipeSections.model_validate(content)
        except ValidationError as error:
            raise _explained(error, path) from None
        recipe = cls(path, sections)
        _ = recipe.method
        return recipe

    @cached_property
    def method(self) -> Method:
        """The steps as a method, their parameters checked by their own declarations."""
        steps: list[Method] = []
        changing = self._changing()
        for number, step in enumerate(self.sections.steps, start=1):
            kind = method_classes().get(str(step.get("method")))
            takes = changing and kind is not None and "changing" in kind.model_fields
            try:
                steps.append(make(self._located({**step, "changing": changing} if takes else step, kind)))
            except TacitError as error:
                raise RecipeError(f"{self.path.name}, [[steps]] {number}: {error.message}", hint=error.hint) from None
        try:
            return in_order(steps)
        except TacitError as error:
            raise RecipeError(f"{self.path.name}, [[steps]]: {error.message}", hint=error.hint) from None

    def _changing(self) -> list[str]:
        """Return the values of the sensitive column that come and go."""
        declared = self.sections.changing
        for column in declared:
            if column not in self.sections.roles.sensitive:
                raise RecipeError(
                    f"{self.path.name}, [changing]: {column!r} is not a sensitive column.",
                    hint=nearest(column, self.sections.roles.sensitive, what="Sensitive columns"),
                )
        steps = [method_classes().get(str(step.get("method"))) for step in self.sections.steps]
        if declared and not any(kind is not None and "changing" in kind.model_fields for kind in steps):
            raise RecipeError(
                f"{self.path.name}, [changing]: no step follows people from release to release.",
                hint="It is for invariant-marginals with a ledger and a person column.",
            )
        return [value for values in declared.values() for value in values]

    def with_parameter(self, name: str, value: Any) -> Recipe:
        """Return the recipe with one parameter changed in every step, or guarantee of a step, that has it."""
        changed = [_with(step, name, value) for step in self.sections.steps]
        if changed == self.sections.steps and not any(_has(step, name) for step in changed):
            known = sorted({key for step in changed for key in step} - {"method"})
            raise RecipeError(
                f"{self.path.name}: no step has a parameter {name!r}.", hint=nearest(name, known, what="Parameters")
            )
        content = self.sections.model_dump(exclude_none=True, exclude_defaults=True) | {"steps": changed}
        return replace(self._checked(self.path, content), path=self.path)

    @property
    def text(self) -> str:
        """The recipe as it was written."""
        return _text_of(self.path) if self.written is None else self.written

    @property
    def source(self) -> Path | None:
        """The file or folder that the table is read from; None for a database."""
        source = self.sections.table.source
        return None if source is None else self._near(source)

    @property
    def pattern(self) -> str:
        """The source as a path, a folder of parts or a pattern with *, beside the recipe."""
        return str(self._near(str(self.sections.table.source)))

    @property
    def scratch(self) -> Path | None:
        """Where temporary files go, if it is said."""
        place = self.sections.engine.scratch
        return None if place is None else self._near(place)

    @property
    def folder(self) -> Path:
        """Where the release goes."""
        return self._near(self.sections.output.folder)

    @property
    def private(self) -> Path | None:
        """Where the private part goes, if said."""
        private = self.sections.output.private
        return None if private is None else self._near(private)

    def ledger(self, batch: str | None = None) -> Ledger | None:
        """Return the memory of earlier releases of the table, or of one batch; None if the recipe names none."""
        section = self.sections.ledger
        return (
            None if section is None else Ledger(self._near(section.path), series=batch or "", all_new=section.all_new)
        )

    @property
    def place(self) -> str:
        """What to call the source in a sentence."""
        return self.source.name if self.source is not None else f"the database in {self.sections.table.url_env}"

    def table(self, source: Path | None = None, reading: Mapping[str, Any] | None = None) -> Table:
        """Read the table, or one of several files; `reading` replaces what is said under [read]."""
        sections = self.sections
        given: Any = source if source is not None else self.source
        if given is None:
            given = self.url
        elif source is None and any(mark in str(sections.table.source) for mark in "*?["):
            given = one_table(self.pattern)
        try:
            return Table.read(
                given,
                query=sections.table.query,
                **{**sections.read.model_dump(), **(reading or {})},
                **self.roles(),
            )
        except SourceError:
            raise
        except TacitError as error:
            place = source.name if source is not None else self.place
            raise type(error)(f"{self.path.name}, {place}: {error.message}", hint=error.hint) from None

    @property
    def url(self) -> str:
        """The URL of the database that is read, from the environment."""
        return self._url("table", str(self.sections.table.url_env))

    @property
    def destination(self) -> Destination | None:
        """The database that gets the frames as tables, if the recipe names one."""
        output = self.sections.output
        if output.url_env is None:
            return None
        try:
            return Destination(self._url("output", output.url_env), output.tables)
        except ParameterError as error:
            raise RecipeError(f"{self.path.name}, [output]: {error.message}", hint=error.hint) from None

    def _url(self, section: str, variable: str) -> str:
        url = os.environ.get(variable)
        if not url:
            raise RecipeError(
                f"{self.path.name}, [{section}] url_env: the environment variable {variable!r} is not set.",
                hint="Set it to the URL of the database.",
            )
        return url

    def roles(self) -> dict[str, Any]:
        """Return roles, kinds and hierarchies as `Table` takes them."""
        sections = self.sections
        hierarchies = {
            name: self._near(spec) if isinstance(spec, str) and spec not in {"flat", "calendar"} else spec
            for name, spec in sections.hierarchies.items()
        }
        return {**sections.roles.model_dump(), "kinds": sections.kinds, "hierarchies": hierarchies}

    def near(self, path: str | None) -> Path | None:
        """Return the place of a file that a section names, relative to the recipe; None where it names none."""
        return None if path is None else self._near(path)

    def _near(self, path: str) -> Path:
        try:
            return self.path.parent / as_path(path, "A path").expanduser()
        except RuntimeError:  # the home of somebody whom the system does not know
            raise RecipeError(f"{self.path.name}: the home folder of {path!r} is not known.") from None
        except ParameterError as error:
            raise RecipeError(f"{self.path.name}: {error.message}", hint=error.hint) from None

    def _located(self, given: Mapping[str, Any], owner: type[Parameters] | None) -> dict[str, Any]:
        """Resolve file names against the recipe's folder; the owner of the parameters says which ones name a file.

        An owner that is not known is left as it is written: making it raises an error that names it.
        """
        files = frozenset[str]() if owner is None else owner.file_parameters()
        return {key: self._located_value(value, key in files) for key, value in given.items()}

    def _located_value(self, value: Any, is_file: bool) -> Any:
        if isinstance(value, str):
            return str(self._near(value)) if is_file else value
        if isinstance(value, Mapping):
            return self._located(value, guarantee_classes().get(str(value.get("name"))))
        if isinstance(value, list):
            return [self._located_value(part, is_file) for part in value]
        return value


def one_table(pattern: str) -> pl.DataFrame:
    """Read all files that are named like a pattern as one table."""
    frames = [sources.read_source(str(path)).frame for path in files_of(pattern)]
    try:
        return pl.concat(frames)
    except pl.exceptions.PolarsError as error:
        raise SourceError(
            f"The files {Path(pattern).name} do not have the same columns: {str(error).splitlines()[0][:120]}.",
            hint="Write all parts of the table with the same columns and types.",
        ) from None


def _merged(path: Path, above: tuple[Path, ...], text: str | None = None) -> dict[str, Any]:
    """Read a recipe, from its file or a text, and those it includes; what includes itself is refused."""
    here = resolved(path)
    if here in above:
        chain = " -> ".join(each.name for each in (*above[above.index(here) :], here))
        raise RecipeError(f"{path.name} includes itself ({chain}).", hint="Take one `include` out.")
    if len(above) >= _DEEPEST:
        raise RecipeError(f"{path.name} is included through {len(above)} recipes.", hint="Include it directly.")
    try:
        content = tomllib.loads(_text_of(path) if text is None else text)
    except FileNotFoundError:
        raise RecipeError(
            f"There is no recipe {path}.", hint="`tacit inspect FILE --recipe NEW.toml` writes a start."
        ) from None
    except IsADirectoryError:
        raise RecipeError(f"{path} is a folder, not a recipe.") from None
    except UnicodeDecodeError:
        raise RecipeError(f"{path.name} is not text in UTF-8.", hint="A recipe is a TOML file.") from None
    except OSError as error:
        raise RecipeError(f"{path} cannot be read: {error.strerror}.") from None
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, error, text) from None
    except RecursionError:
        raise RecipeError(f"{path.name} is nested too deeply.", hint="A recipe has few levels.") from None
    except ValueError as error:  # a number that is too long, or a path with a NUL
        raise RecipeError(f"{shown(path)} cannot be read: {error}.") from None
    included = content.pop("include", [])
    if not isinstance(included, str | list):
        raise RecipeError(f"{path.name}, include: name a file or a list of files.")
    merged: dict[str, Any] = {}
    for name in [included] if isinstance(included, str) else included:
        merged = _overlay(merged, _merged(path.parent / str(name), (*above, here)))
    return _overlay(merged, content)


def _text_of(path: Path) -> str:
    """Read a file that can be a recipe: a device or a pipe may never end."""
    return regular_bytes(path, largest=_LARGEST).decode("utf-8")


def _not_toml(path: Path, error: tomllib.TOMLDecodeError, text: str | None = None) -> RecipeError:
    """Say what is wrong with a text that is not TOML: data, a name without quotes, or what the reader says."""
    if path.suffix.lower() not in {".toml", ""}:
        start = f"tacit inspect {path.name} --recipe {path.stem}.toml"
        return RecipeError(f"{path.name} is data, not a recipe.", hint=f"Make a recipe first: {start}")
    lines = (_text_of(path) if text is None else text).splitlines()
    place = re.search(r"at line (\d+)", str(error))
    line = lines[int(place[1]) - 1] if place and int(place[1]) <= len(lines) else ""
    value = line.partition("=")[2]
    bare = re.search(r"(?:^|[=\[,])\s*(?!true\b|false\b|inf\b|nan\b)([A-Za-z_][\w./-]*)", value)
    if bare is not None:
        name = bare[1]
        return RecipeError(
            f"{path.name}, line {place[1] if place else '?'}: {name} has no quotes.",
            hint=f'Put names in quotes: "{name}".',
        )
    return RecipeError(f"{path.name} is not TOML: {error}.")


def _overlay(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Put one recipe over another: sections are merged key by key, lists replaced."""
    merged = dict(below)
    for key, value in above.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = {**merged[key], **value} if both else value
    return merged


def _with(step: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for key, old in step.items():
        if isinstance(old, Mapping):
            changed[key] = _with(old, name, value)
        elif isinstance(old, list):
            changed[key] = [_with(part, name, value) if isinstance(part, Mapping) else part for part in old]
        else:
            changed[key] = value if key == name else old
    return changed


def _has(step: Mapping[str, Any], name: str) -> bool:
    parts = [part for old in step.values() for part in (old if isinstance(old, list) else [old])]
    return name in step or any(isinstance(part, Mapping) and _has(part, name) for part in parts)


def _explained(error: ValidationError, path: Path) -> RecipeError:
    first = error.errors()[0]
    types = ("literal[", "dict[", "list[")  # which member of a union was tried, not a place in the recipe
    loc = [str(part) for part in first["loc"] if part != "str" and not str(part).startswith(types)]
    place = path.name + (f", [{loc[0]}]" if len(loc) > 1 else "") + (f" {'.'.join(loc[1:])}" if len(loc) > 1 else "")
    if len(loc) == 1:
        place = f"{path.name}, [{loc[0]}]"
    if first["type"] == "missing":
        return RecipeError(f"{place} is missing.", hint=_what(loc))
    if first["type"] == "extra_forbidden":
        owner: Any = RecipeSections
        for part in loc[:-1]:
            owner = owner.model_fields[part].annotation
        known = getattr(owner, "model_fields", {})
        parent = f"{path.name}, [{'.'.join(loc[:-1])}]" if loc[:-1] else path.name
        return RecipeError(f"{parent}: there is no key {loc[-1]!r}.", hint=nearest(loc[-1], known, what="Keys"))
    return RecipeError(f"{place}: {complaint(first)}.", hint=f"Given: {as_written(first.get('input'))}.")


def _what(loc: list[str]) -> str | None:
    field = RecipeSections.model_fields.get(loc[0])
    return (
        "It says where the table comes from."
        if loc == ["table"]
        else f"It holds {field.description}."
        if field and field.description
        else None
    )
