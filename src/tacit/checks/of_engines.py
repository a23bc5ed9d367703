"""What every engine must satisfy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tacit.checks import tables
from tacit.engines import Engine


def check_groups_are_equal_rows(engine: Engine) -> None:
    """Two rows share a group if and only if all their quasi-identifiers are equal."""
    for table in (tables.ordinary(), tables.with_nulls(), tables.constant()):
        groups = engine.groups(table)
        rows = [str(row) for row in table.frame.select(table.quasi_identifiers).iter_rows()]
        assert len(set(zip(rows, groups.ids.tolist(), strict=True))) == len(set(rows)) == groups.count


def check_statistics_are_counts(engine: Engine) -> None:
    """Sizes and histograms are what counting by hand gives."""
    table = tables.ordinary()
    groups = engine.groups(table)
    stats = engine.statistics(table, groups)
    histogram = stats.histograms["illness"]
    counted = Counter(
        dict(
            zip(
                zip(histogram.entry_groups().tolist(), histogram.values.tolist(), strict=True),
                histogram.counts.tolist(),
                strict=True,
            )
        )
    )
    assert counted == Counter(zip(groups.ids.tolist(), table.codes("illness").codes.tolist(), strict=True))
    assert stats.sizes.sum() == len(table)


CHECKS: list[Callable[[Any], None]] = [check_groups_are_equal_rows, check_statistics_are_counts]
