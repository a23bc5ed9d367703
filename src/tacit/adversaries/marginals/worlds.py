"""Worlds: every assignment of values to people that is consistent with all marginals, counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import Annotated, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit import sources
from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief, Exactness, repeated
from tacit.adversaries.marginals.membership import common_values, group_index, known_members, one_sensitive, tables_of
from tacit.arrays import Floats, Ints
from tacit.errors import RoleError
from tacit.parameters import PRIVATE
from tacit.shapes import Published, Shape, cover
from tacit.table import as_text, encode

State = tuple[tuple[int, ...], ...]
"""How often each value is still to be given out, in each group of a component."""

_STATES = 100_000
"""Moves between states that are kept while one person is given a value. A larger number counts larger components and
takes more memory and time; chosen by trial."""


@dataclass(frozen=True, eq=False)
class Worlds(Belief):
    """The values that each victim has in the worlds that are consistent with all marginals; one entry per victim.

    Attributes
    ----------
    column
        The sensitive column.
    worlds
        How many worlds there are, a product over components; None if a component was too large to count.
    shares
        Per victim, the posterior of each possible value, exact; None for who is in a component too large to count.
    """

    column: str
    worlds: int | None
    shares: tuple[Mapping[Any, Fraction] | None, ...]

    @property
    def people(self) -> Ints:
        """One victim each."""
        return np.ones(len(self.shares), np.int64)

    @property
    def values(self) -> pl.Series:
        """The value that each victim has in most worlds; null for who was not counted."""
        return pl.Series("value", [max(share, key=lambda v: share[v]) if share else None for share in self.shares])

    @property
    def posteriors(self) -> Floats:
        """The share of worlds in which she has it; not a number for who was not counted."""
        return np.array([float(max(share.values())) if share else np.nan for share in self.shares], dtype=np.float64)

    @property
    def where(self) -> pl.Series:
        """The sensitive column."""
        return repeated(self.column, len(self.shares))

    @property
    def exactness(self) -> Exactness:
        """Exact for everybody who was counted."""
        return "exact" if all(share is not None for share in self.shares) else "partial"

    @property
    def max_posterior(self) -> Fraction:
        """The largest posterior of anybody who was counted."""
        return max((max(p.values()) for p in self.shares if p), default=Fraction(0))

    @property
    def pinned(self) -> int:
        """How many people have one value in every world."""
        return sum(p is not None and len(p) == 1 for p in self.shares)


class WorldAdversary(Adversary):
    """She knows everybody in the table and everybody's group in every marginal, and counts what is possible.

    Knows
    -----
    The quasi-identifiers of everybody in the table, and everybody's group in every marginal.

    Infers
    ------
    The exact posterior of every value of every person, if all worlds that are consistent with the marginals are equally
    likely: the share of worlds in which she has it. Components of people who are linked by common groups are counted
    apart; larger ones than `largest` are not counted, and the result says so.

    Parameters
    ----------
    victims
        A data frame with everybody in the table.
    members
        Per marginal the public number of each person's group. For a marginal that is missing here, groups are found by
        their cells: everybody must fit exactly one.
    largest
        The most people of a component that is counted.

    Cost
    ----
    Exponential in the people of a component, in the worst case; a component stops at 100,000 states.

    Examples
    --------
    >>> import tacit as tc
    >>> frames = {"a": {"age": ["[19, 20]", "[19, 20]"], "ill": ["flu", "cold"]}}
    >>> release = tc.Release.foreign(frames, quasi_identifiers=["age"], sensitive="ill")
    >>> belief = WorldAdversary(victims={"age": [19, 20]}).attack(release)
    >>> belief.worlds, belief.max_posterior
    (2, Fraction(1, 2))

    References
    ----------
    He, Xiao, Wang et al., "Dynamic anonymization for marginal publication": the worlds that are consistent with all
    marginals.
    """

    knowledge: ClassVar[str] = "the quasi-identifiers and the group of everybody in the table, in every marginal"
    skipped_checks: ClassVar[dict[str, str]] = {
        "check_reads_only_what_is_public": "she must know everybody in the table, which no example can",
        "check_posteriors_are_probabilities": "she must know everybody in the table, which no example can",
    }

    victims: Any = Field(json_schema_extra=PRIVATE, description="a data frame with everybody in the table")
    members: Any = Field(default=None, json_schema_extra=PRIVATE, description="marginal to group numbers of victims")
    largest: Annotated[int, Field(ge=1, description="people in a component that is still counted")] = 64

    @classmethod
    def of(cls, published: Published, *, largest: int = 64) -> WorldAdversary:
        """Return the worst case, as the data owner knows it."""
        people, members = known_members(published)
        return cls(victims=people, members=members, largest=largest)

    def attack(self, published: Published) -> Worlds:
        """Count the worlds, component by component."""
        parts = tables_of(published.shape)
        people = sources.as_frame(self.victims)
        column = one_sensitive(parts)
        dictionary, meant = common_values(parts, column)
        names = dictionary.to_list()
        groups = [self._groups(name, part, people) for name, part in parts.items()]
        values = [_multisets(part, column, meant[name]) for name, part in parts.items()]
        for (name, part), mine in zip(parts.items(), groups, strict=True):
            if (np.bincount(mine, minlength=part.statistics.count) != part.statistics.sizes).any():
                raise RoleError(
                    f"The victims are not those of marginal {name!r}: its groups have other sizes.",
                    hint="Worlds are counted over everybody in the table; give all of them, and their groups.",
                )
        posteriors: list[Mapping[Any, Fraction] | None] = [None] * people.height
        counts: list[int | None] = []
        for members in _components(groups):
            if len(members) > self.largest:
                counts.append(None)
                continue
            counted = count_worlds([[int(mine[p]) for mine in groups] for p in members], values)
            if counted is None:
                counts.append(None)
                continue
            total, shares = counted
            if not total:
                raise RoleError("No world is consistent with all tables.", hint="Check victims and members.")
            counts.append(total)
            for person, share in zip(members, shares, strict=True):
                posteriors[person] = {names[v]: Fraction(n, total) for v, n in sorted(share.items())}
        known = [count for count in counts if count is not None]
        return Worlds(column, prod(known) if len(known) == len(counts) else None, tuple(posteriors))

    def _groups(self, name: str, part: Shape, people: pl.DataFrame) -> Ints:
        """Return the group of each person in one marginal: the one that is known, or the one that her cells fit."""
        if isinstance(self.members, Mapping) and name in self.members:
            return group_index(name, part, self.members[name], people.height)
        return _groups_by_cells(name, part, people)

    def warn(self, published: Published) -> list[Notice]:
        """Say how many people have one value in every world."""
        pinned = self.attack(published).pinned
        if not pinned:
            return []
        who = "person has" if pinned == 1 else "people have"
        sentence = f"{pinned:,} {who} the same value in every world that is consistent with all tables"
        return [Notice(self.name, sentence, 1.0, pinned)]

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return one with a few people."""
        return [cls(victims={"age": [30, 40], "town": ["Bath", "Cork"]})]


