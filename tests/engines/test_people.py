"""People with several rows out of core: whole people in one group, counted in people and in rows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.engines import StreamingEngine
from tacit.errors import AuditFailed, Infeasible, ParameterError, RoleError
from tacit.methods.large import LargeTable, verdict, writing
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.writing import write_large

METHOD = tc.Mondrian(guarantees=[tc.KAnonymity(k=3), tc.LDiversity(l=2, kind="frequency")])


def visits(people: int, seed: int, *, most: int = 5, vary: bool = True) -> pl.DataFrame:
    """Visits of people who age between them and move: nobody's rows are beside each other."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(1, most + 1, people)
    who = np.repeat(np.arange(people), rows)
    frame = pl.DataFrame(
        {
            "pid": [f"p{i}" for i in who],
            "age": rng.integers(18, 80, people)[who] + (rng.integers(0, 3, len(who)) if vary else 0),
            "town": np.array(["Bath", "Cork", "Dover", "Ely"])[
                np.where(rng.random(len(who)) < 0.2 * vary, rng.integers(0, 4, len(who)), (who * 7) % 4)
            ],
            "ill": rng.choice(["flu", "cold", "gout", *(f"rare {i}" for i in range(20))], len(who)),
        }
    )
    return frame.sample(fraction=1.0, shuffle=True, seed=seed)


def roles() -> dict[str, object]:
    return {"person": "pid", "quasi_identifiers": ["age", "town"], "sensitive": "ill"}


def publish(frame: pl.DataFrame, folder: Path, method: tc.Method = METHOD, seed: int | None = None) -> Path:
    """Publish a file of two parts in fragments that it does not fit in."""
    source = folder / "source"
    source.mkdir(exist_ok=True)
    half = frame.height // 2
    frame[:half].write_parquet(source / "a.parquet")
    frame[half:].write_parquet(source / "b.parquet")
    engine = StreamingEngine(fragment_rows=400, scratch=folder / "scratch")
    try:
        large = LargeTable.read(engine, source, frame.head(100), seed=seed, **roles())
        release = protect_large(method, large, seed=seed)
        done, _ = write_large(release, folder / "out", overwrite=True)
    finally:
        engine.close()
    assert done.audit.holds is True, done.audit
    assert not list((folder / "scratch").iterdir())
    return done.folder


def judged_slowly(out: Path, private: Path, frame: pl.DataFrame, k: int, l: int) -> None:
    """Read what was written beside the persons of the private part, and count groups row by row."""
    groups: dict[tuple, list[tuple]] = defaultdict(list)
    homes: dict[int, set] = defaultdict(set)
    for file in sorted(out.glob("table*.parquet")):
        number = file.stem.removeprefix("table").removeprefix("-") or "00000"
        whose = pl.read_parquet(private / f"people-{number}.parquet")
        shown = pl.read_parquet(file)
        assert shown.columns == ["age", "town", "ill"]
        for row, (person, more) in zip(shown.rows(), whose.select("person", "person_more").rows(), strict=True):
            groups[row[:2]].append(((person, more), row[2]))
            homes[(person, more)].add(row[:2])
    assert sum(map(len, groups.values())) == frame.height
    assert len(homes) == frame["pid"].n_unique()
    assert all(len(home) == 1 for home in homes.values())
    for members in groups.values():
        people = {person for person, _ in members}
        assert len(people) >= k
        values = [value for _, value in members]
        having = {value: len({p for p, v in members if v == value}) for value in set(values)}
        assert all(l * values.count(value) <= len(values) for value in having)
        assert all(l * many <= len(people) for many in having.values())
        most = max([p for p, _ in members].count(person) for person in people)
        assert all(len(values) - values.count(value) >= most for value in having)


@pytest.mark.parametrize("vary", [False, True])
def test_people_with_several_rows_are_in_one_group_with_all_of_them(
    vary: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tacit.methods.large.protecting._PART_ROWS", 500)
    frame = visits(900, 3, vary=vary)
    out = publish(frame, tmp_path)
    assert len(list(out.glob("table-*.parquet"))) > 3
    judged_slowly(out, tmp_path / "out.private", frame, 3, 2)
    assert '"persons": "several rows"' in (out / "release.json").read_text()
    for path in (tmp_path / "out.private").glob("people-*.parquet"):
        assert path.stat().st_mode & 0o777 == 0o600
    assert not any(b"p17" in path.read_bytes() for path in out.iterdir())


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.integers(150, 400), st.integers(1, 6))
def test_any_visits_are_judged_as_the_local_engine_judges_them(seed: int, people: int, most: int) -> None:
    frame = visits(people, seed, most=most)
    table = tc.Table(frame, **roles())
    engine = StreamingEngine(fragment_rows=200)
    try:
        release = METHOD.protect(table, engine=engine, seed=seed)
    except Infeasible:
        with pytest.raises(Infeasible):
            METHOD.protect(table)
        return
    finally:
        engine.close()
    assert release.persons == ("one row" if table.people is None else "several rows")
    assert tc.audit(release, table).holds is True


def test_a_person_with_one_row_is_a_row(tmp_path: Path) -> None:
    frame = visits(900, 5, most=1)
    out = publish(frame, tmp_path, tc.Pipeline([tc.ShiftSuppression(l=2), tc.Anatomy(l=2)]))
    assert '"persons": "one row"' in (out / "release.json").read_text()
    assert not list((tmp_path / "out.private").glob("people-*"))


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    frame = visits(500, 8)
    shown = []
    for _ in range(2):
        with pytest.warns(UserWarning, match="made with a seed"):
            out = publish(frame, tmp_path, seed=4)
        shown.append({path.name: path.read_bytes() for path in out.glob("*.parquet")})
    assert shown[0] == shown[1]


def test_somebody_in_two_files_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.methods.large.protecting._PART_ROWS", 500)
    original = verdict.judge

    def torn(release, files, folder, inside, private, kind):
        one, two = sorted(private.glob("people-*.parquet"))[:2]
        first, second = pl.read_parquet(one), pl.read_parquet(two)
        keys = ["person", "person_more"]
        alone = first.filter(pl.struct(keys).is_unique())
        other = second.with_columns(
            pl.when(pl.int_range(pl.len()) == 0).then(pl.lit(alone[name][0])).otherwise(pl.col(name)).alias(name)
            for name in keys
        )
        other.write_parquet(two)
        return original(release, files, folder, inside, private, kind)

    monkeypatch.setattr(writing, "judge", torn)
    with pytest.raises(AuditFailed, match="somebody is in several files"):
        publish(visits(900, 3), tmp_path)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "method",
    [
        tc.Anatomy(l=2),
        tc.SmallGroups(guarantee=tc.KAnonymity(k=2)),
        tc.Mondrian(guarantees=[tc.KAnonymity(k=3)], allow_withheld=0.1),
        tc.Pipeline([METHOD, METHOD]),
    ],
)
def test_what_is_not_carried_over_is_refused_in_one_sentence(method: tc.Method, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="several rows") as refused:
        publish(visits(300, 2), tmp_path, method)
    assert "\n" not in refused.value.message


def test_a_row_of_nobody_is_refused_wherever_it_is(tmp_path: Path) -> None:
    frame = visits(300, 2)
    late = frame.with_columns(pid=pl.Series([*frame["pid"].to_list()[:-1], None]))
    with pytest.raises(RoleError, match="'pid' is empty"):
        publish(late, tmp_path)
