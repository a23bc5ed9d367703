"""What every method must satisfy."""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.audits import audit
from tacit.checks import tables
from tacit.errors import Infeasible, ParameterError, RoleError
from tacit.methods import Method
from tacit.releases import Release
from tacit.table import Table

_CALLS_MAY_GROW = 3.0
"""The factor by which calls may grow with a hundred times the rows: a search over groups may take a few more calls, but
none per row. Chosen by trial."""


def check_same_seed_same_bytes(method: Method) -> None:
    """The same seed gives the same files, to the byte."""
    first, second = (_written(method.protect(_given(method, tables.ordinary()), seed=7)) for _ in range(2))
    assert first == second, f"{method}: two runs with one seed differ"


def check_unseeded_is_shuffled(method: Method) -> None:
    """Without a seed the rows come in another order each time, and the release is not marked reproducible."""
    first, second = (method.protect(_given(method, tables.ordinary())) for _ in range(2))
    assert not first.reproducible
    frames = zip(first.frames().values(), second.frames().values(), strict=True)
    assert not all(a.equals(b) for a, b in frames), f"{method}: two unseeded runs give the same order"


def check_input_is_not_changed(method: Method) -> None:
    """The table is as it was."""
    table = _given(method, tables.ordinary())
    before = table.digest()
    method.protect(table, seed=1)
    assert table.digest() == before, f"{method} changed its input"


def check_inside_agrees_with_frames(method: Method) -> None:
    """`inside` says of every row what the frames show."""
    table = _given(method, tables.ordinary())
    release = method.protect(table, seed=1)
    inside = release.inside
    assert inside is not None
    assert len(inside.kept) == len(table)
    assert inside.cells.shape == (len(table), len(table.columns))
    assert release.shape.rows == int(inside.kept.sum()), f"{method}: rows published and rows kept differ"
    for name in table.sensitive if not release.shape.several else ():
        _same_values(method, release, table.frame[name].filter(pl.Series(inside.kept)), name)
    _check_groups(method, release, table)


def check_claims_hold(method: Method) -> None:
    """The audit, which sees only the frames and who is missing, confirms every claim."""
    for seed in range(3):
        release = method.protect(_given(method, tables.ordinary(seed=seed)), seed=seed)
        verdict = audit(release)
        assert verdict.passes, f"{method}: {verdict}"


def check_infeasible_is_explained(method: Method) -> None:
    """What cannot be met raises `Infeasible` with the way out; it is never published anyway."""
    for make in (tables.one_row, tables.one_value, tables.constant):
        _released_or_explained(method, make)


def check_nulls_are_values(method: Method) -> None:
    """Null and NaN in quasi-identifiers are values like others."""
    release = _released_or_explained(method, tables.with_nulls)
    if release is not None and release.shape.rows:
        assert audit(release).passes


def check_strange_names(method: Method) -> None:
    """Names with commas, quotes, line ends and formulas are published and read back."""
    release = _released_or_explained(method, tables.strange_names)
    if release is not None:
        for kind in ("csv", "parquet", "arrow"):
            with tempfile.TemporaryDirectory() as folder:
                _write(release, Path(folder) / "out", kind)
                again = Release.read(Path(folder) / "out")
                for name, frame in release.frames().items():
                    assert frame.equals(again.frames()[name]), f"{method}: {name} changed on its way through {kind}"


def check_order_of_rows_does_not_matter(method: Method) -> None:
    """The same people in another order: the claims hold, and as many are withheld."""
    plain, mixed = (method.protect(_given(method, tables.ordinary(shuffled=s)), seed=5) for s in (False, True))
    assert audit(mixed).passes
    assert plain.shape.name == mixed.shape.name


def check_identifiers_do_not_leave(method: Method) -> None:
    """No file in the public folder holds an identifier."""
    release = method.protect(_given(method, tables.ordinary()), seed=1)
    for kind in ("csv", "arrow"):
        for name, content in _written(release, kind).items():
            assert tables.CANARY.encode() not in content, f"{method}: an identifier is in {name}"


