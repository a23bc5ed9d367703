"""Folders: where the studio may open files, and nowhere else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import SourceError, shown

_MANY = 2_000
"""Entries of a folder that are listed at most: nobody reads more, and the page would grow slow. Chosen by hand."""


@dataclass(frozen=True)
class Entry:
    """A file or folder that can be chosen."""

    name: str
    path: Path
    is_folder: bool
    size: int = 0


@dataclass(frozen=True)
class Folders:
    """The folders below which files may be opened: home, the working folder, and those of the command line.

    A path is followed to its end first, so neither `..` nor a symbolic link leads out of them.

    Examples
    --------
    >>> Folders((Path("/srv/data"),)).allowed("/srv/data/../secret")
    Traceback (most recent call last):
    ...
    tacit.errors.SourceError: '/srv/data/../secret' is outside the folders that this studio may open. ...
    """

    roots: tuple[Path, ...]

    @classmethod
    def around(cls, *given: Path) -> Folders:
        """Take home, the working folder, and the folders of the paths that were given."""
        places = [Path.cwd(), Path.home(), *(path if path.is_dir() else path.parent for path in given)]
        return cls(tuple(dict.fromkeys(Path(os.path.realpath(place)) for place in places)))

    def allowed(self, path: str | Path) -> Path:
        """Return where a path really leads; one that leads out of the folders is refused."""
        text = os.fspath(path)
        if not text.strip() or "\0" in text:
            raise SourceError("This is not a path.", hint="Name a file.")
        try:
            real = Path(os.path.realpath(Path(text).expanduser()))
        except (RuntimeError, OSError, ValueError):
            raise SourceError(f"{shown(text)} is not a path that can be followed.") from None
        if not any(real.is_relative_to(root) for root in self.roots):
            raise SourceError(
                f"{shown(text)} is outside the folders that this studio may open.",
                hint=f"They are {', '.join(map(str, self.roots))}; name another one when you start `tacit studio`.",
            )
        return real

    def listed(self, folder: str | Path, endings: tuple[str, ...] = ()) -> list[Entry]:
        """List the folders and files of a folder, those that may be opened; hidden ones are left out."""
        real = self.allowed(folder)
        try:
            names = sorted((each.name for each in real.iterdir()), key=str.casefold)
        except OSError as error:
            raise SourceError(f"{shown(real)} cannot be listed: {error.strerror}.") from None
        entries = []
        for name in names:
            if name.startswith("."):
                continue
            try:
                path = self.allowed(real / name)
                about = path.stat()
            except (SourceError, OSError):
                continue
            is_folder = path.is_dir()
            if is_folder or not endings or name.lower().endswith(endings):
                entries.append(Entry(name, path, is_folder, about.st_size))
        return sorted(entries, key=lambda entry: not entry.is_folder)[:_MANY]


def is_there(path: Path) -> bool:
    """Whether something is at a path; a name that no file can have, or one that may not be looked at, is not there.

    Examples
    --------
    >>> is_there(Path("/")), is_there(Path("a" * 300))
    (True, False)
    """
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
