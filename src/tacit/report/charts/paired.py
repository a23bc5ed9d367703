"""Paired bars: how often each value is there before and after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tacit.report.charts.canvas import FONT, Canvas, shortened, text_width
from tacit.report.charts.chart import Chart
from tacit.report.charts.colours import BLUE, GREY, INK, LINE
from tacit.report.charts.legend import legend, legend_height
from tacit.report.charts.scale import even

_WIDTH, _BAND, _LONGEST = 460, 26, 200
"""Pixels: of the plane of bars, of a pair of them, and of a value's name at most."""

_MOMENTS, _COLOURS = ("before", "after"), (GREY, BLUE)


def paired(rows: Sequence[tuple[str, int, int]]) -> Chart:
    """Draw counts before and after, value by value."""
    return Chart(partial(_paired, rows), partial(_words, rows))


def _words(rows: Sequence[tuple[str, int, int]]) -> str:
    return "; ".join(f"{value}: {before:,} before, {after:,} after" for value, before, after in rows)


def _paired(rows: Sequence[tuple[str, int, int]]) -> Canvas:
    scale = even(max((max(before, after) for _, before, after in rows), default=0), _WIDTH)
    labels = [shortened(value, _LONGEST) for value, _, _ in rows]
    left = 10 + max(map(text_width, labels), default=0.0)
    top = legend_height(_MOMENTS) + FONT
    bottom = top + _BAND * max(1, len(rows))
    canvas = Canvas(left + _WIDTH + 3 * FONT, bottom + 4 * FONT)
    legend(canvas, left, _MOMENTS, _COLOURS)
    for tick in scale.ticks:
        at = left + scale.place(tick)
        canvas.line([(at, top), (at, bottom)], LINE)
        canvas.text(at, bottom + FONT, scale.label(tick), anchor="middle")
    for r, (label, (_, *counts)) in enumerate(zip(labels, rows, strict=True)):
        y = top + _BAND * r
        canvas.text(left - 6, y + _BAND / 2, label, anchor="end")
        for s, count in enumerate(counts):
            canvas.rectangle(left, y + 3 + s * 10, scale.place(count), 9.5, _COLOURS[s])
    canvas.line([(left, top), (left, bottom)], INK)
    canvas.text(left + _WIDTH / 2, bottom + 2.7 * FONT, "rows", anchor="middle", bold=True)
    return canvas
