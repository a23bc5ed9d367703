"""Population risk: what it means for people that the table is a sample of a population.

Who is alone in a sample may have doubles in the population. Either the population is given, and people are counted; or
sampling weights are, and the numbers are estimated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from tacit.arrays import Floats, Ints
from tacit.calls import checked_call
from tacit.errors import ParameterError, RoleError
from tacit.measures.risk.linkage import THRESHOLDS, people_behind
from tacit.table import Table

_RECURSED = 200
"""Rows of a group up to which the individual risk is computed by its recursion; above, by quadrature, which is right to
six digits there. More steps take longer. Chosen by hand."""

_NODES = 64
"""Points of the quadrature: enough for six digits. Chosen by trial."""

_KS = (2, 3, 5, 11)
"""Usual values of k, of which is told how many rows have fewer people like them in the population."""


@dataclass(frozen=True, eq=False)
class PopulationRisk:
    """Risks of a sample, by all quasi-identifiers together.

    Attributes
    ----------
    basis
        Whether people were counted in a population, or estimated from sampling weights.
    rows, people
        Rows of the sample, and people of the population.
    k_map
        The fewest people of the population who share somebody's quasi-identifiers.
    k_map_below
        For usual values of k, how many rows have fewer than k people like them.
    presence
        The least and the largest probability that somebody of the population is in the table (delta-presence), as the
        table itself would tell; None from weights, which do not say who else there is.
    risk
        Per row, the probability that somebody of the population who has its quasi-identifiers is the one: one over
        the people like her, or its expectation under Benedetti and Franconi's model.
    above
        For usual thresholds, how many rows have a larger risk.
    """

    basis: Literal["population", "weights"]
    rows: int
    people: float
    k_map: float
    k_map_below: tuple[tuple[int, int], ...]
    presence: tuple[float, float] | None
    risk: Floats
    above: tuple[tuple[float, int], ...]

    @property
    def fraction(self) -> float:
        """The share of the population that the table is."""
        return min(1.0, self.rows / self.people)

    @property
    def largest(self) -> float:
        """The largest risk of a row."""
        return float(self.risk.max(initial=0.0))

    @property
    def expected(self) -> float:
        """How many rows somebody would match right who matches every row with a person like it."""
        return float(self.risk.sum())

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures take for granted."""
        if self.basis == "population":
            return (
                "People are counted in the population that was given, by all quasi-identifiers as they are in the "
                "table; somebody who writes a value otherwise, or is missing there, is not counted.",
                "Delta-presence takes every person with the same quasi-identifiers as equally likely to be in it.",
            )
        return (
            "Numbers of people are sums of sampling weights; the k of k-map is therefore an estimate.",
            "The individual risk takes the number of people like a row to follow a negative binomial distribution "
            "whose chance is the sampling fraction of the group (Benedetti and Franconi).",
            "Delta-presence is not assessed: weights do not tell who else is in the population.",
        )

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON; nothing about single rows."""
        return {
            "basis": self.basis,
            "rows": self.rows,
            "people": self.people,
            "fraction": self.fraction,
            "k_map": self.k_map,
            "k_map_below": {str(k): count for k, count in self.k_map_below},
            "presence": None if self.presence is None else list(self.presence),
            "largest": self.largest,
            "mean": self.expected / self.rows if self.rows else 0.0,
            "expected": self.expected,
            "above": {f"{at:g}": count for at, count in self.above},
            "assumptions": list(self.assumptions),
        }


@checked_call(ahead=True)
def population_risk(
    table: Table, *, population: pl.DataFrame | None = None, weights: str | None = None
) -> PopulationRisk:
    """Measure the risks of a table that is a sample.

    Parameters
    ----------
    table
        The sample.
    population
        The people that it was drawn from, with the same quasi-identifiers.
    weights
        A column of the table with the sampling weight of each row: how many people it stands for, 1 or more.

    Examples
    --------
    >>> table = Table({"age": [30, 30, 41], "w": [10, 10, 4]}, quasi_identifiers="age")
    >>> found = population_risk(table, weights="w")
    >>> found.k_map, [round(float(risk), 4) for risk in found.risk]
    (4.0, [0.0827, 0.0827, 0.4621])

    References
    ----------
    Benedetti, Franconi, "Statistical and technological solutions for controlled data dissemination", NTTS 1998.
    Sweeney, "k-anonymity", 2002 (k-map). Nergiz, Atzori, Clifton, "Hiding the presence of individuals from shared
    databases", SIGMOD 2007 (delta-presence).
    """
    if (population is None) == (weights is None):
        raise ParameterError(
            "Population risk needs either a population or sampling weights.",
            hint="Give population=... (a data frame of people) or weights=... (a column of the table).",
        )
    if not table.quasi_identifiers:
        raise RoleError("There is no quasi-identifier.", hint="Name the columns that outsiders may know.")
    groups = table.groups()
    sizes = groups.sizes()
    presence: tuple[float, float] | None = None
    if population is not None:
        people = people_behind(table, population).astype(np.float64)
        everybody = max(float(population.height), float(people.sum()))
        shares = sizes / people
        presence = (0.0 if everybody > people.sum() else float(shares.min()), float(shares.max()))
        risk = 1.0 / people
    else:
        people = np.asarray(
            np.bincount(groups.ids, weights=_weights(table, str(weights)), minlength=groups.count), dtype=np.float64
        )
        everybody = float(people.sum())
        risk = individual_risk(sizes, people)
    return PopulationRisk(
        "weights" if population is None else "population",
        len(table),
        everybody,
        float(people.min()),
        tuple((k, int(sizes[people < k].sum())) for k in _KS),
        presence,
        risk[groups.ids],
        tuple((t, int(sizes[risk > t].sum())) for t in THRESHOLDS),
    )


def _weights(table: Table, name: str) -> Floats:
    """Return the sampling weights of the rows; each row stands for itself at least."""
    if name not in table.frame.columns:
        raise RoleError.missing_column(name, table.frame.columns, place="the table")
    column = table.frame[name]
    if not column.dtype.is_numeric():
        raise RoleError(f"The sampling weights in {name!r} are not numbers.", hint="Name a column of numbers.")
    given = column.cast(pl.Float64)
    bad = given.is_null() | ~given.is_finite() | (given < 1)
    if bad.any():
        row = int(bad.arg_max() or 0)
        raise RoleError(
            f"The sampling weight in row {row + 1} of {name!r} is {column[row]!r}.",
            hint="A weight says how many people a row stands for: 1 or more.",
        )
    return given.to_numpy()


def individual_risk(rows: Ints, people: Floats) -> Floats:
    """Return the expected value of one over the people of a group, given its rows and the sum of their weights.

    With p = rows / people it is the integral of u^(rows-1) p / (p + (1-p) u) over u from 0 to 1, which is what
    Benedetti and Franconi write with a hypergeometric function. For one row it is p/(1-p) log(1/p).

    Examples
    --------
    >>> [round(float(r), 4) for r in individual_risk(np.array([1, 2, 1]), np.array([4.0, 20.0, 1.0]))]
    [0.4621, 0.0827, 1.0]
    """
    if not len(rows):
        return np.zeros(0)
    p = np.minimum(1.0, rows / people)
    risk = np.where(p >= 1.0, 1.0 / rows, 0.0)
    few, many = (p < 1.0) & (rows <= _RECURSED), (p < 1.0) & (rows > _RECURSED)
    for chosen, computed in ((few & (p <= 0.5), _upwards), (few & (p > 0.5), _downwards), (many, _quadrature)):
        if chosen.any():
            risk[chosen] = computed(rows[chosen], p[chosen])
    return np.clip(risk, np.minimum(1.0, 1.0 / people), 1.0 / rows)


def _upwards(rows: Ints, p: Floats) -> Floats:
    """Begin with one row: r(f + 1) = p/(1-p) (1/f - r(f)). Errors shrink where p is at most a half."""
    odds = p / (1.0 - p)
    value = -odds * np.log(p)
    risk = np.zeros(len(rows))
    for f in range(1, int(rows.max()) + 1):
        risk[rows == f] = value[rows == f]
        value = odds * (1.0 / f - value)
    return risk


def _downwards(rows: Ints, p: Floats) -> Floats:
    """Begin with many rows: r(f) = 1/f - (1-p)/p r(f + 1). Errors shrink where p is above a half."""
    odds = (1.0 - p) / p
    last = 2 * _RECURSED
    value = _quadrature(np.full(len(rows), last, dtype=np.int64), p)
    risk = np.zeros(len(rows))
    for f in range(last - 1, 0, -1):
        value = 1.0 / f - odds * value
        risk[rows == f] = value[rows == f]
    return risk


def _quadrature(rows: Ints, p: Floats) -> Floats:
    """Integrate over v = u^f, which is smooth for many rows."""
    nodes, shares = np.polynomial.legendre.leggauss(_NODES)
    v, shares = (nodes + 1.0) / 2.0, shares / 2.0
    total = np.zeros(len(rows))
    for at, share in zip(v.tolist(), shares.tolist(), strict=True):
        total += share * p / (p + (1.0 - p) * at ** (1.0 / rows))
    return np.asarray(total / rows, dtype=np.float64)
