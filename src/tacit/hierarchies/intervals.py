"""Numbers that blur into intervals, each level a few times wider than the one below."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.calls import checked_class
from tacit.errors import HierarchyError
from tacit.hierarchies.base import Hierarchy, column, few
from tacit.hierarchies.growth import Layer, grow
from tacit.hierarchies.labels import number, text
from tacit.hierarchies.tree import Tree

Index = npt.NDArray[np.int64]

WIDEST = 2**62  # so that numbers of intervals, and their differences, fit into 64 bits


@checked_class
@dataclass(frozen=True, kw_only=True)
class Intervals(Hierarchy):
    """Level 1 has intervals of ``width`` that begin at ``origin``, level 2 those of ``width * factor``, and so on.

    Levels are added until one interval holds all values. If values lie on both sides of the origin, no interval ever
    does, because the origin is an edge of every level; then levels are added until there is one interval on each side.
    Edges are exact decimals: 0.3 lies in ``[0.3, 0.4)`` for width 0.1, whatever 3 * 0.1 is in floating point. Intervals
    of whole numbers are named by their first and last number, ``[20, 24]``, others by their edges, ``[20, 25)``. These
    numbers are also the extent of an interval; the extent of the root is that of the level below it.

    Parameters
    ----------
    width
        Of the narrowest intervals, above 0, and at least 1 for columns of whole numbers.
    origin
        An edge of every level.
    factor
        How many intervals become one at the next level, a whole number of at least 2.

    Examples
    --------
    >>> tree = Intervals(width=5).bind(pl.Series("age", [21, 23, 38]))
    >>> [tree.names[node] for node in tree.levels[:, 0]]
    ['21', '[20, 24]', '[20, 29]', '[20, 39]', '*']
    """

    width: int | float | Decimal
    origin: int | float | Decimal = 0
    factor: int = 2

    def __post_init__(self) -> None:
        if _decimal(self.width, "width") <= 0:
            raise HierarchyError(f"An interval hierarchy has width {self.width}.", hint="Give a width above 0.")
        _decimal(self.origin, "origin")
        if isinstance(self.factor, bool) or not isinstance(self.factor, int) or self.factor < 2:
            raise HierarchyError(
                f"An interval hierarchy has factor {self.factor!r}.", hint="Give a whole number of at least 2."
            )

    def bind(self, values: pl.Series) -> Tree:
        """Build the tree; the column must hold finite numbers."""
        whole = values.dtype.is_integer()
        if not values.dtype.is_numeric():
            raise HierarchyError(
                f"{column(values)} has type {values.dtype}; an interval hierarchy needs numbers.",
                hint="Use a calendar hierarchy." if values.dtype.is_temporal() else "Read the column as numbers.",
            )
        if whole and self.width < 1:
            raise HierarchyError(
                f"{column(values)} holds whole numbers, and an interval of width {self.width} may hold none.",
                hint="Give a width of at least 1.",
            )
        # From here on edges are whole numbers of units: origin + i * width is exact.
        scale = values.dtype.scale if isinstance(values.dtype, pl.Decimal) else 0
        width, origin = _decimal(self.width, "width"), _decimal(self.origin, "origin")
        digits = max(_digits(width), _digits(origin), scale)
        unit = 10**digits
        step, start = int(Fraction(width) * unit), int(Fraction(origin) * unit)
        if values.dtype.is_float():
            index = self._index_of_floats(values, step, start, unit)
        else:
            exact = np.array(values.to_physical().to_list(), dtype=object) * (unit // 10**scale)
            index = self._checked(values, (exact - start) // step)

        layers = [Layer.of_leaves(text(values), number(values))]
        while len(index):
            present, codes = np.unique(index, return_inverse=True)
            edges = [(start + i * step, start + (i + 1) * step) for i in present.tolist()]
            layers.append(_layer(codes.astype(np.int64), edges, unit, digits, whole=whole))
            if len(present) == 1 or (present[0] >= -1 and present[-1] <= 0):
                break
            index, step = index // min(self.factor, WIDEST), step * self.factor
        return grow(layers, values)

    def _index_of_floats(self, values: pl.Series, step: int, start: int, unit: int) -> Index:
        """Find the number of each value's interval: the last one whose edge, rounded once, is not above the value."""
        unfit = values.filter(~values.is_finite())
        if len(unfit):
            raise HierarchyError(
                f"{column(values)} has values without a place in any interval: {few(unfit)}.",
                hint="Read them as missing, or withhold these rows.",
            )
        numbers = values.to_numpy()
        precision = np.finfo(numbers.dtype).nmant + 1
        widest = max((abs(Fraction(end)) for end in (values.min(), values.max()) if isinstance(end, float)), default=0)
        if max(widest * unit, abs(start)) >= step * 2**precision:
            raise self._too_narrow(values)
        index = np.floor(numbers.astype(np.float64) / (step / unit) - start / step).astype(np.int64)
        while True:
            present, codes = np.unique(index, return_inverse=True)
            lower = np.array([_real(start + i * step, unit) for i in present.tolist()]).astype(numbers.dtype)
            upper = np.array([_real(start + (i + 1) * step, unit) for i in present.tolist()]).astype(numbers.dtype)
            wrong = (numbers >= upper[codes]).astype(np.int64) - (numbers < lower[codes])
            if not wrong.any():
                return index
            index += wrong

    def _checked(self, values: pl.Series, index: npt.NDArray[np.object_]) -> Index:
        if len(index) and max(abs(index.min()), abs(index.max())) >= WIDEST:
            raise self._too_narrow(values)
        return index.astype(np.int64)

    def _too_narrow(self, values: pl.Series) -> HierarchyError:
        return HierarchyError(
            f"Intervals of width {self.width} from {self.origin} are too narrow for column {values.name!r}, "
            f"which reaches from {values.min()!s} to {values.max()!s}.",
            hint="Give a larger width.",
        )

    def spec(self) -> dict[str, object]:
        """Describe the hierarchy."""
        description: dict[str, object] = {"interval": _plain(self.width)}
        if self.origin != 0:
            description["origin"] = _plain(self.origin)
        if self.factor != 2:
            description["factor"] = self.factor
        return description


