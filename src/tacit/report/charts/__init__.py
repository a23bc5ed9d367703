"""Charts: pictures of a report, written as SVG by this package.

A chart is a value that knows how to draw itself; nothing is drawn before somebody looks at it. Text comes from data and
may hold anything: it is escaped, and what no XML file may hold is replaced.
"""

from tacit.report.charts.bars import bars, histogram
from tacit.report.charts.chart import Chart, alternative, save, svg
from tacit.report.charts.colours import BLUE, GREY, ORANGE
from tacit.report.charts.frontier import FrontierPoint, frontier
from tacit.report.charts.paired import paired

__all__ = [
    "BLUE",
    "GREY",
    "ORANGE",
    "Chart",
    "FrontierPoint",
    "alternative",
    "bars",
    "frontier",
    "histogram",
    "paired",
    "save",
    "svg",
]
