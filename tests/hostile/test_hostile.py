"""A taste of the campaign: a few hundred inputs of every family, some command lines and some kills.

`make hostile N=1000000` runs the rest, with a seed and a log from which it is resumed and replayed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hostile import corpus
from tests.hostile.inputs import FAMILIES, family_of, text_file
from tests.hostile.mutation import changed_bytes, changed_json, changed_text
from tests.hostile.oracle import command_line, in_process, sentence_fault

ROOT = Path(__file__).parents[2]


def test_the_campaign_finds_nothing_and_can_be_resumed(tmp_path: Path) -> None:
    """In a process of its own, as the long run is: it forks, and a process with threads must not."""
    log = tmp_path / "log"

    def run(*more: str) -> None:
        command = [
            sys.executable,
            "-m",
            "tests.hostile.campaign",
            "--log",
            str(log),
            "--corpus",
            str(tmp_path / "corpus"),
        ]
        done = subprocess.run(
            [*command, "--seed", "7", *more],
            cwd=ROOT,
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr + log.read_text()

    run("--inputs", "150")
    run("--inputs", "300", "--commands", "8", "--kills", "10")
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert not [entry for entry in entries if "fault" in entry]
    done = {what: [e["done"] for e in entries if e["what"] == what] for what in ("inputs", "commands", "kills")}
    assert done["inputs"][-1] == 300
    assert 150 in done["inputs"], "the second run began where the first had ended"
    assert done["commands"] == [8]
    assert done["kills"] == [10]


def test_every_family_has_its_share() -> None:
    assert Counter(family_of(number) for number in range(100)) == {name: share for name, (share, _) in FAMILIES.items()}


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_makes_the_same_input(seed: int) -> None:
    def made() -> list[object]:
        rng = Random(seed)  # noqa: S311
        return [
            changed_bytes(corpus.PEOPLE.encode(), rng),
            changed_json({"a": [1, {"b": None}]}, rng),
            changed_text(corpus.recipe("anatomy"), rng),
            text_file(rng),
        ]

    assert made() == made()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes) -> None:
    from tacit.sources import read

    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert in_process(lambda: read(path)).fault == ""


@settings(max_examples=60)
@given(
    frame=st.dictionaries(
        st.text(max_size=5),
        st.lists(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.decimals() | st.dates()
            | st.datetimes() | st.binary(max_size=3) | st.lists(st.integers(), max_size=2),
            max_size=5,
        ),
        max_size=4,
    )
)  # fmt: skip
def test_any_frame_is_a_table_or_refused(frame: dict[str, list[object]]) -> None:
    import tacit as tc

    assert in_process(lambda: tc.Table(frame, quasi_identifiers=list(frame)[:1])).fault == ""


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=200))
def test_any_text_is_a_recipe_or_refused(tmp_path: Path, text: str) -> None:
    from tacit.recipes import Recipe

    path = tmp_path / "r.toml"
    path.write_text(text, encoding="utf-8", errors="replace")
    assert in_process(lambda: Recipe.read(path)).fault == ""


def test_the_oracle_sees_what_must_not_happen() -> None:
    def fail() -> None:
        raise KeyError("x")

    assert "KeyError" in in_process(fail).fault
    assert sentence_fault("two\nlines")
    assert sentence_fault("this should not happen: x")
    assert not sentence_fault("There is no column 'a'.")
    assert command_line(-11, b"", b"").fault
    assert command_line(3, b"", b"tacit: x\n").fault
    assert command_line(2, b"", b"Traceback\n").fault
    assert command_line(0, b"\x1b[31m", b"").fault
    assert not command_line(2, b"", b"tacit: There is no file x.\n").fault
