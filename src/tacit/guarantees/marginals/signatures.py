"""Signatures: the set of sensitive values of each group, and of every person in every marginal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.shapes import Inside, Shape
from tacit.table import Table, as_text, encode, positions


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
        nobody = _counterfeits(part, name, inside)
        if nobody is None or (known[at] != mine).any():
            return None
        if (np.bincount(at, minlength=len(known)) + nobody.many != part.statistics.sizes).any():
            return None
        if source is not None and not _have_their_values(part, at, source, inside.kept, nobody):
            return None
        people.append(PeopleOfPart(at, ids[at]))
    return people


@dataclass(frozen=True, eq=False)
class _Nobody:
    """The rows of one part that are nobody's: how many each group has, and the group and value of each of them."""

    many: Ints
    group: Ints
    values: pl.Series


def _counterfeits(part: Shape, name: str, inside: Inside) -> _Nobody | None:
    """Find the counterfeits of one part; None where the private part does not have those that are published."""
    numbers, count = part.numbers, part.statistics.count
    mine = inside.counterfeits
    if mine is None or not len(mine):
        none = np.zeros(0, dtype=np.int64)
        return None if part.counterfeits else _Nobody(np.zeros(count, dtype=np.int64), none, pl.Series(dtype=pl.String))
    if name not in mine.group or numbers is None:
        return None
    group, known = mine.group[name], numbers.to_numpy()
    at = np.minimum(np.searchsorted(known, group), max(0, len(known) - 1))
    many = np.bincount(at, minlength=count)
    if (known[at] != group).any() or not np.array_equal(many, part.group_counterfeits):
        return None
    return _Nobody(many, at, mine.values)


def _have_their_values(part: Shape, group: Ints, source: Table, kept: Flags, nobody: _Nobody) -> bool:
    """Whether the people of every group, and its counterfeits, have the values that are published for it."""
    if len(source) != len(kept):
        return False
    for name in part.sensitive:
        codes, histogram, shown = source.codes(name), part.statistics.histograms[name], as_text(part.dictionary(name))
        code = positions(as_text(codes.values), shown)  # a value that only counterfeits have is not in the table
        width = len(shown) + 1
        published = np.repeat(histogram.entry_groups() * width + histogram.values, histogram.counts)
        made_up = nobody.group * width + positions(as_text(nobody.values), shown)
        held = np.concatenate([group * width + code[codes.codes[kept]], made_up])
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
