"""Charts of the papers' figures: Altair specifications rendered without a browser; one place for colours and axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import altair as alt

from tacit.errors import ParameterError, SourceError
from tacit.report.charts.colours import PALETTE


def lines(
    rows: Sequence[Mapping[str, Any]],
    x: str,
    y: str,
    *,
    series: str,
    title: str = "",
    titles: tuple[str, str] = ("", ""),
    log: bool = False,
    even: bool = False,
    percent: bool = False,
    order: Sequence[str] | None = None,
) -> Any:
    """Draw a line with marks for each series; rows without a value leave a gap.

    Parameters
    ----------
    rows
        One mapping per point.
    x, y, series
        Keys of a row: where, how much, whose.
    title
        What the picture shows.
    titles
        What stands at the two axes; the keys where empty.
    log
        Draw y on a logarithmic scale.
    even
        Put the values of x at even distances, each with its own label.
    percent
        Label y in percent.
    order
        The series from first to last colour; as they come where None.
    """
    names, points = _series(rows, x, y, series, order)
    colours = [PALETTE[at % len(PALETTE)] for at in range(len(names))]
    scale = alt.Scale(type="log") if log else alt.Scale(zero=True)
    chart: Any = _chart(points).mark_line(point={"size": 60})
    spread = alt.X("x:Q", title=titles[0] or x, scale=alt.Scale(zero=False, nice=True))
    spaced = alt.X("x:O", title=titles[0] or x, sort=None, axis=alt.Axis(labelAngle=0))
    return chart.encode(
        x=spaced if even else spread,
        y=alt.Y("y:Q", title=titles[1] or y, scale=scale, axis=_axis(percent)),
        color=alt.Color("of:N", title=None, scale=alt.Scale(domain=names, range=colours)),
        shape=alt.Shape("of:N", title=None, scale=alt.Scale(domain=names)),
    ).properties(width=420, height=280, title=title)


def bars(
    rows: Sequence[Mapping[str, Any]],
    x: str,
    y: str,
    *,
    series: str,
    title: str = "",
    titles: tuple[str, str] = ("", ""),
    log: bool = False,
    percent: bool = False,
    order: Sequence[str] | None = None,
    colours: Sequence[str] = PALETTE,
) -> Any:
    """Draw bars side by side at each x, one for each series; the parameters are those of `lines`.

    A logarithmic scale is even up to 1, so that nothing is drawn as nothing.
    """
    names, points = _series(rows, x, y, series, order)
    used = [colours[at % len(colours)] for at in range(len(names))]
    legend = alt.Legend(title=None) if len(names) > 1 else None
    chart: Any = _chart(points).mark_bar()
    return chart.encode(
        x=alt.X("x:N", title=titles[0] or x, sort=None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("of:N", sort=names),
        y=alt.Y("y:Q", title=titles[1] or y, **(_powers(points) if log else {"axis": _axis(percent)})),
        color=alt.Color("of:N", legend=legend, scale=alt.Scale(domain=names, range=used)),
    ).properties(width=420, height=280, title=title)


def _series(
    rows: Sequence[Mapping[str, Any]], x: str, y: str, series: str, order: Sequence[str] | None
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return whose lines there are, and their points."""
    names = list(order or dict.fromkeys(str(row[series]) for row in rows))
    return names, [{"x": row[x], "y": row[y], "of": str(row[series])} for row in rows if row.get(y) is not None]


def _powers(points: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Scale by powers of ten, with 0 at the bottom."""
    digits = len(str(int(max((point["y"] for point in points), default=1))))
    ticks = [0, *(10**power for power in range(digits + 1))]
    scale = alt.Scale(type="symlog", domain=[0, ticks[-1]], nice=False)
    return {"scale": scale, "axis": alt.Axis(values=ticks, format=",d")}


def _axis(percent: bool) -> Any:
    return alt.Axis(format="~%") if percent else alt.Axis()


def _chart(points: Sequence[Mapping[str, Any]]) -> Any:
    return alt.Chart(alt.InlineData(values=list(points)))


def svg(chart: Any) -> str:
    """Render a chart to SVG, to stand inside a page."""
    import vl_convert as vlc

    return str(vlc.vegalite_to_svg(_specification(chart)))


def _specification(chart: Any) -> str:
    """Write a chart as Vega-Lite; that its parts fit together is for the tests to see, checking each takes long."""
    return str(chart.to_json(validate=False))


def save(chart: Any, path: Path) -> None:
    """Render a chart to `.svg` or `.png`."""
    import vl_convert as vlc

    specification = _specification(chart)
    kind = path.suffix.lower()
    if kind not in {".svg", ".png"}:
        raise ParameterError(f"A picture cannot be written as {path.name}.", hint="Name it .svg or .png.")
    svg = kind == ".svg"
    content = vlc.vegalite_to_svg(specification).encode() if svg else vlc.vegalite_to_png(specification, scale=2)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None
