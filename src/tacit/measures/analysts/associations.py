"""Associations: correlations and regression coefficients of the table, and the same computed from the release.

Blurred cells are taken at the mean of what they may be. Intervals are at 95%, as if both had at most the rows of a
sample, so that they are about the same number of people. The overlap of two intervals is the mean share of either that
lies in the other (Karr, Kohnen, Oganian, Reiter and Sanil 2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from tacit.arrays import FloatGrid, Floats
from tacit.measures.analysts.feature_space import FeatureSpace, means, numbers_of
from tacit.measures.analysts.learned_models import SAMPLE
from tacit.measures.analysts.target import Target
from tacit.randomness import Randomness
from tacit.shapes import Shape, cover
from tacit.table import Table, as_text

_Z = 1.959963984540054
_COEFFICIENTS = 12
"""Coefficients of a regression that are listed, the largest of the table. Chosen by hand."""


@dataclass(frozen=True)
class Estimate:
    """A number and its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Association:
    """One number that an analyst would report, from the table and from the release."""

    kind: Literal["correlation", "coefficient"]
    name: str
    table: Estimate
    release: Estimate

    @property
    def overlap(self) -> float:
        """The mean share of either interval that lies in the other: 1 the same, 0 apart."""
        shared = min(self.table.high, self.release.high) - max(self.table.low, self.release.low)
        widths = [each.high - each.low for each in (self.table, self.release)]
        if shared <= 0 or min(widths) <= 0:
            return float(self.table == self.release)
        return float(np.mean([shared / width for width in widths]))


def associations(shape: Shape, table: Table, targets: list[str], *, seed: int = 0) -> list[Association]:
    """Compute the correlations of all numbers, and a linear regression of each target on the quasi-identifiers.

    A target of words is whether it is its most frequent value.
    """
    return [*_correlations(shape, table), *(each for name in targets for each in _regression(shape, table, name, seed))]


def _correlations(shape: Shape, table: Table) -> list[Association]:
    classes, known = shape.classes, list(shape.quasi_identifiers)
    rows = min(SAMPLE, len(table))
    told = rows * shape.rows / max(1, len(table))
    weights = classes.weights.astype(np.float64)
    seen: dict[str, Floats] = {}
    for name in known:
        numbers = numbers_of(table, name) if name in table.quasi_identifiers else None
        if numbers is not None:
            covers = cover(classes.labels[name], shape.column(name), table.codes(name).values)
            seen[name] = means(covers, numbers[:, None])[:, 0][classes.codes[:, known.index(name)]]
    found = []
    for a, b in combinations(seen, 2):
        before = _correlation(_exact(table, a), _exact(table, b), np.ones(len(table)), rows)
        after = _correlation(seen[a], seen[b], weights, told)
        found.append(Association("correlation", f"{a} and {b}", before, after))
    for secret in shape.sensitive:
        numbers = numbers_of(table, secret) if secret in table.sensitive else None
        if numbers is None or secret not in classes.spreads:
            continue
        spread = classes.spreads[secret]
        owner = np.repeat(np.arange(len(weights)), np.diff(spread.offsets))
        codes = table.codes(secret).positions(as_text(spread.dictionary))[spread.values]
        kept = codes >= 0
        for name, mids in seen.items():
            before = _correlation(_exact(table, name), _exact(table, secret), np.ones(len(table)), rows)
            after = _correlation(mids[owner[kept]], numbers[codes[kept]], spread.weights[kept], told)
            found.append(Association("correlation", f"{name} and {secret}", before, after))
    return found


def _exact(table: Table, name: str) -> Floats:
    numbers = numbers_of(table, name)
    assert numbers is not None  # noqa: S101 - only columns of numbers come here
    return np.asarray(numbers[table.codes(name).codes], dtype=np.float64)


