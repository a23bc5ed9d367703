"""confront: one adversary against one person of a table, before and after it is protected.

What she knows, the rows that she finds, and how her belief changes, in sentences and a picture. It is for the data
owner: it quotes the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import polars as pl

from tacit import adversaries
from tacit.adversaries import Adversary, Belief, LinkageAdversary
from tacit.errors import ParameterError, RoleError, TacitError
from tacit.jobs.aimed import aimed
from tacit.jobs.armed import armed
from tacit.jobs.confrontation import BeliefChange, Confrontation, drawn, in_text, shares, word
from tacit.jobs.rehearse import made
from tacit.parameters import exported
from tacit.progress import Progress, part, silent
from tacit.randomness import Randomness
from tacit.recipes import Recipe
from tacit.releases import Release
from tacit.table import Table, as_text

Found = TypeVar("Found")

_LOOKED_UP = 5_000
"""People among whom the worst is looked for, at most, drawn at random. More find a worse one and take longer. Chosen by
hand."""

_VALUES = 8
"""Values of a belief that are drawn, the likeliest ones."""

_SEEN = 10
"""Published rows that are shown of those that may be the person's."""

_ROUNDED = 1e-6
"""Beliefs are sums of rounded numbers: one that is above one half by less is one half."""


def confront(
    text: str, path: str, seed: int, adversary: str, row: int | None, progress: Progress = silent
) -> Confrontation:
    """Let an adversary attack what a recipe makes of its table.

    Parameters
    ----------
    text, path, seed
        The recipe, where it would lie, and the seed of a release that was rehearsed.
    adversary
        Who attacks, by name.
    row
        The person she is after, by the row from 1; None for whoever she learns most of.
    progress
        Told the stage and the share done.
    """
    table, release = made(Recipe.parse(text, path), seed, part(progress, 0.0, 0.6))
    progress("attacking", 0.6)
    if adversary == LinkageAdversary.name:
        return _looked_up(table, release, row, progress)
    known = exported(adversaries, Adversary)  # type: ignore[type-abstract]
    if adversary not in known:
        raise ParameterError(f"There is no adversary {adversary!r}.")
    kind = known[adversary]
    found = None if row is None else _named(kind, lambda: aimed(kind, table, release, int(row)))
    if found is not None or row is None:
        return found or _asked(kind, table, release)
    everybody = _asked(kind, table, release)
    return replace(everybody, sentence=f"She is after nobody in particular. {everybody.sentence}")


def _looked_up(table: Table, release: Release, row: int | None, progress: Progress) -> Confrontation:
    """Look somebody up by her quasi-identifiers, in the table and in the release."""
    names = [name for name in release.shape.quasi_identifiers if name in table.quasi_identifiers]
    if not names:
        raise RoleError("The release has no quasi-identifier to look somebody up by.", hint="Choose another adversary.")
    sensitive = [name for name in release.shape.sensitive if name in table.sensitive]
    looked_up = None
    if row is None:
        row, looked_up = _worst(table, release, names)
        progress("attacking", 0.8)
    elif not 1 <= row <= len(table):
        raise ParameterError(f"There is no row {row:,}.", hint=f"The table has rows 1 to {len(table):,}.")
    person = table.frame.select(names)[row - 1 : row]
    attack = LinkageAdversary(victims=person).attack(release)
    same = pl.all_horizontal(pl.col(name).eq_missing(pl.lit(person[name][0], person[name].dtype)) for name in names)
    alike = table.frame.filter(same)
    changes = tuple(_change(table, alike, release, name, person.row(0, named=True), row) for name in sensitive)
    before, after = alike.height, int(attack.candidates[0])
    first = (
        f"In the table {_rows(before)} what she knows; in the release {_rows(after)} it."
        if after
        else f"In the table {_rows(before)} what she knows; in the release none does: the person is withheld."
    )
    return Confrontation(
        LinkageAdversary.name,
        LinkageAdversary.knowledge,
        first,
        row,
        tuple((name, in_text(person[name])) for name in names),
        before,
        after,
        changes,
        ((), ()) if release.shape.several else _group(release, person.row(0, named=True), names),
        looked_up,
    )


def _worst(table: Table, release: Release, names: list[str]) -> tuple[int, int]:
    """Return the row of whom she is surest, the fewer rows fit her the worse, among people drawn at random."""
    draws = Randomness.make(seed=0).shuffle()
    rows = np.sort(draws.permutation(len(table))[:_LOOKED_UP])
    attack = LinkageAdversary(victims=table.frame.select(names)[rows]).attack(release)
    sure = np.max([b.posterior for b in attack.beliefs.values()], axis=0) if attack.beliefs else np.zeros(len(rows))
    rank = np.lexsort((attack.candidates, -np.where(attack.candidates > 0, sure, -1.0)))
    return int(rows[rank[0]]) + 1, len(rows)


