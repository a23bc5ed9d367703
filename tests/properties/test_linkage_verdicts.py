"""Every verdict on a group guarantee against brute force: random small tables, releases of all kinds, all promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.oracles.group_verdicts import group_of, some_groups_can_be_published, verdict

import tacit as tc
from tacit.errors import Infeasible
from tacit.shapes import Generalized, Inside, Published, Withheld

QI = ["age", "sex"]
PROMISES: list[tuple[type[tc.Guarantee], dict[str, list[Any]]]] = [
    (tc.KAnonymity, {"k": [1, 2, 3]}),
    (tc.LDiversity, {"l": [1, 2, 3], "kind": ["distinct", "frequency"]}),
    (tc.LDiversity, {"l": [1.5, 2, 2.5, 3], "kind": ["entropy"]}),
    (tc.LDiversity, {"l": [1, 2, 3], "kind": ["recursive"], "c": [0.5, 1.0, 2.0, 3.0]}),
    (tc.TCloseness, {"t": [0.0, 0.1, 0.25, 0.5, 0.75], "distance": ["equal", "ordered"]}),
    (tc.BetaLikeness, {"beta": [0.25, 0.5, 1.0, 2.0], "kind": ["basic", "enhanced"]}),
    (tc.DeltaDisclosure, {"delta": [0.3, 0.7, 1.2, 2.5]}),
    (tc.AlphaK, {"alpha": [0.4, 0.5, 0.75, 1.0], "k": [1, 2, 3]}),
    (tc.Eligibility, {"l": [1, 2, 3]}),
]


def drawn(rng: np.random.Generator) -> tuple[tc.Guarantee, dict[str, Any]]:
    kind, options = PROMISES[rng.integers(len(PROMISES))]
    given = {key: values[rng.integers(len(values))] for key, values in options.items()}
    return kind(**given), given


def rows_of(rng: np.random.Generator) -> list[dict[str, Any]]:
    n, ages, ills = int(rng.integers(2, 13)), int(rng.integers(1, 4)), int(rng.integers(1, 5))
    second = rng.random() < 0.3
    rows = []
    for _ in range(n):
        row = {"age": int(rng.integers(ages)), "sex": "fm"[rng.integers(2)], "pay": 10 * int(rng.integers(ills))}
        rows.append({**row, "debt": int(rng.integers(3))} if second else row)
    return rows


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def table_of(rows: Sequence[Mapping[str, Any]]) -> tc.Table:
    return tc.Table(columns_of(rows), quasi_identifiers=QI, sensitive=[name for name in rows[0] if name not in QI])


def domains_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    return {name: sorted({row[name] for row in rows}) for name in rows[0] if name not in QI}


def judged(release: Published, table: tc.Table | None, guarantee: tc.Guarantee | None) -> list[tuple[str, str, Any]]:
    claims = [] if guarantee is None else [guarantee]
    findings = tc.audit(release, table, claims=claims, adversaries=[]).findings
    return [(each.parts.published, each.parts.withheld, each.holds) for each in findings]


def expected(words: tuple[str, str]) -> tuple[str, str, bool]:
    return (*words, "fails" not in words)


def test_releases_with_a_private_part() -> None:
    """Any rows are kept, as they are; the others are withheld as one group."""
    rng = np.random.default_rng(1)
    for case in range(500):
        rows, (guarantee, given) = rows_of(rng), drawn(rng)
        table = table_of(rows)
        kept = rng.random(len(rows)) < 0.75
        kept[0] = True
        inside = Inside(
            kept,
            None,
            np.zeros((len(rows), len(rows[0])), bool),
            tuple(rows[0]),
            (Withheld(0, ~kept, "group"),),
            (),
            table,
        )
        shape = Generalized.publish(table, kept, rng.permutation(int(kept.sum())))
        release = Published(shape, inside=inside, size=len(rows))
        shown = [row for row, keep in zip(rows, kept, strict=True) if keep]
        hidden = [row for row, keep in zip(rows, kept, strict=True) if not keep]
        words = verdict(guarantee.name, given, group_of(shown, QI), [hidden], domains_of(rows))
        for evidence, beside in ((release, None), (release, table), (replace(release, inside=None), table)):
            assert judged(evidence, beside, guarantee) == [expected(words)], (case, guarantee, rows, kept)


def test_tables_of_others_without_and_with_the_table() -> None:
    """A file of rows, some of them with every quasi-identifier suppressed; judged by itself, and beside the table."""
    rng = np.random.default_rng(2)
    for case in range(500):
        rows, (guarantee, given) = rows_of(rng), drawn(rng)
        fate = rng.choice(["shown", "suppressed", "missing"], len(rows), p=[0.7, 0.15, 0.15])
        fate[0] = "shown"
        lots = {word: [row for row, f in zip(rows, fate, strict=True) if f == word] for word in set(fate)}
        blank = [{**row, "age": "*", "sex": "*"} for row in lots.get("suppressed", [])]
        file = [{**row, "age": str(row["age"])} for row in lots["shown"]] + blank
        sensitive = [name for name in rows[0] if name not in QI]
        release = tc.Release.foreign(columns_of(file), quasi_identifiers=QI, sensitive=sensitive)
        groups = group_of(lots["shown"], QI)
        words = verdict(guarantee.name, given, groups, [lots.get("suppressed", [])], domains_of(file))
        if guarantee.name == "eligibility":  # about all rows of the file together
            words = verdict(guarantee.name, given, [file], [], domains_of(file))
        assert judged(release, None, guarantee) == [expected(words)], (case, guarantee, file)

        together = [lots.get("suppressed", []), lots.get("missing", [])]
        if guarantee.name == "eligibility":
            groups, together = [file], [lots.get("missing", [])]
        strict = type(guarantee)(**given, of="everybody")
        if guarantee.name in {"t-closeness", "beta-likeness", "delta-disclosure"} and blank and together[1]:
            continue  # the missing are compared with all rows of the file, those without quasi-identifiers included
        words = verdict(guarantee.name, given, groups, together, domains_of(rows))
        assert judged(release, table_of(rows), strict) == [expected(words)], (case, guarantee, rows, fate)


@pytest.mark.parametrize("method", ["mondrian", "small-groups"])
def test_methods_that_group(method: str) -> None:
    """What a method publishes, judged by brute force; and where it gives up, that there was no way."""
    rng = np.random.default_rng(3)
    published = 0
    for case in range(250):
        rows, (guarantee, given) = rows_of(rng), drawn(rng)
        domains, table = domains_of(rows), table_of(rows)
        allowed = float(rng.choice([0.0, 0.3]))
        if method == "mondrian":
            maker: tc.Method = tc.Mondrian(guarantees=[guarantee], allow_withheld=allowed)
        else:
            maker = tc.SmallGroups(guarantee=guarantee)
        try:
            release = maker.protect(table, seed=case)
        except Infeasible:
            one = verdict(guarantee.name, given, [rows], [], domains)[0]
            if method == "mondrian":
                assert one == "fails", (case, guarantee, rows)
            elif guarantee.name not in {"t-closeness", "beta-likeness", "delta-disclosure"}:
                assert not some_groups_can_be_published(guarantee.name, given, group_of(rows, QI), domains), (
                    case,
                    rows,
                )
            continue
        published += 1
        assert release.inside is not None
        kept = release.inside.kept
        shown = release.frames()["table"].to_dicts()
        hidden = [row for row, keep in zip(rows, kept, strict=True) if not keep]
        words = verdict(guarantee.name, given, group_of(shown, QI), [hidden], domains)
        assert "fails" not in words, (case, guarantee, rows)
        assert judged(release, None, None) == [expected(words)], (case, guarantee, rows)
    assert published > 80


def test_anatomy() -> None:
    rng = np.random.default_rng(4)
    for case in range(250):
        rows, l = rows_of(rng), int(rng.integers(1, 4))
        given = {"l": l, "kind": "frequency"}
        eligible = verdict("l-diversity", given, [rows], [], domains_of(rows))[0] == "holds"
        try:
            release = tc.Anatomy(l=l).protect(table_of(rows), seed=case)
        except Infeasible:
            assert not eligible, (case, l, rows)
            continue
        assert eligible, (case, l, rows)
        assert release.inside is not None
        numbers = release.inside.group
        assert isinstance(numbers, np.ndarray)
        buckets = [
            [row for row, number in zip(rows, numbers, strict=True) if number == g] for g in set(numbers.tolist())
        ]
        assert verdict("l-diversity", given, buckets, [], domains_of(rows)) == ("holds", "none")
        for name in domains_of(rows):
            frame = release.frames()["sensitive" if len(domains_of(rows)) == 1 else f"sensitive_{name}"]
            counted = {(row["group"], row[name]): row["count"] for row in frame.to_dicts()}
            for (number, value), count in counted.items():
                assert count == sum(r[name] == value and g == number for r, g in zip(rows, numbers, strict=True))
        assert judged(release, None, None) == [("holds", "none", True)]
