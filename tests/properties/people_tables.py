"""Random tables in which people have several rows, and random promises about them."""

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

import tacit as tc


@dataclass(frozen=True)
class Promise:
    kind: str
    parameters: dict[str, Any]
    guarantee: Any


def drawing(seed: int) -> random.Random:
    """Return what tables and promises are drawn from."""
    return random.Random(seed)  # noqa: S311 - it draws tests


def promise(draw: random.Random) -> Promise:
    """Draw one of all promises about groups."""
    l, k = draw.choice([1, 2, 2, 3]), draw.choice([1, 2, 3])
    kinds = {
        "k-anonymity": lambda: ({"k": k}, tc.KAnonymity(k=k)),
        "alpha-k": lambda: ({"alpha": (a := draw.choice([0.5, 0.6, 0.75])), "k": k}, tc.AlphaK(alpha=a, k=k)),
        "frequency": lambda: ({"l": l}, tc.LDiversity(l=l, kind="frequency")),
        "distinct": lambda: ({"l": l}, tc.LDiversity(l=l)),
        "entropy": lambda: ({"l": (e := draw.choice([1.3, 1.7, 2.1]))}, tc.LDiversity(l=e, kind="entropy")),
        "recursive": lambda: (
            {"l": l, "c": (c := draw.choice([1.5, 2.0, 3.0]))},
            tc.LDiversity(l=l, kind="recursive", c=c),
        ),
        "beta": lambda: ({"beta": (b := draw.choice([0.5, 1.0, 2.0]))}, tc.BetaLikeness(beta=b)),
        "delta": lambda: ({"delta": (d := draw.choice([0.7, 1.5]))}, tc.DeltaDisclosure(delta=d)),
        "t": lambda: ({"t": (t := draw.choice([0.2, 0.4, 0.6]))}, tc.TCloseness(t=t)),
    }
    kind = draw.choice(list(kinds))
    parameters, guarantee = kinds[kind]()
    return Promise(kind, parameters, guarantee)


def visits(draw: random.Random, *, varying: bool) -> pl.DataFrame:
    """Draw a table of visits: people of one to five rows, sometimes one who has very many."""
    people = draw.randint(2, 14)
    rows = []
    values = "abcde"[: draw.randint(1, 5)]
    for person in range(people):
        age, ward = draw.randint(0, 4), draw.choice("NSW")
        heavy = draw.random() < 0.08
        loyal = draw.random() < 0.5  # one value for all of her rows
        her = draw.choice(values)
        rows += [
            {
                "pid": f"p{person}",
                "age": age + (draw.randint(0, 2) if varying else 0),
                "ward": draw.choice("NSW") if varying and draw.random() < 0.2 else ward,
                "ill": her if loyal else draw.choice(values),
            }
            for _ in range(draw.randint(6, 20) if heavy else draw.randint(1, 4))
        ]
    draw.shuffle(rows)
    frame = pl.DataFrame(rows)
    return frame.with_columns(pl.Series("tag", range(frame.height)))
