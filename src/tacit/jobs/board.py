"""board: what a board asks about a release, prepared from what the recipe or the command line says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit import sources
from tacit.errors import ParameterError, RoleError, TacitError
from tacit.measures.risk import PopulationRisk, population_risk
from tacit.measures.small_counts import SmallCounts
from tacit.methods import Method
from tacit.progress import Progress, silent
from tacit.recipes import Recipe, RecipeError
from tacit.report.evidence.gather import BoardOptions
from tacit.report.evidence.holdout import HoldOut
from tacit.report.evidence.linkability import OutsideTable
from tacit.report.profiles.registry import profile as profile_of
from tacit.shapes import Published
from tacit.table import Table


@dataclass(frozen=True)
class BoardQuestions:
    """What was asked, before any data is touched.

    Attributes
    ----------
    profile
        The name of a profile of thresholds.
    baseline
        Whether a second release is attacked for people left out of it; by default the profile says.
    outside, population
        Files.
    weights
        The column with sampling weights.
    nulls
        Texts of a csv that mean null.
    """

    profile: str | None = None
    baseline: bool | None = None
    outside: Path | None = None
    population: Path | None = None
    weights: str | None = None
    nulls: tuple[str, ...] = ("",)

    def __post_init__(self) -> None:
        if self.profile is not None:
            profile_of(self.profile)
        if self.population is not None and self.weights is not None:
            raise ParameterError("Population risk takes a population or weights.", hint="Name one of the two.")

    @classmethod
    def of(cls, recipe: Recipe, **given: Any) -> BoardQuestions:
        """Take what the recipe says, and before it what was given otherwise."""
        section = recipe.sections.report
        said: dict[str, Any] = {
            "profile": section.profile,
            "baseline": section.baseline,
            "outside": recipe.near(section.outside),
            "population": recipe.near(section.population),
            "weights": section.weights,
        }
        said |= {key: value for key, value in given.items() if value is not None}
        return cls(**said, nulls=tuple(recipe.sections.read.nulls))

    @property
    def anything(self) -> bool:
        """Whether something was asked."""
        return any(each is not None for each in (self.profile, self.outside, self.population, self.weights))

    @property
    def wants_baseline(self) -> bool:
        """Whether people who were left out are asked about."""
        if self.baseline is not None or self.profile is None:
            return bool(self.baseline)
        return profile_of(self.profile).baseline

    def refuse_engine(self, recipe: str, engine: str) -> None:
        """Refuse what another engine would leave out without a word: it judges no profile and hides no count."""
        if self.anything or self.baseline:
            raise RecipeError(
                f"{recipe}, [report]: the {engine} engine answers no profile, baseline, outside table, population or "
                "weights.",
                hint='Publish with [engine] name = "local", or leave them away.',
            )

    def read(self) -> tuple[Any, Any]:
        """Read the files that were named, before anything is computed."""
        outside, population = (
            None if path is None else sources.read(path, nulls=self.nulls) for path in (self.outside, self.population)
        )
        return outside, population


def sampled(table: Table, questions: BoardQuestions, population: Any) -> PopulationRisk | None:
    """Measure what it means that the table is a sample, where somebody said of what."""
    if population is None and questions.weights is None:
        return None
    try:
        return population_risk(table, population=population, weights=questions.weights)
    except RoleError as error:
        place = "sampling weights" if population is None else f"the population {questions.population}"
        raise RoleError(f"{place}: {error.message}", hint=error.hint) from None


def answers(
    questions: BoardQuestions,
    table: Table,
    method: Method | None,
    files: tuple[Any, Any],
    *,
    seed: int | None = None,
    progress: Progress = silent,
) -> BoardOptions:
    """Prepare what the evidence is about: the second release, the outside table, the sample.

    Parameters
    ----------
    questions
        What was asked.
    table
        The table.
    method
        What protects it; None where that is not known, and so no second release can be made.
    files
        The outside table and the population.
    seed
        For tests.
    progress
        Told the stage and the share done.
    """
    outside, population = files
    found = sampled(table, questions, population)
    holdout, remarks = _second(method, table, seed, progress) if questions.wants_baseline else (None, ())
    name = "the outside table" if questions.outside is None else questions.outside.name
    named = None if outside is None else OutsideTable(name, outside)
    return BoardOptions(questions.profile, holdout, named, found, remarks)


def _second(
    method: Method | None, table: Table, seed: int | None, progress: Progress
) -> tuple[HoldOut | None, tuple[str, ...]]:
    """Make a second release; where that cannot be, say why. Nothing is promised about it, so nothing stops here."""
    if method is None:
        return None, ("People who are not in the release were not asked about: how it was made is not known here.",)
    try:
        return HoldOut.make(method, table, seed=seed, progress=progress), ()
    except (Exception, MemoryError) as error:
        reason = error.message if isinstance(error, TacitError) else f"{type(error).__name__}: {error}".splitlines()[0]
        return None, (f"People who are not in the release were not asked about: a second release failed. {reason}",)


def hiding(profile: str | None, release: Published) -> SmallCounts | None:
    """Return what decides which counts are shown, if the profile allows no small ones."""
    smallest = None if profile is None else profile_of(profile).smallest
    return None if smallest is None else SmallCounts(smallest, (release.shape.rows,))
