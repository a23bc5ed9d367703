"""What can go wrong, said in one sentence that names the place, with a hint that names the way out."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from tacit.visible import shortened, shown, visible

__all__ = [
    "AuditFailed",
    "CompositionFailed",
    "HierarchyError",
    "Infeasible",
    "KnowledgeMissing",
    "LedgerConflict",
    "ParameterError",
    "RoleError",
    "SourceError",
    "TacitError",
    "shown",
]


class TacitError(Exception):
    """Root of everything this package raises on purpose.

    Characters that a terminal would obey are written visibly, and long text is cut, whatever the message was made of.

    Parameters
    ----------
    message
        One sentence: what was given, where, and what is wrong with it.
    hint
        The way out, if there is one.

    Examples
    --------
    >>> print(TacitError("There is no column 'agee'.", hint="Did you mean 'age'?"))
    There is no column 'agee'. Did you mean 'age'?
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = shortened(visible(message))
        self.hint = None if hint is None else shortened(visible(hint))
        super().__init__(self.message if self.hint is None else f"{self.message} {self.hint}")


class SourceError(TacitError):
    """Data that cannot be read, or a place that cannot be written."""


class RoleError(TacitError, ValueError):
    """Columns that do not exist, have two roles, or do not fit the role they were given."""

    @classmethod
    def missing_column(cls, name: object, columns: Iterable[str], *, place: str = "the table") -> RoleError:
        """Name a column that is not there, and the nearest one that is."""
        return cls(f"There is no column {name!r} in {place}.", hint=nearest(str(name), columns, what="Columns"))


class HierarchyError(TacitError, ValueError):
    """A hierarchy that is malformed, or lacks a value of the table."""


class ParameterError(TacitError, ValueError):
    """A parameter out of range, of the wrong type, or unknown."""


class KnowledgeMissing(ParameterError):
    """A parameter that is not published, and that its owner does not have at hand any more."""


class Infeasible(TacitError):
    """A guarantee that this table cannot be given; the hint names the nearest that it can."""


class AuditFailed(TacitError):
    """A claimed guarantee does not hold, or cannot be checked: nothing is written."""


class LedgerConflict(TacitError):
    """The memory of earlier releases contradicts what is asked."""


class CompositionFailed(AuditFailed, LedgerConflict):
    """A release that, read beside others, would leave somebody with less than one of them promised."""


_COMPARED = 200
"""How many characters of a name, and how many known names, are compared: the time grows with their product. Chosen by
hand; the names that people misspell are shorter."""


def nearest(name: str, known: Iterable[str], *, what: str) -> str:
    """Build a hint from the known names: the nearest one, and all of them where they are few.

    Examples
    --------
    >>> nearest("agee", ["age", "zip"], what="Columns")
    "Did you mean 'age'? Columns: age, zip."
    """
    names = list(known)
    close = get_close_matches(name[:_COMPARED], names[:_COMPARED], n=1)
    parts = [f"Did you mean {close[0]!r}?"] if close else []
    if names:
        shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
        parts.append(f"{what}: {shown}.")
    return " ".join(parts)
