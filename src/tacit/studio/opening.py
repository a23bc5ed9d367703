"""Opening: from what somebody chose to the first recipe, with roles guessed."""

from __future__ import annotations

import os
from typing import Any

from tacit.errors import SourceError
from tacit.jobs.at_hand import TableLook
from tacit.studio.draft import Draft
from tacit.studio.folders import Folders
from tacit.table import Role


def source_of(draft: Draft, folders: Folders) -> tuple[Any, str | None]:
    """Return what is to be read: a file below the allowed folders, or a database by its URL and a query."""
    table = draft.section("table")
    if table.get("source") is not None:
        real = folders.allowed(draft.whole(str(table["source"])))
        if real.is_dir():
            raise SourceError(f"{real.name} is a folder.", hint="Open one of its files; [batches] takes the others.")
        return str(real), None
    variable = str(table.get("url_env"))
    if not os.environ.get(variable):
        raise SourceError(
            f"The environment variable {variable!r} is not set.",
            hint="Set it to the URL of the database, and start the studio again.",
        )
    return os.environ[variable], table.get("query")


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
