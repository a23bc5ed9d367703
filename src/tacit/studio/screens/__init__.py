"""Screens: the seven steps from a table to a release, each a function that draws it."""

from collections.abc import Callable

from tacit.studio.screens.attack import attack
from tacit.studio.screens.blur import blur
from tacit.studio.screens.columns import columns
from tacit.studio.screens.publish import publish
from tacit.studio.screens.table import table
from tacit.studio.screens.threats import threats
from tacit.studio.screens.trying import trying
from tacit.studio.shell import Shell

SCREENS: dict[str, Callable[[Shell], None]] = {
    "/": table,
    "/columns": columns,
    "/threats": threats,
    "/blur": blur,
    "/try": trying,
    "/attack": attack,
    "/publish": publish,
}
"""Address to screen."""
