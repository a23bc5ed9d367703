"""Target: what a model predicts, with few enough answers to be learnt.

A column of many numbers becomes the question whether a number is above the median; of many words, the most frequent are
kept and the rest are one answer more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.arrays import Floats, Ints
from tacit.measures.analysts.feature_space import means, numbers_of
from tacit.shapes import Shape, cover
from tacit.table import Table, as_text

_ANSWERS = 10
"""Answers that a model tells apart. Trees are fitted once per answer, so more take longer. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class Target:
    """A column to predict.

    Attributes
    ----------
    name
        The column.
    question
        What is asked, in words.
    answers
        The possible answers.
    of_code
        The answer to each code of the table's column.
    """

    name: str
    question: str
    answers: tuple[str, ...]
    of_code: Ints

    @classmethod
    def of(cls, table: Table, name: str) -> Target:
        """Ask about a column of a table."""
        codes, counts = table.codes(name), table.counts(name)
        numbers = numbers_of(table, name)
        if numbers is not None and codes.cardinality > _ANSWERS:
            order = np.argsort(numbers, kind="stable")
            below = np.cumsum(counts[order]) * 2 <= counts.sum()
            median = float(numbers[order][np.minimum(below.sum(), len(order) - 1)])
            shown = codes.texts[int(order[min(int(below.sum()), len(order) - 1)])]
            of_code = (numbers > median).astype(np.int64)
            return cls(name, f"whether {name} is above {shown}, the median", ("not above", "above"), of_code)
        frequent = np.argsort(-counts, kind="stable")
        kept = frequent if codes.cardinality <= _ANSWERS else frequent[: _ANSWERS - 1]
        of_code = np.full(codes.cardinality, len(kept), dtype=np.int64)
        of_code[kept] = np.arange(len(kept))
        rest = () if len(kept) == codes.cardinality else ("another",)
        return cls(name, name, (*(str(codes.texts[int(at)]) for at in kept), *rest), of_code)

    def exact(self, table: Table, rows: Ints) -> Ints:
        """Return the answer for some rows of the table."""
        return np.asarray(self.of_code[table.codes(self.name).codes[rows]], dtype=np.int64)

    def published(self, table: Table, shape: Shape) -> tuple[Ints, Ints, Floats]:
        """Return what a published table says: class, answer, and how many rows are expected to have it."""
        classes = shape.classes
        if self.name in classes.spreads:
            spread = classes.spreads[self.name]
            owner = np.repeat(np.arange(len(classes.weights), dtype=np.int64), np.diff(spread.offsets))
            codes = table.codes(self.name).positions(as_text(spread.dictionary))[spread.values]
            known = codes >= 0
            return self._merged(owner[known], self.of_code[codes[known]], spread.weights[known])
        at = list(shape.quasi_identifiers).index(self.name)
        covers = cover(classes.labels[self.name], shape.column(self.name), table.codes(self.name).values)
        shares = means(covers, np.eye(len(self.answers))[self.of_code])
        expected = shares[classes.codes[:, at]] * classes.weights[:, None]
        owner, given = np.nonzero(expected)
        return owner.astype(np.int64), given.astype(np.int64), expected[owner, given]

    def _merged(self, owner: Ints, answer: Ints, weight: Floats) -> tuple[Ints, Ints, Floats]:
        """Add up the entries of one class with one answer."""
        keys, place = np.unique(owner * len(self.answers) + answer, return_inverse=True)
        total = np.bincount(place.ravel(), weights=weight, minlength=len(keys))
        return keys // len(self.answers), keys % len(self.answers), total.astype(np.float64)
