"""Released: the records that a release shows, aligned with the people behind them where that is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.knowledge.risk.attributes import Attributes, Blank
from tacit.knowledge.risk.model import DisclosureRisk
from tacit.knowledge.risk.records import Records
from tacit.shapes import ANYTHING, Inside, PublishedColumn, Shape, unquote
from tacit.table import Groups, Table, as_text, encode, positions


@dataclass(frozen=True, eq=False)
class Released:
    """The attributes of the published rows, and which of their cells are suppressed.

    Attributes
    ----------
    attributes, blank
        Aligned with each other: with the input if `aligned`, else with the public frame, where the value behind a blank
        is one that nobody else is known to have.
    aligned
        Whether the true values are those of the input.
    dictionaries
        The text of each code of each attribute, where the values are those of the frame.
    """

    attributes: Attributes
    blank: Blank
    aligned: bool
    dictionaries: tuple[pl.Series, ...] = ()

    def code(self, name: str, values: pl.Series) -> npt.NDArray[np.int32]:
        """Return the codes of other people's values in a column; one that the release does not hold is nobody's."""
        j = self.attributes.names.index(name)
        nobody = self.attributes.sizes[j]
        codes = positions(as_text(values), self.dictionaries[j])
        return np.where(codes >= 0, codes, nobody).astype(np.int32)

    @property
    def records(self) -> Records:
        """The distinct rows of the release."""
        return Records.of(self.attributes, self.blank)

    @classmethod
    def of(cls, risk: DisclosureRisk, shape: Shape, source: Table | None, inside: Inside | None) -> Released:
        """Take the true values if what is kept inside agrees with the public frame, else what the frame shows."""
        (_by_roles(risk, shape) if source is None else risk.resolved(source)).require_weights()
        if source is not None and inside is not None and len(inside.kept) == len(source):
            true = Attributes.of(risk, source)
            places = [inside.columns.index(name) for name in true.names]
            blank = inside.cells[:, places]
            if not inside.kept.all():
                true, blank = true.take(inside.kept), blank[inside.kept]
            if _same_rows(true, blank, shape, source):
                return cls(true, blank, True)
        return cls.shown(risk, shape)

    @classmethod
    def shown(cls, risk: DisclosureRisk, shape: Shape) -> Released:
        """Take what the public frame shows."""
        frame = shape.people
        cells = {column.name: _values(frame[column.name], column) for column in shape.columns}
        table = Table(
            pl.DataFrame([values for values, _ in cells.values()]),
            quasi_identifiers=shape.quasi_identifiers,
            kinds={c.name: "categorical" for c in shape.columns if cells[c.name][0].dtype == pl.String},
            others="publish",
        )
        resolved = _by_roles(risk, shape)
        partly = [name for name, (_, blank) in cells.items() if blank.any()]
        true = Attributes.of(resolved, table, partly=partly)
        blank = (
            np.stack([cells[name][1] for name in true.names], axis=1) if true.names else np.zeros((len(table), 0), bool)
        )
        codes = tuple(
            np.where(blank[:, j], np.int32(size), column).astype(np.int32)
            for j, (column, size) in enumerate(zip(true.codes, true.sizes, strict=True))
        )
        worth = tuple(np.append(each, 0.0) for each in true.worth)
        sizes = tuple(size + 1 for size in true.sizes)
        return cls(
            Attributes(true.names, true.known, worth, codes, sizes, true.alpha, true.missing, true.rows),
            blank,
            False,
            tuple(table.codes(name).texts for name in true.names),
        )


def _by_roles(risk: DisclosureRisk, shape: Shape) -> DisclosureRisk:
    """Write the defaults out by the roles of the published columns."""
    if risk.known is not None and risk.weights is not None:
        return risk
    like = Table(
        pl.DataFrame({column.name: ["0"] if column.kind == "categorical" else [0] for column in shape.columns}),
        quasi_identifiers=shape.quasi_identifiers,
        sensitive=shape.sensitive,
        others="publish",
    )
    return risk.resolved(like)


def _values(series: pl.Series, column: PublishedColumn) -> tuple[pl.Series, npt.NDArray[np.bool_]]:
    """Return the values of a published column, and which of its cells are suppressed."""
    blank = np.zeros(len(series), dtype=bool)
    if column.suppressed:
        blank |= series.is_null().to_numpy()
    if column.blurred and series.dtype == pl.String:
        blank |= (series == ANYTHING).fill_null(False).to_numpy()
        distinct = series.unique().drop_nulls()
        quoted = distinct.filter(distinct.str.starts_with('"'))
        if len(quoted):
            series = series.replace(quoted, pl.Series([unquote(text) for text in quoted], dtype=pl.String))
        if column.suppressed:  # an original null is an empty text there, an empty text a quoted one
            empty = pl.Series(_was_empty(column, series, blank))
            series = pl.select(pl.when(~empty).then(series)).to_series()
    return series.alias(column.name), blank


def _was_empty(column: PublishedColumn, series: pl.Series, blank: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return (series == "").fill_null(False).to_numpy() & ~blank


def _same_rows(true: Attributes, blank: Blank, shape: Shape, source: Table) -> bool:
    """Whether the frame holds the same rows as the input with these cells suppressed."""
    if shape.rows != true.rows or any(name not in {c.name for c in shape.columns} for name in true.names):
        return False
    frame = shape.people
    both, sizes = [], []
    for j, name in enumerate(true.names):
        values, hidden = _values(frame[name], shape.column(name))
        texts = source.codes(name).texts
        known = pl.DataFrame({"text": texts, "code": np.arange(len(texts), dtype=np.int64)})
        # A quoted empty text and an original null look alike once read; so they count as one here.
        known = known.with_columns(pl.col("text").fill_null("")).unique("text", keep="first", maintain_order=True)
        to_code = dict(known.iter_rows())
        mine = np.array([to_code["" if text is None else text] for text in texts.to_list()], dtype=np.int64)
        encoded = encode(as_text(values).fill_null(""))
        theirs = np.array([to_code.get(text, -1) for text in encoded.values.to_list()], dtype=np.int64)
        published = theirs[encoded.codes] if len(theirs) else np.zeros(0, np.int64)
        if (published[~hidden] < 0).any() or int(hidden.sum()) != int(blank[:, j].sum()):
            return False
        size = true.sizes[j]
        small = np.min_scalar_type(-size - 1)  # all columns of both are held at once
        pair = np.empty(2 * true.rows, dtype=small)
        pair[: true.rows] = np.where(blank[:, j], size, mine[true.codes[j]])
        pair[true.rows :] = np.where(hidden, size, published)
        both.append(pair)
        sizes.append(size + 1)
    groups = Groups.of(both, sizes, rows=2 * true.rows)
    ours, theirs_too = groups.ids[: true.rows], groups.ids[true.rows :]
    return bool((np.bincount(ours, minlength=groups.count) == np.bincount(theirs_too, minlength=groups.count)).all())
