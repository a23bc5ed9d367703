"""What a publication asks before it works, and what nobody asked for and therefore may not stop it."""

import pytest

import tacit as tc
from tacit.jobs import publish as job
from tacit.jobs.also_found import also_found


@pytest.mark.parametrize("place", ["out", "out.private"])
def test_a_taken_place_is_told_before_anything_is_read(clinic, tacit, monkeypatch, place):
    assert tacit("publish", "clinic.toml").code == 0
    for path in (clinic / ("out" if place == "out.private" else "out.private")).iterdir():
        path.unlink()
    monkeypatch.setattr(job.Recipe, "table", lambda *_: pytest.fail("the table was read"))
    refused = tacit("publish", "clinic.toml")
    assert refused.code == 2
    assert f"{place} is not empty. Name another folder, or say --overwrite" in refused.err


def test_a_taken_place_of_one_batch_is_told_before_any_batch_is_protected(clinic, tacit, monkeypatch):
    text = (clinic / "clinic.toml").read_text() + '\n[batches]\ncolumn = "zip"\n'
    (clinic / "clinic.toml").write_text(text)
    (clinic / "out" / "01299").mkdir(parents=True)
    (clinic / "out" / "01299" / "notes.txt").write_text("mine")
    monkeypatch.setattr(tc.SmallGroups, "protect", lambda *_, **__: pytest.fail("a batch was protected"))
    refused = tacit("publish", "clinic.toml")
    assert refused.code == 2
    assert "01299 is not empty" in refused.err


def _wide(clinic, columns):
    names = [f"q{j}" for j in range(columns)]
    rows = [",".join([*(str((i >> (j % 5)) & 1) for j in range(columns)), "abc"[i % 3]]) for i in range(60)]
    (clinic / "wide.csv").write_text("\n".join([",".join([*names, "disease"]), *rows]) + "\n")
    (clinic / "wide.toml").write_text(
        f'[table]\nsource = "wide.csv"\n[roles]\nquasi_identifiers = {names!r}\nsensitive = ["disease"]\n'.replace(
            "'", '"'
        )
        + '[[steps]]\nmethod = "mondrian"\nguarantees = [{ name = "l-diversity", l = 2 }]\n'
    )


def test_a_check_that_was_not_claimed_never_stops_a_publication(clinic, tacit):
    _wide(clinic, 14)
    done = tacit("publish", "wide.toml")
    assert done.code == 0, done.err
    assert "not computed" in done.out


@pytest.mark.parametrize("failure", [RuntimeError("no\nidea"), MemoryError(), tc.errors.RoleError("No such thing.")])
def test_whatever_goes_wrong_in_it_it_is_named_and_left_out(monkeypatch, failure):
    table = tc.Table({"a": [1, 2, 3, 4], "s": list("xyxy")}, quasi_identifiers="a", sensitive="s")
    release = tc.Anatomy(l=2).protect(table)

    def fail(*_):
        raise failure

    monkeypatch.setattr("tacit.jobs.also_found.news_of", fail)
    (notice,) = also_found(release, table)
    assert "not computed" in notice.sentence
    assert "\n" not in notice.sentence


def test_a_choice_that_promises_more_is_not_dominated(clinic, tacit):
    rows = "".join(f"{20 + i},{'abcd'[i % 4]}\n" for i in range(40))
    (clinic / "ages.csv").write_text("age,disease\n" + rows)
    (clinic / "ages.toml").write_text(
        '[table]\nsource = "ages.csv"\n[roles]\nquasi_identifiers = ["age"]\nsensitive = ["disease"]\n[[steps]]\n'
        'method = "mondrian"\nguarantees = [{ name = "k-anonymity", k = 4 },'
        ' { name = "l-diversity", l = 4, kind = "frequency" }]\n'
    )
    told = tacit("compare", "ages.toml", "--sweep", "k=3,4,8", "--json").json["choices"]
    # With l = 4 of four values nobody has fewer than 4 rows: k = 4 promises more than k = 3 and costs the same.
    assert [choice["dominated"] for choice in told] == [True, False, False]
    assert told[2]["link_posterior"] == told[1]["link_posterior"] == 0.25
    assert told[2]["ncp"] > told[1]["ncp"]
    assert told[2]["promises"]["k-anonymity"] == 0.125
    assert "normalized certainty penalty" in tacit("compare", "ages.toml").out


def test_a_column_that_is_written_as_cells_is_not_called_blurred(clinic, tacit):
    frame = {"a": ["x", None, "y", "x"] * 10, "b": [1, 2, 3, 4] * 10, "s": list("flugflug") * 5}
    table = tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="s")
    risk = tc.DisclosureRisk(known={"a": 0.9, "b": 0.9})
    release = tc.ValueSuppression(delta=0.05, risk=risk).protect(table)
    from tacit.report.public import public_view

    text = str(public_view(release, tc.audit(release)))
    assert "blurred" not in text.replace("nothing is blurred", "")
    foreign = tc.Release.foreign(
        {"sex": ["F", "M"], "age": ["[1, 2]"] * 2}, quasi_identifiers=["sex", "age"], sensitive=()
    )
    grid = next(s.grid for s in public_view(foreign, tc.audit(foreign)).sections if s.title == "What was published")
    assert [row[-1] for row in grid.rows] == ["nothing is blurred or suppressed", "blurred"]


def test_sets_from_which_items_were_removed_are_not_called_as_they_were():
    frame = {"a": [1] * 6, "signs": [["cough", "rash"], ["cough"], ["rash"], ["cough", "fever"], ["fever"], ["fever"]]}
    table = tc.Table(frame, quasi_identifiers="a", items="signs")
    known = {"flu": ["cough", "fever"], "measles": ["rash", "fever"], "cold": ["cough"]}
    promise = tc.QSDiversity(c=1, l=2, knowledge=known)
    release = tc.QuasiSensitive(guarantee=promise, k=2, time_bound=0.1).protect(table)
    from tacit.report.public import public_view

    grid = next(s.grid for s in public_view(release, tc.audit(release)).sections if s.title == "What was published")
    assert {row[0]: row[-1] for row in grid.rows}["signs"] == "sets, from which items may have been removed"
