"""Whatever a name or a value holds, a release is written, and a terminal is not moved by it."""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit import Release, cli

STRANGE = [
    "\x0b",
    "\x01",
    "\x1b[31m",
    "\ufffe",
    "\uffff",
    "\x7f",
    "\x9b",
    "\u202e",
    "\u2028",
    "<b>&",
    "]]>",
    "\U0010ffff",
]


def people(clinic, mark: str) -> None:
    with (clinic / "patients.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["name", f"age{mark}", "zip", "sex", f"dis{mark}ease"])
        for i in range(24):
            writer.writerow([f"p{i}", 30 + i % 3, f"z{mark}{i % 2}", "FM"[i % 2], f"ill{mark}{i % 4}"])
    text = (clinic / "clinic.toml").read_text().replace('"name"', '"name"')
    age, ill = (
        json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f") for name in (f"age{mark}", f"dis{mark}ease")
    )
    text = text.replace('"age"', age).replace('["disease"]', f"[{ill}]")
    (clinic / "clinic.toml").write_text(text, encoding="utf-8")


def hidden(text: str) -> list[str]:
    return [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2028\ufffe\uffff")]


@pytest.mark.parametrize("mark", STRANGE)
def test_a_release_does_not_depend_on_a_picture(clinic, tacit, mark):
    people(clinic, mark)
    done = tacit("publish", "clinic.toml")
    assert done.code == 0, done.err
    assert hidden(done.out) == []
    release = Release.read(clinic / "out")
    assert release.shape.rows == 24
    assert f"dis{mark}ease" in release.frames()["table"].columns
    for report in (clinic / "out" / "report.html", clinic / "out.private" / "report.html"):
        page = report.read_text(encoding="utf-8")
        assert page.rstrip().endswith("</html>")
        assert not [c for c in hidden(page) if c in "\x0b\x01\x1b\ufffe\uffff"]
    told = tacit("audit", "out", "--json")
    assert told.code == 0, told.err
    assert hidden(told.out) == []
    assert f"dis{mark}ease" in json.dumps(told.json, ensure_ascii=False) or told.json["audit"]["holds"]
    for command in (["inspect", "patients.csv"], ["audit", "out"]):
        assert hidden(tacit(*command).out) == []


@pytest.mark.parametrize("mark", ["\x1b[31m", "\r", "\x9b", "\u202e"])
def test_a_message_shows_what_it_quotes(clinic, tacit, mark):
    for arguments in (
        ["inspect", f"no{mark}.csv"],
        ["inspect", "patients.csv", "--qi", f"a{mark}ge"],
        ["publish", f"no{mark}.toml"],
        ["audit", f"no{mark}"],
        ["ledger", f"no{mark}"],
        [f"pub{mark}lish"],
        ["publish", "clinic.toml", f"--{mark}"],
        ["audit", "patients.csv", "--qi", "age", "--sensitive", "sex", "--claim", f"k{mark}"],
    ):
        done = tacit(*arguments)
        assert done.code == 2, arguments
        assert hidden(done.err) == [], arguments
        assert done.err.count("\n") == 1, done.err


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mark=st.text(st.characters(codec="utf-8"), min_size=1, max_size=4))
def test_any_name_and_value_can_be_published(clinic, capsys, mark):
    people(clinic, mark)
    code = cli.run(["publish", "clinic.toml", "--overwrite"])
    told = capsys.readouterr()
    assert code in {0, 2}, told.err
    assert "this should not happen" not in told.err
    assert hidden(told.out + told.err) == []
    if code == 0:
        assert Release.read(clinic / "out").shape.rows == 24


def test_a_message_is_cut(clinic, tacit):
    for arguments in (["inspect", "x" * 3000], ["audit", "patients.csv", "--qi", "y" * 100_000, "--sensitive", "sex"]):
        done = tacit(*arguments)
        assert done.code == 2
        assert len(done.err) < 4200


def test_a_release_does_not_depend_on_a_report(clinic, tacit, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a value that must not leave")

    for name in ("public_view", "internal_view"):
        monkeypatch.setattr(f"tacit.report.documents.{name}", fail)
    done = tacit("publish", "clinic.toml")
    assert done.code == 0, done.err
    for ending in ("html", "md", "json"):
        page = (clinic / "out" / f"report.{ending}").read_text()
        assert "could not be written" in page
        assert "must not leave" not in page
    assert Release.read(clinic / "out").shape.rows == 48


def test_markup_in_a_name_stays_text(clinic, tacit):
    people(clinic, "*_x_*[a](http://b)`<i>www.c.d")
    assert tacit("publish", "clinic.toml").code == 0
    for page in (clinic / "out" / "report.md", clinic / "out.private" / "report.md"):
        text = page.read_text()
        for forbidden in ("*_x_*", "[a](", "http://b", "<i>", "www.c.d"):
            assert forbidden not in text.split("```toml")[0]
