"""Priors: what is believed of everybody before anything is published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from tacit.arrays import Floats
from tacit.errors import ParameterError
from tacit.knowledge.quasi_sensitive.belief import ExactBelief
from tacit.knowledge.quasi_sensitive.linking import Linking
from tacit.knowledge.quasi_sensitive.table import LabelTable

PriorName = Literal["data", "uniform", "size"]


@dataclass(frozen=True, eq=False)
class Prior:
    """A probability per label; exact fractions are computed only where a belief is too near to a bound."""

    values: Floats
    exactly: Callable[[], ExactBelief]

    @cached_property
    def exact(self) -> ExactBelief:
        """The same, in fractions."""
        return self.exactly()


def prior_from(belief: ExactBelief) -> Prior:
    """Make a prior of what is believed of a whole table, where that was computed elsewhere.

    Examples
    --------
    >>> prior_from(ExactBelief((1, 3), 4)).values.tolist()
    [0.25, 0.75]
    """
    return Prior(belief.floats(), lambda: belief)


def prior_of(name: PriorName, labels: LabelTable, table: Linking | None = None) -> Prior:
    """Make a prior.

    Parameters
    ----------
    name
        "data": the belief over a whole table; "uniform"; "size": proportional to the number of items of a label.
    labels
        The label table.
    table
        The rows behind "data": the whole original table, as one group.

    Examples
    --------
    >>> prior_of("size", LabelTable({"flu": ["cough", "headache", "fever"], "cold": ["cough"]})).values.tolist()
    [0.75, 0.25]
    """
    if name == "data":
        if table is None:
            raise ParameterError("The prior 'data' needs the table.", hint="Say uniform or size.")
        return Prior(table.probabilities(0), lambda: table.belief(0))
    if name == "size" and not int(labels.sizes.sum()):
        raise ParameterError("The prior 'size' needs a label with an item.", hint="Say uniform.")
    parts = labels.sizes if name == "size" else np.ones(len(labels), dtype=np.int64)
    belief = ExactBelief(tuple(int(part) for part in parts), int(parts.sum()))
    return Prior(belief.floats(), lambda: belief)
