"""`tacit audit --knowledge`: the owner of a release about items checks it again, with the label table that was used."""

import json
import shutil
from pathlib import Path

import pytest

LABELS = {"flu": ["cough", "fever"], "cold": ["cough", "sneezing"], "hay fever": ["sneezing", "fever"]}
RECIPE = """
[table]
source = "admissions.csv"
[roles]
quasi_identifiers = ["age"]
items = ["symptoms"]
[[steps]]
method = "quasi-sensitive"
time_bound = 0.2
guarantee = { name = "qs-diversity", c = 1, l = 2, knowledge = "labels.json" }
[output]
folder = "out"
format = "csv"
"""


@pytest.fixture
def published(tmp_path: Path, tacit, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = ["30,cough;fever", "30,cough", "41,sneezing", "41,fever", "41,cough;sneezing"]
    Path("admissions.csv").write_text("age,symptoms\n" + "\n".join(rows) + "\n", encoding="utf-8")
    Path("labels.json").write_text(json.dumps(LABELS), encoding="utf-8")
    Path("job.toml").write_text(RECIPE, encoding="utf-8")
    assert tacit("publish", "job.toml").code == 0
    return tmp_path


def test_the_owner_needs_nothing_as_long_as_the_label_table_is_where_it_was(published: Path, tacit) -> None:
    done = tacit("audit", "out", "--json")
    assert done.code == 0, done.err
    assert done.json["audit"]["holds"] is True
    private = json.loads(Path("out.private/private.json").read_text(encoding="utf-8"))
    assert set(private["guarantees"][0]["knowledge"]["label table"]) == {"sha256", "path"}
    for path in Path("out").iterdir():
        assert b"sneezing" in path.read_bytes() or b"labels.json" not in path.read_bytes()
        assert b"hay fever" not in path.read_bytes()
        assert private["guarantees"][0]["knowledge"]["label table"]["sha256"].encode() not in path.read_bytes()


def test_a_label_table_that_moved_is_supplied(published: Path, tacit) -> None:
    Path("labels.json").rename("moved.json")
    done = tacit("audit", "out")
    assert done.code == 1
    assert "no label table at" in done.out + done.err
    assert tacit("audit", "out", "--knowledge", "moved.json", "--json").json["audit"]["holds"] is True


def test_another_label_table_is_named(published: Path, tacit) -> None:
    Path("other.json").write_text(json.dumps({"flu": ["cough"]}), encoding="utf-8")
    done = tacit("audit", "out", "--knowledge", "other.json")
    assert done.code == 2
    assert "other.json is not the label table that the release was made with" in done.err
    Path("labels.json").write_text(json.dumps({"flu": ["cough"]}), encoding="utf-8")
    changed = tacit("audit", "out")
    assert changed.code == 1
    assert "its digest differs" in changed.out + changed.err


def test_without_the_private_part_whoever_has_a_label_table_judges_with_it(published: Path, tacit) -> None:
    shutil.rmtree("out.private")
    assert tacit("audit", "out", "--json").json["audit"]["holds"] is None
    assert tacit("audit", "out", "--knowledge", "labels.json", "--json").json["audit"]["holds"] is True
    claimed = tacit("audit", "out", "--claim", "qs-diversity:c=1,l=3", "--knowledge", "labels.json", "--json")
    assert [finding["holds"] for finding in claimed.json["audit"]["findings"]] == [True, False]
