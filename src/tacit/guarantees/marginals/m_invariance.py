"""m-invariance of a set of marginals (Xiao and Tao 2007; He, Xiao, Wang et al. for marginals of one table)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit.arrays import Flags, Floats, Ints
from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import GroupGuarantee, Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding
from tacit.shapes import Claim, Inside, Shape
from tacit.table import Groups, GroupStats, Table, as_text, encode

_NOT_ABOUT = "the private part is not about these frames"


class MInvariance(GroupGuarantee):
    """In every marginal each group has at least m rows with different values; and nobody's signature ever changes.

    The signature of a person is the set of values in her group. If it is the same in all marginals, then every value of
    it is equally possible: exchanging values inside all groups at once gives a world that looks the same. Her posterior
    is 1/|signature|, at most 1/m, whatever the number of marginals.

    Parameters
    ----------
    m
        The least number of values of a group, an integer from 2 up.

    Examples
    --------
    >>> from tacit.table import Groups
    >>> stats = GroupStats.of(Groups.of([np.array([0, 0, 1, 1])], [2]), {"ill": (np.array([0, 1, 1, 1]), 2)})
    >>> MInvariance(m=2).satisfied(stats).tolist()
    [True, False]
    """

    knowledge: ClassVar[str] = "the group of every person in every marginal, and that she is in the table"

    m: Annotated[int, Field(strict=True, ge=2, description="the least number of values of a group, an integer from 2")]

    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Judge m-uniqueness: at least m rows, every value once; a group of nobody is fine."""
        held = (stats.sizes >= self.m) | (stats.sizes == 0)
        for histogram in stats.histograms.values():
            held &= histogram.largest() <= 1
        return np.asarray(held)

    def measure(self, stats: GroupStats) -> int:
        """Return the size of the smallest group, 1 where a value repeats."""
        sizes = stats.sizes[stats.sizes > 0]
        if any((histogram.largest() > 1).any() for histogram in stats.histograms.values()):
            return 1
        return int(sizes.min()) if len(sizes) else 0

    def posterior(self, stats: GroupStats) -> Floats:
        """Return the share of the most frequent value, which is 1/size where every value is there once."""
        worst = np.where(stats.sizes > 0, 1.0 / np.maximum(1, stats.sizes), 0.0)
        for histogram in stats.histograms.values():
            worst = np.maximum(worst, histogram.largest() / np.maximum(1, stats.sizes))
        return np.asarray(worst, dtype=np.float64)

    def bound(self) -> float:
        """Return 1/m."""
        return 1.0 / self.m

    def sentence(self, stats: GroupStats) -> str:
        """Tell how many groups there are, and the smallest."""
        fewest = min(int(histogram.distinct().min()) for histogram in stats.histograms.values())
        return f"{stats.count:,} groups, the smallest of {fewest:,} different values"

    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Name the value that is in more than 1/m of the rows."""
        rows = int(stats.sizes.sum())
        for column, histogram in stats.histograms.items():
            totals = histogram.totals()
            top = int(np.argmax(totals))
            if self.m * int(totals[top]) > rows:
                best = rows // int(totals[top])
                largest = f"The largest m that works is {best}" if best > 1 else "No m from 2 up works"
                return Infeasible(
                    f"{self} cannot be met: {names[column][top]!r} of column {column!r} is in {int(totals[top]):,} of "
                    f"{rows:,} rows, more than 1/{self.m}.",
                    hint=f"{largest}; or suppress the surplus first: Pipeline([ShiftSuppression(l={self.m}), "
                    f"InvariantMarginals(m={self.m}, ...)]).",
                )
        return Infeasible(
            f"{self} cannot be met: the table has {rows:,} rows.", hint=f"The largest m that works is {max(1, rows)}."
        )

    def eligible(self, stats: GroupStats) -> Flags:
        """Say of every group whether it can be cut into groups of at least m different values: no value above 1/m."""
        held = np.ones(stats.count, dtype=bool)
        for histogram in stats.histograms.values():
            held &= self.m * histogram.largest() <= stats.sizes
        return held

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge every marginal by itself, then the signatures person by person, earlier releases included."""
        if not evidence.published.shape.sensitive:
            raise RoleError(f"{self} is about a sensitive column, and none is named.", hint="Name one in `sensitive`.")
        finding = super().check(evidence, claim)
        if finding.holds is False:
            return finding
        shape, inside = evidence.published.shape, evidence.parts()[0].inside
        if inside is None and evidence.published.inside is not None:
            return replace(finding.but(replayed="fails"), sentence=_NOT_ABOUT)
        parts = shape.parts
        signatures = _signatures(parts)
        if inside is not None and inside.group is not None and _numbered(parts):
            people = _by_person(parts, signatures, inside, evidence)
            if people is None:
                return replace(finding.but(replayed="fails"), sentence=_NOT_ABOUT)
            changed = _changed(people) | _strayed(people, inside, evidence)
            if changed.any():
                told = f"the signature of {int(changed.sum()):,} people is not the same in all marginals"
                return replace(finding.but(replayed="fails"), posterior=None, where=None, sentence=told)
            told = f"{len(parts)} marginals, " if len(parts) > 1 else ""
            return replace(
                finding.but(replayed="holds"), sentence=f"{told}{finding.sentence}; nobody's signature changes"
            )
        if len(parts) == 1:
            return finding
        many = max(int(ids.max(initial=-1)) for ids in signatures) + 1
        counts = [
            np.bincount(ids, weights=part.statistics.sizes, minlength=many)
            for part, ids in zip(parts.values(), signatures, strict=True)
        ]
        if any((count != counts[0]).any() for count in counts):
            told = "some signatures stand for more people in one marginal than in another"
            return replace(finding.but(published="fails"), posterior=None, where=None, sentence=told)
        return replace(
            finding.but(replayed="not checked"),
            exactness="not guaranteed",
            sentence="every signature stands for as many people in each marginal; whether they are the same people is "
            "not published, and was not checked",
            needed="who is in which group: give the private part of the release",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(m=2), cls(m=4)]


