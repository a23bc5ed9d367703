"""Parameters: frozen values whose limits stand beside them.

The same declarations feed the library, the recipe file and the command line, so nothing is checked twice.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo

from tacit.borders import first_line
from tacit.errors import ParameterError, nearest, shown
from tacit.strictness import complaint_of_kind, scalar_kinds

PRIVATE: dict[str, Any] = {"private": True}
"""`Field(json_schema_extra=PRIVATE)` marks a parameter that must not appear in a public file: a knowledge table, values
of the table."""

FILE: dict[str, Any] = {"file": True}
"""`Field(json_schema_extra=PRIVATE | FILE)` marks a parameter that may be given as the name of a file. A recipe
resolves such a name against its own folder."""

NOT_PUBLISHED = "not published"
"""What a public file holds in place of a private parameter that was given. The parameter cannot be made from it."""

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def kebab(name: str) -> str:
    """Turn a class name into its name in recipes and on the command line.

    Examples
    --------
    >>> kebab("KAnonymity"), kebab("SafeDSuppression"), kebab("QSDiversity"), kebab("ART")
    ('k-anonymity', 'safe-d-suppression', 'qs-diversity', 'art')
    """
    return "-".join(_WORDS.split(name)).lower()


class Parameters(BaseModel):
    """A frozen value with checked parameters; all but the first are given by keyword only."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    name: ClassVar[str] = "parameters"
    by_position: ClassVar[str | None] = None
    """The parameter that may be given by position; by default the first one that has no default, else the first."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = kebab(cls.__name__)

    def __init__(self, *first: Any, **given: Any) -> None:
        if first:
            given = {**_placed(type(self), first, given), **given}
        _check_kinds(type(self), given)
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise explain(error, type(self), given) from None
        except (TypeError, AttributeError, LookupError, ArithmeticError, RecursionError) as error:
            # A check of several parameters met a kind of value that it does not know.
            raise ParameterError(f"{self.name}: the parameters are not allowed: {first_line(error)}.") from None

    @model_validator(mode="before")
    @classmethod
    def _plain_numbers(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        for key, field in cls.model_fields.items():
            if _is_private(field) and isinstance(given.get(key), str) and given[key] == NOT_PUBLISHED:
                raise ValueError(f"{key} was not published; without it this is another {cls.name}")
        return {key: value.item() if isinstance(value, np.generic) else value for key, value in given.items()}

    @classmethod
    def examples(cls) -> Sequence[Parameters]:
        """Return instances with usual parameters, for `tacit.checks`; none for a base class."""
        return []

    @classmethod
    def file_parameters(cls) -> frozenset[str]:
        """Return the parameters that may name a file, as a recipe spells them."""
        return frozenset(f.alias or key for key, f in cls.model_fields.items() if _marked(f, "file"))

    def public(self) -> dict[str, Any]:
        """Return the parameters that may be published: scalars, and those of nested values."""
        shown: dict[str, Any] = {}
        for key, field in type(self).model_fields.items():
            if _is_private(field):
                continue
            value = _publishable(getattr(self, key))
            if value is not _HIDDEN:
                shown[key] = value
        return shown

    def private(self) -> dict[str, Any]:
        """Return the private parameters that differ from their defaults, as far as they can be written as JSON.

        Together with what `describe` returns (see `completed`) they are enough to make the value again.
        """
        kept: dict[str, Any] = {}
        for key, field in type(self).model_fields.items():
            value = getattr(self, key)
            if _is_private(field):
                plain = getattr(value, "plain", None)
                value = _HIDDEN if value is field.default else _publishable(plain() if callable(plain) else value)
            else:
                value = (isinstance(value, Parameters) and value.private()) or _HIDDEN
            if value is not _HIDDEN:
                kept[field.alias or key] = value
        return kept

    def describe(self) -> dict[str, Any]:
        """Return name and public parameters, as they stand in `release.json`.

        A private parameter that differs from its default is named, without its value: otherwise the remaining ones
        would be taken for all of them.
        """
        optional = {key: field for key, field in type(self).model_fields.items() if not field.is_required()}
        left_out = [key for key, f in optional.items() if _is_private(f) and getattr(self, key) is not f.default]
        return {"name": self.name, **self.public(), **dict.fromkeys(left_out, NOT_PUBLISHED)}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as scikit-learn asks for them; `deep` adds those of nested values.

        Examples
        --------
        >>> import tacit as tc
        >>> tc.Anatomy(3).get_params()["l"], tc.Mondrian([tc.KAnonymity(5)]).get_params()["guarantees__0__k"]
        (3, 5)
        """
        given = {field.alias or key: getattr(self, key) for key, field in type(self).model_fields.items()}
        if not deep:
            return given
        nested = {f"{key}__{rest}": part for key, value in given.items() for rest, part in _inner(value)}
        return {**given, **nested}

    def set_params(self, **changed: Any) -> Self:
        """Return the same value with some parameters changed. The value itself is frozen and stays as it is.

        Examples
        --------
        >>> import tacit as tc
        >>> tc.Mondrian([tc.KAnonymity(5)]).set_params(guarantees__0__k=10).guarantees
        (KAnonymity(k=10),)
        """
        known = self.get_params(deep=False)
        nested: dict[str, dict[str, Any]] = {}
        for name, value in changed.items():
            key, inside, rest = name.partition("__")
            if key not in known or (inside and not rest):
                raise ParameterError(
                    f"{self.name} has no parameter {name!r}.", hint=nearest(name, self.get_params(), what="Parameters")
                )
            if inside:
                nested.setdefault(key, {})[rest] = value
            else:
                known[key] = value
        for key, parts in nested.items():
            known[key] = _with_inner(self.name, key, known[key], parts)
        return type(self)(**known)

    def __sklearn_clone__(self) -> Self:
        """Return the value itself: it cannot change, so a copy would be the same."""
        return self

    def __str__(self) -> str:
        return _written(self.describe())


