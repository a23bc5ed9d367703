"""Charts: what is drawn is what was counted, and no text and no number from data can break a picture or a release."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit as tc
from tacit.errors import ParameterError
from tacit.report.charts import Chart, FrontierPoint, bars, frontier, histogram, paired, save, svg
from tacit.report.charts.scale import by_powers, even
from tacit.report.html import as_html
from tacit.report.view import Picture, ReportSection, ReportView

SVG = "{http://www.w3.org/2000/svg}"
ANYTHING = st.text(st.characters(), max_size=60)  # surrogates and control characters included
NUMBERS = st.one_of(st.integers(0, 10**9), st.floats(allow_nan=True, allow_infinity=True))


def drawn(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(svg(chart))  # noqa: S314  (written here)


def heights(chart: Chart, colour: str) -> list[float]:
    return [float(r.attrib["height"]) for r in drawn(chart).iter(f"{SVG}rect") if r.attrib["fill"] == colour]


def test_bars_are_as_high_as_their_numbers() -> None:
    rows = [{"at": at, "n": n, "of": "x"} for at, n in (("a", 10), ("b", 5), ("c", 0), ("d", None))]
    first, second = heights(bars(rows, "at", "n", series="of", colours=("red",)), "red")
    assert first == 2 * second == 220
    words = [text.text for text in drawn(bars(rows, "at", "n", series="of")).iter(f"{SVG}text")]
    assert {"a", "b", "c", "d", "at", "n", "0", "10"} <= set(words)


def test_a_histogram_counts_weights() -> None:
    few = heights(histogram([1, 1, 2], [1, 1, 1], "size", "people"), "#0072B2")
    assert few[0] == 2 * few[1]
    many = histogram(np.linspace(0, 1, 1000), np.ones(1000), "size", "people")
    assert heights(many, "#0072B2") == pytest.approx([220] * 20, rel=0.05)


def test_series_have_names_and_one_has_none() -> None:
    rows = [{"at": "a", "n": 1, "of": of} for of in ("ours", "theirs")]
    assert ">theirs<" in svg(bars(rows, "at", "n", series="of"))
    assert ">ours<" not in svg(bars(rows[:1], "at", "n", series="of"))


def test_paired_bars_are_as_long_as_their_counts() -> None:
    found = drawn(paired([("yes", 100, 50), ("no", 20, 0)]))
    long = [float(r.attrib["width"]) for r in found.iter(f"{SVG}rect") if float(r.attrib["height"]) == 9.5]
    assert long == pytest.approx([460, 230, 92])


def test_the_frontier_names_every_choice() -> None:
    points = [FrontierPoint(f"choice {i}", 0.1 * i, 0.01 * (9 - i), dominated=i == 4) for i in range(10)]
    found = drawn(frontier(points, "NCP"))
    assert len(list(found.iter(f"{SVG}circle"))) == 10
    assert {p.label for p in points} <= {text.text for text in found.iter(f"{SVG}text")}
    assert drawn(frontier([], "NCP")) is not None


@given(ANYTHING, ANYTHING, NUMBERS)
def test_nothing_in_the_data_breaks_a_picture(text: str, other: str, number: float) -> None:
    rows = [{"at": text, "n": number, "of": other}, {"at": other, "n": 1, "of": text}]
    for chart in (
        bars(rows, "at", "n", series="of", titles=(text, other)),
        bars(rows, "at", "n", series="of", log=True),
        paired([(text, 3, 4), (other, 5, 6)]),
        frontier([FrontierPoint(text, 0.5, 0.5), FrontierPoint(other, 0.1, 0.9)], other),
    ):
        drawn(chart)
        svg(chart).encode()


@given(st.floats(min_value=1e-9, max_value=1e12))
def test_scales_reach_the_largest_number(largest: float) -> None:
    scale = even(largest, 100)
    assert scale.top >= largest * (1 - 1e-9)
    assert 2 <= len(scale.ticks) <= 7
    assert scale.place(largest) <= 100
    assert by_powers(largest, 100).top >= largest


def test_a_picture_that_cannot_be_drawn_stops_no_report() -> None:
    def broken() -> None:
        raise RuntimeError

    section = ReportSection("t", ("still here",), pictures=(Picture("a caption", Chart(broken)),))  # type: ignore[arg-type]
    page = as_html(ReportView("t", "v", (section,)))
    assert "still here" in page
    assert "This picture could not be drawn" in page


def test_a_release_of_values_with_control_characters_is_written(tmp_path: Path) -> None:
    frame = {
        "age": [20, 21, 50, 51],
        "sex": ["F\x01", "F\x01", "M", "M"],
        "ill": ["a\x02", "b", "a\x02", "<c>"],
    }
    table = tc.Table(frame, quasi_identifiers=["age", "sex"], sensitive="ill")
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table)
    from tacit.report.documents import private_documents

    page = private_documents(
        release, tc.audit(release, table), place="t\ud800", table=table, cost=tc.utility(release, table)
    )["report.html"].decode()
    assert "could not be drawn" not in page
    pictures = re.findall(r"<svg.*?</svg>", page, flags=re.S)
    assert len(pictures) > 3
    assert all(ElementTree.fromstring(picture) is not None for picture in pictures)  # noqa: S314


def test_pictures_are_saved_as_svg_and_png(tmp_path: Path) -> None:
    chart = paired([("yes", 100, 50)])
    save(chart, tmp_path / "x.svg")
    save(chart, tmp_path / "x.png")
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ParameterError):
        save(chart, tmp_path / "x.gif")


def test_of_many_pairs_of_columns_those_that_changed_most_are_listed() -> None:
    from tacit.report.documents import private_documents

    rng = np.random.default_rng(1)
    names = [f"c{i}" for i in range(9)]
    frame = {name: rng.integers(0, 4, 60) for name in names} | {"ill": rng.choice(list("abc"), 60)}
    table = tc.Table(frame, quasi_identifiers=names, sensitive="ill")
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table, seed=1)
    audit, cost = tc.audit(release, table), tc.utility(release, table)
    page = private_documents(release, audit, place="t", table=table, cost=cost)["report.md"].decode()
    assert "Of the 45 pairs of columns, the 20 that changed most are listed." in page
    assert len(re.findall(r"^\| \w+ and \w+ \| [01]\.\d{4} \|$", page, flags=re.M)) == 20