def _groups_by_cells(name: str, part: Shape, people: pl.DataFrame) -> Ints:
    """Return the group of each person: her cells must fit one class of the marginal, and no other."""
    classes = part.classes
    fits = np.ones((len(classes.weights), people.height), dtype=bool)
    for a, column in enumerate(part.quasi_identifiers):
        if column in people.columns:
            known = people[column]
            numeric = part.column(column).kind.value in {"numeric", "date"}
            encoded = encode(known if numeric else as_text(known))
            matches = cover(classes.labels[column], part.column(column), encoded.values).matches()
            fits &= matches[:, encoded.codes][classes.codes[:, a]]
    many = fits.sum(axis=0)
    if (many != 1).any():
        odd = int(np.flatnonzero(many != 1)[0])
        raise RoleError(
            f"Person {odd + 1} fits {int(many[odd]):,} groups of marginal {name!r}.",
            hint="Give `members`: the group of everybody in each marginal.",
        )
    return np.asarray(fits.argmax(axis=0), dtype=np.int64)


def _multisets(part: Shape, column: str, meant: Ints) -> list[dict[int, int]]:
    """Return how often each value stands in each group."""
    histogram = part.statistics.histograms[column]
    counts: list[dict[int, int]] = [{} for _ in range(part.statistics.count)]
    for group, value, count in zip(
        histogram.entry_groups().tolist(), meant[histogram.values].tolist(), histogram.counts.tolist(), strict=True
    ):
        counts[group][value] = count
    return counts


