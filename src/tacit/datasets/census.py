"""A census in the shape of the Adult table."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl
from numpy.random import Generator

from tacit.datasets.classifications import hierarchies
from tacit.datasets.draws import begin
from tacit.datasets.industries import INDUSTRIES
from tacit.datasets.labour import OCCUPATIONS, SALARIES, WORKCLASS, draw_work
from tacit.datasets.population import COUNTRIES, EDUCATION, MARITAL, RACES, SEXES, draw_people
from tacit.table import Table

_QUASI_IDENTIFIERS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "race",
    "sex",
    "native-country",
    "salary-class",
)


def census(
    rows: int = 30_162,
    *,
    seed: int | None = 0,
    quasi_identifiers: str | Iterable[str] | None = None,
    sensitive: str | Iterable[str] = "occupation",
) -> Table:
    """Return a made-up census with the columns, the values and nearly the shares of Adult (complete rows).

    Education follows age and origin, family age and sex, occupation education and sex, the employer the occupation, and
    the salary all of them. ``industry`` is not in Adult: 50 values that follow the occupation, none of them in a tenth
    of the rows, for methods that need a sensitive column of that size. Every column has a hierarchy. Nobody is planted
    here: the rare combinations are those that the shares make.

    Parameters
    ----------
    rows
        How many people, at least 1.
    seed
        The same seed gives the same table; None a new one each time.
    quasi_identifiers
        By default age, workclass, education, marital-status, race, sex, native-country and salary-class, except what is
        sensitive.
    sensitive
        The sensitive column or columns; columns without a role are kept, and withheld from what is published.

    Examples
    --------
    >>> census(100)
    Table: 100 rows; quasi-identifiers: age, workclass, education, marital-status, race, sex, native-country,
    salary-class; sensitive: occupation; others: hours-per-week, industry
    >>> census(100, quasi_identifiers=["age", "sex"], sensitive="industry").quasi_identifiers
    ('age', 'sex')
    """
    hidden = [sensitive] if isinstance(sensitive, str) else list(sensitive)
    if quasi_identifiers is None:
        quasi_identifiers = [name for name in _QUASI_IDENTIFIERS if name not in hidden]
    return Table(
        _people(begin(rows, seed), rows),
        quasi_identifiers=quasi_identifiers,
        sensitive=hidden,
        hierarchies=hierarchies(),
    )


def _people(generator: Generator, rows: int) -> pl.DataFrame:
    people = draw_people(generator, rows)
    work = draw_work(generator, people)
    industry = INDUSTRIES.draw(generator, work.occupation)
    return pl.DataFrame(
        [
            pl.Series("age", people.age),
            WORKCLASS.column("workclass", work.workclass),
            EDUCATION.column("education", people.education),
            MARITAL.column("marital-status", people.marital),
            OCCUPATIONS.column("occupation", work.occupation),
            RACES.column("race", people.race),
            pl.Series("sex", SEXES).gather(people.sex),
            COUNTRIES.column("native-country", people.country),
            pl.Series("hours-per-week", work.hours),
            INDUSTRIES.column("industry", industry),
            pl.Series("salary-class", SALARIES).gather(work.salary),
        ]
    )
