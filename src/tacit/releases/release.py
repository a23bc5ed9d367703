"""Release: what an outsider sees, with what must not leave beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tacit import markup
from tacit.calls import checked_call
from tacit.measures.small_counts import SmallCounts
from tacit.releases.composition import Composition
from tacit.releases.database import Destination
from tacit.releases.foreign import shape_of
from tacit.releases.places import as_path
from tacit.releases.reading import read_release
from tacit.releases.writing import Documents, Written, without_broken_claims, write_release
from tacit.shapes import Published
from tacit.shapes.bounds import bounds
from tacit.sources.extras import extra
from tacit.strictness import truth


def _one_or_all(frames: Mapping[str, Any]) -> Any:
    return next(iter(frames.values())) if len(frames) == 1 else dict(frames)


class Release(Published):
    """A published table, its claims, and its inside.

    Made by `method.protect(table)`, read back by `Release.read`, or taken from another tool by `Release.foreign`.
    """

    @checked_call()
    def write(
        self,
        folder: str | Path,
        *,
        format: str = "parquet",  # noqa: A002 - the contract's word
        private: str | Path | None = None,
        overwrite: bool = False,
        documents: Documents | None = None,
        private_documents: Documents | None = None,
        before: Callable[[], None] | None = None,
        database: Destination | None = None,
        accept_composition: bool = False,
        hide: SmallCounts | None = None,
    ) -> Written:
        """Audit the release, then write it: whole, or not at all.

        Parameters
        ----------
        folder
            The public folder: the frames, `release.json`, metadata for programs (`datapackage.json`, `croissant.json`,
            `dcat.jsonld`), and nothing that must not leave.
        format
            "parquet", "csv", "arrow", "xlsx", "stata" (dta) or "spss" (sav).
        private
            The private folder (mode 0700), by default the public one's name with `.private`.
        overwrite
            Replace an earlier release in the same place. A folder that holds no release, or anything besides the files
            of one, is never replaced.
        documents, private_documents
            Further files by name, or a function of the audit that makes them, such as reports.
        before
            Called once everything is staged, before anything is moved: where a ledger commits. It must not read a
            release in the same place, which is held until the move is done.
        database
            A database that gets the public frames as tables besides: a `Destination` with its URL and the names of the
            tables. They are all written in one transaction, which is committed right before the folders are moved.
        accept_composition
            For a release that was made with a ledger: publish it also if somebody who has the earlier releases learns
            more than one of them promises. The claims that fail are left out, and the ledger records the figure.
        hide
            What decides which counts `release.json` may show, where a profile allows no small ones.

        Raises
        ------
        AuditFailed
            If a claim does not hold or cannot be checked; then nothing is written.
        """
        return write_release(
            self,
            as_path(folder, "The folder"),
            format=format,
            private=None if private is None else as_path(private, "The private folder"),
            overwrite=truth(overwrite, "overwrite"),
            documents=documents or {},
            private_documents=private_documents or {},
            before=before,
            database=database,
            accept_composition=truth(accept_composition, "accept_composition"),
            hide=hide,
        )

    def settled(self) -> Self:
        """Return the release without the claims that fail for somebody who has the ledger's other releases too."""
        return self if self.register is None else without_broken_claims(self, self.register.judge(self))

    @property
    def together(self) -> Composition:
        """What somebody learns who has the earlier releases of the ledger too; nothing without a ledger."""
        return Composition() if self.register is None else self.register.judge(self)

    def to_polars(self) -> Any:
        """Return the public table as a Polars frame; several public tables as a dict of frames by name."""
        return _one_or_all(self.frames())

    def to_pandas(self) -> Any:
        """Return the public table as a pandas frame; several public tables as a dict of frames by name."""
        extra("pandas", what="A pandas frame", extra_name=None)
        return _one_or_all({name: frame.to_pandas() for name, frame in self.frames().items()})

    def to_arrow(self) -> Any:
        """Return the public table as a PyArrow table; several public tables as a dict of tables by name."""
        return _one_or_all({name: frame.to_arrow() for name, frame in self.frames().items()})

    def bounds(self) -> Any:
        """Return the public table with numbers for blurred numbers, for models; several as a dict by name.

        Every quasi-identifier that holds numbers or dates becomes three columns, `age_lower`, `age_upper` and
        `age_midpoint`. Where a cell tells no number they are null.

        Examples
        --------
        >>> frame = {"age": ["[20, 29]", "35 or missing", "*"], "ill": ["flu", "cold", "flu"]}
        >>> release = Release.foreign(frame, quasi_identifiers="age", sensitive="ill")
        >>> release.bounds().select("age_lower", "age_upper", "age_midpoint").rows()
        [(20.0, 29.0, 24.5), (35.0, 35.0, 35.0), (None, None, None)]
        """
        return _one_or_all({name: bounds(f, self.shape.frame_columns(name)) for name, f in self.frames().items()})

    @classmethod
    @checked_call()
    def read(
        cls,
        folder: str | Path,
        *,
        private: str | Path | None = None,
        hierarchies: Mapping[str, Any] | None = None,
        knowledge: Any = None,
    ) -> Release:
        """Read a release back; its files must be as they were published.

        Parameters
        ----------
        folder
            The public folder.
        private
            The private folder, by default the public one's name with `.private`, which is used if it is there and
            is of this release. One that is named must be.
        hierarchies
            Hierarchies that list values are not published; give them again to match names of nodes with values.
        knowledge
            The label table that a claim is about, which is never published: a mapping, a data frame or a file. With a
            private part it must be the one that the release was made with.
        """
        hidden = None if private is None else as_path(private, "The private folder")
        parts = read_release(as_path(folder, "The folder"), hidden, hierarchies or {}, knowledge)
        return cls(**parts)

    @classmethod
    @checked_call()
    def foreign(
        cls,
        frame: Any,
        *,
        quasi_identifiers: str | Iterable[str],
        sensitive: str | Iterable[str],
        items: str | Iterable[str] | Mapping[str, Sequence[str]] = (),
        hierarchies: Mapping[str, Any] | None = None,
        person: str | None = None,
    ) -> Release:
        """Take what anyone published, to attack or audit it.

        Parameters
        ----------
        frame
            One data frame; or frames by name: `quasi_identifiers` and `sensitive` with a `group` column are a
            bucketized release, other names are marginals.
        quasi_identifiers, sensitive, items
            The roles of the columns. Cells such as `[20, 29]`, `20-29`, `{a, b}`, `130**`, `*` are read as blurred.
            `items` may also map a name to binary columns, one per item.
        hierarchies
            What names of nodes stand for.
        person
            A column that says whose row a row is, where a person may have several; then people are counted.

        Examples
        --------
        >>> frame = {"zip": ["130**", "130**"], "ill": ["flu", "flu"]}
        >>> Release.foreign(frame, quasi_identifiers="zip", sensitive="ill")
        Release: generalized, 2 rows; claims nothing
        """
        shape, persons = shape_of(frame, quasi_identifiers, sensitive, items, hierarchies or {}, person)
        return cls(shape=shape, persons=persons)

    def __repr__(self) -> str:
        size = f"{self.shape.rows:,}" + (f" of {self.size:,}" if self.size not in {None, self.shape.rows} else "")
        claims = ", ".join(str(guarantee) for guarantee in self.guarantees) or "nothing"
        return f"Release: {self.shape.name}, {size} rows; claims {claims}"

    def _repr_html_(self) -> str:
        """Show what everybody may see: the claims, and the first rows of the public frames."""
        parts = [markup.sentence(repr(self))]
        for name, frame in self.frames().items():
            parts.append(markup.grid(frame.columns, frame.head(5).rows(), caption=f"{name}: {frame.height:,} rows"))
        return "".join(parts)
