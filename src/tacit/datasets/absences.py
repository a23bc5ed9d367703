"""A school's absences of one year, in which a pupil has several rows."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.datasets.draws import begin
from tacit.datasets.visitors import Visitors
from tacit.table import Table

_REASONS = """
    cold 30 stomach_bug 16 doctor's_appointment 12 family_matter 11 truancy 9 headache 8 anxiety 6 injury 4 court_date 2
    pregnancy 1 drug_counselling 1
"""


def absences(rows: int = 6_000, *, seed: int | None = 0) -> Table:
    """Return the absences of a made-up school: one row per day missed, several rows per pupil.

    Some pupils are moved to another class in the middle of the year, so that the class varies between their rows.

    ==========  ================  =============================================================
    column      role              values
    ==========  ================  =============================================================
    pupil       person            a number; it stands in several rows
    grade       quasi-identifier  5 to 12
    class       quasi-identifier  a letter, a to f
    sex         quasi-identifier  female, male
    lives_with  quasi-identifier  both parents, one parent, others
    reason      sensitive         11 of them
    ==========  ================  =============================================================

    Parameters
    ----------
    rows
        How many days missed, at least 1.
    seed
        The same seed gives the same table; None a new one each time.

    Examples
    --------
    >>> table = absences(1_000)
    >>> table.person, table.people.count < len(table)
    ('pupil', True)
    """
    generator = begin(rows, seed)
    visitors = Visitors.draw(generator, rows)
    words = _REASONS.split()
    shares = np.array(words[1::2], dtype=np.float64)
    matter = visitors.habit(generator, shares / shares.sum(), loyal=0.4)
    person, pupils = visitors.person, len(visitors.age)
    letter = generator.integers(0, 6, pupils)
    moved = (generator.random(pupils) < 0.05)[person] & (generator.random(rows) < 0.5)
    home = generator.choice(3, pupils, p=[0.66, 0.28, 0.06])
    frame = pl.DataFrame(
        {
            "pupil": 40_000 + person,
            "grade": 5 + visitors.age[person] % 8,
            "class": np.array(list("abcdef"))[(letter[person] + moved) % 6],
            "sex": np.where(visitors.female, "female", "male")[person],
            "lives_with": np.array(["both parents", "one parent", "others"])[home][person],
            "reason": np.array([word.replace("_", " ") for word in words[::2]])[matter],
        }
    )
    return Table(frame, person="pupil", quasi_identifiers=["grade", "class", "sex", "lives_with"], sensitive="reason")
