"""Charts: Altair specifications rendered to SVG without a browser; one place for colours and axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

from tacit.errors import ParameterError, SourceError

# Okabe and Ito's palette: told apart by people with any kind of colour vision; series differ in shape as well.
BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#999999"
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, SKY, GREY)
_BINS = 20
"""Bins of a histogram. More show finer detail in narrower bars. Chosen by hand."""
_WIDTH, _HEIGHT, _FONT = 520, 360, 11


@dataclass(frozen=True)
class FrontierPoint:
    """One way to protect a table: how well somebody is linked at most, and what it costs; smaller is better in both.

    `dominated`: another way is at least as private and costs no more, and is better in one of the two.
    """

    label: str
    posterior: float
    cost: float
    dominated: bool = False


def frontier(choices: Sequence[FrontierPoint], cost: str) -> Any:
    """Draw privacy against utility: the largest linkage posterior of each choice against what it costs.

    The best choices are at the lower left; a dominated choice is grey.

    Parameters
    ----------
    choices
        One point for each.
    cost
        What stands at the axis of the cost.
    """
    points: list[dict[str, Any]] = [
        {
            "choice": choice.label,
            "posterior": choice.posterior,
            "cost": choice.cost,
            "on": "dominated" if choice.dominated else "frontier",
        }
        for choice in choices
    ]
    far = max([p["cost"] for p in points], default=0.0) * 1.25 or 1.0  # room for the names
    for point, (left, top) in zip(points, _label_places(points, far), strict=True):
        point |= {"left": left, "top": top}
    across, up = alt.Scale(domain=[0, far], nice=False), alt.Scale(domain=[0, 1.05], nice=False)
    colour = alt.Color("on:N", title=None, scale=alt.Scale(domain=["frontier", "dominated"], range=[BLUE, GREY]))
    base: Any = (
        _chart(points)
        .mark_point()
        .encode(
            x=alt.X("cost:Q", title=cost, scale=across),
            y=alt.Y("posterior:Q", title="largest linkage posterior", scale=up),
        )
    )
    line = base.transform_filter("datum.on == 'frontier'").mark_line(color=BLUE, opacity=0.4)
    dots = base.mark_point(filled=True, size=80).encode(color=colour)
    names = base.mark_text(align="left", baseline="middle", fontSize=_FONT).encode(
        x=alt.X("left:Q", scale=across), y=alt.Y("top:Q", scale=up), text="choice:N"
    )
    return (line + dots + names).properties(width=_WIDTH, height=_HEIGHT, title="Privacy against utility")


def _label_places(points: Sequence[Mapping[str, Any]], far: float) -> list[tuple[float, float]]:
    """Put a name beside each point where it covers no other name and no point, as far as there is room."""
    dots = [(p["cost"] / far * _WIDTH, p["posterior"] / 1.05 * _HEIGHT) for p in points]
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots]
    places = []
    for point, (x, y) in zip(points, dots, strict=True):
        wide = 0.58 * _FONT * len(str(point["choice"]))
        boxes = [
            (left, y + up - _FONT / 2, left + wide, y + up + _FONT / 2)
            for up in (9, -9, 0, 21, -21, 33, -33)
            for left in (x + 9, x - 9 - wide)
            if left >= 0 and _FONT / 2 <= y + up <= _HEIGHT
        ]
        best = min(boxes, key=lambda box: sum(_overlap(box, other) for other in taken))
        taken.append(best)
        places.append((best[0] / _WIDTH * far, (best[1] + best[3]) / 2 / _HEIGHT * 1.05))
    return places


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def histogram(values: Any, weights: Any, title: str, unit: str) -> Any:
    """Draw how weight is spread over values: whole numbers by themselves where they are few, else in twenty bins."""
    numbers, mass = np.asarray(values), np.asarray(weights)
    distinct = np.unique(numbers)
    if len(distinct) <= _BINS:
        labels = [f"{v:g}" for v in distinct]
        heights = [int(mass[numbers == v].sum()) for v in distinct]
    else:
        edges = np.linspace(float(numbers.min()), float(numbers.max()), _BINS + 1)
        place = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, _BINS - 1)
        heights = np.bincount(place, weights=mass, minlength=_BINS).astype(int).tolist()
        labels = [f"{low:.3g}-{high:.3g}" for low, high in pairwise(edges)]
    rows = [{"x": label, "y": height} for label, height in zip(labels, heights, strict=True)]
    chart: Any = _chart(rows).mark_bar(color=BLUE)
    return chart.encode(
        x=alt.X("x:O", title=title, sort=None, axis=alt.Axis(labelAngle=-40)), y=alt.Y("y:Q", title=unit)
    ).properties(width=520, height=220)


def paired(rows: Sequence[tuple[str, int, int]]) -> Any:
    """Draw counts before and after, value by value."""
    points = [
        {"value": value, "when": when, "rows": count}
        for value, before, after in rows
        for when, count in (("before", before), ("after", after))
    ]
    chart: Any = _chart(points).mark_bar()
    colour = alt.Color("when:N", title=None, scale=alt.Scale(domain=["before", "after"], range=[GREY, BLUE]))
    return chart.encode(
        y=alt.Y("value:N", title=None, sort=None),
        yOffset=alt.YOffset("when:N", sort=["before", "after"]),
        x=alt.X("rows:Q", title="rows"),
        color=colour,
    ).properties(width=460, height=max(60, 26 * len(rows)))


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
