"""Utility: what a release cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tacit import markup
from tacit.calls import checked_call
from tacit.errors import RoleError
from tacit.guarantees import Evidence
from tacit.knowledge.quasi_sensitive import published_sets, removal_cost
from tacit.measures.ncp import column_losses, losses_of_people, mean_loss
from tacit.shapes import Published, Shape
from tacit.shapes.published import expect_release, expect_table
from tacit.table import PeopleCounts, Table
from tacit.table.groups import Unit


@dataclass(frozen=True)
class Utility:
    """The cost of a release, against the table it was made from.

    Attributes
    ----------
    ncp
        Normalized certainty penalty over quasi-identifiers and rows, 0 (nothing lost) to 1.
    ncp_by_column
        The same for each quasi-identifier.
    suppression_rate
        Share of the rows that are not published.
    cell_suppression_rate
        Share of the published cells that are suppressed.
    discernibility
        Sum of squared group sizes, plus the table's size for every row not published (Bayardo and Agrawal 2005).
    average_group_size
        People per published group, or rows where nothing tells whose they are; 0 when nothing is published.
    unit
        What the figures count: "people" where it is known who they are, and then everybody counts once in them, however
        many rows she has; else "rows".
    item_cost
        What removed items cost, 0 to 1: the first item taken from a row of w costs 1/w, the next 1/(w - 1), and so on,
        over the cost of all items. Items of withheld rows are removed. None where no items are published.
    """

    ncp: float
    ncp_by_column: dict[str, float]
    suppression_rate: float
    cell_suppression_rate: float
    discernibility: int
    average_group_size: float
    item_cost: float | None = None
    unit: Unit = "rows"

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return asdict(self)

    def __repr__(self) -> str:
        return (
            f"Utility: NCP {self.ncp:.4f}, {self.suppression_rate:.2%} of the {self.unit} withheld, "
            f"average group {self.average_group_size:,.1f} {self.unit}"
            + ("" if self.item_cost is None else f", items removed at a cost of {self.item_cost:.4f}")
        )

    def rows(self) -> list[tuple[str, str]]:
        """Name every figure and write it, for people."""
        items = [] if self.item_cost is None else [("items removed, cost", f"{self.item_cost:.4f}")]
        return [
            ("information lost (NCP)", f"{self.ncp:.4f}"),
            *((f"NCP of {name}", f"{value:.4f}") for name, value in self.ncp_by_column.items()),
            (f"{self.unit} withheld", f"{self.suppression_rate:.2%}"),
            ("cells suppressed", f"{self.cell_suppression_rate:.2%}"),
            *items,
            ("average group", f"{self.average_group_size:,.1f} {self.unit}"),
            ("discernibility", f"{self.discernibility:,}"),
        ]

    def _repr_html_(self) -> str:
        return markup.grid(("measure", "value"), self.rows())


@checked_call()
def utility(release: Published, table: Table) -> Utility:
    """Measure what a release cost.

    Parameters
    ----------
    release
        What is published.
    table
        What it was made from.
    """
    expect_release("utility", release)
    expect_table("utility", table)
    shape = release.shape
    if shape.rows > len(table):
        raise RoleError(
            f"The release has {shape.rows:,} rows, the table {len(table):,}.", hint="Give the table it was made from."
        )
    counted = _people(release, table)
    sizes = shape.statistics.sizes if counted is None else counted.sizes
    sizes = sizes[sizes > 0]
    everybody = len(table) if counted is None else table.units
    withheld = len(table) - shape.rows if counted is None else everybody - int(sizes.sum())
    marked = [column.name for column in shape.columns if column.suppressed]
    blank = sum(int(frame[name].null_count()) for frame in shape.frames().values() for name in marked if name in frame)
    cells = shape.rows * len(shape.columns)
    losses = column_losses(shape, table) if counted is None else losses_of_people(shape, table, counted)
    return Utility(
        ncp=mean_loss(losses),
        ncp_by_column=losses,
        suppression_rate=withheld / everybody,
        cell_suppression_rate=blank / cells if cells else 0.0,
        discernibility=int(np.dot(sizes, sizes)) + withheld * everybody,
        average_group_size=float(sizes.mean()) if len(sizes) else 0.0,
        item_cost=_item_cost(shape, table),
        unit="people" if counted is not None else release.unit,
    )


def _people(release: Published, table: Table) -> PeopleCounts | None:
    """Count the people of the published groups, where somebody has several rows and all groups are whole."""
    if table.people is None or not release.shape.flat:
        return None
    counted = Evidence(release, table).groups.people
    return None if counted is None or counted.torn.any() else counted


def _item_cost(shape: Shape, table: Table) -> float | None:
    """Compare the sizes of the sets; where several tables publish the same attribute, the fullest counts."""
    costs = []
    for name in shape.items:
        if name in table.items:
            before = np.diff(table.item_sets(name).offsets)
            seen = [np.diff(part.sets.offsets) for part in published_sets(shape, name)]
            costs.append(min(removal_cost(before, after) for after in seen))
    return float(np.mean(costs)) if costs else None
