"""Batches: the tables of one recipe, and the folder that each is published to.

Different batches get different folders, also on a file system that takes capital letters for small ones. No folder's
name ends like that of a private part, and none is one that a system keeps for itself.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tacit.errors import RoleError, SourceError, shown
from tacit.recipes import Recipe
from tacit.regular_files import is_folder
from tacit.releases.places import SUFFIX
from tacit.table import Role, Table
from tacit.table.naming import naming

READABLE = (".csv", ".tsv", ".txt", ".csv.gz", ".parquet", ".pq", ".arrow", ".feather", ".ipc")

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}(?<!\.)")
_DIGEST = 12
"""Hexadecimal digits of the digest in a folder's name. With 12 of them, two of a million batches agree with a
probability below 1 in 500, and then nothing is published. Chosen by hand."""
_MARKED = re.compile(rf"-[0-9a-f]{{{_DIGEST}}}$")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def is_batched(recipe: Recipe) -> bool:
    """Tell whether a recipe publishes several tables, each in a folder of its own."""
    return recipe.sections.batches is not None or (recipe.source is not None and is_folder(recipe.source))


def tables(recipe: Recipe) -> list[tuple[str | None, str | None, Callable[[], Table]]]:
    """List the tables of a recipe: the batch, the name of its folder, and how to read it; None for a single table.

    Names are known before anything is computed, so that places can be checked first. Only batches of a column need the
    table to be read for that.
    """
    source, batches = recipe.source, recipe.sections.batches
    if source is not None and is_folder(source):
        files = tables_in(source)
        folders = folder_names([path.name for path in files])
        return [(path.name, own, partial(recipe.table, path)) for path, own in zip(files, folders, strict=True)]
    if batches is None:
        return [(None, None, recipe.table)]
    table = recipe.table()
    if batches.column not in {column.name for column in table.columns}:
        names = [column.name for column in table.columns]
        raise RoleError.missing_column(batches.column, names, place=f"{recipe.place} ([batches] column)")
    _refuse_names_of_folders(table, batches.column, recipe)
    parts = table.split(batches.column)
    labels = [str(value) for value in parts]
    named = zip(labels, folder_names(labels), parts.values(), strict=True)
    return [(label, own, partial(_read_before, rows)) for label, own, rows in named]


def _refuse_names_of_folders(table: Table, name: str, recipe: Recipe) -> None:
    """Refuse batches by what must not leave: the value of a batch becomes the name of its public folder."""
    place, role = f"{recipe.path.name}, [batches] column", table.column(name).role
    if role in {Role.IDENTIFIER, Role.PERSON, Role.SENSITIVE, Role.ITEMS}:
        raise RoleError(
            f"{place}: the values of {name!r} would be the names of public folders, and its role is {role}.",
            hint="Cut the table by another column, such as the day.",
        )
    what = naming(table.frame[name])
    if what is not None and name not in recipe.sections.roles.allow:
        raise RoleError(
            f"{place}: the values of {name!r} would be the names of public folders, and look like {what}.",
            hint=f"Cut the table by another column, or say under [roles] that it may leave: allow = [{name!r}].",
        )


def _read_before(table: Table) -> Table:
    return table


def tables_in(source: Path) -> list[Path]:
    """Return the tables of a folder, each of which is a batch."""
    files = sorted(path for path in source.iterdir() if path.name.lower().endswith(READABLE))
    if not files:
        raise SourceError(f"The folder {source} holds no table.", hint=f"Readable: {', '.join(READABLE)}.")
    return files


def folder_names(batches: Sequence[str]) -> list[str]:
    """Name the folders of all batches; a name that is not fit for a folder, or not the only one, gets a digest.

    Examples
    --------
    >>> folder_names(["2024-01", "a/b", "x.private", "Mo", "mo"])
    ['2024-01', 'a-b-c14cddc033f6', 'x.private-7da20f11446f', 'Mo-d23e867e38e8', 'mo-f4a4ce5fa634']
    """
    twice = next((batch for batch, count in Counter(batches).items() if count > 1), None)
    if twice is not None:
        raise SourceError(
            f"Two batches are both called {shown(twice)}.",
            hint="A missing value and the text 'None' are not told apart: rename one of them.",
        )
    lower = Counter(batch.casefold() for batch in batches)
    names = [batch if _is_plain(batch) and lower[batch.casefold()] == 1 else _marked(batch) for batch in batches]
    if len({name.casefold() for name in names}) < len(names):
        raise SourceError("Two batches would get folders of the same name.", hint="Rename one of the batches.")
    return names


def _is_plain(batch: str) -> bool:
    fit = _PLAIN.fullmatch(batch) is not None and _RESERVED.fullmatch(batch) is None
    return fit and not batch.casefold().endswith(SUFFIX) and _MARKED.search(batch.casefold()) is None


def _marked(batch: str) -> str:
    safe = re.sub(r"[^A-Za-z0-9_.-]", "-", batch[:60]).strip(".") or "batch"
    return f"{safe}-{hashlib.sha256(batch.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGEST]}"
