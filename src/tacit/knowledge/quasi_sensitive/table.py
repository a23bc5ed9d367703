"""Label tables: labels, and the items that go with each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.errors import ParameterError

_COMPARED = 50
"""Items of a vocabulary that are compared with all items of the label table to find a similar one, for a hint. More
find a match more often and take longer; chosen by trial."""
Words = np.ndarray[tuple[int, int], np.dtype[np.uint64]]
REFERENCE = "label table"
"""The one key of what `LabelTable.plain` returns. No label table looks like it: the items of a label are no mapping."""


class LabelTable:
    """What an outsider knows: which items go with which label. A frozen value.

    Parameters
    ----------
    sets
        Labels with their items. The same item twice is one item; a label may have none.
    path
        The file that it was read from, if it was.

    Examples
    --------
    >>> flu = LabelTable({"flu": ["cough", "headache"], "hepatitis B": ["dark urine"]})
    >>> flu
    LabelTable: 2 labels, 3 items
    >>> flu.labels
    ('flu', 'hepatitis B')
    """

    def __init__(self, sets: Mapping[str, Iterable[str]], *, path: Path | None = None) -> None:
        if not sets:
            raise ParameterError("The label table has no labels.", hint="Give at least one label with its items.")
        self.path = None if path is None else path.resolve()
        known = {label: sorted({item.strip() for item in items} - {""}) for label, items in sets.items()}
        self._labels = tuple(known)
        flat = pl.Series("item", [item for items in known.values() for item in items], dtype=pl.String)
        self._items = flat.unique().sort()
        self._sizes = np.array([len(items) for items in known.values()], dtype=np.int64)
        code = {item: i for i, item in enumerate(self._items.to_list())}
        self._codes = np.array([code[item] for item in flat.to_list()], dtype=np.int64)
        for array in (self._sizes, self._codes):
            array.flags.writeable = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order given."""
        return self._labels

    @property
    def items(self) -> pl.Series:
        """The items that go with some label, ascending."""
        return self._items

    @property
    def sizes(self) -> Ints:
        """How many items each label has."""
        return self._sizes

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the labels and their items: the same for every file, and every order, that says the same."""
        items = self._items.gather(self._codes).to_list()
        ends = np.cumsum(self._sizes).tolist()
        sets = {
            label: items[end - size : end]
            for label, size, end in zip(self._labels, self._sizes.tolist(), ends, strict=True)
        }
        return hashlib.sha256(json.dumps(sets, sort_keys=True).encode()).hexdigest()

    def plain(self) -> dict[str, Any]:
        """Return what the private part of a release keeps: where the table is and its digest, not what it says.

        `as_label_table` makes the table again from it, as long as the file is there and says the same.
        """
        return {REFERENCE: {"sha256": self.digest, "path": None if self.path is None else str(self.path)}}

    def __len__(self) -> int:
        return len(self._labels)

    def __repr__(self) -> str:
        return f"LabelTable: {len(self):,} labels, {len(self._items):,} items"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelTable) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        return self._labels, self._sizes.tobytes(), self._codes.tobytes(), tuple(self._items)

    @cached_property
    def full(self) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        """All labels, as bits."""
        bits = np.zeros(-(-len(self) // 64), dtype=np.uint64)
        at = np.arange(len(self), dtype=np.uint64)
        np.bitwise_or.at(bits, (at >> np.uint64(6)).astype(np.int64), np.uint64(1) << (at & np.uint64(63)))
        return bits

    @cached_property
    def _bits(self) -> Words:
        """Per item the labels that it goes with, as bits; after the last, those of an unknown item: none."""
        bits = np.zeros((len(self._items) + 1, len(self.full)), dtype=np.uint64)
        label = np.repeat(np.arange(len(self), dtype=np.uint64), self._sizes)
        at = (self._codes, (label >> np.uint64(6)).astype(np.int64))
        np.bitwise_or.at(bits, at, np.uint64(1) << (label & np.uint64(63)))
        return bits

    def bits_of(self, vocabulary: pl.Series) -> Words:
        """Return, for each item of a vocabulary, the labels that it goes with."""
        known = pl.DataFrame({"item": self._items, "code": np.arange(len(self._items))})
        asked = pl.DataFrame({"item": vocabulary.cast(pl.String)})
        code = asked.join(known, on="item", how="left", maintain_order="left")["code"].fill_null(len(self._items))
        return np.asarray(self._bits[code.to_numpy()])

    def nearest(self, vocabulary: pl.Series) -> str:
        """Build a hint for a vocabulary of which nothing goes with a label, with an item that differs little."""
        folded = {item.casefold(): item for item in self._items.to_list()}
        close = None
        for item in vocabulary.cast(pl.String).drop_nulls().head(_COMPARED).to_list():
            match = get_close_matches(item.casefold(), folded, n=1)
            if match:
                close = f"Is {item!r} the label table's {folded[match[0]]!r}? "
                break
        shown = ", ".join(repr(item) for item in self._items.head(5).to_list()) or "none at all"
        return f"{close or ''}Items must be spelled as in the label table, which has {shown}."

    def require_match(self, asker: str, attribute: str, vocabulary: pl.Series, consequence: str) -> None:
        """Refuse a vocabulary of which nothing goes with a label: a verdict of whoever asks would be about nothing.

        Parameters
        ----------
        asker
            The guarantee or adversary that needs a match, for the message.
        attribute, vocabulary
            The items column, and its items. A column without any item is accepted.
        consequence
            What no match would mean, for the message.
        """
        if not len(vocabulary) or self.knows(vocabulary).any():
            return
        shown = ", ".join(repr(item) for item in vocabulary.cast(pl.String).head(3).to_list())
        raise ParameterError(
            f"{asker}: the label table knows none of the {len(vocabulary):,} items of {attribute!r} ({shown}"
            f"{', ...' if len(vocabulary) > 3 else ''}), so {consequence}.",
            hint=self.nearest(vocabulary),
        )

    def knows(self, vocabulary: pl.Series) -> Flags:
        """Tell which items of a vocabulary go with some label."""
        return np.asarray(vocabulary.cast(pl.String).is_in(self._items.implode()).to_numpy(), dtype=np.bool_)
