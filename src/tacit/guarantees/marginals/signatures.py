"""Signatures: the set of sensitive values of each group, and of every person in every marginal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.shapes import Inside, Shape
from tacit.table import Table, as_text, encode


def number_signatures(parts: Mapping[str, Shape]) -> list[Ints]:
    """Number the set of sensitive values of every group, equal sets alike in all parts."""
    from tacit.kernels.lists import number_lists

    names = next(iter(parts.values())).sensitive
    common = encode(pl.concat([as_text(p.dictionary(name)) for p in parts.values() for name in names]).alias("text"))
    offsets, values, at = [np.zeros(1, np.int64)], [], 0
    for part in parts.values():
        sizes = np.zeros(part.statistics.count, np.int64)
        groups, codes = [], []
        for column, name in enumerate(names):
            histogram, width = part.statistics.histograms[name], len(part.dictionary(name))
            meant = common.codes[at : at + width].astype(np.int64)
            at += width
            groups.append(histogram.entry_groups())
            codes.append(column * common.cardinality + meant[histogram.values])
            sizes += histogram.distinct()
        group, value = np.concatenate(groups), np.concatenate(codes)
        values.append(value[np.lexsort((value, group))])
        offsets.append(offsets[-1][-1] + np.cumsum(sizes))
    ids, _ = number_lists(np.concatenate(offsets), np.concatenate(values))
    ends = np.cumsum([part.statistics.count for part in parts.values()])
    return np.split(ids, ends[:-1])


def as_many_people(parts: Mapping[str, Shape], signatures: Sequence[Ints]) -> bool:
    """Whether every signature stands for as many people in each part.

    It does if everybody keeps her signature; the converse is not true, because different people may have it.
    """
    many = max(int(ids.max(initial=-1)) for ids in signatures) + 1
    counts = [
        np.bincount(ids, weights=part.statistics.sizes, minlength=many)
        for part, ids in zip(parts.values(), signatures, strict=True)
    ]
    return all((count == counts[0]).all() for count in counts)


@dataclass(frozen=True, eq=False)
class PeopleOfPart:
    """Every published person in one part: the group she is in, and her signature."""

    group: Ints
    signature: Ints


def find_people(
    parts: Mapping[str, Shape], signatures: Sequence[Ints], inside: Inside, source: Table | None
) -> list[PeopleOfPart] | None:
    """Find every published person in every part; None where `inside` or the table is not about the frames."""
    people = []
    for (name, part), ids in zip(parts.items(), signatures, strict=True):
        group = inside.group.get(name) if isinstance(inside.group, Mapping) else inside.group
        numbers = part.numbers
        if group is None or numbers is None or not numbers.dtype.is_integer() or len(group) != len(inside.kept):
            return None
        mine, known = group[inside.kept], numbers.to_numpy()
        at = np.minimum(np.searchsorted(known, mine), max(0, len(known) - 1))
        if (known[at] != mine).any() or (np.bincount(at, minlength=len(known)) != part.statistics.sizes).any():
            return None
        if source is not None and not _have_their_values(part, at, source, inside.kept):
            return None
        people.append(PeopleOfPart(at, ids[at]))
    return people


def _have_their_values(part: Shape, group: Ints, source: Table, kept: Flags) -> bool:
    """Whether the people of every group have the values that are published for it."""
    if len(source) != len(kept):
        return False
    for name in part.sensitive:
        codes, histogram = source.codes(name), part.statistics.histograms[name]
        meant = codes.positions(as_text(part.dictionary(name)))
        published = np.repeat(histogram.entry_groups() * codes.cardinality + meant[histogram.values], histogram.counts)
        held = group * codes.cardinality + codes.codes[kept]
        if not np.array_equal(np.sort(published), np.sort(held)):
            return False
    return True


def changed_signatures(people: Sequence[PeopleOfPart]) -> Flags:
    """Tell whose signature is not the same in all parts."""
    changed = np.zeros(len(people[0].signature), dtype=bool)
    for part in people[1:]:
        changed |= part.signature != people[0].signature
    return changed


def outside_buckets(people: Sequence[PeopleOfPart], inside: Inside) -> Flags:
    """Tell whose signature is not the set of values of her bucket, from which other releases were or will be cut.

    A bucket consists of its groups: if none of them reaches into another bucket, and all have the same signature, then
    this signature is the bucket's set of values.
    """
    outside = np.zeros(len(people[0].signature), dtype=bool)
    if inside.bucket is None:
        return outside
    bucket = inside.bucket[inside.kept]
    for part in people:
        outside |= _differs_within(part.group, bucket)
        outside |= _differs_within(bucket, part.signature)
    return outside


def _differs_within(group: Ints, number: Ints) -> Flags:
    """Tell who is in a group in which not everybody has the same number."""
    low = np.full(int(group.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    high = np.full(len(low), -1)
    np.minimum.at(low, group, number)
    np.maximum.at(high, group, number)
    return np.asarray((low != high)[group])
