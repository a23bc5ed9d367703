"""Opening: from what somebody chose, a file, several, or a database, to the first recipe, with roles guessed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tacit.engines.parts import files_of
from tacit.errors import SourceError
from tacit.jobs.at_hand import TableLook
from tacit.jobs.batches import tables_in
from tacit.recipes import Recipe
from tacit.studio.draft import Draft
from tacit.studio.folders import Folders, is_there
from tacit.table import Role


def source_of(draft: Draft, folders: Folders) -> tuple[Any, str | None]:
    """Return what is to be read: a file below the allowed folders, several of them, or a database by URL and query.

    Of a folder, whose files are published one by one, the first is shown. A pattern names files that are one table.
    """
    table = draft.section("table")
    if table.get("source") is not None:
        whole = draft.whole(str(table["source"]))
        if is_pattern(whole):
            for path in files_of(whole):
                folders.allowed(path)
            return whole, None
        real = folders.allowed(whole)
        if real.is_dir():
            real = folders.allowed(tables_in(real)[0])
        return str(real), None
    variable = str(table.get("url_env"))
    if not os.environ.get(variable):
        raise SourceError(
            f"The environment variable {variable!r} is not set.",
            hint="Set it to the URL of the database, and start the studio again.",
        )
    return os.environ[variable], table.get("query")


def is_pattern(place: str) -> bool:
    """Tell whether a place names several files by a pattern.

    Examples
    --------
    >>> is_pattern("visits/*.parquet"), is_pattern("visits.parquet")
    (True, False)
    """
    return any(mark in place for mark in "*?[") and not is_there(Path(place))


def new_draft(place: str, folders: Folders) -> Draft:
    """Begin a recipe for a file, a folder of tables, or the files that a pattern names; a recipe is read."""
    if is_pattern(place):
        given = Path(place).expanduser()
        folder = folders.allowed(given.parent)
        files_of(str(folder / given.name))
        return _beside(folder, folders, given.name)
    real = folders.allowed(place)
    if not is_there(real):
        raise SourceError(f"There is no file {place}.", hint="Choose one from the list.")
    if real.suffix.lower() == ".toml":
        recipe = Recipe.read(real)
        return Draft(real, recipe.sections.model_dump(exclude_none=True, exclude_defaults=True))
    if real.is_dir():
        tables_in(real)
        return _beside(real, folders, "")
    return Draft(real.with_suffix(".toml"), {"table": {"source": real.name}})


def _beside(folder: Path, folders: Folders, names: str) -> Draft:
    """Begin a recipe for files of a folder: beside it, or inside where nothing may be written beside."""
    outside = any(folder.parent.is_relative_to(root) for root in folders.roots)
    home = folder.parent if outside else folder
    source = str(Path(folder.name if outside else ".") / names)
    return Draft(home / f"{folder.name or 'tables'}.toml", {"table": {"source": source}})


def first_draft(draft: Draft, look: TableLook) -> Draft:
    """Give every column the role that it seems to have, unless the recipe says roles already."""
    if draft.content.get("roles"):
        return draft
    for column in look.columns:
        draft = draft.with_role(column.name, column.role)
    incomplete = {c.name: "value" for c in look.columns if c.role is Role.SENSITIVE and c.nulls}
    if incomplete:
        draft = draft.with_key("roles", "missing", incomplete)
    if look.decimals:
        draft = draft.with_key("read", "round", dict(look.decimals))
    return draft.with_section("output", {"folder": f"{draft.path.stem}-published", "format": "csv"})
