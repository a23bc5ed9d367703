"""Students of a state: few things that people know of them, many flags that nobody should."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.random import Generator

from tacit.arrays import Flags, Floats
from tacit.datasets.draws import begin
from tacit.datasets.shares import Shares
from tacit.table import Table

# The quasi-identifiers, each with the probability that it is publicly known.
_KNOWN = {
    "gender": 0.8,
    "race": 0.8,
    "age": 0.05,
    "grade": 0.05,
    "region": 0.05,
    "school-type": 0.05,
    "home-language": 0.05,
    "lunch": 0.05,
}
# Per line: a flag, the probability that it is publicly known, its share in percent, how strongly it goes together with
# the other flags, and the age from which on it occurs.
_FLAGS = """
special-education      .05   3     .6   5
disability             .05   1     .4   5
english-learner        .005  1     .1   5
migrant                .005  .2    .3   5
homeless               .005  .5    1.2  5
retained               .005  1.2   1.0  7
truant                 .005  1     1.5  10
suspended              .005  1.5   1.5  8
expelled               .005  .4    1.8  11
dropout                .005  1     1.6  15
foster-care            .001  .3    1.2  5
abuse-report           .001  .4    1.3  5
neglect-report         .001  .6    1.4  5
mental-health-service  .001  .8    1.0  6
substance-treatment    .001  .3    1.5  13
pregnancy              .001  .4    .9   14
juvenile-contact       .001  .6    1.8  11
probation              .001  .5    2.0  12
detention              .001  .3    2.2  13
"""
_GENDERS = ("F", "M")
_RACES = Shares.one(["White", "Black", "Hispanic", "Asian", "American Indian"], [45, 40, 12, 2.2, 0.8])
_LANGUAGES = Shares.read("""
          English Spanish French Vietnamese Other
 White       9900      30     40          1    29
 Black       9930      15     40          1    14
 Hispanic    6000    3950     10          1    39
 Asian       5000      20     30       3600  1350
 Indian      9850      70     30          1    49
""")
_SCHOOLS = Shares.one(["public", "charter", "private", "home"], [74, 14, 10, 2])
_GRADES = ("K", *(str(grade) for grade in range(1, 13)))
_REGIONS = Shares.one(["coast", "delta", "capital", "hills", "north"], [28, 24, 20, 16, 12])
_LUNCH = Shares.one(["paid", "free", "reduced"], [45, 48, 7])


def students(rows: int = 1_009_993, *, seed: int | None = 0) -> Table:
    """Return made-up students: 8 quasi-identifiers and 19 sensitive flags (``Y`` or ``N``).

    The flags are rare and go together: a student with one is more likely to have another. With the publicly-known
    probabilities and weights of `student_risk`, between 1 and 3 in 100 of the default number of records have a
    disclosure risk above .01.

    Parameters
    ----------
    rows
        How many students, at least 1.
    seed
        The same seed gives the same table; None a new one each time.

    Examples
    --------
    >>> table = students(1_000)
    >>> len(table.quasi_identifiers), len(table.sensitive)
    (8, 19)
    """
    generator = begin(rows, seed)
    frame = _draw(generator, rows)
    return Table(
        frame,
        quasi_identifiers=list(_KNOWN),
        sensitive=[flag for flag, *_ in _flags()],
        kinds={"grade": _GRADES},
        hierarchies={"age": {"interval": 5}},
    )


def student_risk() -> dict[str, Any]:
    """Return the parameters of the disclosure risk that the students are made for.

    Returns
    -------
    dict
        ``known``: the probability that an attribute is publicly known; ``weights``: 1 for every flag;
        ``value_weights``: 1 for ``Y`` and 0 for ``N``; ``alpha``: 100.

    Examples
    --------
    >>> student_risk()["known"]["gender"], student_risk()["value_weights"]["dropout"]
    (0.8, {'Y': 1.0, 'N': 0.0})
    """
    flags = _flags()
    return {
        "known": {**_KNOWN, **{flag: known for flag, known, *_ in flags}},
        "weights": {flag: 1.0 for flag, *_ in flags},
        "value_weights": {flag: {"Y": 1.0, "N": 0.0} for flag, *_ in flags},
        "alpha": 100.0,
    }


def _flags() -> list[tuple[str, float, float, float, int]]:
    cells = (line.split() for line in _FLAGS.strip().splitlines())
    return [(name, float(known), float(share), float(pull), int(age)) for name, known, share, pull, age in cells]


def _draw(generator: Generator, rows: int) -> pl.DataFrame:
    age = generator.integers(5, 19, rows)
    gender = generator.integers(0, 2, rows)
    race = _RACES.alike(generator, rows)
    trouble = generator.standard_normal(rows)  # hidden; it makes all flags likelier, so flags go together
    behind = (generator.random(rows) < 0.08 + 0.1 * (trouble > 1)).astype(np.int64)
    grade = np.clip(age - 5 - behind, 0, 12)
    columns = [
        pl.Series("gender", _GENDERS).gather(gender),
        _RACES.column("race", race),
        pl.Series("age", age),
        pl.Series("grade", _GRADES).gather(grade),
        _REGIONS.column("region", _REGIONS.alike(generator, rows)),
        _SCHOOLS.column("school-type", _SCHOOLS.alike(generator, rows)),
        _LANGUAGES.column("home-language", _LANGUAGES.draw(generator, race)),
        _LUNCH.column("lunch", _LUNCH.alike(generator, rows)),
    ]
    words = pl.Series(["N", "Y"])
    for flag, _, share, pull, start in _flags():
        yes = _raise(generator, share / 100, pull, trouble) & (age >= start)
        if flag == "pregnancy":
            yes &= gender == 0
        columns.append(words.gather(yes.astype(np.int64)).alias(flag))
    return pl.DataFrame(columns)


def _raise(generator: Generator, share: float, pull: float, trouble: Floats) -> Flags:
    """Draw who has a flag: about this share of the students, more of those with a high number in `trouble`."""
    # The mean of exp(pull * z) over a standard normal z is exp(pull^2 / 2): dividing by it keeps the share.
    chance = share * np.exp(pull * trouble - pull * pull / 2)
    return generator.random(len(trouble)) < chance