def _components(groups: Sequence[Ints]) -> list[list[int]]:
    """Return the sets of people who are linked by common groups, in any marginal and through any number of others.

    People of one group stand near each other, so that counting is done with a group soon after it was begun.
    """
    inside: list[dict[int, list[int]]] = []
    for mine in groups:
        members: dict[int, list[int]] = {}
        for person, group in enumerate(mine.tolist()):
            members.setdefault(group, []).append(person)
        inside.append(members)
    seen = np.zeros(len(groups[0]), dtype=bool)
    components = []
    for first in range(len(seen)):
        if seen[first]:
            continue
        seen[first] = True
        component = [first]
        for person in component:  # grows while it is walked
            for mine, members in zip(groups, inside, strict=True):
                for other in members[int(mine[person])]:
                    if not seen[other]:
                        seen[other] = True
                        component.append(other)
        components.append(component)
    return components


@dataclass
class MovesLeft:
    """How many moves between states may still be made."""

    left: int


def count_worlds(
    people: Sequence[Sequence[int]],
    values: Sequence[Sequence[Mapping[int, int]] | Mapping[int, Mapping[int, int]]],
    allowed: Sequence[Set[int]] | None = None,
    moves_left: MovesLeft | None = None,
) -> tuple[int, list[dict[int, int]]] | None:
    """Count the worlds of one component, and per person those in which she has each value; None if it takes too long.

    People are given values one after the other; the state is how many of each value are left in each group. The number
    of worlds that pass through a state is the number of ways to reach it times the number of ways to finish from it.

    Parameters
    ----------
    people
        Per person her group in each table, negative where she is not in it.
    values
        Per table and group how often each value is there. What is left over belongs to strangers, in every order.
    allowed
        Per person the values that she may have; all by default.
    moves_left
        How many moves between states there may be in all; those that were made are taken off.
    """
    keys = sorted({(part, group) for person in people for part, group in enumerate(person) if group >= 0})
    place = {key: i for i, key in enumerate(keys)}
    codes = sorted({value for part, group in keys for value in values[part][group]})
    start: State = tuple(tuple(values[part][group].get(code, 0) for code in codes) for part, group in keys)
    layers: list[dict[State, int]] = [{start: 1}]
    moves: list[dict[tuple[State, int], State]] = []
    for number, person in enumerate(people):
        mine = [place[part, group] for part, group in enumerate(person) if group >= 0]
        possible = range(len(codes)) if allowed is None else [i for i, c in enumerate(codes) if c in allowed[number]]
        following: dict[State, int] = {}
        made: dict[tuple[State, int], State] = {}
        for state, ways in layers[-1].items():
            for i in possible:
                if all(state[at][i] > 0 for at in mine):
                    after = list(state)
                    for at in mine:
                        after[at] = (*after[at][:i], after[at][i] - 1, *after[at][i + 1 :])
                    to = tuple(after)
                    made[state, i] = to
                    following[to] = following.get(to, 0) + ways
        if moves_left is not None:
            moves_left.left -= len(made)
        if len(made) > _STATES or (moves_left is not None and moves_left.left <= 0):
            return None
        layers.append(following)
        moves.append(made)
    back: dict[State, int] = {state: prod(map(_orders, state)) for state in layers[-1]}
    shares: list[dict[int, int]] = []
    for layer, made in zip(reversed(layers[:-1]), reversed(moves), strict=True):
        before: dict[State, int] = {}
        share: dict[int, int] = {}
        for (state, i), to in made.items():
            ways = back.get(to, 0)
            if ways:
                before[state] = before.get(state, 0) + ways
                share[codes[i]] = share.get(codes[i], 0) + layer[state] * ways
        back = before
        shares.append(share)
    return back.get(start, 0), shares[::-1]


def _orders(left: Sequence[int]) -> int:
    """Return in how many orders strangers can have the values that are left over."""
    return factorial(sum(left)) // prod(map(factorial, left))
