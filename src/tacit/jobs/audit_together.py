"""audit of several releases: what somebody learns who has all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit import sources
from tacit.adversaries.together import (
    Equivalence,
    Sighting,
    SmallWorlds,
    carry,
    equivalence,
    look_up,
    published_people,
    read_together,
    stand_ins,
    with_small_worlds,
)
from tacit.errors import CompositionFailed, RoleError, SourceError
from tacit.guarantees import Guarantee
from tacit.guarantees.people import counted
from tacit.jobs.known_people import known_people
from tacit.knowledge.learning.features import Features
from tacit.randomness import Randomness, permutation
from tacit.regular_files import is_there
from tacit.releases import Ledger, Release
from tacit.releases.broken_claim import BrokenClaim, in_words
from tacit.releases.composition import FITTED, broken_claims
from tacit.releases.earlier_releases import EarlierReleases
from tacit.releases.groups_beside import groups_beside
from tacit.releases.matched_releases import MatchedReleases, ReadRelease, match
from tacit.table import as_text, encode
from tacit.table.kinds import infer

_WORK = 400_000_000
"""People times groups that are compared, at most. Beyond it as many people are drawn at random: the comparison would
take minutes. Chosen by trial."""


NOBODY_FOUND = (
    "nobody was found in two of the releases, so nothing is known of reading them together: either nobody is in two, "
    "or cells are written otherwise than [20, 30], {a, b} or 20"
)
"""What is said where people were looked up by their cells and no two releases have anybody in common."""


@dataclass(frozen=True)
class ColumnTogether:
    """What is learned of one sensitive column.

    Attributes
    ----------
    column
        Its name.
    alone
        Per release how many people have one possible value by it alone.
    pinned
        How many have one possible value by all releases together.
    posterior, expected
        How sure the reader is at most, and how many she expects to guess right, as a share.
    contradictions
        How many people are left without any value.
    worlds
        What counting all worlds says of those who are linked to few others.
    learned
        The share that a reader expects to guess right who learns and carries her beliefs from one release to the next;
        None where the quasi-identifiers of the people are not known.
    equivalence
        How many people become certain if one person's value is known.
    """

    column: str
    alone: tuple[int, ...]
    pinned: int
    posterior: float
    expected: float
    contradictions: int
    worlds: SmallWorlds
    learned: float | None
    equivalence: Equivalence


@dataclass(frozen=True)
class AuditedTogether:
    """What several releases tell together.

    Attributes
    ----------
    places
        The releases, in words.
    matched, assumed
        How people were matched, and what was assumed for it.
    people, shared
        How many people were looked for, and how many of them are in several releases.
    columns
        What is learned of each sensitive column.
    broken
        The claims that fail.
    unchecked
        What could not be checked.
    """

    places: tuple[str, ...]
    matched: str
    assumed: tuple[str, ...]
    people: int
    shared: int
    columns: tuple[ColumnTogether, ...]
    broken: tuple[BrokenClaim, ...] = ()
    unchecked: tuple[str, ...] = field(default=())

    def require(self, *, allow_unchecked: bool = False) -> None:
        """Raise `CompositionFailed` where a claim fails, or where something was not checked and that is not allowed."""
        if self.unchecked and not self.broken and not allow_unchecked:
            raise CompositionFailed(
                f"Not everything could be checked: {'; '.join(self.unchecked)}.",
                hint="Whoever published them can tell: with the private parts beside the folders, or with --ledger. "
                "Others name the people with --victims, or say --allow-unchecked.",
            )
        if self.broken:
            raise CompositionFailed(
                f"The releases tell more together than one of them promises: {'; '.join(in_words(self.broken))}."
            )

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {**asdict(self), "broken": [broken.plain() for broken in self.broken]}


def audit_ledger(path: Path, series: str = "", victims: Path | None = None) -> AuditedTogether:
    """Read all releases of a ledger together, by the people whom it follows or by the rows of its table.

    Parameters
    ----------
    path, series
        The ledger.
    victims
        A list of people with the person column and what a reader knows of them: a reader who learns is then asked too.
    """
    if not is_there(path):
        raise SourceError(f"There is no ledger {path}.", hint="Name the file that a recipe names under [ledger].")
    ledger = Ledger(path, series=series)
    lines = ledger.lines()
    releases = [line for line in lines if line.kind == "release"]
    if not releases:
        raise SourceError(f"The ledger {path} holds no release to read.", hint="Publish with it first.")
    read, missing = EarlierReleases(f"The ledger {path.name}", releases, None).read()
    known = [one for one in read if one.shown is not None]
    if not known:
        raise SourceError(
            f"None of the releases of the ledger {path.name} has its private part in place.",
            hint="Put the private folders back where they were written.",
        )
    by_hash = all(one.shown is not None and one.shown.people is not None for one in known)
    matched = match(known)
    assumed = ["the reader knows in which group everybody is, as the private parts say"]
    if victims is None:
        assumed.append("she learns nothing of which values go with whom; --victims gives her what she knows of people")
    return _audited(
        matched,
        [one.words for one in read],
        "by the keyed hash of the person column" if by_hash else "by the rows of the table, which did not change",
        assumed,
        features=None if victims is None else known_people(matched, ledger, victims),
        missing=[f"{words}: its private part is not there" for words in missing],
    )


def audit_together(
    places: Sequence[Path],
    read: Callable[[Path], Release],
    *,
    victims: Path | None = None,
    claims: Sequence[Guarantee] = (),
    seed: int | None = None,
) -> AuditedTogether:
    """Read several releases together, of this tool or anyone's.

    Parameters
    ----------
    places, read
        Folders or files, and how one is read.
    victims
        A list of people with quasi-identifiers; by default the people whom one of the releases shows as they are, or
        else made-up people who fit the rows of the first one.
    claims
        Guarantees to judge of every release, besides those that each claims.
    seed
        For tests.
    """
    releases = [read(place) for place in places]
    described = [
        ReadRelease(
            number + 1,
            f"{place.name}",
            (*(c.guarantee for c in release.claims if isinstance(c.guarantee, Guarantee)), *claims),
            None,
            "",
            None,
        )
        for number, (place, release) in enumerate(zip(places, releases, strict=True))
    ]
    private = _by_private_parts(places, described) if victims is None else None
    if private is not None:
        return _audited(
            private,
            [str(place) for place in places],
            "by the keyed hash of the person column, in the private parts beside the folders",
            [
                "the reader knows in which group everybody is, as the private parts say",
                "she learns nothing of which values go with whom",
            ],
        )
    rng = Randomness.make(seed).shuffle()
    people, matched, assumed, real = _people(places, releases, victims, rng)
    most = max(1, _WORK // max(1, sum(len(p.classes.weights) for r in releases for p in r.shape.parts.values())))
    if people.height > most:
        assumed.append(f"{most:,} of {people.height:,} people were drawn at random, for the time it takes")
        people = people[permutation(rng, people.height)[:most]]
    names = list(dict.fromkeys(name for release in releases for name in release.shape.sensitive))
    shared = [name for name in names if sum(name in release.shape.sensitive for release in releases) > 1]
    if not shared:
        raise RoleError(
            "No sensitive column is in two of the releases.", hint="Name it with --sensitive, the same in all of them."
        )
    sightings, beliefs = {}, {}
    for name in shared:
        parts = [
            (number, part)
            for number, release in enumerate(releases)
            for part in release.shape.parts.values()
            if name in part.sensitive
        ]
        words = [as_text(part.dictionary(name)).alias(name) for _, part in parts]
        common = encode(pl.concat(words))
        codes = np.split(common.codes.astype(np.int64), np.cumsum([len(word) for word in words])[:-1])
        found: list[Sighting] = []
        for (number, part), code in zip(parts, codes, strict=True):
            found += look_up(number, part, people, name, code, common.cardinality)
        if not found:
            raise RoleError(
                "The people have none of the quasi-identifiers of the releases.",
                hint=f"Their columns are {', '.join(people.columns)}.",
            )
        sightings[name] = found
        beliefs[name] = with_small_worlds(found, read_together(found, name, common.values))
    persons = [
        np.flatnonzero(np.any([s.group >= 0 for found in sightings.values() for s in found if s.release == n], axis=0))
        for n in range(len(releases))
    ]
    features = Features.of({c: (encode(people[c]), infer(people[c])) for c in people.columns}, people.height)
    both = MatchedReleases(described, persons, people.height, sightings, beliefs)
    if not both.shared:
        assumed.append(NOBODY_FOUND)
    return _audited(
        both,
        [str(place) for place in places],
        matched,
        assumed,
        features=features,
        missing=[NOBODY_FOUND] if not both.shared and any(one.claims for one in described) else (),
        doubt=_doubt(both, releases, real),
    )


def _by_private_parts(places: Sequence[Path], described: Sequence[ReadRelease]) -> MatchedReleases | None:
    """Match people by the private parts beside the folders; None where one is missing, or they have nobody in common.

    Releases of two ledgers have hashes by two keys, so nobody would be in both of them.
    """
    shown = [groups_beside(place) for place in places]
    if any(each is None for each in shown):
        return None
    matched = match([replace(one, shown=each) for one, each in zip(described, shown, strict=True)])
    return matched if matched.shared else None


def _doubt(both: MatchedReleases, releases: Sequence[Release], real: bool) -> str:
    """Say why people who were looked up need not be where they were found; empty where they must be.

    Made-up people may stand in groups that no real person shares. Of real ones, somebody who fits a group may have left
    or never have come. That all are there is taken for known where exactly as many fit a release as it has people.
    """
    if not real:
        return "and these people are made up: real ones need not stand where they do"
    for number, (ids, release) in enumerate(zip(both.person, releases, strict=True), 1):
        crowded = any(
            (np.bincount(s.group[s.group >= 0], minlength=s.values.groups) > s.values.sizes()).any()
            for found in both.sightings.values()
            for s in found
            if s.release == number - 1 and s.counted
        )
        if crowded or len(ids) != release.shape.rows:
            return (
                f"if they are in every release that they fit; whether they are is not known: {len(ids):,} of those who "
                f"were looked for fit release {number}, which is about {release.shape.rows:,} people"
            )
    return ""


def _people(
    places: Sequence[Path], releases: Sequence[Release], victims: Path | None, rng: np.random.Generator
) -> tuple[pl.DataFrame, str, list[str], bool]:
    """Choose the people who are looked for; say how they are matched, what that assumes, and whether they are real."""
    look = "whoever fits one group by her cells is in it, and whoever fits several may be in each of them"
    names = list(dict.fromkeys(name for release in releases for name in release.shape.quasi_identifiers))
    if victims is not None:
        listed = sources.read(victims)
        columns = [name for name in names if name in listed.columns]
        if not columns:
            raise RoleError(
                f"The list of victims has none of the quasi-identifiers {', '.join(names)}.",
                hint=f"Its columns are {', '.join(listed.columns)}.",
            )
        return listed.select(columns), f"by {', '.join(columns)}, of the people in {victims.name}", [look], True
    for place, release in zip(places, releases, strict=True):
        exact = published_people(next(iter(release.shape.parts.values())))
        if exact is not None:
            how = f"by {', '.join(exact.columns)}, of the people whom {place.name} shows as they are"
            return exact, how, [look], True
    drawn = stand_ins(next(iter(releases[0].shape.parts.values())), rng)
    if not drawn.width:
        raise RoleError(
            f"The cells of {places[0].name} do not say which people could be meant.",
            hint="Give a list of people: --victims voters.csv.",
        )
    return (
        drawn,
        f"by {', '.join(drawn.columns)}, of made-up people",
        [
            f"no list of people was given and every release is blurred: one made-up person stands for every row of "
            f"{places[0].name}, drawn inside its cells; --victims gives real people",
            look,
        ],
        False,
    )


def _audited(
    matched: MatchedReleases,
    places: Sequence[str],
    how: str,
    assumed: Sequence[str],
    features: Features | None = None,
    missing: Sequence[str] = (),
    doubt: str = "",
) -> AuditedTogether:
    columns = []
    for column, belief in matched.beliefs.items():
        found = matched.sightings[column]
        alone = []
        for number in range(len(matched.releases)):
            own = [sighting for sighting in found if sighting.release == number]
            alone.append(read_together(own, column, belief.dictionary).pinned if own else 0)
        asked = belief.candidates > 0
        learned = None
        if features is not None:
            learned = float(carry(found, features, column, belief.dictionary).posteriors[asked].mean())
        columns.append(
            ColumnTogether(
                column,
                tuple(alone),
                belief.pinned,
                float(belief.max_posterior),
                float(belief.posteriors[asked].mean()) if asked.any() else 0.0,
                belief.contradictions,
                SmallWorlds.of(belief),
                learned,
                equivalence(found),
            )
        )
    failing = broken_claims(matched)
    # Somebody who may not be there shows that a claim may fail, not that it does.
    broken = [] if doubt else failing
    doubtful = [f"{each.words()}, {doubt}" for each in failing] if doubt else []
    fitted = [FITTED.format(counted(matched.fitted, "people"))] if matched.fitted and not failing else []
    promised = any(one.claims for one in matched.releases)
    unjudged = [
        f"{claim} of release {one.number}: beliefs about values cannot tell"
        for one in matched.releases
        for claim in one.claims
        if not claim.judged_together
    ]
    return AuditedTogether(
        tuple(places),
        how,
        tuple(assumed),
        matched.count,
        matched.shared,
        tuple(columns),
        tuple(broken),
        (*missing, *unjudged, *doubtful, *(fitted if promised else [])),
    )
