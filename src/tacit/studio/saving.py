"""Saving: the recipe as a file, where the user wants it."""

from __future__ import annotations

from tacit.errors import SourceError
from tacit.studio.draft import Draft
from tacit.studio.folders import Folders


def save(draft: Draft, folders: Folders, *, replace: bool = False) -> None:
    """Write the recipe to its file; one that is there already and differs is replaced only if somebody said so."""
    folders.allowed(draft.path.parent)
    text = draft.text
    try:
        if draft.path.exists() and draft.path.read_text(encoding="utf-8") == text:
            return
        with draft.path.open("w" if replace else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SourceError(
            f"There is another recipe {draft.path.name} already.", hint="Say that it is to be replaced."
        ) from None
    except (OSError, UnicodeError) as error:
        raise SourceError(f"{draft.path} cannot be written: {error}.") from None