def _correlation(x: Floats, y: Floats, weights: Floats, rows: float) -> Estimate:
    """Pearson's correlation and its interval by Fisher's z; without variation it is 0, and anything may be true."""
    if not len(x) or weights.sum() <= 0:
        return Estimate(0.0, -1.0, 1.0)
    dx, dy = x - np.average(x, weights=weights), y - np.average(y, weights=weights)
    scale = float(np.sqrt((weights * dx * dx).sum() * (weights * dy * dy).sum()))
    if scale <= 0 or rows <= 4:
        return Estimate(0.0, -1.0, 1.0)
    value = float(np.clip((weights * dx * dy).sum() / scale, -1.0, 1.0))
    z, half = np.arctanh(np.clip(value, -1 + 1e-12, 1 - 1e-12)), _Z / np.sqrt(rows - 3)
    return Estimate(value, float(np.tanh(z - half)), float(np.tanh(z + half)))


def _regression(shape: Shape, table: Table, name: str, seed: int) -> list[Association]:
    """Regress a target on the quasi-identifiers, by least squares."""
    part = _with(shape, name)
    if part is None:
        return []
    space = FeatureSpace.of(table, [each for each in table.quasi_identifiers if each != name])
    answers = _numbers(table, name)
    rows = np.sort(Randomness.make(seed).shuffle().permutation(len(table))[:SAMPLE]).astype(np.int64)
    before = _least_squares(space.exact(rows), answers[0][table.codes(name).codes[rows]], np.ones(len(rows)))
    classes = part.classes
    if name in classes.spreads:
        spread = classes.spreads[name]
        owner = np.repeat(np.arange(len(classes.weights)), np.diff(spread.offsets))
        codes = table.codes(name).positions(as_text(spread.dictionary))[spread.values]
        kept = codes >= 0
        owner, told, weights = owner[kept], answers[0][codes[kept]], spread.weights[kept]
    else:
        at = list(part.quasi_identifiers).index(name)
        covers = cover(classes.labels[name], part.column(name), table.codes(name).values)
        owner, weights = np.arange(len(classes.weights)), classes.weights.astype(np.float64)
        told = means(covers, answers[0][:, None])[:, 0][classes.codes[:, at]]
    after = _least_squares(space.published(part)[owner], told, weights * (len(rows) / max(1, len(table))))
    if before is None or after is None:
        return []
    order = np.argsort([-abs(each.value) for each in before], kind="stable")[:_COEFFICIENTS]
    what = f"{name}{answers[1]}"
    return [Association("coefficient", f"{what} by {space.names[at]}", before[at], after[at]) for at in map(int, order)]


def _with(shape: Shape, name: str) -> Shape | None:
    parts = [p for p in shape.parts.values() if name in p.classes.spreads or name in p.quasi_identifiers]
    return max(parts, key=lambda part: len(part.quasi_identifiers), default=None)


def _numbers(table: Table, name: str) -> tuple[Floats, str]:
    """Return the number to explain behind each code, and what it is in words."""
    numbers = numbers_of(table, name)
    if numbers is not None:
        return numbers, ""
    target = Target.of(table, name)
    return (target.of_code == 0).astype(np.float64), f" = {target.answers[0]}"


def _least_squares(features: FloatGrid, answers: Floats, weights: Floats) -> list[Estimate] | None:
    """Fit by weighted least squares; directions in which nothing varies get 0 and the widest interval."""
    rows, width = float(weights.sum()), features.shape[1]
    if rows <= width + 2 or not width:
        return None
    x = np.hstack([np.ones((len(features), 1)), features])
    gram = (x * weights[:, None]).T @ x
    inverse = np.linalg.pinv(gram, rcond=1e-10)
    fitted = inverse @ (x * weights[:, None]).T @ answers
    noise = float((weights * (answers - x @ fitted) ** 2).sum()) / (rows - width - 1)
    errors = np.sqrt(np.maximum(0.0, noise * np.diag(inverse)))
    values = zip(fitted[1:], errors[1:], strict=True)
    return [Estimate(float(b), float(b - _Z * e), float(b + _Z * e)) for b, e in values]
