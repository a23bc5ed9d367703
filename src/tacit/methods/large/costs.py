"""What a large release cost: sums over the written files, piece by piece, that add up to the figures of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.measures import Utility
from tacit.measures.ncp import cell_losses, mean_loss
from tacit.shapes import Shape
from tacit.table import Layout


@dataclass(frozen=True)
class PieceCost:
    """What can be added up over pieces of whole groups.

    Attributes
    ----------
    lost
        Per part of the shape and quasi-identifier, what its published cells cost together: from 0 to 1 each.
    groups, squares
        How many groups there are, and the sum of their squared sizes.
    """

    lost: Mapping[str, Mapping[str, float]]
    groups: int
    squares: int

    @classmethod
    def of(cls, shape: Shape, layout: Layout) -> PieceCost:
        """Add up what the cells of a piece cost, against the values of the whole table."""
        lost: dict[str, dict[str, float]] = {}
        for place, part in shape.parts.items():
            classes = part.classes
            lost[place] = {}
            for j, name in enumerate(part.quasi_identifiers):
                each = cell_losses(classes.labels[name], part.column(name), layout.codes[name])
                lost[place][name] = float((each[classes.codes[:, j]] * classes.weights).sum())
        sizes = shape.statistics.sizes
        return cls(lost, int((sizes > 0).sum()), int(np.dot(sizes, sizes)))


def utility_of(told: Sequence[PieceCost | None], layout: Layout, rows: int, size: int) -> Utility | None:
    """Put the costs of all pieces together; None where there are none, or one could not be computed.

    Parameters
    ----------
    told
        What the pieces cost.
    layout
        The values of the table.
    rows, size
        How many rows are published, and how many the table has.
    """
    costs = [cost for cost in told if cost is not None]
    if not costs or len(costs) < len(told) or not size:
        return None
    withheld = size - rows
    by_column: dict[str, list[float]] = {}
    for place, columns in costs[0].lost.items():
        for name in columns:
            gone = withheld if layout.codes[name].cardinality > 1 else 0
            lost = sum(piece.lost[place][name] for piece in costs)
            by_column.setdefault(name, []).append((lost + gone) / size)
    losses = {name: float(np.mean(shares)) for name, shares in by_column.items()}
    groups = sum(piece.groups for piece in costs)
    return Utility(
        ncp=mean_loss(losses),
        ncp_by_column=losses,
        suppression_rate=withheld / size,
        cell_suppression_rate=0.0,  # no method that suppresses single cells runs outside memory
        discernibility=sum(piece.squares for piece in costs) + withheld * size,
        average_group_size=rows / groups if groups else 0.0,
    )
