"""Protector: a method as a step of a scikit-learn pipeline, so that a model learns from protected rows only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from tacit import sources
from tacit.audits import audit
from tacit.errors import Infeasible, ParameterError, RoleError
from tacit.methods import Method
from tacit.releases import Release
from tacit.shapes import Shape
from tacit.shapes.bounds import bounds
from tacit.sources.extras import extra
from tacit.table import Kind, Table, as_text
from tacit.table.kinds import infer
from tacit.table.roles import as_names

__all__ = ["Protector"]

if TYPE_CHECKING:

    class BaseEstimator:
        """What scikit-learn offers every estimator."""

        def set_params(self, **_changed: Any) -> Any:
            """Change parameters."""

    class TransformerMixin:
        """What scikit-learn offers every transformer."""
else:
    try:
        from sklearn.base import BaseEstimator, TransformerMixin
    except ImportError:  # said when a Protector is made
        BaseEstimator, TransformerMixin = type("Nothing", (), {}), type("NoTransformer", (), {})

_ROW = "row of the pipeline"
"""A column that says which row a published row was made of. It is taken out before anything is returned."""
_TARGET = "target of the pipeline"


class Protector(TransformerMixin, BaseEstimator):
    """Protects the rows that a model is fitted on, as a transformer for scikit-learn pipelines.

    `fit_transform` protects the rows: blurred numbers and dates become the midpoints of what is published, other cells
    the text that is published. `transform` is for rows that are not published, such as those to predict: they keep
    their values. So a model is fitted on what outsiders would get, and judged on true rows.

    The rows of a pipeline cannot change in number: a method that withholds rows is refused, and so is one that
    publishes several tables, or sensitive values apart from people.

    Needs the extra `utility`.

    Parameters
    ----------
    method
        How the rows are protected.
    quasi_identifiers
        Columns that an outsider may know, by default all. Other columns are left out.
    sensitive
        Columns that a person would not tell, among those of X; by default the target y, if there is one. They are left
        out of what is returned.
    hierarchies, kinds
        As for `Table`.
    seed
        For tests.

    Attributes
    ----------
    guarantees_
        What the protected rows keep, checked.

    Examples
    --------
    >>> import tacit as tc
    >>> protector = Protector(tc.Mondrian([tc.KAnonymity(2)]))
    >>> protector.fit_transform({"age": [20, 24, 60, 64]}, ["a", "b", "a", "b"])["age"].to_list()
    [22.0, 22.0, 62.0, 62.0]
    >>> protector.transform({"age": [23]})["age"].to_list()
    [23.0]
    """

    def __init__(
        self,
        method: Method,
        *,
        quasi_identifiers: str | Iterable[str] | None = None,
        sensitive: str | Iterable[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        kinds: Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> None:
        extra("sklearn", what="A Protector", extra_name="utility")
        self.method = method
        self.quasi_identifiers = quasi_identifiers
        self.sensitive = sensitive
        self.hierarchies = hierarchies
        self.kinds = kinds
        self.seed = seed

    def set_params(self, **changed: Any) -> Protector:
        """Change parameters; those of the method are named `method__...`, and make another method."""
        inner = {
            name.removeprefix("method__"): changed.pop(name) for name in list(changed) if name.startswith("method__")
        }
        if changed:
            super().set_params(**changed)
        if inner:
            self.method = self.method.set_params(**inner)
        return self

    def fit(self, X: Any, y: Any = None) -> Protector:
        """Protect the rows, and remember only what is needed for other rows."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Protect the rows, and return them in the order they were given in."""
        if not isinstance(self.method, Method):
            raise ParameterError(
                f"A Protector takes a method, not a {type(self.method).__name__}.", hint="Say tacit.Mondrian(...)."
            )
        frame = _frame(X)
        hidden = as_names(self.sensitive, "sensitive")
        known = (
            tuple(name for name in frame.columns if name not in hidden)
            if self.quasi_identifiers is None
            else as_names(self.quasi_identifiers, "quasi_identifiers")
        )
        for name in known:
            if name in hidden:
                raise RoleError(f"The column {name!r} has two roles.", hint="Name it once.")
        for name in (*known, *hidden):
            if name not in frame.columns:
                raise RoleError.missing_column(name, frame.columns, place="the rows")
        numbered = frame.with_columns(pl.int_range(frame.height, eager=True).alias(_ROW))
        if y is not None and not hidden:
            numbered = numbered.with_columns(pl.Series(_TARGET, np.asarray(y).ravel()).cast(pl.String))
            hidden = (_TARGET,)
        table = Table(
            numbered.select(*known, *hidden, _ROW),
            quasi_identifiers=known,
            sensitive=hidden,
            hierarchies=self.hierarchies,
            kinds=self.kinds,
            others="publish",
            allow=[*known, *hidden, _ROW],
        )
        release = self.method.protect(table, seed=self.seed)
        audit(release).require("The rows are not protected")
        shape = _whole(release, len(table))
        rows = bounds(shape.frames()["table"], shape.frame_columns("table")).sort(_ROW)
        self.feature_names_in_ = np.array(known, dtype=object)
        self.n_features_in_ = len(known)
        self._numeric = {name for name in known if f"{name}_midpoint" in rows.columns}
        self.guarantees_ = release.guarantees
        columns = [
            _number(rows[f"{name}_midpoint"]) if name in self._numeric else as_text(rows[name]) for name in known
        ]
        return _like(X, pl.DataFrame([column.alias(name) for column, name in zip(columns, known, strict=True)]))

    def transform(self, X: Any) -> Any:
        """Return other rows with the same columns, numbers as numbers and everything else as text."""
        if not hasattr(self, "feature_names_in_"):
            raise ParameterError("This Protector is not fitted yet.", hint="Call fit or fit_transform first.")
        frame = _frame(X)
        names = [str(name) for name in self.feature_names_in_]
        missing = [name for name in names if name not in frame.columns]
        if missing:
            raise ParameterError(f"The rows have no column {missing[0]!r}.", hint=f"Columns: {', '.join(names)}.")
        columns = [_number(frame[name]) if name in self._numeric else as_text(frame[name]) for name in names]
        return _like(X, pl.DataFrame(columns))

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> Any:
        """Return the names of the columns that are returned."""
        return self.feature_names_in_


