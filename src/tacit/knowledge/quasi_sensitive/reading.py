"""From whatever holds labels and items to a label table: a mapping, a data frame, or a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from tacit import sources
from tacit.borders import first_line
from tacit.errors import KnowledgeMissing, ParameterError, SourceError
from tacit.knowledge.quasi_sensitive.table import REFERENCE, LabelTable
from tacit.regular_files import regular_bytes

_SEPARATOR = ";"


def as_label_table(given: Any) -> LabelTable:
    """Make a label table.

    Parameters
    ----------
    given
        A mapping of labels to items; a data frame; or the path of a file: JSON (an object of lists, or a list of
        objects with `label` and `items`), csv, Parquet or Arrow. A frame's columns are `label` and `items`, or simply
        the first two: items are a list, or text separated by semicolons. A label may have several rows of one item
        each. Or what `LabelTable.plain` returns: then the file it names must still say the same.

    Examples
    --------
    >>> as_label_table({"flu": ["cough", "headache"], "cold": "cough; sneezing"})
    LabelTable: 2 labels, 3 items
    >>> as_label_table(pl.DataFrame({"disease": ["flu", "flu"], "symptom": ["cough", "headache"]}))
    LabelTable: 1 labels, 2 items
    """
    if isinstance(given, LabelTable):
        return given
    if isinstance(given, str | os.PathLike):
        return _from_file(Path(given))
    if isinstance(given, Mapping) and isinstance(given.get(REFERENCE), Mapping):
        return _referred(given[REFERENCE])
    if isinstance(given, Mapping) and not _columns(given):
        return LabelTable({_label(label, "the label table"): _items(items, label) for label, items in given.items()})
    return LabelTable(_sets_of_frame(sources.as_frame(given), "the label table"))


def supplied(given: Any, reference: Any) -> LabelTable:
    """Make the label table that somebody supplies for an earlier release; refuse one that says something else.

    Parameters
    ----------
    given
        As for `as_label_table`.
    reference
        What `LabelTable.plain` returned for the table that the release was made with; None if nothing was kept of it.
    """
    table = as_label_table(given)
    kept = reference.get(REFERENCE) if isinstance(reference, Mapping) else None
    if isinstance(kept, Mapping) and kept["sha256"] != table.digest:
        place = "The label table given" if table.path is None else str(table.path)
        raise SourceError(
            f"{place} is not the label table that the release was made with: its digest differs.",
            hint="Give that one, or make a claim of your own about this one.",
        )
    return table


def _referred(kept: Mapping[str, Any]) -> LabelTable:
    """Read a label table again from where it was; it must say the same."""
    if kept["path"] is None:
        raise KnowledgeMissing("the label table was not read from a file, so it must be supplied again")
    try:
        table = _from_file(Path(kept["path"]))
    except (SourceError, ParameterError):
        raise KnowledgeMissing(f"there is no label table at {kept['path']} any more, so it must be supplied") from None
    if table.digest != kept["sha256"]:
        raise KnowledgeMissing(
            f"{kept['path']} is not the label table that the release was made with any more (its digest differs), so "
            "that one must be supplied"
        )
    return table


def _columns(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds columns, as a frame would, rather than labels."""
    if {str(key).lower() for key in given} not in ({"label", "items"}, {"label", "item"}):
        return False
    return all(isinstance(column, list | tuple | pl.Series) for column in given.values())


def _from_file(path: Path) -> LabelTable:
    return LabelTable(_sets_of_file(path), path=path)


def _sets_of_file(path: Path) -> dict[str, list[str]]:
    if path.suffix.lower() != ".json":
        return _sets_of_frame(sources.read(str(path), text=()), path.name)
    try:
        content = json.loads(regular_bytes(path))
    except FileNotFoundError:
        raise SourceError(f"There is no file {path}.", hint="Give the path of a label table.") from None
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise SourceError(f"{path.name} cannot be read as JSON: {reason}.") from None
    if isinstance(content, dict):
        return {_label(label, path.name): _items(items, label) for label, items in content.items()}
    if not isinstance(content, list) or not all(
        isinstance(row, dict) and {"label", "items"} <= set(row) for row in content
    ):
        raise SourceError(
            f"{path.name} holds neither labels with their items nor a list of them.",
            hint='Write {"flu": ["cough", ...]} or [{"label": "flu", "items": ["cough", ...]}].',
        )
    return _unique(
        [(_label(row["label"], path.name), _items(row["items"], row["label"])) for row in content], path.name
    )


def _sets_of_frame(frame: pl.DataFrame, place: str) -> dict[str, list[str]]:
    if frame.width < 2:
        raise SourceError(f"{place} has {frame.width} column.", hint="It needs two: labels, and the items of each.")
    named = {name.strip().lower(): name for name in reversed(frame.columns)}
    label = named.get("label", frame.columns[0])
    item = named.get("items", named.get("item", next(name for name in frame.columns if name != label)))
    labels = [_label(value, f"{place}, row {row:,}") for row, value in enumerate(frame[label].to_list(), start=1)]
    cells = frame[item].to_list()
    rows = [(name, _items(cell, name)) for name, cell in zip(labels, cells, strict=True)]
    if (
        len(set(labels)) < len(labels)
        and not isinstance(frame[item].dtype, pl.List)
        and all(len(i) <= 1 for _, i in rows)
    ):
        gathered: dict[str, list[str]] = {}
        for name, items in rows:
            gathered.setdefault(name, []).extend(items)
        return gathered
    return _unique(rows, place)


def _unique(rows: list[tuple[str, list[str]]], place: str) -> dict[str, list[str]]:
    seen: dict[str, list[str]] = {}
    for label, items in rows:
        if label in seen:
            raise ParameterError(
                f"{place} has the label {label!r} twice, with a set of items each.",
                hint="Join the two sets, or give the two a name each.",
            )
        seen[label] = items
    return seen


def _label(value: Any, place: str) -> str:
    text = "" if value is None else str(value).strip()
    if not text:
        raise ParameterError(f"{place}: a label has no name.", hint="Name every label.")
    return text


def _items(cell: Any, label: Any) -> list[str]:
    if cell is None:
        return []
    if isinstance(cell, str):
        return cell.split(_SEPARATOR)
    if not isinstance(cell, Iterable) or isinstance(cell, Mapping):
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            return [str(cell)]
        raise ParameterError(f"The items of label {label!r} are {cell!r}.", hint="Give a list of items.")
    return [str(item) for item in cell if item is not None]
