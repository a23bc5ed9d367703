"""What a release shows of who is with whom, as one digest: two releases with equal digests show the same.

A reader of two releases looks a person up in both and keeps the values that both allow. If both put the same people
together, or cut marginals from the same buckets, then both allow the same values and nothing is left out; otherwise the
intersection may be smaller than either promised. The comparison is of two releases and has no order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from tacit.arrays import Ints
from tacit.shapes import Inside, Published
from tacit.table import Histogram


def grouping_digest(release: Published) -> str | None:
    """Return the digest of the groups that the published people are in; None where the private part is missing.

    Marginals that are cut from buckets show the values of a bucket, however they cut it; rows that are published as
    they were are each a group of their own. Suppressed cells belong to it: what one release hides, another must not
    show.
    """
    inside = release.inside
    if inside is None:
        return None
    seal = hashlib.sha256()
    for part in sorted(_groupings(release, inside)):
        seal.update(part)
    cells = inside.cells[inside.kept]
    seal.update(np.packbits(cells).tobytes() if cells.any() else b"")
    return seal.hexdigest()


def _groupings(release: Published, inside: Inside) -> set[bytes]:
    if inside.bucket is not None and inside.table is not None and len(inside.table.sensitive) == 1:
        codes = inside.table.codes(inside.table.sensitive[0])
        same = value_sets(inside.bucket[inside.kept], codes.codes[inside.kept].astype(np.int64), codes.cardinality)
        return {b"values" + _digest(same)}
    if inside.group is None or not release.shape.grouped:
        return {b"rows"}
    several = inside.group.values() if isinstance(inside.group, Mapping) else [inside.group]
    return {b"groups" + _digest(numbers[inside.kept]) for numbers in several}


def value_sets(bucket: Ints, sensitive: Ints, values: int) -> Ints:
    """Number the set of values of every row's bucket: buckets of the same values have the same number."""
    from tacit.kernels.lists import number_lists

    held = Histogram.of(bucket, int(bucket.max(initial=-1)) + 1, sensitive, values)
    ids, _ = number_lists(held.offsets, held.values)
    return np.asarray(ids[bucket], dtype=np.int64)


def _digest(numbers: Ints) -> bytes:
    """Return the digest of who has the same number; which numbers they are does not matter.

    Examples
    --------
    >>> [_digest(np.array(numbers)) == _digest(np.array([0, 0, 1])) for numbers in ([7, 7, 3], [7, 3, 3])]
    [True, False]
    """
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    return hashlib.sha256(np.ascontiguousarray(first[inverse], dtype=np.int64).tobytes()).digest()
