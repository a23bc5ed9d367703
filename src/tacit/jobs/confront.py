"""confront: one adversary against one person of a table, before and after it is protected.

What she knows, the rows that she finds, and how her belief changes, in sentences and a picture. It is for the data
owner: it quotes the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tacit import adversaries
from tacit.adversaries import Adversary, Belief, LinkageAdversary
from tacit.errors import ParameterError, RoleError, TacitError
from tacit.jobs.rehearse import made
from tacit.parameters import exported
from tacit.progress import Progress, part, silent
from tacit.randomness import Randomness
from tacit.recipes import Recipe
from tacit.releases import Release
from tacit.report.charts import BLUE, GREY, ORANGE, alternative, bars, svg
from tacit.table import Table, as_text

_LOOKED_UP = 5_000
"""People among whom the worst is looked for, at most, drawn at random. More find a worse one and take longer. Chosen by
hand."""

_VALUES = 8
"""Values of a belief that are drawn, the likeliest ones."""

_SEEN = 10
"""Published rows that are shown of those that may be the person's."""

_NOW, _AS_IT_IS, _THEN = "before reading", "the table as it is", "this release"


@dataclass(frozen=True)
class BeliefChange:
    """What she believes of one column: every value with its probability, at three moments, and the truth."""

    column: str
    truth: str | None
    rows: tuple[tuple[str, float, float | None, float], ...]
    sentence: str
    picture: str


@dataclass(frozen=True)
class Confrontation:
    """One adversary against a table.

    Attributes
    ----------
    adversary, knows
        Who she is, and what she knows.
    row
        The row of the person, from 1; None where she is not after one person.
    person
        What she knows of the person.
    found_before, found_after
        How many rows may be the person's, in the table and in the release.
    sentence
        What comes of it.
    beliefs
        How her belief changes, per column.
    group
        Published rows that may be the person's, some of them, with the names of their columns.
    looked_up
        Among how many people the worst was looked for; None where somebody was named.
    """

    adversary: str
    knows: str
    sentence: str
    row: int | None = None
    person: tuple[tuple[str, str], ...] = ()
    found_before: int | None = None
    found_after: int | None = None
    beliefs: tuple[BeliefChange, ...] = ()
    group: tuple[tuple[str, ...], tuple[tuple[str, ...], ...]] = ((), ())
    looked_up: int | None = None


def known_adversaries() -> dict[str, str]:
    """Return every adversary with what she knows."""
    known = exported(adversaries, Adversary)  # type: ignore[type-abstract]
    return {name: each.knowledge for name, each in known.items() if each.knowledge}


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
        The person she is after, by the row from 1; None for the one of whom she learns most.
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
    return _asked(known[adversary], table, release)


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
        tuple((name, _text(person[name])) for name in names),
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
    everybody, among = _shares(table.frame[column]), _shares(alike[column])
    after = {_word(v): p for v, p in LinkageAdversary().posterior(release, person, column).items()}
    truth = _text(table.frame[column][row - 1 : row])
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
    return BeliefChange(column, truth, rows, sentence, _drawn(column, rows))


def _asked(kind: type[Adversary], table: Table, release: Release) -> Confrontation:
    """Ask any other adversary, with the knowledge that the table and the claims give her."""
    try:
        try:
            belief = _armed(kind, table, release).attack(release)
        except RoleError:  # people who do not fit the groups: then she knows only what is published of them
            if "people" not in kind.model_fields:
                raise
            belief = _armed(kind, table, release, told=False).attack(release)
    except ParameterError:
        raise
    except TacitError as error:
        raise type(error)(f"{kind.name}: {error.message}", hint=error.hint) from None
    posteriors = np.asarray(belief.posteriors, dtype=float)
    some = np.flatnonzero(~np.isnan(posteriors))
    if not len(some):
        return Confrontation(kind.name, kind.knowledge, "She infers nothing from this release, or it is not her kind.")
    at = int(some[np.argmax(posteriors[some])])
    value, where, sure = belief.values[at], belief.where[at], float(posteriors[at])
    about = "a row of the release is hers" if value is None else f"the value is {_word(value)!r}"
    how = "" if belief.exactness == "exact" else f" ({belief.exactness})"
    sentence = f"Where she is surest, she believes that {about} with {sure:.0%}{how}: {where}."
    sentence += _of_all(belief, posteriors[some], some)
    return Confrontation(kind.name, kind.knowledge, sentence, beliefs=_prior(table, value, where, sure))


