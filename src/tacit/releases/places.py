"""Places: where the parts of a release lie, and that none of them is inside another.

A folder of releases is replaced as a whole, so what lies in it would go with the old release: a ledger would be lost,
and with it the memory of what was published. A private part inside the public folder would be handed out with it.
Links are followed first. Two names that differ only in capital letters, or in how accents are encoded, are taken for
one: on many file systems they are.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

from tacit.errors import ParameterError, SourceError, shown

SUFFIX = ".private"
"""What is added to the public folder's name where the private one is not named."""


def as_path(given: object, what: str) -> Path:
    """Take a path from a user, and refuse what cannot be one.

    Examples
    --------
    >>> as_path("", "The folder")
    Traceback (most recent call last):
    tacit.errors.ParameterError: The folder is '', which is not a path. Name a file or folder.
    """
    if not isinstance(given, str | os.PathLike) or isinstance(given, bytes):
        raise ParameterError(f"{what} is {shown(given)}, which is not a path.", hint="Name a file or folder.")
    text = os.fspath(given)
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise ParameterError(f"{what} is {shown(text)}, which is not a path.", hint="Name a file or folder.")
    return Path(text)


def places(folder: Path, private: Path | None) -> tuple[Path, Path]:
    """Return where the public folder and the private one really are: links are followed, and stay what they are."""
    public = resolved(folder)
    if not public.name:
        raise SourceError(f"{shown(folder)} cannot be a folder of releases.", hint="Name another folder.")
    hidden = public.with_name(public.name + SUFFIX) if private is None else resolved(private)
    if not hidden.name:
        raise SourceError(f"{shown(hidden)} cannot be a private folder.", hint="Name another folder.")
    check_apart({"the public folder": public, "the private folder": hidden})
    return public, hidden


def private_places(folder: Path, hidden: Path) -> list[Path]:
    """Return where the private part may be; the private parts of batches are together in a folder of their own."""
    return (
        [hidden, folder.parent.with_name(folder.parent.name + SUFFIX) / folder.name] if folder.parent.name else [hidden]
    )


def new_places(folder: Path, private: Path | None) -> tuple[Path, Path]:
    """Return where a release is to be written; the private part does not follow a link into somebody's public place."""
    public, hidden = places(folder, private)
    if is_within(Path.cwd(), public):
        raise SourceError(
            f"{shown(folder)} is the folder that you work in, or holds it.",
            hint="Name a folder inside it, such as out.",
        )
    if private is None and os.path.islink(folder):  # noqa: PTH114 - Path.is_symlink raises without permission
        raise SourceError(
            f"{shown(folder)} is a link to {shown(public)}, so the private part would go to {shown(hidden)}, beside "
            "what the link points to.",
            hint="Name the private folder (in a recipe: [output] private), or publish to a folder that is not a link.",
        )
    return public, hidden


def check_apart(named: Mapping[str, Path]) -> None:
    """Refuse places that are the same or inside one another.

    Parameters
    ----------
    named
        What to call each place in a sentence, and where it is.
    """
    found = [(what, resolved(path)) for what, path in named.items()]
    for (one, here), (other, there) in permutations(found, 2):
        if is_within(here, there):
            raise SourceError(
                f"{one[:1].upper()}{one[1:]} {shown(here)} must not be {other}, nor inside it ({shown(there)}).",
                hint="It would be replaced or handed out with it: name another place.",
            )


def is_within(inner: Path, outer: Path) -> bool:
    """Tell whether one resolved path is another one or in it, also where the system spells it otherwise."""
    folded = _folded(outer)
    known = _identity(outer)
    return any(
        _folded(each) == folded or (known is not None and _identity(each) == known) for each in (inner, *inner.parents)
    )


def resolved(path: Path) -> Path:
    """Follow links; a loop of links, or a name that no system takes, is refused."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"{shown(path)} cannot be used: {reason}.", hint="Name another place.") from None


def _folded(path: Path) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", str(path)).casefold())


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return about.st_dev, about.st_ino
