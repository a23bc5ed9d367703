"""`tacit inspect` tells the risk, what it assumed, and takes other assumptions."""

from __future__ import annotations


def test_inspect_tells_the_risk(clinic, tacit):
    source = next(path.name for path in clinic.iterdir() if path.suffix == ".csv")
    done = tacit("inspect", source)
    assert done.code == 0, done.err
    for told in ("sample uniques", "prosecutor", "marketer", "assumed", "riskiest combinations", "delta is for you"):
        assert told in done.out
    found = tacit("inspect", source, "--json").json["risk"]
    assert set(found) == {"linkage", "disclosure"}
    assert sum(found["disclosure"]["histogram"]["counts"]) + found["disclosure"]["histogram"]["none"] == 48


def test_inspect_takes_other_assumptions(clinic, tacit):
    source = next(path.name for path in clinic.iterdir() if path.suffix == ".csv")
    found = tacit("inspect", source, "--known", "sex=1,age=0.25", "--population", source, "--json").json["risk"]
    assert found["disclosure"]["known"] == {"sex": 1.0, "age": 0.25}
    assert found["linkage"]["journalist"] == found["linkage"]["prosecutor"]
    bad = tacit("inspect", source, "--known", "sex=2")
    assert bad.code == 2
    assert "known.sex" in bad.err
    assert tacit("inspect", source, "--known", "sexx=0.2").code == 2
