"""Phase one: groups of at least k rows with equal cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tacit.guarantees import KAnonymity
from tacit.methods.base import Job
from tacit.methods.mondrian import Attribute, Mondrian
from tacit.shapes import Blur
from tacit.table import Groups, Table


@dataclass(frozen=True, eq=False)
class Generalization:
    """Rows in groups of equal cells, and how the blurred quasi-identifiers are written."""

    groups: Groups
    blurs: Mapping[str, Blur]


def generalize(table: Table, k: int, job: Job) -> Generalization:
    """Blur the quasi-identifiers until every group has k rows; k = 1 leaves them as they are."""
    if k == 1:
        return Generalization(job.engine.groups(table), {})
    method = Mondrian(guarantees=[KAnonymity(k=k)])
    numbers = method.run(table, job).group
    assert isinstance(numbers, np.ndarray)  # noqa: S101 - Mondrian forms one grouping, and withholds nobody
    groups = Groups.of([numbers], [int(numbers.max(initial=0)) + 1])
    blurs = {}
    for name in table.quasi_identifiers:
        blur = Attribute.of(table.column(name), table.codes(name), method.recode).blur(groups)
        if blur is not None:
            blurs[name] = blur
    # Two groups with equal cells are one to an outsider.
    cells = [blurs[name].codes if name in blurs else table.codes(name).codes for name in table.quasi_identifiers]
    sizes = [
        len(blurs[name].labels) if name in blurs else table.codes(name).cardinality for name in table.quasi_identifiers
    ]
    return Generalization(Groups.of(cells, sizes, rows=len(table)), blurs)
