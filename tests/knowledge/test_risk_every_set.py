"""Adding up every known set gives the risk by its definition, with blanks, and without each attribute."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.risk import BLANK, known_sets, term

import tacit as tc
from tacit.knowledge.risk import Attributes, Records
from tacit.knowledge.risk.every_set import every_set

KNOWN = {"a": 0.8, "b": 0.5, "c": 0.05, "s": 0.001}
WEIGHT = {"s": {"Y": 1.0, "N": 0.0}}


@pytest.mark.parametrize("missing", ["adversary", "own", "wildcard"])
@settings(max_examples=25)
@given(data=st.data())
def test_it_is_the_definition(missing: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 6))
    rows = [
        {name: data.draw(st.sampled_from("xyz")) for name in "abc"} | {"s": data.draw(st.sampled_from("YN"))}
        for _ in range(n)
    ]
    if len({row["s"] for row in rows}) < 2:
        rows[0]["s"], rows[1]["s"] = "Y", "N"
    blank = np.array(data.draw(st.lists(st.booleans(), min_size=4 * n, max_size=4 * n))).reshape(n, 4)
    released = [
        {name: BLANK if hidden else row[name] for name, hidden in zip("abcs", hides, strict=True)}
        for row, hides in zip(rows, blank.tolist(), strict=True)
    ]
    frame = {name: [row[name] for row in rows] for name in "abcs"}
    table = tc.Table(frame, quasi_identifiers=["a", "b", "c"], sensitive="s")
    risk = tc.DisclosureRisk(known=KNOWN, value_weights=WEIGHT, missing=missing, alpha=2)
    records = Records.of(Attributes.of(risk, table), blank)
    found, without = every_set(records.population, records.victims, records.gains)
    names = [records.attributes.names[column] for column in records.population.order]
    for i in range(n):
        terms = {K: float(term(rows, released, i, K, KNOWN, WEIGHT, 2, missing)) for K in known_sets("abcs")}
        assert found[records.ids[i]] == pytest.approx(sum(terms.values()))
        wanted = [sum(value for K, value in terms.items() if name not in K) for name in names]
        assert without[records.ids[i]].tolist() == pytest.approx(wanted)
