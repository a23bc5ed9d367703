"""The commands do what they say, in words and in JSON."""

import csv
from pathlib import Path

import pytest

from tacit.jobs.demo.story import ACTS


def test_publish_writes_and_tells(clinic, tacit):
    done = tacit("publish", "clinic.toml")
    assert done.code == 0, done.err
    assert "publishes all 48 rows" in done.out
    assert "k-anonymity" in done.out
    assert "holds" in done.out
    assert "out.private/ (0700)" in done.out
    rows = list(csv.DictReader((clinic / "out" / "table.csv").read_text().splitlines()))
    assert len(rows) == 48
    assert set(rows[0]) == {"age", "zip", "sex", "disease"}
    assert {row["zip"] for row in rows} == {"01234", "01299"}
    assert (clinic / "out.private").stat().st_mode & 0o777 == 0o700


def test_publish_refuses_to_overwrite_unless_asked(clinic, tacit):
    assert tacit("publish", "clinic.toml").code == 0
    again = tacit("publish", "clinic.toml")
    assert again.code == 2
    assert "not empty" in again.err
    assert tacit("publish", "clinic.toml", "--overwrite").code == 0


def test_publish_json_has_a_stable_shape(clinic, tacit):
    told = tacit("publish", "clinic.toml", "--json").json
    assert set(told) == {
        "source", "rows", "published", "withheld", "method", "audit", "others", "utility", "folder", "private", "files",
        "costly", "certificate", "usefulness", "evidence",
    }  # fmt: skip
    assert told["rows"] == told["published"] + told["withheld"] == 48
    assert set(told["audit"]) == {"holds", "max_posterior", "findings", "warnings"}
    assert told["audit"]["holds"] is True
    assert {"ncp", "suppression_rate", "discernibility", "average_group_size"} <= set(told["utility"])


