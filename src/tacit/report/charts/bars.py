"""Bars: how much there is at each of some places, for one or several series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from tacit.report.charts.canvas import FONT, Canvas, shortened, text_width
from tacit.report.charts.chart import Chart
from tacit.report.charts.colours import BLUE, INK, LINE, PALETTE
from tacit.report.charts.legend import legend, legend_height
from tacit.report.charts.scale import as_count, by_powers, even

_BINS = 20
"""Bins of a histogram. More show finer detail in narrower bars. Chosen by hand."""

_WIDTH, _HEIGHT, _LONGEST = 520, 220, 110
"""Pixels: of the plane of bars, and of a label under it at most."""


def histogram(values: Any, weights: Any, title: str, unit: str) -> Chart:
    """Draw how weight is spread over values: whole numbers by themselves where they are few, else in twenty bins."""
    of = (values, weights, title, unit)
    return Chart(partial(_histogram, *of), partial(_histogram_words, *of))


def bars(
    rows: Sequence[Mapping[str, Any]],
    x: str,
    y: str,
    *,
    series: str,
    titles: tuple[str, str] = ("", ""),
    log: bool = False,
    order: Sequence[str] | None = None,
    colours: Sequence[str] = PALETTE,
) -> Chart:
    """Draw bars side by side at each x, one for each series.

    Parameters
    ----------
    rows
        One mapping per bar; one without a number has no bar.
    x, y, series
        Keys of a row: where, how much, whose.
    titles
        What stands at the two axes; the keys where empty.
    log
        Draw y on a logarithmic scale, on which nothing is drawn as nothing.
    order
        The series from first to last colour; as they come where None.
    colours
        Of the series.
    """
    named = (titles[0] or x, titles[1] or y)
    return Chart(
        partial(_bars, rows, x, y, series, named, log, order, colours), partial(_words, rows, x, y, series, named)
    )


def _words(rows: Sequence[Mapping[str, Any]], x: str, y: str, series: str, titles: tuple[str, str]) -> str:
    """Say every bar, series by series."""
    names = dict.fromkeys(str(row[series]) for row in rows)
    said = []
    for name in names:
        heights = [
            f"{row[x]}: {as_count(float(row[y]))}"
            for row in rows
            if str(row[series]) == name and row.get(y) is not None and row[y] and np.isfinite(float(row[y]))
        ]
        said.append((f"{name}: " if name else "") + ("; ".join(heights) or "nothing"))
    return f"{titles[1]} by {titles[0]}. " + ". ".join(said)


def _histogram(values: Any, weights: Any, title: str, unit: str) -> Canvas:
    return _bars(_binned(values, weights), "x", "y", "of", (title, unit), False, None, (BLUE,))


def _histogram_words(values: Any, weights: Any, title: str, unit: str) -> str:
    return _words(_binned(values, weights), "x", "y", "of", (title, unit))


def _binned(values: Any, weights: Any) -> list[dict[str, Any]]:
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
    return [{"x": label, "y": height, "of": ""} for label, height in zip(labels, heights, strict=True)]


def _bars(
    rows: Sequence[Mapping[str, Any]],
    x: str,
    y: str,
    series: str,
    titles: tuple[str, str],
    log: bool,
    order: Sequence[str] | None,
    colours: Sequence[str],
) -> Canvas:
    names = list(order or dict.fromkeys(str(row[series]) for row in rows))
    places = list(dict.fromkeys(str(row[x]) for row in rows))
    amounts = {(str(row[x]), str(row[series])): float(row[y]) for row in rows if row.get(y) is not None}
    finite = [amount for amount in amounts.values() if np.isfinite(amount)]
    scale = (by_powers if log else even)(max(finite, default=0.0), _HEIGHT)
    labels = [shortened(place, _LONGEST) for place in places]
    band = _WIDTH / max(1, len(places))
    turned = any(text_width(label) > band - 4 for label in labels)
    deep = (max(map(text_width, labels)) * 0.65 + FONT) if turned else 1.5 * FONT
    left = 2 * FONT + 10 + max(text_width(scale.label(tick)) for tick in scale.ticks)
    top = legend_height(names) + FONT
    canvas = Canvas(left + _WIDTH + FONT, top + _HEIGHT + deep + 2.5 * FONT)
    legend(canvas, left, names, colours)
    bottom = top + _HEIGHT
    for tick in scale.ticks:
        at = bottom - scale.place(tick)
        canvas.line([(left, at), (left + _WIDTH, at)], LINE)
        canvas.text(left - 6, at, scale.label(tick), anchor="end")
    each = band * 0.8 / max(1, len(names))
    for b, (place, label) in enumerate(zip(places, labels, strict=True)):
        middle = left + band * (b + 0.5)
        for s, name in enumerate(names):
            high = scale.place(amounts.get((place, name), 0.0))
            begin = middle - band * 0.4 + s * each
            canvas.rectangle(begin, bottom - high, each * 0.95, high, colours[s % len(colours)])
        if turned:
            canvas.text(middle + 3, bottom + FONT * 0.9, label, anchor="end", turned=-40)
        else:
            canvas.text(middle, bottom + FONT, label, anchor="middle")
    canvas.line([(left, bottom), (left + _WIDTH, bottom)], INK)
    canvas.text(left + _WIDTH / 2, bottom + deep + 1.2 * FONT, titles[0], anchor="middle", bold=True)
    canvas.text(FONT, top + _HEIGHT / 2, titles[1], anchor="middle", turned=-90, bold=True)
    return canvas
