"""The frontier: several ways to protect a table, by how private they are and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tacit.report.charts.canvas import FONT, Canvas, text_width
from tacit.report.charts.chart import Chart
from tacit.report.charts.colours import BLUE, GREY, INK, LINE
from tacit.report.charts.legend import legend, legend_height
from tacit.report.charts.scale import Scale, even

_WIDTH, _HEIGHT = 520, 360
"""Pixels of the plane of points."""

_NAMES, _COLOURS = ("frontier", "dominated"), (BLUE, GREY)
_TOP = 1.05
"""Where the axis of posteriors ends: a posterior of 1 is drawn whole."""


@dataclass(frozen=True)
class FrontierPoint:
    """One way to protect a table: how well somebody is linked at most, and what it costs; smaller is better in both.

    `dominated`: another way is at least as private and costs no more, and is better in one of the two.
    """

    label: str
    posterior: float
    cost: float
    dominated: bool = False


def frontier(choices: Sequence[FrontierPoint], cost: str, reader: str = "largest linkage posterior") -> Chart:
    """Draw privacy against utility: what a reader gets of each choice against what it costs.

    The best choices are at the lower left; a dominated choice is grey.

    Parameters
    ----------
    choices
        One point for each.
    cost
        What stands at the axis of the cost.
    reader
        What stands at the axis of what a reader gets.
    """
    return Chart(partial(_frontier, choices, cost, reader), partial(_words, choices, cost, reader))


def _words(choices: Sequence[FrontierPoint], cost: str, reader: str) -> str:
    """Say every point."""
    return "; ".join(
        f"{c.label}: {reader} {c.posterior:.4f}, {cost} {c.cost:.4g}{', dominated' if c.dominated else ''}"
        for c in choices
    )


def _frontier(choices: Sequence[FrontierPoint], cost: str, reader: str) -> Canvas:
    far = max([choice.cost for choice in choices], default=0.0) * 1.25 or 1.0  # room for the names
    across = Scale(tuple(tick for tick in even(far, _WIDTH).ticks if tick <= far), _WIDTH, far)
    up = Scale((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), _HEIGHT, _TOP)
    left, top = 5.0 * FONT, legend_height(_NAMES) + 3 * FONT
    bottom = top + _HEIGHT
    canvas = Canvas(left + _WIDTH + 2 * FONT, bottom + 4 * FONT)
    canvas.text(left + _WIDTH / 2, FONT, "Privacy against utility", anchor="middle", bold=True)
    legend(canvas, left, _NAMES, _COLOURS, top=1.5 * FONT)
    for tick in up.ticks:
        at = bottom - up.place(tick)
        canvas.line([(left, at), (left + _WIDTH, at)], LINE)
        canvas.text(left - 6, at, f"{tick:.1f}", anchor="end")
    for tick in across.ticks:
        at = left + across.place(tick)
        canvas.line([(at, top), (at, bottom)], LINE)
        canvas.text(at, bottom + FONT, f"{tick:.4g}", anchor="middle")
    dots = [(left + across.place(choice.cost), bottom - up.place(choice.posterior)) for choice in choices]
    best = sorted(dot for dot, choice in zip(dots, choices, strict=True) if not choice.dominated)
    canvas.line(best, BLUE, opacity=0.4)
    for (x, y), choice in zip(dots, choices, strict=True):
        canvas.dot(x, y, GREY if choice.dominated else BLUE)
    for (x, y), choice in zip(_label_places(dots, choices, left, top), choices, strict=True):
        canvas.text(x, y, choice.label)
    canvas.line([(left, top), (left, bottom), (left + _WIDTH, bottom)], INK)
    canvas.text(left + _WIDTH / 2, bottom + 2.7 * FONT, cost, anchor="middle", bold=True)
    canvas.text(FONT, top + _HEIGHT / 2, reader, anchor="middle", turned=-90, bold=True)
    return canvas


def _label_places(
    dots: Sequence[tuple[float, float]], choices: Sequence[FrontierPoint], left: float, top: float
) -> list[tuple[float, float]]:
    """Put a name beside each point where it covers no other name and no point, as far as there is room."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots]
    places = []
    for choice, (x, y) in zip(choices, dots, strict=True):
        wide = text_width(choice.label)
        boxes = [
            (begin, y + up - FONT / 2, begin + wide, y + up + FONT / 2)
            for up in (-9, 9, 0, -21, 21, -33, 33)
            for begin in (x + 9, x - 9 - wide)
            if begin >= left and top <= y + up <= top + _HEIGHT - FONT / 2
        ]
        best = min(boxes, key=lambda box: sum(_overlap(box, other) for other in taken), default=(x + 9, y, x, y))
        taken.append(best)
        places.append((best[0], (best[1] + best[3]) / 2))
    return places


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
