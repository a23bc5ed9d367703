"""Shapes: what outsiders see.

A release has one of a few shapes: Microdata (values or suppressed cells), Generalized (blurred quasi-identifiers),
Bucketized (people and values in separate tables, joined by a group number), Marginals (several of these). A shape holds
the public frames and nothing else; whatever is said of it (group statistics, classes of rows that cannot be told apart)
is counted from the frames, so the audit cannot peek into the method that made them.
"""

from tacit.shapes.base import Classes, ExpectedCounts, FlatShape, FrameReader, Shape
from tacit.shapes.bucketized import Bucketized
from tacit.shapes.cell_cover import MISSING, Cover, cover
from tacit.shapes.cells import ANYTHING, Extents, among, extents, interval, members, quote, unquote
from tacit.shapes.columns import PublishedColumn, visible
from tacit.shapes.generalized import Blur, Generalized
from tacit.shapes.marginals import ExtraRows, Marginal, Marginals
from tacit.shapes.microdata import Microdata
from tacit.shapes.published import (
    EVERY_STEP,
    Claim,
    Counterfeits,
    Inside,
    Judged,
    Persons,
    Published,
    Register,
    Withheld,
)
from tacit.shapes.registry import shape_classes
from tacit.shapes.remarks import Remark

__all__ = [
    "ANYTHING",
    "EVERY_STEP",
    "MISSING",
    "Blur",
    "Bucketized",
    "Claim",
    "Classes",
    "Counterfeits",
    "Cover",
    "ExpectedCounts",
    "Extents",
    "ExtraRows",
    "FlatShape",
    "FrameReader",
    "Generalized",
    "Inside",
    "Judged",
    "Marginal",
    "Marginals",
    "Microdata",
    "Persons",
    "Published",
    "PublishedColumn",
    "Register",
    "Remark",
    "Shape",
    "Withheld",
    "among",
    "cover",
    "extents",
    "interval",
    "members",
    "quote",
    "shape_classes",
    "unquote",
    "visible",
]