def _check_kinds(owner: type[Parameters], given: Mapping[str, Any]) -> None:
    """Refuse what pydantic would turn into another kind of value, and numbers that are not finite."""
    kinds = _kinds_of(owner)
    for key, value in given.items():
        wrong = complaint_of_kind(value, kinds.get(key, _ANY_KIND))
        if wrong is not None:
            raise ParameterError(f"{owner.name}: {key} = {shown(value)} is not allowed: {wrong}.")


@cache
def _kinds_of(owner: type[Parameters]) -> dict[str, frozenset[type]]:
    return {field.alias or key: scalar_kinds(field.annotation) for key, field in owner.model_fields.items()}


_ANY_KIND = frozenset({object})
P = TypeVar("P", bound=Parameters)


def _placed(owner: type[Parameters], first: tuple[Any, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Name the parameter that was given by position."""
    names = {field.alias or key: field for key, field in owner.model_fields.items()}
    by_default = next((key for key, field in names.items() if field.is_required()), next(iter(names), None))
    name = owner.by_position or by_default
    hint = f"Parameters: {', '.join(names)}." if names else None
    if name is None:
        raise ParameterError(f"{owner.name} has no parameters.")
    if len(first) > 1:
        raise ParameterError(
            f"{owner.name} takes one parameter by position, {name!r}; {len(first)} were given.",
            hint="Give the others by name. " + (hint or ""),
        )
    if name in given:
        raise ParameterError(f"{owner.name} is given {name!r} twice, by position and by name.", hint=hint)
    return {name: first[0]}


def _inner(value: Any) -> Iterator[tuple[str, Any]]:
    """Go through the parameters of a nested value, or of the values in a list, with their names."""
    if isinstance(value, Parameters):
        yield from value.get_params().items()
    elif isinstance(value, tuple | list):
        for index, part in enumerate(value):
            if isinstance(part, Parameters):
                yield str(index), part
                yield from ((f"{index}__{name}", inner) for name, inner in part.get_params().items())


def _with_inner(owner: str, key: str, value: Any, changed: Mapping[str, Any]) -> Any:
    """Change parameters of a nested value, or of the values in a list."""
    if isinstance(value, Parameters):
        return value.set_params(**changed)
    parts = list(value) if isinstance(value, tuple | list) else []
    for name, new in changed.items():
        index, inside, rest = name.partition("__")
        at = int(index) if index.isdigit() else len(parts)
        if at >= len(parts) or (inside and not isinstance(parts[at], Parameters)):
            raise ParameterError(f"{owner} has no parameter {f'{key}__{name}'!r}.")
        parts[at] = parts[at].set_params(**{rest: new}) if inside else new
    return tuple(parts)


def exported(room: ModuleType, family: type[P]) -> dict[str, type[P]]:
    """Return the classes of a family by name; the room's `__all__` is the registry.

    A class that leaves an abstract method open is a base for others, not a member.
    """
    classes = [value for value in (getattr(room, name) for name in room.__all__) if isinstance(value, type)]
    return {c.name: c for c in classes if issubclass(c, family) and not inspect.isabstract(c)}


def from_description(description: Mapping[str, Any], known: Mapping[str, type[P]], *, key: str, what: str) -> P:
    """Make a value from its name, which stands under `key`, and its parameters."""
    given = dict(description)
    name = given.pop(key, None)
    if name is None:
        raise ParameterError(f"A {what} needs a {key!r}.", hint=nearest("", known, what=f"{what.capitalize()}s"))
    if isinstance(name, str) and re.search(r"^(dp|epsilon)$|differential", name.lower()):
        raise ParameterError(
            f"There is no {what} {name!r}: this tool publishes true rows, and adds no noise.",
            hint="docs/limits.md says when to use differential privacy instead.",
        )
    if not isinstance(name, str) or name not in known:
        raise ParameterError(
            f"There is no {what} {name!r}.", hint=nearest(str(name), known, what=f"{what.capitalize()}s")
        )
    return known[name](**given)


def completed(public: Mapping[str, Any], private: Mapping[str, Any]) -> dict[str, Any]:
    """Lay private parameters over a public description, nested ones over nested ones.

    Examples
    --------
    >>> completed({"name": "a", "of": {"b": 1, "c": "not published"}}, {"of": {"c": [2]}})
    {'name': 'a', 'of': {'b': 1, 'c': [2]}}
    """
    whole = dict(public)
    for key, value in private.items():
        under = whole.get(key, NOT_PUBLISHED)
        if not isinstance(under, Mapping) and under != NOT_PUBLISHED:
            continue  # a published parameter is never replaced by a private one
        nested = isinstance(under, Mapping) and isinstance(value, Mapping)
        whole[key] = completed(under, value) if nested else value
    return whole


_HIDDEN = object()


def _is_private(field: FieldInfo) -> bool:
    return _marked(field, "private")


def _marked(field: FieldInfo, mark: str) -> bool:
    extra = field.json_schema_extra
    return isinstance(extra, dict) and bool(extra.get(mark))


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if not isinstance(value, dict) or "name" not in value:
        return str(value)
    parts = {key: part for key, part in value.items() if key != "name" and part is not None and part != NOT_PUBLISHED}
    inner = ", ".join(f"{key}={_written(part)}" for key, part in parts.items())
    return f"{value['name']}({inner})"


def _publishable(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Parameters):
        return value.describe()
    if isinstance(value, tuple | list):
        parts = [_publishable(part) for part in value]
        return _HIDDEN if any(part is _HIDDEN for part in parts) else parts
    if isinstance(value, dict):
        if any(not isinstance(key, str) for key in value):  # JSON would turn the key into text, which is another value
            return _HIDDEN
        entries = {key: _publishable(part) for key, part in value.items()}
        return _HIDDEN if any(part is _HIDDEN for part in entries.values()) else entries
    return _HIDDEN


def complaint(first: Mapping[str, Any]) -> str:
    """Write what pydantic says against a value as the second half of a sentence.

    Examples
    --------
    >>> complaint({"msg": "Input should be greater than 0."})
    'should be greater than 0'
    """
    message = str(first["msg"]).removeprefix("Value error, ").removeprefix("Input ").removesuffix(".")
    for word, plain in _PLAIN.items():
        message = message.replace(word, plain)
    return f"{message[:1].lower()}{message[1:]}"


_LONGEST = 80
"""How many characters of a wrong value a message shows: enough to recognise it, and still one line."""

_PLAIN = {
    "a valid tuple": "a list, such as [...]",
    "a valid list": "a list, such as [...]",
    "a valid dictionary": "names with values, such as { name = ... }",
    "a valid string": "text in quotes",
    "a valid boolean": "true or false",
}
"""What the checker of values says, and how it is said to people who write recipes."""


def explain(error: ValidationError, owner: type[BaseModel], given: Mapping[str, Any] | None = None) -> ParameterError:
    """Turn the first complaint of pydantic into one sentence that names the owner and its parameter."""
    name = owner.name if issubclass(owner, Parameters) else owner.__name__
    complaints = error.errors()
    # A misspelt parameter causes two complaints, an unknown one and a missing one: the message names the misspelt one.
    first = next((each for each in complaints if each["type"] == "extra_forbidden"), complaints[0])
    place = ".".join(str(part) for part in first["loc"]) or "parameters"
    if first["type"] == "extra_forbidden":
        return ParameterError(
            f"{name} has no parameter {place!r}.",
            hint=nearest(place, [f.alias or key for key, f in owner.model_fields.items()], what="Parameters"),
        )
    if first["type"] == "missing":
        return ParameterError(f"{name} needs the parameter {place!r}.", hint=_about(owner, place))
    whole = (given or {}).get(str(first["loc"][0])) if first["loc"] else None
    if whole is not None and not isinstance(whole, bool | int | float | str | list | tuple | dict):
        place, first = str(first["loc"][0]), {**first, "input": whole}  # a cell of a table is not repeated
    if first["type"] == "value_error" and isinstance(first.get("input"), dict | list | tuple):
        return ParameterError(f"{name}: {place}: {complaint(first)}.")  # the reason names the part that is wrong
    return ParameterError(f"{name}: {place} = {as_written(first.get('input'))} is not allowed: {complaint(first)}.")


def as_written(value: Any) -> str:
    """Write a wrong value as a recipe has it, cut where it is long.

    Examples
    --------
    >>> as_written({"name": "k-anonymity", "k": [5, True]})
    '{ name = "k-anonymity", k = [5, true] }'
    """
    if isinstance(value, Mapping):
        text = "{ " + ", ".join(f"{key} = {as_written(part)}" for key, part in value.items()) + " }"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(map(as_written, value)) + "]"
    elif isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = shown(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _about(owner: type[BaseModel], field: str) -> str | None:
    known = next((f for key, f in owner.model_fields.items() if field in {key, f.alias}), None)
    return None if known is None or not known.description else f"It is {known.description}."
