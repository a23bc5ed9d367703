"""Truth: how often a reader who learns is right, as only the data owner can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl

from tacit.adversaries.learning.adversary import LearningAdversary
from tacit.adversaries.learning.learned import Learned
from tacit.adversaries.learning.success import Success
from tacit.arrays import Ints
from tacit.guarantees import Evidence
from tacit.knowledge.learning import Placed, observed, observed_inside, read_by_place
from tacit.shapes import Inside, Published, Shape
from tacit.shapes.value_tables import GROUP
from tacit.table import Table, as_text, positions

_MOST_PAIRS = 300_000_000
"""Groups times people who are looked up where nothing else tells who is in which group: a few seconds of comparing.
Above it nothing is computed."""


def compared_with_truth(
    published: Published, table: Table, adversary: LearningAdversary, known: dict[str, Learned]
) -> dict[str, tuple[Learned, Success]]:
    """Return, per sensitive column, what she believes and how often it is true; nothing where that cannot be told.

    Parameters
    ----------
    published
        A release with its inside.
    table
        What it was made from.
    adversary
        How she learns.
    known
        What she believes of a release that says who is in which group, where that was computed before. Of other
        releases she is given the quasi-identifiers of everybody, and their groups.

    Where people have several rows, what she believes says that each row was read by itself.
    """
    each_row = Evidence(published, table).several_rows
    return {
        name: (
            replace(learned, each_row=True) if each_row else learned,
            replace(success, placed=_by_place(published, table, adversary, name)),
        )
        for name, (learned, success) in _compared(published, table, adversary, known).items()
    }


def _by_place(published: Published, table: Table, adversary: LearningAdversary, name: str) -> Placed | None:
    """Say how often somebody is right who also knows how people with each value stand in their groups."""
    inside, shape = published.inside, published.shape
    if inside is None or inside.group is None or isinstance(inside.group, Mapping) or len(inside.kept) != len(table):
        return None
    seen = observed_inside(shape, inside, table, name)
    if seen is None:
        return None
    part, truth = seen.sampled(adversary.sample), table.codes(name).codes.astype(np.int64)
    return read_by_place(part, table, truth, model=adversary.model, smoothing=adversary.smoothing)


def _compared(
    published: Published, table: Table, adversary: LearningAdversary, known: dict[str, Learned]
) -> dict[str, tuple[Learned, Success]]:
    inside, shape = published.inside, published.shape
    if inside is None or inside.group is None or len(inside.kept) != len(table):
        return _looked_up(shape, table, adversary)
    found = {}
    for name in [each for each in shape.sensitive if each in table.sensitive]:
        truth = _published_truth(shape, inside, table, name) if name in known else None
        if truth is not None:
            found[name] = (known[name], known[name].judged(truth))
            continue
        seen = observed_inside(shape, inside, table, name)
        if seen is not None:
            learned = adversary.learn(seen)
            found[name] = (learned, learned.judged(table.codes(name).codes.astype(np.int64)))
    return found


def _looked_up(shape: Shape, table: Table, adversary: LearningAdversary) -> dict[str, tuple[Learned, Success]]:
    """Look everybody of the table up in one table that somebody else made, if all of them are in it."""
    groups = shape.statistics.count if shape.flat else 0
    if not shape.flat or shape.rows != len(table) or groups * len(table) > _MOST_PAIRS:
        return {}
    people = table.frame.select(table.quasi_identifiers)
    found = {}
    for name in [each for each in shape.sensitive if each in table.sensitive]:
        codes, seen = table.codes(name), observed(shape, name, people)
        truth = positions(codes.texts, as_text(shape.dictionary(name)))[codes.codes]
        if seen is not None and (truth >= 0).all():
            learned = adversary.learn(seen)
            found[name] = (learned, learned.judged(truth))
    return found


def _published_truth(shape: Shape, inside: Inside, table: Table, name: str) -> Ints | None:
    """Return, per published person, the position of her value; None unless people and table are the same.

    People of one group with equal cells are believed to be alike, so it does not matter which of them is which.
    """
    names = [each for each in shape.quasi_identifiers if each in table.quasi_identifiers]
    if not shape.shows_members or shape.several or isinstance(inside.group, dict) or not shape.column(name).whole:
        return None
    if len(names) != len(shape.quasi_identifiers) or any(not shape.column(each).whole for each in names):
        return None
    value = positions(table.codes(name).texts, as_text(shape.dictionary(name)))[table.codes(name).codes]
    rows = np.flatnonzero(inside.kept)
    theirs = table.frame.select(names)[rows].with_columns(
        pl.Series(GROUP, np.asarray(inside.group)[rows]), pl.Series("\0value", value[rows])
    )
    mine = shape.people.select(*names, GROUP).with_row_index("\0row")
    if theirs.schema[GROUP] != mine.schema[GROUP] or len(mine) != len(theirs):
        return None
    theirs, mine = theirs.sort(GROUP, *names), mine.sort(GROUP, *names)
    if not theirs.select(GROUP, *names).equals(mine.select(GROUP, *names)):
        return None
    truth = np.empty(len(mine), dtype=np.int64)
    truth[mine["\0row"].to_numpy()] = theirs["\0value"].to_numpy()
    return truth if (truth >= 0).all() else None