def check_people_stay_together(method: Method) -> None:
    """Rows of one person share a group or are all withheld, and the claims hold in people; or the table is refused."""
    table = _given(method, tables.visits())
    people = table.people
    assert people is not None
    try:
        release = method.protect(table, seed=1)
    except (Infeasible, ParameterError, RoleError) as error:
        assert error.hint, f"{method}: {error.message!r} names no way out"
        return
    inside = release.inside
    assert inside is not None
    assert _alike(people.ids, inside.kept), f"{method}: some rows of a person are published and others are withheld"
    for group in inside.group.values() if isinstance(inside.group, Mapping) else (inside.group,):
        assert group is None or _alike(people.ids, group), f"{method}: a person is in two groups"
    verdict = audit(release, table)
    assert verdict.passes, f"{method}: {verdict}"


def check_no_loop_over_rows(method: Method) -> None:
    """A hundred times the rows do not take a hundred times the calls."""
    few, many = _given(method, tables.ordinary(1_000)), _given(method, tables.ordinary(100_000))
    for table in (few, many):  # encoding and compiling are paid before counting
        method.protect(table, seed=1)
    few_calls, many_calls = (_calls(partial(method.protect, table, seed=1)) for table in (few, many))
    assert many_calls <= _CALLS_MAY_GROW * few_calls + 1_000, (
        f"{method}: {few_calls:,} calls for 1,000 rows, {many_calls:,} for 100,000"
    )


CHECKS: list[Callable[[Any], None]] = [
    check_same_seed_same_bytes,
    check_unseeded_is_shuffled,
    check_input_is_not_changed,
    check_inside_agrees_with_frames,
    check_claims_hold,
    check_infeasible_is_explained,
    check_nulls_are_values,
    check_strange_names,
    check_order_of_rows_does_not_matter,
    check_identifiers_do_not_leave,
    check_people_stay_together,
    check_no_loop_over_rows,
]


def _alike(owner: Ints, value: np.ndarray[Any, Any]) -> bool:
    """Tell whether all rows of an owner have the same value."""
    _, first = np.unique(owner, return_index=True)
    return bool((value == value[first][owner]).all())


def _given(method: Method, table: Table) -> Table:
    """Return the table as a method takes it: with numbers in the sensitive column, where it needs numbers."""
    return tables.with_numbers(table) if method.numeric_only else table


def _released_or_explained(method: Method, make: Callable[[], Table]) -> Release | None:
    try:
        release = method.protect(_given(method, make()), seed=1)
    except (Infeasible, ParameterError) as error:  # a parameter may name a value that the table does not have
        assert error.hint, f"{method}: {error.message!r} names no way out"
        return None
    assert audit(release).passes, f"{method}: published {make.__name__} although a claim fails"
    return release


def _same_values(method: Method, release: Release, expected: pl.Series, name: str) -> None:
    shape = release.shape
    totals = shape.totals.histograms[name].totals()
    counted = dict(zip(shape.dictionary(name).to_list(), totals.tolist(), strict=True))
    wanted = dict(expected.value_counts().iter_rows())
    if shape.column(name).suppressed:  # suppressed cells may be missing
        assert all(counted.get(value, 0) <= count for value, count in wanted.items())
        return
    assert {k: v for k, v in counted.items() if v} == wanted, f"{method}: {name} is not what the kept rows have"


def _check_groups(method: Method, release: Release, table: Table) -> None:
    inside = release.inside
    assert inside is not None
    if inside.group is None or release.shape.several:
        return
    assert isinstance(inside.group, np.ndarray)
    assert ((inside.group >= 0) == inside.kept).all(), f"{method}: group -1 and not kept differ"
    sizes = np.sort(np.unique(inside.group[inside.kept], return_counts=True)[1])
    published = np.sort(release.shape.statistics.sizes)
    # Two groups with equal cells are one to an outsider, so she may see fewer and larger ones.
    if release.shape.shows_members:
        assert (sizes == published).all(), f"{method}: groups inside and published differ"
    else:
        assert len(published) <= len(sizes)
    assert len(table) == len(inside.group)


def _calls(task: Callable[[], object]) -> int:
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(profile)
    try:
        task()
    finally:
        sys.setprofile(None)
    return count


def _write(release: Release, folder: Path, kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # these releases are seeded on purpose
        release.write(folder, format=kind)


def _written(release: Release, kind: str = "parquet") -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        _write(release, Path(folder) / "out", kind)
        return {path.name: path.read_bytes() for path in (Path(folder) / "out").iterdir()}
