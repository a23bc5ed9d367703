"""Calls of the public verbs in Python, right but for one or two arguments that are of another kind altogether."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile.mutation import odd_value

Act = Callable[[], object]
ILLS = ("flu", "cold", "gout", "mumps")
CALLED = ("progress", "documents", "private_documents", "before")
"""Parameters that are functions of the caller's."""


def odd(rng: Random) -> Any:
    """A value that few parameters can take."""
    import numpy as np
    import polars as pl

    special = (
        math.nan, math.inf, -math.inf, Decimal("1e50"), Decimal("NaN"), Decimal("0.5"), Fraction(1, 3), 1j,
        b"5", b"", object(),
        np.float64(0.5), np.int64(3), np.nan, np.array([1, 2]), np.True_, pl.DataFrame({"a": [1]}),
        pl.Series([1]), Path("x"),
        {1: 2}, {None: 1}, {"a": {"b": math.nan}}, [[[[[]]]]], set(), {1}, range(3), lambda: 1, type, ..., "😀",
        "\ud800", 10**400,
    )  # fmt: skip
    return rng.choice(special) if rng.random() < 0.6 else odd_value(rng)


class Things:
    """A small table and what can be made of it; everything is made when it is first asked for, or again."""

    def __init__(self, rng: Random, place: Path) -> None:
        self.rng = rng
        self.place = place

    @property
    def frame(self) -> dict[str, list[Any]]:
        """A data frame of twelve people."""
        return {
            "name": [f"p{at}" for at in range(12)],
            "age": [20 + at % 3 for at in range(12)],
            "zip": [str(100 + at % 2) for at in range(12)],
            "ill": [ILLS[at % 4] for at in range(12)],
        }

    @property
    def table(self) -> Any:
        """The table."""
        import tacit as tc

        return tc.Table(self.frame, identifiers="name", quasi_identifiers=["age", "zip"], sensitive="ill")

    @property
    def followed(self) -> Any:
        """The table with a person column."""
        import tacit as tc

        return tc.Table(self.frame, person="name", quasi_identifiers=["age", "zip"], sensitive="ill")

    @property
    def method(self) -> Any:
        """A method that is quick."""
        import tacit as tc

        return self.rng.choice((tc.Anatomy(l=2), tc.SmallGroups(guarantee=tc.KAnonymity(k=2))))

    @property
    def release(self) -> Any:
        """A release of the table."""
        return self.method.protect(self.table)

    @property
    def wrong(self) -> Any:
        """Something of this package, of another kind than the parameter is."""
        import tacit as tc

        made = (
            lambda: self.table, lambda: self.release, lambda: self.method, lambda: tc.KAnonymity(k=2),
            lambda: tc.Ledger(self.place / "l.ledger"), tc.LinkageAdversary, lambda: tc.Table,
            lambda: tc.Mondrian, lambda: self.frame, lambda: [self.table], tc.Flat, lambda: tc.audit,
            lambda: tc.Prefix(length=2), lambda: {"age": tc.Flat()},
        )  # fmt: skip
        return self.rng.choice(made)()


Verb = Callable[[Things], tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]


