"""Chart: a picture that has not been drawn yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import ParameterError, SourceError
from tacit.report.charts.canvas import Canvas


@dataclass(frozen=True, eq=False)
class Chart:
    """What to draw, and nothing drawn.

    Attributes
    ----------
    draw
        Draws it.
    words
        Says its figures in words, for whoever cannot see it; None where nobody has written them.
    """

    draw: Callable[[], Canvas]
    words: Callable[[], str] | None = None


def svg(chart: Chart, alternative: str = "") -> str:
    """Draw a chart as SVG, to stand inside a page or in a file; `alternative` is read out where it is not seen."""
    return chart.draw().svg(alternative)


_SAID = 700
"""Characters of an alternative text at most: whoever listens cannot skip, and the tables have every figure. Chosen by
hand."""


def alternative(chart: Chart, caption: str) -> str:
    """Say what a chart shows: its caption and its figures, as far as they can be listened to."""
    said = "" if chart.words is None else chart.words()
    whole = f"{caption}. {said}" if said else caption
    return whole if len(whole) <= _SAID else f"{whole[:_SAID].rsplit(' ', 1)[0]} ... and more."


def save(chart: Chart, path: Path) -> None:
    """Draw a chart into a file, `.svg` or `.png`."""
    kind = path.suffix.lower()
    if kind not in {".svg", ".png"}:
        raise ParameterError(f"A picture cannot be written as {path.name}.", hint="Name it .svg or .png.")
    content = svg(chart).encode()
    if kind == ".png":
        import vl_convert

        content = vl_convert.svg_to_png(content.decode(), scale=2)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None