def _layer(codes: Index, edges: list[tuple[int, int]], unit: int, digits: int, *, whole: bool) -> Layer:
    """Name intervals by their edges, which are given in units of 1 / unit."""
    if whole:
        ends = [(-(-low // unit), -(-high // unit) - 1) for low, high in edges]
        names = [f"[{first}, {last}]" for first, last in ends]
    else:
        ends = edges
        names = [f"[{_shown(low, digits)}, {_shown(high, digits)})" for low, high in edges]
    divisor = 1 if whole else unit
    low, high = np.array([[_real(end, divisor) for end in pair] for pair in ends]).T.copy()
    return Layer(codes, names, low, high)


def _decimal(given: object, what: str) -> Decimal:
    """Read a parameter as the decimal that the user wrote: 0.1 is a tenth."""
    try:
        number = Decimal(str(given)) if not isinstance(given, (bool, str)) else Decimal("nan")
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise HierarchyError(f"An interval hierarchy has {what} {given!r}.", hint="Give a finite decimal number.")
    return number


def _digits(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _shown(scaled: int, digits: int) -> str:
    """Write scaled / 10**digits without an exponent and without trailing zeros."""
    whole, rest = divmod(abs(scaled), 10**digits)
    fraction = f"{rest:0{digits}d}".rstrip("0") if rest else ""
    return f"{'-' if scaled < 0 else ''}{whole}{'.' if fraction else ''}{fraction}"


def _real(numerator: int, denominator: int) -> float:
    """Divide and round once; a result that is too large for a float is infinite."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.copysign(math.inf, numerator)


def _plain(value: float | Decimal) -> int | float:
    return int(value) if value == int(value) else float(value)