def _verbs() -> dict[str, Verb]:
    """Every public verb with a call that is right, most of its parameters given."""
    import tacit as tc

    roles = {"quasi_identifiers": ["age", "zip"], "sensitive": "ill"}
    told = {"seed": 1, "progress": None}
    return {
        "Table": lambda t: (
            tc.Table,
            (t.frame,),
            {
                **roles, "identifiers": "name", "person": None, "items": (), "hierarchies": {"zip": {"prefix": 1}},
                "kinds": {"age": "numeric"}, "others": "withhold", "missing": "refuse", "allow": (),
            },
        ),
        "Table.read": lambda t: (
            tc.Table.read,
            (_csv(t),),
            {
                **roles, "query": None, "nulls": ("",), "separator": ",", "encoding": None, "decimal": None,
                "round": None, "sheet": None, "items_separator": ";", "items": (),
            },
        ),
        "protect": lambda t: (t.method.protect, (t.table,), {"ledger": None, "engine": None, **told}),
        "Release.read": lambda t: (
            tc.Release.read, (_written(t),), {"private": None, "hierarchies": None, "knowledge": None},
        ),
        "Release.foreign": lambda t: (
            tc.Release.foreign, (t.frame,), {**roles, "items": (), "hierarchies": None, "person": None},
        ),
        "write": lambda t: (
            t.release.write,
            ("out",),
            {
                "format": "csv", "private": None, "overwrite": False, "documents": None, "private_documents": None,
                "before": None, "database": None, "accept_composition": False, "hide": None,
            },
        ),
        "audit": lambda t: (tc.audit, (t.release,), {"table": t.table, "claims": None, "adversaries": None}),
        "utility": lambda t: (tc.utility, (t.release,), {"table": t.table}),
        "query_error": lambda t: (
            tc.query_error,
            (t.release,),
            {"table": t.table, "workload": None, "queries": 20, "dimensions": None, "selectivity": 0.1, "seed": 1},
        ),
        "special_uniques": lambda t: (
            tc.special_uniques, (t.table,), {"columns": None, "largest": 2, "fraction": None},
        ),
        "population_risk": lambda t: (tc.population_risk, (t.table,), {"population": None, "weights": None}),
        "inspect": lambda t: (tc.inspect, (t.frame,), {"roles": {"ill": "sensitive"}, "risk": None, **told}),
        "compare": lambda t: (
            tc.compare, (t.table, [t.method]), {"against": "ncp", "by": "linkage", **told},
        ),
        "publish": lambda t: (
            tc.publish,
            (t.release, "out"),
            {
                "table": t.table, "place": "x", "format": "csv", "private": None, "overwrite": False, "database": None,
                "certificate": False, "models": (), "profile": None, "method": None, "outside": None,
                "population": None, "weights": None, "progress": None,
            },
        ),
        "Ledger": lambda t: (lambda path, **more: _used_ledger(t, path, **more), ("l.ledger",), {"series": ""}),
        "forget": lambda t: (_people_ledger(t).forget, (["p1"],), {}),
        "migrate": lambda t: (_rows_ledger(t).migrate, (t.table, "name"), {}),
        "open": lambda t: (_people_ledger(t).open, (t.followed,), {}),
        "add": lambda t: (_people_ledger(t).add, (t.release,), {"folder": "out"}),
        "Protector": lambda t: (
            lambda method, X, **more: tc.Protector(method, **more).fit(X),
            (t.method, t.frame),
            {**roles, "hierarchies": None, "kinds": None, "seed": 1},
        ),
        "StreamingEngine": lambda t: (
            lambda **given: tc.StreamingEngine(**given).close(), (), {"scratch": "s", "fragment_rows": 1000},
        ),
        "score": lambda t: (
            tc.DisclosureRisk(known={"age": 0.5}).score,
            (t.table,),
            {"tolerance": None, "delta": None, "progress": None},
        ),
        "require": lambda t: (tc.audit(t.release).require, ("x",), {"allow_unchecked": False}),
        "LearningAdversary": lambda t: (
            lambda **given: tc.audit(t.release, adversaries=[tc.LearningAdversary(**given)]),
            (),
            {"model": "naive-bayes", "rounds": 2, "smoothing": 0.5, "calibrate": False, "sample": 5, "people": None},
        ),
        "LinkageAdversary": lambda t: (
            lambda **given: tc.audit(t.release, adversaries=[tc.LinkageAdversary(**given)]),
            (),
            {"victims": {"age": [20]}},
        ),
        "WorldAdversary": lambda t: (
            lambda **given: tc.audit(t.release, adversaries=[tc.WorldAdversary(**given)]),
            (),
            {"victims": {"age": [20]}, "members": None, "largest": 8},
        ),
        "Calendar": lambda t: (tc.Calendar, (), {"levels": ("month", "year")}),
        "Intervals": lambda t: (tc.Intervals, (), {"width": 5, "origin": 0, "factor": 2}),
        "Prefix": lambda t: (tc.Prefix, (), {"length": 2}),
        "TreeHierarchy": lambda t: (
            tc.TreeHierarchy, ([["a", "x", "*"], ["b", "x", "*"]],), {"source": "x", "lines": None},
        ),
        "Destination": lambda t: (
            lambda url, tables: t.release.write("out", database=tc.Destination(url, tables)),
            (),
            {"url": "sqlite:///d.sqlite", "tables": {}},
        ),
    }  # fmt: skip


def _csv(things: Things) -> Path:
    import polars as pl

    path = things.place / "p.csv"
    pl.DataFrame(things.frame).write_csv(path)
    return path


def _written(things: Things) -> Path:
    things.release.write(things.place / "there", format="csv")
    return things.place / "there"


def _used_ledger(things: Things, path: Any, **more: Any) -> None:
    import tacit as tc

    ledger = tc.Ledger(path, **more)
    repr(ledger)
    tc.InvariantMarginals(m=2, marginals=[["age"]]).protect(things.table, ledger=ledger).write("out", format="csv")
    ledger.entries()


def _people_ledger(things: Things) -> Any:
    import tacit as tc

    ledger = tc.Ledger(things.place / "people.ledger")
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(things.followed, ledger=ledger).write(things.place / "first", format="csv")
    return ledger


def _rows_ledger(things: Things) -> Any:
    import tacit as tc

    ledger = tc.Ledger(things.place / "rows.ledger")
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(things.table, ledger=ledger).write(things.place / "first", format="csv")
    return ledger


def call_input(rng: Random, corpus_folder: Path, place: Path) -> Act:
    """A call of a public verb with one or two arguments of another kind."""
    verbs = _verbs()
    name = rng.choice(sorted(verbs))
    things = Things(rng, place)

    def another() -> Any:
        way = rng.random()
        return odd(rng) if way < 0.7 else things.wrong if way < 0.95 else [odd(rng), things.wrong]

    def act() -> None:
        here = Path.cwd()
        os.chdir(place)  # what is taken for a path must not lead out of here
        try:
            function, positional, given = verbs[name](things)
            args = list(positional)
            for _ in range(rng.choice((1, 1, 1, 2))):
                at = rng.choice([*range(len(args)), *given])
                value = another()
                if at in CALLED and callable(value):
                    continue  # what a function of the caller's raises is the caller's
                if isinstance(at, int):
                    args[at] = value
                else:
                    given[at] = value
            made = function(*args, **given)
            with suppress(AttributeError):
                json.dumps(made.as_dict(), allow_nan=False, default=str)
            str(made)
            repr(made)
        finally:
            os.chdir(here)

    return act
