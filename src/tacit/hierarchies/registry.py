"""From what a user writes to a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import polars as pl

from tacit.errors import HierarchyError, nearest
from tacit.hierarchies.arx import TreeHierarchy
from tacit.hierarchies.base import Hierarchy
from tacit.hierarchies.calendar import Calendar
from tacit.hierarchies.flat import Flat
from tacit.hierarchies.intervals import Intervals
from tacit.hierarchies.labels import text
from tacit.hierarchies.prefix import Prefix
from tacit.regular_files import is_there

KINDS = ("interval", "prefix", "calendar", "flat", "tree")
BESIDE_INTERVAL = ("origin", "factor")
WORDS = ("flat", "calendar")
ALLOWED = (
    'Allowed are the path of an ARX csv file, "flat", "calendar", { interval = 5 } with origin and factor beside it, '
    '{ prefix = 5 }, { calendar = ["month", "year"] }, { flat = true }, { tree = a path or a mapping }, '
    "a data frame or a list of rows."
)


def make(spec: object) -> Hierarchy:
    """Make a hierarchy from its description in a recipe or in code.

    Parameters
    ----------
    spec
        A hierarchy (returned as it is), the path of an ARX csv file, the word ``flat`` or ``calendar``, a dict with one
        of the keys interval (beside it origin and factor), prefix, calendar, flat, tree, or the paths themselves as a
        data frame (leaf column first) or a list of rows.

    Examples
    --------
    >>> make({"interval": 5, "factor": 4})
    Intervals(width=5, origin=0, factor=4)
    >>> make("flat")
    Flat()
    >>> make({"prefx": 5})
    Traceback (most recent call last):
    ...
    tacit.errors.HierarchyError: There is no hierarchy 'prefx'. Did you mean 'prefix'? ...
    """
    if isinstance(spec, Hierarchy):
        return spec
    if isinstance(spec, (str, Path)):
        return _from_text(spec)
    if isinstance(spec, Mapping):
        return _from_mapping(spec)
    if isinstance(spec, pl.DataFrame) or hasattr(spec, "__arrow_c_stream__"):
        return _from_frame(spec)
    if isinstance(spec, Sequence) and not isinstance(spec, (bytes, bytearray)):
        return _from_rows(spec)
    raise HierarchyError(f"A hierarchy cannot be made from {spec!r}.", hint=ALLOWED)


def _from_text(spec: str | Path) -> Hierarchy:
    if spec == "flat":
        return Flat()
    if spec == "calendar":
        return Calendar()
    if isinstance(spec, str) and not is_there(Path(spec)):
        close = get_close_matches(spec, WORDS, n=1)
        way_out = f"Did you mean {close[0]!r}?" if close else "Check the path."
        raise HierarchyError(f"There is no hierarchy file {spec!r}.", hint=f"{way_out} {ALLOWED}")
    return TreeHierarchy.read(spec)


def _from_mapping(spec: Mapping[Any, Any]) -> Hierarchy:
    for key in spec:
        if key not in KINDS and key not in BESIDE_INTERVAL:
            meant = nearest(str(key), [*KINDS, *BESIDE_INTERVAL], what="Keys")
            raise HierarchyError(f"There is no hierarchy {key!r}.", hint=f"{meant} A list of values goes under tree.")
    kinds = [key for key in spec if key in KINDS]
    if len(kinds) != 1:
        raise HierarchyError(f"A hierarchy is of one kind, not of {len(kinds)}: {dict(spec)!r}.", hint=ALLOWED)
    kind, given = kinds[0], spec[kinds[0]]
    beside = {key: spec[key] for key in spec if key != kind}
    if beside and kind != "interval":
        raise HierarchyError(f"{', '.join(beside)} cannot stand beside {kind}.", hint="They belong to interval.")
    match kind:
        case "interval":
            return Intervals(width=given, **beside)
        case "prefix":
            return Prefix(length=given)
        case "calendar" if given is True:
            return Calendar()
        case "calendar" if isinstance(given, (list, tuple)):
            return Calendar(levels=tuple(given))
        case "flat" if given is True:
            return Flat()
        case "tree" if isinstance(given, Mapping):
            return TreeHierarchy.from_mapping(given)
        case "tree" if isinstance(given, (str, Path)):
            return TreeHierarchy.read(given)
        case "tree" if isinstance(given, (TreeHierarchy, pl.DataFrame, Sequence)):
            return make(given)
    raise HierarchyError(f"A hierarchy cannot be made from {kind} = {given!r}.", hint=ALLOWED)


def _from_frame(frame: Any) -> Hierarchy:
    table = frame if isinstance(frame, pl.DataFrame) else pl.DataFrame(frame)
    return TreeHierarchy(pl.DataFrame([text(labels) for labels in table.get_columns()]).rows())


def _from_rows(rows: Sequence[Any]) -> Hierarchy:
    for row in rows:
        if not isinstance(row, Sequence) or isinstance(row, (str, bytes)):
            raise HierarchyError(f"A row of a hierarchy is a list of cells, not {row!r}.", hint=ALLOWED)
    return TreeHierarchy(rows)
