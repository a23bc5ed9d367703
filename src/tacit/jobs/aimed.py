"""Aimed: what any adversary believes of one person of the table, whom the data owner chose.

The owner knows which row is whose, and so finds what an adversary believes of that person among all that she believes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from tacit.adversaries import Adversary, Belief, BeliefByColumn
from tacit.arrays import Ints
from tacit.errors import ParameterError, RoleError
from tacit.jobs.armed import armed
from tacit.jobs.confrontation import BeliefChange, Confrontation, drawn, in_text, shares, word
from tacit.releases import Release
from tacit.table import Table

_LABELS = 8
"""Labels of a belief that are drawn, the likeliest ones."""


def aimed(kind: type[Adversary], table: Table, release: Release, row: int) -> Confrontation | None:
    """Return what an adversary believes of the person of a row, from 1; None where she is after nobody by name."""
    if not 1 <= row <= len(table):
        raise ParameterError(f"There is no row {row:,}.", hint=f"The table has rows 1 to {len(table):,}.")
    if release.inside is None:
        raise RoleError("Only who made a release knows which row is whose.", hint="Choose nobody in particular.")
    person = tuple((name, in_text(table.frame[name][row - 1 : row])) for name in table.quasi_identifiers)
    if not release.inside.kept[row - 1]:
        sentence = "The person is withheld: nothing in the release is about her."
        return Confrontation(kind.name, kind.knowledge, sentence, row, person)
    found = _labels(kind, table, release, row)
    changes = _entries(kind, table, release, row) if found is None else found
    if changes is None:
        return None
    sentence = "Of this person she learns what follows." if changes else "Of this person she infers nothing."
    return Confrontation(kind.name, kind.knowledge, sentence, row, person, beliefs=tuple(changes))


def _labels(kind: type[Adversary], table: Table, release: Release, row: int) -> list[BeliefChange] | None:
    """Ask an adversary who says of one victim what she believes; None for one who does not."""
    if not hasattr(kind, "posterior"):
        return None
    she: Any = armed(kind, table, release)
    victim = {name: table.frame[name][row - 1] for name in table.quasi_identifiers}
    believed = list(she.posterior(release, victim).items())
    if not believed:
        return []
    top, sure = believed[0]
    rows = tuple((word(label), 0.0, None, float(p)) for label, p in believed[:_LABELS])
    many = len(believed)
    possible = "1 is possible" if many == 1 else f"{many:,} are possible"
    sentence = f"The likeliest label is {word(top)!r} with {sure:.0%}; {possible}."
    return [BeliefChange("label", None, rows, sentence, drawn("label", rows, prior=False))]


def _entries(kind: type[Adversary], table: Table, release: Release, row: int) -> list[BeliefChange] | None:
    """Find what she believes of the person among all that she believes; None where no entry is about one person."""
    person = table.frame[row - 1 : row]
    victims = person if _takes_victims(kind) else None
    told = True
    try:
        belief = armed(kind, table, release, victims=victims, everybody=True).attack(release)
    except RoleError:  # people who do not fit the groups: then she knows only what is published of them
        if "people" not in kind.model_fields:
            raise
        told = False
        belief = armed(kind, table, release, told=False, everybody=True).attack(release)
    changes, about_one = [], False
    for each in _parts(belief):
        mine = np.zeros(1, np.int64) if victims is not None else _mine(each, table, release, row, told=told)
        if mine is None:
            continue
        about_one = True
        posteriors = np.asarray(each.posteriors, dtype=float)
        known = mine[~np.isnan(posteriors[mine])]
        if len(known):
            at = int(known[np.argmax(posteriors[known])])
            changes.append(_change(table, row, each, at, float(posteriors[at])))
    return changes if about_one else None


def _takes_victims(kind: type[Adversary]) -> bool:
    return "victims" in kind.model_fields and not hasattr(kind, "of")


def _parts(belief: Belief) -> Iterator[Belief]:
    if isinstance(belief, BeliefByColumn):
        yield from belief.columns.values()
    else:
        yield belief


def _mine(belief: Belief, table: Table, release: Release, row: int, *, told: bool) -> Ints | None:
    """Return the entries that are about the person; None where entries are not about one person each.

    Whoever is published in several rows that look alike may be any of them: then all of these entries are about her.
    """
    inside = release.inside
    if inside is None or (np.asarray(belief.people) != 1).any():
        return None
    place = int(inside.kept[: row - 1].sum())
    rows = getattr(belief, "row", None)
    if rows is None:
        return np.array([place]) if len(belief.people) == int(inside.kept.sum()) else None
    if not release.shape.shows_members:
        return np.flatnonzero(np.asarray(rows) == place) if told else None
    people = next(iter(release.shape.parts.values())).people
    names = [name for name in people.columns if name in table.quasi_identifiers]
    same = pl.all_horizontal(pl.col(n).eq_missing(pl.lit(table.frame[n][row - 1], people[n].dtype)) for n in names)
    hers = np.flatnonzero(people.select(same.alias("same"))["same"].to_numpy())
    return np.flatnonzero(np.isin(np.asarray(rows), hers))


def _change(table: Table, row: int, belief: Belief, at: int, sure: float) -> BeliefChange:
    value, where = belief.values[at], str(belief.where[at])
    column = next((name for name in table.sensitive if where.startswith(name)), "")
    how = "" if belief.exactness == "exact" else f" ({belief.exactness})"
    if value is None:
        sentence = f"She takes a row of the release for hers with {sure:.0%}{how}: {where}."
        rows: tuple[tuple[str, float, float | None, float], ...] = (("her row", 1 / len(table), None, sure),)
        return BeliefChange("the person's row", None, rows, sentence, drawn("the person's row", rows))
    frequent = shares(table.frame[column]) if column else {}
    truth = in_text(table.frame[column][row - 1 : row]) if column else None
    before = frequent.get(word(value), 0.0)
    rows = ((word(value), before, None, sure),)
    right = "" if truth is None else (", which is true" if truth == word(value) else f"; the truth is {truth!r}")
    sentence = (
        f"She believes most that {where.partition(',')[0]} is {word(value)!r}, with {sure:.0%}{how}{right}. "
        f"In the whole table {before:.0%} have it."
    )
    return BeliefChange(column, truth, rows, sentence, drawn(column, rows))
