"""Phase one: groups of at least k rows with equal cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tacit.guarantees import KAnonymity
from tacit.methods.linkage.mondrian import Mondrian
from tacit.shapes import Blur
from tacit.table import Groups, Table


@dataclass(frozen=True, eq=False)
class Generalization:
    """Rows in groups of equal cells, and how the blurred quasi-identifiers are written."""

    groups: Groups
    blurs: Mapping[str, Blur]


def generalize(table: Table, k: int) -> Generalization:
    """Blur the quasi-identifiers until every group has k rows; k = 1 leaves them as they are."""
    if k == 1:
        return Generalization(table.groups(), {})
    method = Mondrian(guarantees=[KAnonymity(k=k)])
    statistics = method.statistics(table)
    groups = method.plan(statistics)
    blurs, cells, sizes = {}, [], []
    for attribute in statistics.attributes:
        blur, codes = attribute.blur(groups), attribute.codes
        if blur is None:
            cells.append(codes.codes)
            sizes.append(codes.cardinality)
        else:
            blurs[attribute.column.name] = blur
            cells.append(blur.codes if blur.groups is None else blur.codes[blur.groups])
            sizes.append(len(blur.labels))
    # Two groups with equal cells are one to an outsider.
    return Generalization(Groups.of(cells, sizes, rows=len(table)), blurs)