def _of_all(belief: Belief, posteriors: Any, some: Any) -> str:
    people = np.asarray(belief.people)[some]
    over = int(people[posteriors > 0.5].sum())
    return f" Of {int(people.sum()):,} people she is surer than one half of {over:,}."


def _prior(table: Table, value: Any, where: str, sure: float) -> tuple[BeliefChange, ...]:
    """Set what she believes beside how frequent the value is, where it is one of a sensitive column."""
    for column in table.sensitive:
        shares = _shares(table.frame[column])
        word = _word(value)
        if where.startswith(column) and word in shares:
            rows = ((word, shares[word], None, sure),)
            sentence = (
                f"In the whole table {shares[word]:.0%} have {word!r}; she believes it of somebody with {sure:.0%}."
            )
            return (BeliefChange(column, None, rows, sentence, _drawn(column, rows)),)
    return ()


def _armed(kind: type[Adversary], table: Table, release: Release, *, told: bool = True) -> Adversary:
    """Make an adversary with what her parameters ask for by name: the table, its people, what claims are about."""
    of = getattr(kind, "of", None)
    if of is not None:
        return of(release)  # type: ignore[no-any-return]
    fields = {field.alias or name for name, field in kind.model_fields.items()}
    claims = [claim.guarantee for claim in release.claims]
    given: dict[str, Any] = {}
    if "distribution" in fields:
        given["distribution"] = table
    if "table" in fields:
        given["table"] = table
    if told and "people" in fields and release.inside is not None and not release.shape.shows_members:
        given["people"] = table.frame.select(release.shape.quasi_identifiers).filter(pl.Series(release.inside.kept))
    for wanted in ("risk", "knowledge"):
        found = [getattr(claim, wanted) for claim in claims if wanted in type(claim).model_fields]
        if wanted in fields and found:
            given[wanted] = found[0]
    if "sample" in fields:
        given["sample"] = 100_000
    if "knowledge" in fields and "knowledge" not in given:
        labels = [claim.labels for claim in claims if hasattr(claim, "labels")]
        if not labels:
            raise ParameterError(
                f"{kind.name}: she needs a table of labels and items.",
                hint="Claim a guarantee that is about one, such as qs-diversity.",
            )
        given["knowledge"] = labels[0]
    return kind(**given)


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


def _drawn(column: str, rows: tuple[tuple[str, float, float | None, float], ...]) -> str:
    points = [
        {"value": value, "probability": number, "when": when}
        for value, *numbers in rows
        for when, number in zip((_NOW, _AS_IT_IS, _THEN), numbers, strict=True)
        if number is not None
    ]
    order = [when for when in (_NOW, _AS_IT_IS, _THEN) if any(point["when"] == when for point in points)]
    colours = {_NOW: GREY, _AS_IT_IS: ORANGE, _THEN: BLUE}
    chart = bars(
        points,
        "value",
        "probability",
        series="when",
        titles=(column, "how probable it is to her"),
        order=order,
        colours=[colours[when] for when in order],
    )
    return svg(chart, alternative(chart, f"What she believes of {column}"))


def _shares(column: pl.Series) -> dict[str, float]:
    counts = as_text(column).value_counts()
    return {_word(v): n / len(column) for v, n in zip(counts[column.name], counts["count"], strict=True)}


def _text(cell: pl.Series) -> str:
    return _word(as_text(cell)[0]) if not isinstance(cell.dtype, pl.List) else "; ".join(map(str, cell[0]))


def _word(value: Any) -> str:
    return "(missing)" if value is None else str(value)


def _rows(number: int) -> str:
    return "1 row fits" if number == 1 else f"{number:,} rows fit"
