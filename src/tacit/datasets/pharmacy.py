"""A pharmacy's prescriptions, in which a customer has several rows with the same quasi-identifiers."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.datasets.draws import begin
from tacit.datasets.visitors import Visitors
from tacit.table import Table

_MEDICINES = """
    painkiller 18 antibiotic 12 antihypertensive 12 contraceptive 9 antidepressant 8 insulin 7 inhaler 7 statin 7
    thyroid_hormone 6 antihistamine 5 anticoagulant 4 sleeping_pill 3 antiepileptic 1.5 opioid_substitute 0.5
"""


def pharmacy(rows: int = 8_000, *, seed: int | None = 0) -> Table:
    """Return the prescriptions of a made-up pharmacy: one row per prescription, several rows per customer.

    A customer's band of age, sex and insurer are those of her card, the same in all her rows; she fetches the same
    medicine most of the time.

    ==========  ================  =============================================================
    column      role              values
    ==========  ================  =============================================================
    card        person            text; it stands in several rows
    age_band    quasi-identifier  ten years each
    sex         quasi-identifier  female, male
    insurer     quasi-identifier  5 of them
    medicine    sensitive         14 of them
    ==========  ================  =============================================================

    Parameters
    ----------
    rows
        How many prescriptions, at least 1.
    seed
        The same seed gives the same table; None a new one each time.

    Examples
    --------
    >>> table = pharmacy(1_000)
    >>> table.people.constant(table.codes("age_band").codes)
    True
    """
    generator = begin(rows, seed)
    visitors = Visitors.draw(generator, rows)
    words = _MEDICINES.split()
    shares = np.array(words[1::2], dtype=np.float64)
    matter = visitors.habit(generator, shares / shares.sum(), loyal=0.8)
    insurer = generator.choice(5, len(visitors.age), p=[0.4, 0.25, 0.2, 0.1, 0.05])
    person = visitors.person
    band = visitors.age // 10 * 10
    bands = np.array([f"{low}-{low + 9}" for low in range(0, 100, 10)])
    frame = pl.DataFrame(
        {
            "card": [f"card-{number:06d}" for number in person.tolist()],
            "age_band": bands[band // 10][person],
            "sex": np.where(visitors.female, "female", "male")[person],
            "insurer": np.array(list("ABCDE"))[insurer][person],
            "medicine": np.array([word.replace("_", " ") for word in words[::2]])[matter],
        }
    )
    return Table(frame, person="card", quasi_identifiers=["age_band", "sex", "insurer"], sensitive="medicine")
