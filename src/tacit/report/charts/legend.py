"""Legends: which colour is whose."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.report.charts.canvas import FONT, Canvas, shortened, text_width

_LONGEST = 220
"""Pixels of a name at most."""


def legend_height(names: Sequence[str]) -> float:
    """Return how many pixels a legend takes: nothing where there is one series."""
    return 2.0 * FONT if len(names) > 1 else 0.0


def legend(canvas: Canvas, left: float, names: Sequence[str], colours: Sequence[str], top: float = 0.0) -> None:
    """Write the names of several series with their colours, from left to right."""
    if len(names) < 2:
        return
    x = left
    for at, name in enumerate(names):
        words = shortened(name, _LONGEST)
        canvas.rectangle(x, top + 0.5 * FONT, FONT, FONT, colours[at % len(colours)])
        canvas.text(x + 1.5 * FONT, top + FONT, words)
        x += 3 * FONT + text_width(words)