def _numbered(parts: Mapping[str, Shape]) -> bool:
    return all(part.numbers is not None for part in parts.values())


def _signatures(parts: Mapping[str, Shape]) -> list[Ints]:
    """Number the set of sensitive values of every group, equal sets alike in all parts."""
    from tacit.kernels.lists import number_lists

    names = next(iter(parts.values())).sensitive
    texts = [as_text(part.dictionary(name)) for part in parts.values() for name in names]
    common = encode(pl.concat(texts).alias("text")) if texts else None
    offsets, values, at = [np.zeros(1, np.int64)], [], 0
    for part in parts.values():
        sizes = np.zeros(part.statistics.count, np.int64)
        lists = []
        for column, name in enumerate(names):
            assert common is not None  # noqa: S101 - there is a name, so there are texts
            width = len(part.dictionary(name))
            codes = common.codes[at : at + width].astype(np.int64)
            at += width
            histogram = part.statistics.histograms[name]
            group = histogram.entry_groups()
            lists.append((group, column * common.cardinality + codes[histogram.values]))
            sizes += histogram.distinct()
        group = np.concatenate([g for g, _ in lists]) if lists else np.zeros(0, np.int64)
        value = np.concatenate([v for _, v in lists]) if lists else np.zeros(0, np.int64)
        values.append(value[np.lexsort((value, group))])
        offsets.append(offsets[-1][-1] + np.cumsum(sizes))
    ids, _ = number_lists(np.concatenate(offsets), np.concatenate(values))
    counts = np.cumsum([part.statistics.count for part in parts.values()])
    return np.split(ids, counts[:-1])


@dataclass(frozen=True, eq=False)
class _People:
    """Every published person, in one part: the group she is in, how many are, and her signature."""

    group: Ints
    size: Ints
    signature: Ints


def _by_person(
    parts: Mapping[str, Shape], signatures: Sequence[Ints], inside: Inside, evidence: Evidence
) -> list[_People] | None:
    """Find every published person in every part; None where `inside` or the table is not about the frames."""
    found = []
    for (name, part), ids in zip(parts.items(), signatures, strict=True):
        group = inside.group.get(name) if isinstance(inside.group, Mapping) else inside.group
        numbers = part.numbers
        if group is None or numbers is None or len(group) != len(inside.kept):
            return None
        mine, known = group[inside.kept], numbers.to_numpy()
        at = np.minimum(np.searchsorted(known, mine), max(0, len(known) - 1))
        sizes = part.statistics.sizes
        if (known[at] != mine).any() or (np.bincount(at, minlength=len(known)) != sizes).any():
            return None
        if evidence.source is not None and not _true(part, at, evidence.source, inside.kept):
            return None
        found.append(_People(at, sizes[at], ids[at]))
    return found


def _true(part: Shape, group: Ints, source: Table, kept: Flags) -> bool:
    """Whether the people of every group have the values that are published for it."""
    if len(source) != len(kept):
        return False
    for name in part.sensitive:
        codes, histogram = source.codes(name), part.statistics.histograms[name]
        known = {text: code for code, text in enumerate(codes.texts.to_list())}
        meant = np.array([known.get(text, -1) for text in as_text(part.dictionary(name)).to_list()], dtype=np.int64)
        told = np.repeat(histogram.entry_groups() * codes.cardinality + meant[histogram.values], histogram.counts)
        really = group * codes.cardinality + codes.codes[kept]
        if not np.array_equal(np.sort(told), np.sort(really)):
            return False
    return True


def _changed(people: Sequence[_People]) -> Flags:
    """Tell whose signature is not the same in all parts."""
    changed = np.zeros(len(people[0].signature), dtype=bool)
    for other in people[1:]:
        changed |= other.signature != people[0].signature
    return changed


def _strayed(people: Sequence[_People], inside: Inside, evidence: Evidence) -> Flags:
    """Tell whose group does not have all the values of her bucket, from which earlier releases were cut.

    A group inside one bucket, with as many different values as the bucket has, has the same values.
    """
    strayed = np.zeros(len(people[0].signature), dtype=bool)
    if inside.bucket is None or evidence.source is None or len(evidence.source) != len(inside.kept):
        return strayed
    stats = evidence.source.statistics(Groups(inside.bucket, int(inside.bucket.max(initial=-1)) + 1))
    bucket = inside.bucket[inside.kept]
    for part in people:
        first = np.zeros(int(part.group.max(initial=-1)) + 1, dtype=np.int64)
        first[part.group] = bucket
        strayed |= first[part.group] != bucket
        for histogram in stats.histograms.values():
            strayed |= histogram.distinct()[bucket] != part.size
    return strayed
