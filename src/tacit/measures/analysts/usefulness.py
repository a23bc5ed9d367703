"""Usefulness: all figures that analysts ask for, of one release, in one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tacit.errors import Infeasible, RoleError, SourceError
from tacit.measures.analysts.associations import Association, associations
from tacit.measures.analysts.learned_models import ModelScore, Protect, score_models
from tacit.measures.analysts.propensity import Propensity, propensity
from tacit.shapes import Published
from tacit.table import Table


@dataclass(frozen=True)
class Usefulness:
    """What the release is still good for.

    Attributes
    ----------
    models
        One entry per target and model; none where they could not be trained.
    propensity
        One entry per published table, by its name.
    associations
        Correlations and regression coefficients.
    missing
        What could not be computed and why, in sentences.
    """

    models: tuple[ModelScore, ...] = ()
    propensity: tuple[tuple[str, Propensity], ...] = ()
    associations: tuple[Association, ...] = ()
    missing: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        told = asdict(self)
        told["propensity"] = [{"table": name, **asdict(each), "ratio": each.ratio} for name, each in self.propensity]
        told["associations"] = [{**asdict(each), "overlap": each.overlap} for each in self.associations]
        return told


def check_targets(table: Table, targets: Sequence[str], place: str) -> None:
    """Refuse a target that is not a quasi-identifier or a sensitive column; `place` is where it was named."""
    known = [*table.quasi_identifiers, *table.sensitive]
    for name in targets:
        if name not in known:
            raise RoleError.missing_column(name, known, place=place)


def usefulness(
    release: Published, table: Table, targets: Sequence[str], protect: Protect, *, seed: int = 0
) -> Usefulness:
    """Measure what analysts ask for.

    Parameters
    ----------
    release
        What is published.
    table
        What it was made from.
    targets
        The columns that models and regressions are about.
    protect
        The method, to make a release of those who are learnt from.
    seed
        Which people are held out.
    """
    names = list(dict.fromkeys(targets))
    missing: list[str] = []
    models: Sequence[ModelScore] = ()
    found: list[tuple[str, Propensity]] = []
    try:
        models = score_models(table, names, protect, seed=seed)
    except (Infeasible, RoleError, SourceError) as error:
        missing.append(f"Models were not trained: {error}")
    parts = dict(release.shape.parts)
    told: list[Association] = []
    try:
        for name, part in parts.items():
            each = propensity(part, table, seed=seed)
            found += [] if each is None else [(name, each)]
    except SourceError as error:
        missing.append(f"The propensity was not computed: {error}")
    largest = max(parts.values(), key=lambda part: len(part.quasi_identifiers))
    told = associations(largest if len(parts) > 1 else release.shape, table, names, seed=seed)
    return Usefulness(tuple(models), tuple(found), tuple(told), tuple(dict.fromkeys(missing)))
