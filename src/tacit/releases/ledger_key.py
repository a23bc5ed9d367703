"""The key of a ledger: sixteen secret bytes beside it, with which the keys of people are hashed.

A ledger remembers people without naming them. Whoever reads the ledger without its key file cannot tell, not even by
trying out names, whether somebody is in it.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import WordGrid
from tacit.errors import LedgerConflict, SourceError
from tacit.releases.locks import hold_file

_BYTES = 16  # of a key of SipHash


class LedgerKey:
    """The key file of one ledger: read where it is there, else drawn now and written by `keep`."""

    def __init__(self, ledger: Path, *, in_use: bool) -> None:
        self.path = ledger.with_name(ledger.name + ".key")
        try:
            self._secret = self.path.read_bytes()
        except FileNotFoundError:
            if in_use:
                raise SourceError(
                    f"The key of the ledger {ledger.name} is missing: there is no file {self.path.name} beside it.",
                    hint="Take it back from a backup. Without it nobody in the ledger can be recognized.",
                ) from None
            self._secret = secrets.token_bytes(_BYTES)
        except OSError as error:
            raise SourceError(f"The key {self.path} cannot be read: {error.strerror}.") from None
        if len(self._secret) != _BYTES:
            raise SourceError(f"The key {self.path} is damaged.", hint="Take it back from a backup.")

    def keep(self) -> None:
        """Write the key down, mode 0600, before anything that needs it; another process may have been faster.

        It is written beside its place and linked there: half a key would make the ledger useless for ever. What a kill
        leaves is swept up with the drafts of the ledger, whose names begin alike.
        """
        draft = self.path.with_name(f".{self.path.name.removesuffix('.key')}.tacit-new-key-{secrets.token_hex(8)}")
        try:
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(handle, "wb") as file:
                    hold_file(handle)
                    file.write(self._secret)
                    file.flush()
                    os.fsync(handle)
                    os.link(draft, self.path)
            finally:
                draft.unlink(missing_ok=True)
        except FileExistsError:
            if self.path.read_bytes() == self._secret:
                return
            raise LedgerConflict(
                f"Another process began the ledger with the key {self.path.name}.",
                hint="Nothing was written; protect the table again.",
            ) from None
        except OSError as error:
            raise SourceError(f"The key {self.path} cannot be written: {error.strerror}.") from None

    @property
    def lock(self) -> str:
        """What tells this key from others, and tells nobody what it is: the hash of no text at all, 64 bits of it."""
        return f"{int(self.hashed(pl.Series(['']))[0, 0]):016x}"

    def hashed(self, column: pl.Series) -> WordGrid:
        """Return two words for every key of a column; a number and its digits as text are the same key."""
        from tacit.kernels.siphash import siphash

        texts = pa.array(column.cast(pl.String).to_arrow()).cast(pa.large_binary())
        _, offsets, data = texts.buffers()
        begins = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
        content = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, dtype=np.uint8)
        return np.asarray(siphash(content, begins, np.frombuffer(self._secret, dtype=np.uint64)))
