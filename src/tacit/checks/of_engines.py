"""What every engine must satisfy: its verbs count what is there, and every method keeps its promises on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from tacit.checks import tables
from tacit.engines import Engine
from tacit.engines.base import COUNT, FRAGMENT, ROW
from tacit.engines.keyed import HashRoute, secret_key
from tacit.errors import Infeasible, ParameterError
from tacit.methods import Method
from tacit.methods.registry import classes
from tacit.table import Table

_ROWS = 2_000


def _coded(rows: int = _ROWS) -> pa.Table:
    rng = np.random.default_rng(rows)
    return pa.table(
        {
            ROW: np.arange(rows),
            "c0": rng.choice(5, rows, p=[0.6, 0.2, 0.1, 0.05, 0.05]).astype(np.int32),
            "c1": rng.integers(0, 40, rows).astype(np.int32),
        }
    )


def check_domains_are_the_values(engine: Engine) -> None:
    """Every value is found once, and null among them."""
    table = pa.table({"a": pa.array(["x", None, "y", "x"]), "b": pa.array([1.5, float("nan"), None, 1.5])})
    domains = engine.domains(engine.read(table), ["a", "b"])
    assert sorted(map(str, domains["a"].to_list())) == ["None", "x", "y"]
    assert len(domains["b"]) == 3
    assert domains["b"].null_count() == 1


def check_counts_are_counts(engine: Engine) -> None:
    """Combinations are counted as by hand, one frequent value as well as rare ones, and an empty selection as well."""
    table = _coded()
    rows = engine.read(table)
    by_hand = Counter(zip(table["c0"].to_pylist(), table["c1"].to_pylist(), strict=True))
    counted = engine.count(rows, ["c0", "c1"])
    assert dict(zip(zip(counted["c0"], counted["c1"], strict=True), counted[COUNT], strict=True)) == by_hand
    assert engine.count(rows, [])[COUNT].sum() == _ROWS


def check_fragments_lose_no_row(engine: Engine) -> None:
    """Every row is in one fragment, the one that the route says, whole fragments are mapped, and none is lost."""
    rows = engine.read(_coded())
    route = HashRoute(secret_key(1), 7)
    schema = _coded(1).schema.append(pa.field(FRAGMENT, pa.int32())).append(pa.field("together", pa.int64()))

    def together(part: pa.Table) -> pa.Table:
        assert len(set(part[FRAGMENT].to_pylist())) == 1
        return part.append_column("together", pa.array(np.full(part.num_rows, part.num_rows)))

    mapped = engine.collect(engine.map(engine.fragments(rows, route), together, schema, keep=True))
    assert sorted(mapped[ROW].to_pylist()) == list(range(_ROWS))
    sizes = Counter(mapped[FRAGMENT].to_pylist())
    assert {
        f: int(n) for f, n in zip(mapped[FRAGMENT].to_pylist(), mapped["together"].to_pylist(), strict=True)
    } == sizes


def check_ranks_are_exact(engine: Engine) -> None:
    """Exactly so many rows of a code are kept, all of a code without a quota, and the same ones with the same key."""
    rows, key = engine.read(_coded()), secret_key(2)
    quotas = {0: 100, 1: 0, 2: 10_000}
    chosen = [set(engine.collect(engine.rank(rows, "c0", quotas, key))[ROW].to_pylist()) for _ in range(2)]
    assert chosen[0] == chosen[1]
    codes = np.asarray(_coded()["c0"])
    kept = Counter(codes[sorted(chosen[0])].tolist())
    there = Counter(codes.tolist())
    assert kept == Counter({0: 100, 2: there[2], 3: there[3], 4: there[4]})
    other = set(engine.collect(engine.rank(rows, "c0", quotas, secret_key(3)))[ROW].to_pylist())
    assert other != chosen[0]


def check_methods_keep_their_promises(engine: Engine) -> None:
    """Every method that scales holds on the engine what it claims; every other one is refused in one sentence."""
    if engine.name == "local":
        return  # the checks of methods run on it
    from tacit.audits import audit

    for method in _methods():
        for seed, table in enumerate([tables.ordinary(400), tables.with_nulls()]):
            try:
                release = method.protect(table, engine=engine, seed=seed)
            except Infeasible:
                continue
            except ParameterError as error:
                assert "engine" in error.message, f"{method}: {error}"
                assert "\n" not in error.message, f"{method}: {error}"
                break
            verdict = audit(release, table)
            assert verdict.holds is True, f"{method} on {engine.name}: {verdict}"


def check_people_stay_whole(engine: Engine) -> None:
    """Where people have several rows, a method that takes them keeps each in one group, and is judged in people."""
    from tacit.audits import audit
    from tacit.guarantees import KAnonymity
    from tacit.methods import Mondrian

    rng = np.random.default_rng(4)
    who = np.repeat(np.arange(150), rng.integers(1, 5, 150))
    frame = {
        "pid": who,
        "age": rng.integers(20, 80, 150)[who] + rng.integers(0, 2, len(who)),
        "town": rng.choice(["Bath", "Cork", "Dover"], len(who)),
        "ill": rng.choice(["flu", "cold", "gout"], len(who)),
    }
    table = Table(frame, person="pid", quasi_identifiers=["age", "town"], sensitive="ill")
    release = Mondrian(guarantees=[KAnonymity(k=4)]).protect(table, engine=engine, seed=1)
    assert release.persons == "several rows"
    assert audit(release, table).holds is True
    groups = np.asarray(None if release.inside is None else release.inside.group)
    for person in range(150):
        assert len(set(groups[who == person].tolist())) == 1, f"{engine.name}: person {person} is in several groups"
    for group in set(groups.tolist()):
        assert len(set(who[groups == group].tolist())) >= 4, f"{engine.name}: group {group}"


def check_a_seed_gives_the_same_release(engine: Engine) -> None:
    """With a seed the same rows are published, in the same groups."""
    if engine.name == "local":
        return
    for method in _methods():
        if method.scales is None:
            continue
        table = tables.ordinary(300)
        try:
            one, two = (method.protect(table, engine=engine, seed=5) for _ in range(2))
        except (Infeasible, ParameterError):
            continue
        for name, frame in one.frames().items():
            assert frame.equals(two.frames()[name]), f"{method} on {engine.name}: {name!r} differs"


def _methods() -> list[Method]:
    return [example for made in classes().values() for example in made.examples()]


CHECKS: list[Callable[[Any], None]] = [
    check_domains_are_the_values,
    check_counts_are_counts,
    check_fragments_lose_no_row,
    check_ranks_are_exact,
    check_people_stay_whole,
    check_methods_keep_their_promises,
    check_a_seed_gives_the_same_release,
]