def _change(
    table: Table, alike: pl.DataFrame, release: Release, column: str, person: Mapping[str, Any], row: int
) -> BeliefChange:
    everybody, among = shares(table.frame[column]), shares(alike[column])
    after = {word(v): p for v, p in LinkageAdversary().posterior(release, person, column).items()}
    truth = in_text(table.frame[column][row - 1 : row])
    order = sorted({*after, truth}, key=lambda value: (-after.get(value, 0.0), -everybody.get(value, 0.0)))[:_VALUES]
    rows = tuple((v, everybody.get(v, 0.0), among.get(v, 0.0), after.get(v, 0.0)) for v in order)
    top = max(after, key=lambda value: after[value], default=None)
    likeliest = max(among, key=lambda value: among[value], default=truth)
    sentence = (
        f"Of {column} she would have believed {likeliest!r} with {among.get(likeliest, 0.0):.0%} if the table were "
        "published as it is. "
    )
    sentence += (
        f"With this release the likeliest value is {top!r} with {after[top]:.0%}; the truth, {truth!r}, has "
        f"{after.get(truth, 0.0):.0%}, and in the whole table {everybody.get(truth, 0.0):.0%}."
        if top is not None
        else "With this release she finds nobody and learns no value of hers."
    )
    return BeliefChange(column, truth, rows, sentence, drawn(column, rows))


def _asked(kind: type[Adversary], table: Table, release: Release) -> Confrontation:
    """Ask any other adversary, with the knowledge that the table and the claims give her."""
    belief = _named(kind, lambda: _believed(kind, table, release))
    posteriors = np.asarray(belief.posteriors, dtype=float)
    some = np.flatnonzero(~np.isnan(posteriors))
    if not len(some):
        return Confrontation(kind.name, kind.knowledge, "She infers nothing from this release, or it is not her kind.")
    at = int(some[np.argmax(posteriors[some])])
    value, where, sure = belief.values[at], belief.where[at], float(posteriors[at])
    about = "a row of the release is hers" if value is None else f"the value is {word(value)!r}"
    how = "" if belief.exactness == "exact" else f" ({belief.exactness})"
    sentence = f"Where she is surest, she believes that {about} with {sure:.0%}{how}: {where}."
    sentence += _of_all(belief, posteriors[some], some)
    return Confrontation(kind.name, kind.knowledge, sentence, beliefs=_prior(table, value, where, sure))


def _believed(kind: type[Adversary], table: Table, release: Release) -> Belief:
    try:
        return armed(kind, table, release).attack(release)
    except RoleError:  # people who do not fit the groups: then she knows only what is published of them
        if "people" not in kind.model_fields:
            raise
        return armed(kind, table, release, told=False).attack(release)


def _named(kind: type[Adversary], ask: Callable[[], Found]) -> Found:
    """Ask, and say of an error which adversary it is about."""
    try:
        return ask()
    except ParameterError:
        raise
    except TacitError as error:
        raise type(error)(f"{kind.name}: {error.message}", hint=error.hint) from None


def _of_all(belief: Belief, posteriors: Any, some: Any) -> str:
    people = np.asarray(belief.people)[some]
    over = int(people[posteriors > 0.5 + _ROUNDED].sum())
    return f" Of {int(people.sum()):,} people she is surer than one half of {over:,}."


def _prior(table: Table, value: Any, where: str, sure: float) -> tuple[BeliefChange, ...]:
    """Set what she believes beside how frequent the value is, where it is one of a sensitive column."""
    for column in table.sensitive:
        frequent, named = shares(table.frame[column]), word(value)
        if where.startswith(column) and named in frequent:
            rows = ((named, frequent[named], None, sure),)
            sentence = (
                f"In the whole table {frequent[named]:.0%} have {named!r}; she believes it of somebody with {sure:.0%}."
            )
            return (BeliefChange(column, None, rows, sentence, drawn(column, rows)),)
    return ()


def _group(
    release: Release, person: Mapping[str, Any], names: list[str]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return published cells that may be the person's, the most frequent first."""
    from tacit.adversaries.linkage import read_as
    from tacit.shapes import cover

    shape = next(iter(release.shape.parts.values()))
    classes = shape.classes
    fits = np.ones(len(classes.weights), dtype=bool)
    shown = [name for name in shape.quasi_identifiers if name in names]
    for at, name in enumerate(shape.quasi_identifiers):
        if name in shown:
            value = read_as(pl.Series(name, [person[name]]), shape.column(name))
            fits &= cover(classes.labels[name], shape.column(name), value).matches()[:, 0][classes.codes[:, at]]
    places = np.flatnonzero(fits)
    places = places[np.argsort(-classes.weights[places], kind="stable")][:_SEEN]
    labels = {name: as_text(classes.labels[name]) for name in shape.quasi_identifiers}
    rows = [
        (
            *(str(labels[name][int(classes.codes[place, at])]) for at, name in enumerate(shape.quasi_identifiers)),
            f"{int(classes.weights[place]):,}",
        )
        for place in places
    ]
    return (*shape.quasi_identifiers, "rows"), tuple(rows)


def _rows(number: int) -> str:
    return "1 row fits" if number == 1 else f"{number:,} rows fit"