def _whole(release: Release, rows: int) -> Shape:
    """Refuse what cannot be a step of a pipeline."""
    shape = release.shape
    if shape.several or "table" not in shape.frames():
        raise ParameterError(
            "The method publishes several tables, which no step of a pipeline can.",
            hint="Use one that blurs, such as tacit.Mondrian(...).",
        )
    if shape.rows != rows:
        raise Infeasible(
            f"The method withholds {rows - shape.rows:,} of {rows:,} rows, which no step of a pipeline can.",
            hint="Use one that withholds none, such as tacit.Mondrian(...) with allow_withheld=0.",
        )
    return shape


def _frame(X: Any) -> pl.DataFrame:
    if isinstance(X, np.ndarray):
        return sources.as_frame({f"x{i}": column for i, column in enumerate(np.atleast_2d(X.T))})
    return sources.as_frame(X)


def _number(column: pl.Series) -> pl.Series:
    """Write numbers as floats, days as days since 1970."""
    if infer(column) is Kind.DATE:
        return column.cast(pl.Datetime("us")).dt.epoch("us").cast(pl.Float64) / 86_400_000_000
    return column.cast(pl.Float64)


def _like(given: Any, frame: pl.DataFrame) -> Any:
    """Return rows as a frame of the library that they came in."""
    if type(given).__module__.partition(".")[0] != "pandas":
        return frame
    plain = frame.to_pandas()
    plain.index = given.index
    return plain
