"""Kept drafts: recipes that were neither saved nor published yet, kept so that a studio that is stopped loses nothing.

Only the recipe is kept, never the table or a password. It lies in the user's own folder for state, for her eyes only,
and goes when the recipe is saved, published or discarded.
"""

from __future__ import annotations

import json
import os
import secrets
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tacit.studio.draft import Draft

_MOST = 20
"""Drafts that are kept, the newest ones. Chosen by hand: somebody works on a few tables at a time."""

_LARGEST = 4_000_000
"""Bytes of a draft that is read, at most; a recipe with the largest tree that can be edited has far fewer."""


def state_folder() -> Path:
    """Return the folder where a program keeps what should outlive it, as the system has it for this user."""
    given = os.environ.get("XDG_STATE_HOME")
    above = Path(given) if given and Path(given).is_absolute() else Path.home() / ".local" / "state"
    return above / "tacit" / "studio"


@dataclass(frozen=True)
class KeptDraft:
    """A draft as it was left: its name among those that are kept, the draft, and when it was last changed."""

    name: str
    draft: Draft
    at: datetime


@dataclass
class KeptDrafts:
    """The drafts of one folder.

    Attributes
    ----------
    folder
        Where they lie; it is made when the first one is kept.
    failure
        Why the last one could not be kept; None where it was.
    """

    folder: Path
    failure: str | None = None

    def keep(self, name: str, draft: Draft) -> None:
        """Write a draft, for the eyes of its owner only; another one of this name is replaced as a whole."""
        text = json.dumps({"path": str(draft.path), "recipe": draft.text})
        beside = self.folder / f".{name}.{secrets.token_hex(4)}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123
                file.write(text)
            beside.replace(self.folder / f"{name}.json")
            for old in self._files()[_MOST:]:
                old.unlink(missing_ok=True)
            self.failure = None
        except (OSError, ValueError) as error:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            self.failure = getattr(error, "strerror", None) or str(error)

    def forget(self, name: str) -> None:
        """Remove a draft, if it is there."""
        with suppress(OSError):
            (self.folder / f"{name}.json").unlink(missing_ok=True)

    def all(self) -> list[KeptDraft]:
        """Return every draft that can be read, the newest first."""
        found = []
        for path in self._files():
            try:
                changed = path.stat()
                if changed.st_size > _LARGEST:
                    continue
                content = json.loads(path.read_text(encoding="utf-8"))
                draft = Draft(Path(content["path"]), tomllib.loads(content["recipe"]))
            except (OSError, ValueError, KeyError, TypeError):  # nobody wrote it here, or it is damaged
                continue
            found.append(KeptDraft(path.stem, draft, datetime.fromtimestamp(changed.st_mtime).astimezone()))
        return found

    def _files(self) -> list[Path]:
        try:
            return sorted(self.folder.glob("[!.]*.json"), key=lambda path: -path.stat().st_mtime_ns)
        except OSError:
            return []
