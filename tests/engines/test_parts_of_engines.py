"""Cuts, thresholds, exchanges and numbers: what engines are made of, beside what is obvious."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.engines.cuts import Axis, Cuts
from tacit.engines.exchanging import balanced, exchange, moves
from tacit.engines.keyed import Renumbering, keyed_hash, secret_key
from tacit.engines.local import LocalEngine
from tacit.engines.scratch import Scratch, owned_prefix
from tacit.engines.streaming import StreamingEngine
from tacit.engines.thresholds import limits_of
from tacit.methods.large.frames import FrameMaker
from tacit.table import Layout, Table


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 400), st.integers(0, 2**32))
def test_numbers_of_groups_are_permuted_and_can_be_undone(count: int, seed: int) -> None:
    numbers = Renumbering(secret_key(seed), count)
    assert sorted(numbers(np.arange(count)).tolist()) == list(range(count))
    assert (numbers.undone(numbers(np.arange(count))) == np.arange(count)).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 40))
def test_groups_have_the_same_public_number_in_few_rows_and_in_many(seed: int, groups: list[int], rows: int) -> None:
    table = Table({"age": [30, 41], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    layout = Layout.of(table, {name: table.frame[name] for name in Layout.needed(table)})
    maker = FrameMaker(layout, {}, {"": groups}, secret_key(seed))
    rng = np.random.default_rng(seed)
    seen = set()
    for fragment, many in enumerate(groups):
        numbers = rng.integers(-1, many, rows)  # -1: somebody who is in no group
        one_by_one = [int(maker.renumbering("")(np.array([n + sum(groups[:fragment])]))[0]) for n in range(many)]
        assert maker.numbered("", fragment, numbers).tolist() == [-1 if n < 0 else one_by_one[n] for n in numbers]
        seen |= set(one_by_one)
    assert seen == set(range(sum(groups)))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 400), st.integers(1, 40))
def test_cuts_send_every_row_to_one_fragment_and_similar_rows_to_the_same(seed: int, rows: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 12, (rows, 2))
    axes = [Axis(f"c{j}", np.arange(12), np.arange(12), np.linspace(0, 1, 12)) for j in range(2)]
    cuts = Cuts.plan(axes, codes, most, enough=1)
    batch = pa.table({"c0": codes[:, 0].astype(np.int32), "c1": codes[:, 1].astype(np.int32)})
    places = cuts(batch)
    assert set(places.tolist()) == set(range(cuts.count))
    by_row = {}
    for row, place in zip(map(tuple, codes.tolist()), places.tolist(), strict=True):
        assert by_row.setdefault(row, place) == place
    sizes = np.bincount(places)
    distinct = [len({row for row, p in by_row.items() if p == place}) for place in range(cuts.count)]
    assert all(size <= max(most, 2) or many == 1 for size, many in zip(sizes, distinct, strict=True))


def test_fragments_that_are_not_sound_are_united_with_their_neighbours() -> None:
    axes = [Axis("c0", np.arange(8), np.arange(8), np.linspace(0, 1, 8))]
    cuts = Cuts.plan(axes, np.arange(8)[:, None], 1, enough=1)
    assert cuts.count == 8
    pairs = cuts.united(lambda chosen: bool(chosen.sum() >= 2))
    assert np.bincount(pairs(pa.table({"c0": np.arange(8, dtype=np.int32)}))).tolist() == [2, 2, 2, 2]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.lists(st.integers(0, 60), min_size=1, max_size=4))
def test_limits_are_those_of_a_sort(seed: int, quotas: list[int]) -> None:
    rng = np.random.default_rng(seed)
    table = pa.table({"row": rng.permutation(200), "c": rng.integers(0, 3, 200).astype(np.int32)})
    key, asked = secret_key(seed), {code: sorted(quotas) for code in range(2)}
    engine = LocalEngine()
    limits = limits_of(engine, engine.read(table), "c", asked, key)
    hashes, codes = keyed_hash(key, table["row"].to_numpy()), table["c"].to_numpy()
    for code, numbers in asked.items():
        mine = np.sort(hashes[codes == code])
        for many, limit in zip(numbers, limits[code], strict=True):
            assert int((mine <= np.uint64(max(limit, 0))).sum() if limit >= 0 else 0) == min(many, len(mine))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(2, 6))
def test_rows_are_exchanged_until_no_value_is_too_frequent(seed: int, l: int, fragments: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 40, (fragments, l + 2))
    if l * counts.sum(axis=0).max() > counts.sum():
        return
    wanted = balanced(counts, l)
    if wanted is None:
        return
    assert (wanted.sum(axis=0) == counts.sum(axis=0)).all()
    assert (l * wanted <= wanted.sum(axis=1)[:, None]).all()
    plan = moves(counts, wanted)
    made = counts.copy()
    for pair, goes in plan.items():
        for home, many in goes:
            made[pair // counts.shape[1], pair % counts.shape[1]] -= many
            made[home, pair % counts.shape[1]] += many
    assert (made == wanted).all()


@pytest.mark.parametrize("engine", [LocalEngine(), StreamingEngine()], ids=["local", "streaming"])
def test_an_exchange_routes_exactly_as_planned(engine: LocalEngine | StreamingEngine) -> None:
    rng = np.random.default_rng(3)
    place = rng.integers(0, 4, 3_000)
    value = np.where(rng.random(3_000) < 1 / 3, 0, rng.integers(1, 6, 3_000))
    value[place == 0] = np.where(rng.random(int((place == 0).sum())) < 0.5, 0, value[place == 0])
    table = pa.table({"row": np.arange(3_000), "c0": place.astype(np.int32), "c1": value.astype(np.int32)})
    axes = [Axis("c0", np.arange(4), np.arange(4), np.linspace(0, 1, 4))]
    cuts = Cuts.plan(axes, np.arange(4)[:, None], 1, enough=1)
    counts = np.zeros((4, 6), dtype=np.int64)
    np.add.at(counts, (place, value), 1)
    route = exchange(engine, engine.read(table), cuts, "c1", counts, 2, secret_key(1))
    assert route is not None
    after = np.zeros((4, 6), dtype=np.int64)
    np.add.at(after, (route(table), value), 1)
    assert (after == balanced(counts, 2)).all()
    engine.close()


def test_a_scratch_folder_is_private_and_gone_afterwards(tmp_path) -> None:
    scratch = Scratch(tmp_path)
    assert scratch.folder.stat().st_mode & 0o777 == 0o700
    path = scratch.new("x")
    path.write_text("x")
    assert path.stat().st_mode & 0o777 == 0o600
    scratch.close()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_program_left_is_swept_up(tmp_path) -> None:
    (tmp_path / f"{owned_prefix(999_999_999)}abc").mkdir()
    Scratch(tmp_path).close()
    assert list(tmp_path.iterdir()) == []


def test_what_may_belong_to_another_machine_or_to_nobody_stays(tmp_path) -> None:
    names = {"tacit-scratch-999999999-elsewhere-abc", f"{owned_prefix(10**30)}x", "tacit-scratch-\u00b2-x"}
    for name in names:
        (tmp_path / name).mkdir()
    Scratch(tmp_path).close()
    assert {path.name for path in tmp_path.iterdir()} == names
