"""Value tables: the group, value and count of a bucketized release that somebody else published, checked.

A file may list a value of a group more than once (a joint table of two sensitive columns does), count each row once by
having no counts at all, or mark a value as suppressed. What it must not do is to contradict the table of people: then
nothing that is said of it would be about anybody.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tacit.errors import RoleError
from tacit.shapes.suppression_marks import without_marks
from tacit.table import as_text

GROUP, COUNT, COUNTERFEITS = "group", "count", "counterfeits"


def value_table(name: str, frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return each group, value and count of a sensitive column once, with suppressed values as null.

    Examples
    --------
    >>> joint = pl.DataFrame({"group": [1, 1], "ill": ["HIV", "HIV"], "drug": ["a", "b"], "count": [2, 1]})
    >>> value_table("ill", {"sensitive": joint}).rows()
    [(1, 'HIV', 3)]
    """
    frame = next((frame for frame in frames.values() if name in frame.columns), None)
    if frame is None:
        raise RoleError(f"No frame of sensitive values has a column {name!r}.", hint="Name it 'sensitive'.")
    values = without_marks(frame[name])
    counts = whole_counts(name, frame[COUNT]) if COUNT in frame.columns else pl.repeat(1, frame.height, eager=True)
    listed = pl.DataFrame([frame[GROUP], values, counts.cast(pl.Int64).alias(COUNT)])
    return listed.group_by(GROUP, name, maintain_order=True).agg(pl.col(COUNT).sum())


def whole_counts(name: str, given: pl.Series) -> pl.Series:
    """Return the counts as integers from 1 up, or say which are not."""
    counts = given.cast(pl.Int64, strict=False)
    whole = counts.is_not_null()
    if given.dtype.is_float():
        whole &= (given == given.round()).fill_null(False)
    if not whole.all():
        raise RoleError(f"The counts of {name!r} are not all whole numbers.", hint="Give how many rows have the value.")
    least = int(counts.to_numpy().min(initial=1))
    if least < 1:
        raise RoleError(
            f"A count of {name!r} is {least}: every value that is listed is had by somebody.",
            hint="Leave values that nobody has out of the table, and give counts from 1 up.",
        )
    return counts


def check_people(people: pl.DataFrame, name: str, values: pl.DataFrame) -> None:
    """Raise unless every group has as many values of a sensitive column as people: each person has exactly one."""
    members = people.group_by(GROUP).agg(pl.len().cast(pl.Int64).alias("people"))
    held = values.group_by(GROUP).agg(pl.col(COUNT).sum().alias("values"))
    both = members.join(held, on=GROUP, how="full", coalesce=True).fill_null(0).sort(GROUP)
    wrong = both.filter(pl.col("people") != pl.col("values"))
    if not wrong.height:
        return
    group, there, counted = wrong.row(0)
    reason = (
        "has people but no value"
        if not counted
        else "has values but no people"
        if not there
        else f"has {there:,} people and {counted:,} values"
    )
    more = f" ({wrong.height:,} groups are like this)" if wrong.height > 1 else ""
    raise RoleError(
        f"Group {group} {reason} of {name!r}{more}: everybody has exactly one value.",
        hint="Give all people and all values of every group; write a suppressed value as '*', with its count.",
    )


def same_numbers(groups: pl.Series) -> pl.Series:
    """Write group numbers alike, whatever read them."""
    whole = groups.dtype.is_float() and bool((groups == groups.round()).all())
    return as_text(groups.cast(pl.Int64) if whole else groups)
