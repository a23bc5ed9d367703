"""`tacit inspect` tells the risk, what it assumed, and takes other assumptions."""

from __future__ import annotations


def test_inspect_tells_the_risk(clinic, tacit):
    source = next(path.name for path in clinic.iterdir() if path.suffix == ".csv")
    done = tacit("inspect", source)
    assert done.code == 0, done.err
    for told in ("sample uniques", "prosecutor", "marketer", "assumed", "riskiest combinations", "delta is for you"):
        assert told in done.out
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    for told in ("known with probability 0.8 zip, sex", "0.05 age", "0.001 disease", "weight if learned 1 disease"):
        assert told in lines
    assert "alpha 1 multiplies all risks" in lines
    assert "records with a risk above 0.05 0.09 0.2 0.33" in lines
    assert "risk records above the lower end" in lines
    assert any(line.startswith("0.1 to 1 ") and line.endswith("#") for line in lines)
    found = tacit("inspect", source, "--json").json["risk"]
    assert [threshold for threshold, _ in found["linkage"]["above"]] == [0.05, 0.09, 0.2, 0.33]
    assert len(found["disclosure"]["combinations"]) <= 10
    assert set(found["disclosure"]["shares"]) == {"age", "zip", "sex", "disease"}
    assert set(found) == {"linkage", "disclosure", "special_uniques", "population"}
    assert sum(found["disclosure"]["histogram"]["counts"]) + found["disclosure"]["histogram"]["none"] == 48


def test_inspect_takes_other_assumptions(clinic, tacit):
    source = next(path.name for path in clinic.iterdir() if path.suffix == ".csv")
    found = tacit("inspect", source, "--known", "sex=1,age=0.25", "--population", source, "--json").json["risk"]
    assert found["disclosure"]["known"] == {"sex": 1.0, "age": 0.25}
    assert found["linkage"]["journalist"] == found["linkage"]["prosecutor"]
    assert found["linkage"]["journalist_above"] == found["linkage"]["above"]
    bad = tacit("inspect", source, "--known", "sex=2")
    assert bad.code == 2
    assert "known.sex" in bad.err
    assert tacit("inspect", source, "--known", "sexx=0.2").code == 2
