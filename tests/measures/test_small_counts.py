"""Counts that are hidden cannot be solved for from those that are shown."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.small_counts import bounds

from tacit.measures.small_counts import SmallCounts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 60) | st.integers(0, 3000), min_size=2, max_size=9), st.integers(2, 30))
def test_cumulative_counts_give_no_small_one_back(atoms, smallest):
    """A report shows how many rows are above one threshold after another: counts that are nested."""
    total = sum(atoms)
    hide = SmallCounts(smallest, (total,))
    above = {f"above {at}": list(range(at, len(atoms))) for at in range(1, len(atoms))}
    counts = {name: sum(atoms[i] for i in kinds) for name, kinds in above.items()}
    shown = [name for name, count in counts.items() if hide.all_shown([count])]
    known = [(range(len(atoms)), total), *((above[name], counts[name]) for name in shown)]
    single = {f"between {at}": [at] for at in range(len(atoms))}
    runs = {f"{a} to {b}": list(range(a, b)) for a in range(len(atoms)) for b in range(a + 1, len(atoms) + 1)}
    for name, (low, high) in bounds(len(atoms), known, single | runs).items():
        true = sum(atoms[i] for i in (single | runs)[name])
        if 0 < true < smallest and total >= smallest:
            assert (low, high) != (true, true), (name, atoms, shown)
            assert high - low >= smallest - 1, (name, atoms, shown)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 60) | st.integers(0, 3000), min_size=2, max_size=8), st.integers(2, 30))
def test_parts_of_a_whole_are_shown_together_or_not_at_all(atoms, smallest):
    total = sum(atoms)
    hide = SmallCounts(smallest, (total,))
    if hide.all_shown(atoms):
        assert all(count == 0 or count >= smallest for count in atoms)
        assert all(total - count == 0 or total - count >= smallest for count in atoms)
    else:
        assert not any(hide.may_show(count) is False and count in hide._shown for count in atoms)


def test_texts():
    hide = SmallCounts(11, (18204,))
    said = "2,924 groups, the smallest of 5 rows; posterior 0.2000 (bound 1/5), k=5, l = 3, 95% interval"
    assert hide.text(said) == said.replace("5 rows", "fewer than 11 rows")
    assert hide.text("18,200 of 18,204 rows") == "a hidden number of 18,204 rows"
    assert hide.text("2,930 (16.1%) rows") == "a hidden number rows"  # 2,924 is shown already
    assert hide.text("0 rows") == "0 rows"
    assert hide.text("in [30, 39], 3-diverse, top-5, 0.5") == "in [30, 39], 3-diverse, top-5, 0.5"