def test_quiet_prints_nothing(clinic, tacit):
    done = tacit("publish", "clinic.toml", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_publish_batches_by_a_column(clinic, tacit):
    text = (clinic / "clinic.toml").read_text() + '\n[batches]\ncolumn = "zip"\n'
    (clinic / "days.toml").write_text(text.replace('"age", "zip", "sex"', '"age", "sex"'))
    done = tacit("publish", "days.toml", "--json")
    assert done.code == 0, done.err
    assert done.json["summary"] == {"batches": 2, "refused": 0, "treated": 0, "rows": 48, "withheld": 0}
    assert sorted(path.name for path in (clinic / "out").iterdir() if not path.name.endswith(".private")) == [
        "01234", "01299",
    ]  # fmt: skip


def test_publish_batches_of_a_folder(clinic, tacit):
    (clinic / "days").mkdir()
    for day in ("mon", "tue"):
        (clinic / "days" / f"{day}.csv").write_text((clinic / "patients.csv").read_text())
    (clinic / "notes.md").write_text("not a table")
    text = (clinic / "clinic.toml").read_text().replace("patients.csv", "days")
    (clinic / "days.toml").write_text(text)
    done = tacit("publish", "days.toml")
    assert done.code == 0, done.err
    assert "2 batches: 0 needed rows withheld, 0 not published" in done.out


def test_a_batch_that_cannot_be_published_is_named_and_the_others_are(clinic, tacit):
    lines = (clinic / "patients.csv").read_text() + "last,99,99999,F,flu\n"
    (clinic / "patients.csv").write_text(lines)
    text = (clinic / "clinic.toml").read_text() + '\n[batches]\ncolumn = "zip"\n'
    (clinic / "days.toml").write_text(text.replace('"age", "zip", "sex"', '"age", "sex"'))
    done = tacit("publish", "days.toml")
    assert done.code == 1
    assert "1 of 3 batches were not published" in done.err
    assert (clinic / "out" / "01234" / "release.json").exists()


def test_audit_of_a_folder_and_of_a_foreign_file(clinic, tacit):
    tacit("publish", "clinic.toml")
    done = tacit("audit", "out")
    assert done.code == 0
    assert "k-anonymity" in done.out
    foreign = tacit(
        "audit", "patients.csv", "--qi", "age,zip,sex", "--sensitive", "disease", "--claim", "k-anonymity:k=2"
    )
    assert foreign.code == 0, foreign.err
    broken = tacit("audit", "patients.csv", "--qi", "name", "--sensitive", "disease", "--claim", "k-anonymity:k=2")
    assert broken.code == 1
    assert "does not hold" in broken.err


def test_audit_with_victims(clinic, tacit):
    (clinic / "voters.csv").write_text("voter,age,zip\nann,30,01234\nbob,77,01234\n")
    told = tacit(
        "audit", "patients.csv", "--qi", "age,zip,sex", "--sensitive", "disease", "--victims", "voters.csv", "--json"
    )
    assert told.code == 0, told.err
    assert told.json["victims"]["asked"] == 2
    assert told.json["victims"]["found"] == 1


def test_inspect_guesses_and_writes_a_recipe_that_runs(clinic, tacit):
    done = tacit("inspect", "patients.csv", "--recipe", "start.toml")
    assert done.code == 0, done.err
    assert "disease" in done.out
    assert "rows that are alone with their values" in done.out
    assert (clinic / "start.toml").exists()
    told = tacit("inspect", "patients.csv", "--json").json
    roles = {column["name"]: column["role"] for column in told["columns"]}
    assert roles == {
        "name": "identifier", "age": "quasi-identifier", "zip": "quasi-identifier", "sex": "quasi-identifier",
        "disease": "sensitive",
    }  # fmt: skip
    assert [threat["name"] for threat in told["threats"]] == [
        name for name in ACTS if name not in {"linkage", "learning"}
    ]
    published = tacit("publish", "start.toml")
    assert published.code == 0, published.err
    again = tacit("inspect", "patients.csv", "--recipe", "start.toml")
    assert again.code == 2
    assert "exists" in again.err


def test_compare_sweeps_and_draws(clinic, tacit):
    done = tacit("compare", "clinic.toml", "--sweep", "k=2..4", "--picture", "frontier.svg", "--json")
    assert done.code == 0, done.err
    assert [choice["label"] for choice in done.json["choices"]] == ["k=2", "k=3", "k=4"]
    assert (clinic / "frontier.svg").read_text().lstrip().startswith("<svg")
    assert all(choice["query_error"] >= 0 for choice in done.json["choices"])
    assert tacit("compare", "clinic.toml", "--against", "query-error", "--picture", "other.png").code == 0
    assert (clinic / "other.png").read_bytes().startswith(b"\x89PNG")
    unknown = tacit("compare", "clinic.toml", "--against", "beauty")
    assert unknown.code == 2
    assert "no cost 'beauty'" in unknown.err
    words = tacit("compare", "clinic.toml", "--sweep", "k=2,60")
    assert words.code == 0
    assert "cannot be met" in words.out


def test_recipe_is_checked_without_data_and_has_a_schema(clinic, tacit):
    (clinic / "patients.csv").unlink()
    assert tacit("recipe", "clinic.toml").code == 0
    schema = tacit("recipe", "--schema").json
    assert schema["title"] == "tacit recipe"
    methods = [ref["$ref"].split(":")[-1] for ref in schema["properties"]["steps"]["items"]["anyOf"]]
    assert {"small-groups", "shift-suppression"} <= set(methods)


def test_recipe_includes_another(clinic, tacit):
    (clinic / "base.toml").write_text((clinic / "clinic.toml").read_text())
    (clinic / "other.toml").write_text('include = "base.toml"\n[output]\nfolder = "elsewhere"\nformat = "parquet"\n')
    assert tacit("publish", "other.toml").code == 0
    assert (clinic / "elsewhere" / "table.parquet").exists()


def test_demo_tells_and_writes(tmp_path, tacit):
    done = tacit("demo", "--folder", tmp_path / "demo", "--rows", 2_000)
    assert done.code == 0, done.err
    assert done.out.count("  before  ") == done.out.count("  after   ") == done.out.count("  cost    ") == len(ACTS)
    for name in ACTS:
        assert (tmp_path / "demo" / name / "report.html").exists()
        assert (tmp_path / "demo.private" / name / "report.html").exists()
    told = tacit("demo", "--folder", tmp_path / "demo", "--rows", 400, "--overwrite", "--json").json
    assert all(part["audit"]["holds"] for part in told["written"])


def test_audit_writes_a_report(clinic, tacit):
    assert tacit("publish", "clinic.toml").code == 0
    done = tacit("audit", "out", "--report", "verdict.html")
    assert done.code == 0, done.err
    assert "written  verdict.html" in done.out
    assert "Every claimed guarantee holds." in (clinic / "verdict.html").read_text()
    (clinic / "victims.csv").write_text("who,age,zip\nann,30,01234\nbob,99,01234\n")
    arguments = ["--qi", "age,zip,sex", "--sensitive", "disease", "--claim", "l-diversity:l=4"]
    done = tacit("audit", "out/table.csv", *arguments, "--victims", "victims.csv", "--report", "verdict.md")
    assert done.code == 1
    written = (clinic / "verdict.md").read_text()
    assert "l-diversity (l=4, kind=distinct, of=published) does not hold." in written
    assert "l-diversity: somebody who knows every quasi-identifier" in written
    assert "| may be in the table | 1 |" in written
    assert "How it was made\n\nBy another tool." in written
    for place, reason in (("verdict.txt", "cannot be written as"), ("nowhere/verdict.html", "cannot be written")):
        failed = tacit("audit", "out", "--report", place)
        assert failed.code == 2
        assert reason in failed.err


@pytest.mark.parametrize("arguments", [["--help"], ["publish", "--help"], ["--version"]])
def test_help_is_not_an_error(tacit, arguments):
    done = tacit(*arguments)
    assert done.code == 0
    assert done.out
    assert not done.err


def test_paths_are_relative_to_the_recipe(clinic, tacit, monkeypatch: pytest.MonkeyPatch):
    elsewhere = clinic / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert tacit("publish", Path("..") / "clinic.toml").code == 0
    assert (clinic / "out" / "release.json").exists()


def test_days_that_share_their_most_frequent_value_are_a_warning(clinic, tacit):
    lines = ["day,age,ill"]
    for day in ("mon", "tue", "wed"):
        many = (12, 6, 4, 2, 1) if day != "wed" else (2, 2, 2, 2, 2)
        lines += [f"{day},{30 + i % 4},v{v}" for v, count in enumerate(many) for i in range(count)]
    (clinic / "days.csv").write_text("\n".join(lines) + "\n")
    (clinic / "days.toml").write_text(
        '[table]\nsource = "days.csv"\n[roles]\nquasi_identifiers = ["age"]\nsensitive = ["ill"]\n'
        '[batches]\ncolumn = "day"\n[[steps]]\nmethod = "shift-suppression"\nl = 3\n'
        '[[steps]]\nmethod = "anatomy"\nl = 3\n'
    )
    done = tacit("publish", "days.toml", "--json")
    assert done.code == 0, done.err
    assert done.json["summary"]["batches"] == 3
    assert done.json["summary"]["treated"] == 2
    assert "series exposes it" in done.json["warnings"][0]


def test_the_private_parts_of_batches_are_not_in_the_public_folder(clinic, tacit):
    text = (clinic / "clinic.toml").read_text() + '\n[batches]\ncolumn = "zip"\n'
    (clinic / "days.toml").write_text(text.replace('"age", "zip", "sex"', '"age", "sex"'))
    assert tacit("publish", "days.toml").code == 0
    assert sorted(path.name for path in (clinic / "out").iterdir()) == ["01234", "01299"]
    assert (clinic / "out.private").stat().st_mode & 0o777 == 0o700
    assert (clinic / "out.private" / "01234" / "inside.parquet").exists()
    told = tacit("audit", "out/01234", "--json").json
    assert told["audit"]["findings"][0]["withheld"] != "not checked", "the private part is found again"
