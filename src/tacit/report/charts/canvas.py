"""Canvas: a plane in pixels that becomes an SVG file."""

from __future__ import annotations

import re
import unicodedata
from html import escape

from tacit.report.charts.colours import INK

FONT = 11
"""Height of letters in pixels."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 allows in no file, not even escaped: most control characters, half characters, and two more."""

_NARROW, _WIDE = 0.56, 1.0
"""Mean width of a letter, and of a letter of those scripts whose letters are squares, in heights of a letter. A browser
chooses the font: nobody can know the width exactly before."""


def clean(text: str) -> str:
    r"""Return a text as an SVG file can hold it: characters that no XML file may hold are replaced.

    Examples
    --------
    >>> clean("a<b\x00\ud800")
    'a&lt;b\ufffd\ufffd'
    """
    return escape(_FORBIDDEN.sub("\ufffd", text))


def text_width(text: str) -> float:
    """Estimate how many pixels a text takes."""
    return FONT * sum(_WIDE if unicodedata.east_asian_width(c) in "WF" else _NARROW for c in text)


def shortened(text: str, width: float) -> str:
    """Return what fits into so many pixels of a text, as one line."""
    line = " ".join(text[:200].split())
    while line and text_width(line) > width:
        line = line[:-2].rstrip("\u2026") + "\u2026" if len(line) > 2 else ""
    return line


class Canvas:
    """What is drawn, from back to front."""

    def __init__(self, width: float, height: float) -> None:
        self._size = (round(width), round(height))
        self._parts: list[str] = []

    def rectangle(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a filled rectangle; nothing if it has no area."""
        if width > 0 and height > 0:
            self._parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
            )

    def line(self, points: list[tuple[float, float]], colour: str, opacity: float = 1.0) -> None:
        """Draw a line from point to point."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        seen = "" if opacity == 1.0 else f' opacity="{opacity:g}"'
        self._parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}"{seen}/>')

    def dot(self, x: float, y: float, colour: str) -> None:
        """Draw a small disc."""
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>')

    def text(
        self, x: float, y: float, words: str, *, anchor: str = "start", turned: float = 0.0, bold: bool = False
    ) -> None:
        """Write a text; its place is its start, middle or end, at half the height of its letters."""
        turn = f' transform="rotate({turned:g} {x:.1f} {y:.1f})"' if turned else ""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y + FONT * 0.35:.1f}" text-anchor="{anchor}"{weight}{turn}>{clean(words)}</text>'
        )

    def svg(self, alternative: str = "") -> str:
        """Return the file; `alternative` is what is read out to whoever cannot see it."""
        width, height = self._size
        named = f' aria-label="{clean(alternative)}"' if alternative else ""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="system-ui, sans-serif" font-size="{FONT}" fill="{INK}" role="img"{named}>'
        )
        return "\n".join([head, *self._parts, "</svg>"])
