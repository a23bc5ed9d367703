"""Signatures: sets of sensitive values, each with a number, that a ledger keeps for ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import Ints, offsets_of


@dataclass(frozen=True, eq=False)
class Signatures:
    """Lists of values, each in ascending order of codes; `texts` are the values behind the codes.

    Examples
    --------
    >>> signatures = Signatures.none().with_sets(np.array([0, 2, 4]), np.array([0, 1, 1, 2]), ["cold", "flu", "gout"])
    >>> signatures[0].sets(), signatures[1].tolist()
    ([['cold', 'flu'], ['flu', 'gout']], [0, 1])
    """

    texts: tuple[str, ...]
    offsets: Ints
    values: Ints

    @classmethod
    def none(cls) -> Signatures:
        """Return no signature at all."""
        return cls((), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Ints:
        """How many values each has."""
        return np.diff(self.offsets)

    def sets(self) -> list[list[str]]:
        """Return the values of each."""
        return [[self.texts[v] for v in part] for part in np.split(self.values, self.offsets[1:-1])]

    def with_texts(self, texts: Sequence[str]) -> tuple[Signatures, Ints]:
        """Add values that are not known yet; return also the code of each of those given."""
        code = {text: number for number, text in enumerate(self.texts)}
        for text in texts:
            code.setdefault(text, len(code))
        return Signatures(tuple(code), self.offsets, self.values), np.array([code[text] for text in texts], np.int64)

    def with_sets(self, offsets: Ints, values: Ints, texts: Sequence[str]) -> tuple[Signatures, Ints]:
        """Add the sets `values[offsets[i]:offsets[i + 1]]` of `texts` that are new; return also the number of each."""
        from tacit.kernels.lists import number_lists

        whole, code = self.with_texts(texts)
        group = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        meant = code[values]
        meant = meant[np.lexsort((meant, group))]
        every = np.concatenate([self.offsets, self.offsets[-1] + offsets[1:]]).astype(np.int64)
        listed = np.concatenate([self.values, meant]).astype(np.int64)
        numbers, first = number_lists(every, listed)  # in order of appearance: those that are known keep their numbers
        fresh = first[first >= self.count]
        lengths = np.diff(every)[fresh]
        entries = np.repeat(every[fresh] - offsets_of(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
        added = Signatures(
            whole.texts,
            np.concatenate([self.offsets, self.offsets[-1] + np.cumsum(lengths)]).astype(np.int64),
            np.concatenate([self.values, listed[entries]]),
        )
        return added, np.asarray(numbers[self.count :], dtype=np.int64)

    def since(self, before: Signatures) -> dict[str, Any]:
        """Return what was added to others, for a line of a ledger."""
        offsets = self.offsets[before.count :]
        return {
            "texts": list(self.texts[len(before.texts) :]),
            "offsets": offsets - offsets[0],
            "values": self.values[before.offsets[-1] :].astype(np.int32),
        }

    def then(self, line: dict[str, Any]) -> Signatures:
        """Add what a line of a ledger holds."""
        return Signatures(
            (*self.texts, *line["texts"]),
            np.concatenate([self.offsets, self.offsets[-1] + line["offsets"][1:]]),
            np.concatenate([self.values, line["values"].astype(np.int64)]),
        )
