"""Steps of a recipe: made once, and file names resolved where the parameter says that it names a file."""

import json
from pathlib import Path

import pytest
from pydantic import Field

import tacit as tc
from tacit.guarantees.registry import classes as guarantee_classes
from tacit.knowledge.quasi_sensitive import reading
from tacit.methods.registry import classes as method_classes
from tacit.parameters import FILE, PRIVATE, Parameters
from tacit.recipes import Recipe

LABELS = {"flu": ["cough", "headache"], "cold": ["cough", "sneezing"], "gout": ["pain"]}
RECIPE = """
[table]
source = "people.csv"
[roles]
quasi_identifiers = ["age"]
items = ["items"]
[[steps]]
method = "quasi-sensitive"
guarantee = { name = "qs-diversity", c = 1, l = 2, knowledge = "labels.json" }
"""


class Atlas(Parameters):
    chart: str = Field("", json_schema_extra=FILE)
    legend: str = Field("", alias="key", json_schema_extra=PRIVATE | FILE)
    title: str = ""


def test_a_parameter_says_itself_that_it_names_a_file():
    assert Atlas.file_parameters() == {"chart", "key"}
    assert tc.ART.file_parameters() == {"distribution"}
    assert tc.QSCloseness.file_parameters() == {"knowledge"}
    assert tc.KAnonymity.file_parameters() == frozenset()


def test_files_of_a_step_lie_beside_the_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "labels.json").write_text(json.dumps(LABELS))
    (tmp_path / "job.toml").write_text(RECIPE)
    monkeypatch.chdir("/")
    assert Recipe.read(tmp_path / "job.toml").method.guarantee.c == 1


def test_files_of_a_list_of_guarantees_are_found_too(tmp_path: Path):
    recipe = Recipe.read(_written(tmp_path, RECIPE))
    step = {"method": "mondrian", "guarantees": [{"name": "qs-closeness", "t": 0.1, "knowledge": "labels.json"}]}
    located = recipe._located(step, method_classes()["mondrian"])
    assert located["guarantees"][0]["knowledge"] == str(tmp_path / "labels.json")
    assert located["guarantees"][0]["name"] == "qs-closeness"


def test_every_step_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A label file is large and may be slow to read."""
    reads = []
    plain = reading._from_file
    monkeypatch.setattr(reading, "_from_file", lambda path: reads.append(path) or plain(path))
    assert Recipe.read(_written(tmp_path, RECIPE)).method.guarantee.labels is not None
    assert len(reads) == 1


def test_classes_are_listed_without_making_any(monkeypatch: pytest.MonkeyPatch):
    """Examples are for the checks: a job must not need them to know which classes there are."""
    plain = {name: (guarantee_classes() | method_classes())[name] for name in ("k-anonymity", "art")}
    for cls in (*guarantee_classes().values(), *method_classes().values()):
        monkeypatch.setattr(cls, "examples", classmethod(lambda _: pytest.fail("an example was made")))
    assert {name: (guarantee_classes() | method_classes())[name] for name in plain} == plain


def test_every_class_that_can_be_named_has_examples_and_no_base_class_can_be_named():
    for cls in (*guarantee_classes().values(), *method_classes().values()):
        assert cls.examples(), cls.name
    assert not {"guarantee", "group-guarantee", "qs-guarantee", "method"} & {*guarantee_classes(), *method_classes()}


def _written(folder: Path, text: str) -> Path:
    (folder / "labels.json").write_text(json.dumps(LABELS))
    (folder / "job.toml").write_text(text)
    return folder / "job.toml"
