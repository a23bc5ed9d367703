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
    """

    draw: Callable[[], Canvas]


def svg(chart: Chart) -> str:
    """Draw a chart as SVG, to stand inside a page or in a file."""
    return chart.draw().svg()


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
