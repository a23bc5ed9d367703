"""Looking up: the groups of a release in which people may be, by their quasi-identifiers alone.

Ganta, Kasiviswanathan and Smith, "Composition attacks and auxiliary information in data privacy", KDD 2008: a reader of
two releases by different publishers looks the same person up in both.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.adversaries.linkage import flat_covers, read_as
from tacit.adversaries.marginals.intersection import BitSets
from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Ints
from tacit.shapes import Shape, cover
from tacit.shapes.value_tables import GROUP
from tacit.table import Groups, Histogram, encode

_STRETCHES = 16
"""Stretches of people that threads share: several per thread, because people take unequal times. Chosen by trial."""


def look_up(release: int, shape: Shape, people: pl.DataFrame, column: str, code: Ints, width: int) -> list[Sighting]:
    """Return what one table tells of people whose quasi-identifiers are known.

    Whoever fits one group is in it. Of whoever fits several, the values of all of them are possible. Whoever fits none
    is not in the table.

    Parameters
    ----------
    release
        The number of the release.
    shape
        The table.
    people
        The people; columns that are not quasi-identifiers of the table are not used.
    column, code, width
        The sensitive column, the code of each of its values that all releases share, and how many of these there are.
    """
    from tacit.kernels.marginals.intersection import ClassValues, gather, locate, set_bits
    from tacit.kernels.threads import in_parallel, stretches

    names = [name for name in shape.quasi_identifiers if name in people.columns]
    if not names or column not in shape.sensitive:
        return []
    classes = shape.classes
    covers, positions = [], []
    for name in names:
        encoded = encode(read_as(people[name], shape.column(name)))
        covers.append(cover(classes.labels[name], shape.column(name), encoded.values))
        positions.append(covers[-1].position[encoded.codes])
    flat = flat_covers(covers)
    alike = Groups.of(positions, flat.width.tolist(), rows=people.height)
    asked = np.stack([position[alike.first()] for position in positions], axis=1)
    cells = classes.places(names)
    whole = shape.flat or GROUP not in classes.cells.dictionaries
    group = np.arange(len(cells)) if whole else classes.cells.column(GROUP).astype(np.int64)
    found = np.full(len(asked), -1, dtype=np.int64)
    in_parallel(locate, [(asked, cells, group, flat, *part, found) for part in stretches(len(asked), _STRETCHES)])
    spread = classes.spreads[column]
    words = -(-width // 64)
    values = ClassValues(cells, set_bits(spread.offsets, code[spread.values], words))
    allowed = np.zeros((len(asked), words), dtype=np.uint64)
    in_parallel(gather, [(asked, values, flat, *part, allowed) for part in stretches(len(asked), _STRETCHES)])
    held = shape.statistics.histograms[column].recoded(code, width)
    held = Histogram.from_entries(held.entry_groups(), held.values, held.counts, held.groups, width)
    one, several = found[alike.ids], np.where(found == -2, np.arange(len(found)), -1)[alike.ids]
    # More people than rows: not all of them are in the table, so who is in the group is not known.
    # Rows that are nobody's have no room for anybody.
    crowded = np.bincount(one[one >= 0], minlength=held.groups) > held.sizes() - shape.group_counterfeits
    too_many = (one >= 0) & crowded[np.maximum(one, 0)]
    several = np.where(too_many, alike.ids, several)
    return [
        Sighting(release, np.where(too_many | (one < 0), -1, one), held),
        Sighting(release, several, _sets(allowed, width), counted=False),
    ]


def _sets(allowed: BitSets, width: int) -> Histogram:
    """Return sets of values as groups in which each is there once."""
    bits = np.unpackbits(allowed.view(np.uint8), axis=1, bitorder="little")[:, :width]
    group, value = np.nonzero(bits)
    return Histogram.from_entries(group, value, np.ones(len(group), np.int64), len(allowed), width)
