"""Saving: the recipe as a file, where the user wants it."""

from __future__ import annotations

from dataclasses import replace as with_changes
from pathlib import PurePath

from tacit.errors import ParameterError, SourceError, TacitError
from tacit.studio.draft import Draft
from tacit.studio.elements import box, button, field, tick, words
from tacit.studio.folders import Folders, is_there
from tacit.studio.workspace import Workspace


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


class SaveForm:
    """Saves the recipe without publishing: a name beside the present file, so that paths in the recipe still hold."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.name, self.replace, self.said = workspace, "", False, ""

    def draw(self) -> None:
        """Ask for the name, and whether another file of that name goes."""
        draft = self.workspace.draft
        if draft is None:
            return
        with box("details"):
            words("Save the recipe as a file", "summary")
            field("Name of the recipe", draft.path.name, self._name, hint=f"in {draft.path.parent}")
            if is_there(draft.path):
                tick("Replace the file that is there", self.replace, self._replace)
            button("Save the recipe", self._save, "plain")
            words(self.said, "p", "quiet").props["role"] = "status"

    def _name(self, text: str) -> None:
        """Give the recipe another name beside its present file."""
        draft, name = self.workspace.draft, text.strip()
        if draft is None:
            return
        try:
            if not name or PurePath(name).name != name or "\0" in name:
                raise ParameterError(
                    f"{text!r} is not the name of a file.", hint="Paths in it hold in this folder only."
                )
            path = draft.path.with_name(name if name.endswith(".toml") else f"{name}.toml")
            self.replace, self.said = False, ""
            self.workspace.edit(with_changes(draft, path=path))
        except TacitError as problem:
            self._say(str(problem))

    def _replace(self, on: bool) -> None:
        self.replace = on

    def _save(self) -> None:
        draft = self.workspace.draft
        if draft is None:
            return
        try:
            save(draft, self.workspace.folders, replace=self.replace)
            self.replace = False
            self.workspace.settle()
            self._say(f"Saved to {draft.path}.")
        except TacitError as problem:
            self._say(str(problem))

    def _say(self, text: str) -> None:
        self.said = text
        self.workspace.changed("kept")
