"""Numbers that are read out of core: rounded, and written with a comma, as in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.engines import StreamingEngine
from tacit.engines.delimited import read_text
from tacit.engines.scratch import Scratch
from tacit.errors import SourceError
from tacit.jobs.publish import publish
from tacit.recipes import Recipe

RECIPE = """
[table]
source = "{source}"
[read]
{read}
[roles]
quasi_identifiers = ["weight", "age"]
sensitive = ["ill"]
[kinds]
weight = "categorical"
[[steps]]
method = "small-groups"
guarantee = {{ name = "k-anonymity", k = 3 }}
[engine]
name = "{engine}"
scratch = "scratch"
[output]
folder = "{engine}"
"""


def fine(rows: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "weight": 60 + 8 * rng.standard_normal(rows),
            "age": rng.choice([20, 31, 42], rows),
            "ill": rng.choice(["flu", "cold", "gout"], rows),
        }
    )


@pytest.mark.parametrize("how", ["-1", "{ weight = -1, age = -1 }"])
def test_numbers_are_rounded_as_in_memory(how: str, tmp_path: Path) -> None:
    fine(3_000, 1).write_parquet(tmp_path / "people.parquet")
    shown = []
    for engine in ("local", "streaming"):
        path = tmp_path / f"{engine}.toml"
        text = RECIPE.format(source="people.parquet", read=f"round = {how}", engine=engine)
        path.write_text(text.replace('[kinds]\nweight = "categorical"\n', ""))
        assert all(part.audit.holds for part in publish(Recipe.read(path)).parts)
        files = sorted((tmp_path / engine).glob("table*.parquet"))
        shown.append(sorted(pl.concat([pl.read_parquet(file) for file in files]).rows()))
    assert shown[0] == shown[1]
    assert {row[0] % 10 for row in shown[1]} == {0}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(-1e7, 1e7).map(lambda x: round(x, 2)), min_size=1, max_size=30), st.booleans())
def test_a_comma_before_decimals_is_read_as_in_memory(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[float], grouped: bool
) -> None:
    folder = tmp_path_factory.mktemp("commas")
    texts = [f"{number:,.2f}" if grouped else f"{number:.2f}" for number in numbers]
    german = [text.translate(str.maketrans(",.", ".,")) for text in texts]
    path = folder / "numbers.csv"
    path.write_text("pay;n\n" + "".join(f"{text};{i}\n" for i, text in enumerate(german)))
    scratch = Scratch(folder / "scratch")
    try:
        parts = read_text([path], scratch, nulls=[""], separator=";", encoding=None, decimal=",")
        read = pl.concat([pl.DataFrame(batch) for batch in parts.batches()])
    finally:
        scratch.close()
    here = tc.Table.read(path, separator=";", decimal=",", quasi_identifiers="n", sensitive="pay")
    assert read["pay"].to_list() == here.frame["pay"].to_list() == numbers


def test_a_later_line_that_is_no_number_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("pay;n\n" + "1,5;1\n" * 60_000 + "much;2\n")
    engine = StreamingEngine(scratch=tmp_path / "scratch")
    with pytest.raises(SourceError, match=r"numbers.csv cannot be read in batches") as refused:
        read_text([path], engine.scratch, nulls=[""], separator=";", encoding=None, decimal=",")
    engine.close()
    assert "\n" not in refused.value.message
