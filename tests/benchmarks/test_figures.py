"""The papers' figures: what `draw` gives can be shown, verdicts rest on numbers, one failure loses nothing else."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.figures import __main__ as command
from benchmarks.figures import learning, skew
from benchmarks.figures import section as sections
from benchmarks.figures.charts import bars, lines, svg
from benchmarks.figures.figure import Claim, Figure, points, run
from benchmarks.figures.page import page
from benchmarks.figures.papers import PAPERS
from benchmarks.figures.section import Section, drawn

ROWS = [{"l": l, "method": name, "rate": rate} for l, rate in ((2, 0.1), (3, 0.25)) for name in ("ours", "theirs")]


def made_up(name: str = "skew-made") -> Figure:
    return Figure(
        name=name,
        title="Figure 1: made up",
        caption="Four points.",
        chart=lines(ROWS, "l", "rate", series="method", titles=("the level", "withheld"), even=True, percent=True),
        claims=(
            Claim("Ours is cheaper.", "20%", "25% | or so", True),
            Claim("Theirs is safe.", "1/3", "0.53", False, why="Its proof is wrong."),
            Claim("It is fast.", "no number", "nothing to compare with", None),
        ),
    )


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    return skew.draw(True)


def test_a_quick_draw_can_be_shown(figures: list[Figure]) -> None:
    assert [figure.name for figure in figures][:3] == ["skew-5", "skew-6", "skew-7"]
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        picture = svg(figure.chart)
        encoding = figure.chart.to_dict()["encoding"]
        assert picture.startswith("<svg")
        assert 1_000 < len(picture) < 200_000
        assert all(f">{encoding[axis]['title']}<" in picture for axis in ("x", "y"))
        assert points(figure.chart)
        assert figure.caption.endswith(".")


def test_verdicts_rest_on_numbers(figures: list[Figure]) -> None:
    claims = [claim for figure in figures for claim in figure.claims]
    assert len(claims) > 15
    for claim in claims:
        assert claim.said.endswith(".")
        assert claim.published
        assert isinstance(claim.holds, bool | None)
        assert claim.holds is None or re.search(r"\d", claim.ours), claim
    by_text = {claim.said: claim for claim in claims}
    theorem = next(claim for said, claim in by_text.items() if "theorem 3" in said)
    assert theorem.holds is False
    assert "0.5283 and 0.7260" in theorem.ours  # the specification's .528 and .726


def test_axes_have_even_places_and_percents() -> None:
    found = made_up().chart.to_dict()["encoding"]
    assert (found["x"]["type"], found["y"]["axis"]["format"]) == ("ordinal", "~%")
    drawn_bars = svg(bars(ROWS, "l", "rate", series="method", titles=("the level", "withheld"), percent=True))
    assert all(f">{text}<" in drawn_bars for text in ("the level", "withheld", "25%", "theirs"))


def test_points_of_layers_are_all_told() -> None:
    chart = made_up().chart
    assert len(points(chart + chart)) in {4, 8}  # layers may share their data
    assert {row["of"] for row in points(chart)} == {"ours", "theirs"}


def test_the_page_has_pictures_claims_and_a_summary(tmp_path: Path) -> None:
    found = drawn("skew", lambda quick: [made_up()], tmp_path, quick=True)
    failed = Section("risk", failure="ValueError: no students")
    text = page(PAPERS, {"skew": found, "risk": failed}, adult=False, minutes=2.5)
    assert (tmp_path / "skew-made.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "![Figure 1: made up](pictures/figures/skew-made.svg)\n\nFour points.\n" in text
    assert "| Ours is cheaper. | 20% | 25% \\| or so | yes |" in text
    assert "| It is fast. | no number | nothing to compare with | not comparable |" in text
    assert "| 1 | 3 | 1 | 1 | 1 |" in text
    assert "- Theirs is safe. Its proof is wrong.\n    - Figure 1: made up. Paper: 1/3. Ours: 0.53." in text
    assert "could not be drawn in this run:** ValueError: no students" in text
    assert "Adult census was not at hand" in text
    assert "Yabo Xu" in text
    assert "Xianmang He" not in text
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1, table
    anchors = {re.sub(r"[^\w-]", "", head.lower().replace(" ", "-")) for head in re.findall(r"^#+ (.+)$", text, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


def test_a_section_is_read_as_it_was_written(tmp_path: Path) -> None:
    figure = made_up()
    compared = replace(figure, claims=(replace(figure.claims[0], holds=np.bool_(True)), *figure.claims[1:]))
    found = drawn("skew", lambda quick: [compared], tmp_path, quick=True)
    found.write(tmp_path / "note.json")
    assert Section.read(tmp_path / "note.json") == found
    assert [found.count(verdict) for verdict in (True, False, None)] == [1, 1, 1]


def test_what_goes_wrong_in_a_process_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sections.main(["no_such_module", str(tmp_path)]) == 1
    assert "No module named" in Section.read(tmp_path / "no_such_module.json").failure
    assert "Traceback" in capsys.readouterr().err


def test_one_failure_loses_no_other_section(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def apart(name: str, pictures: Path, *, quick: bool) -> Section:
        if name == "marginals":
            return Section(name, failure="the process ended with -9: no word")
        return drawn(name, lambda quick: [made_up(f"{name}-made")], pictures, quick=quick)

    monkeypatch.setattr(command, "drawn_apart", apart)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results")
    old = tmp_path / "docs" / "pictures" / "figures"
    old.mkdir(parents=True)
    (old / "skew-old.svg").touch()
    (old / "marginals-old.svg").touch()
    assert command.main([]) == 1
    assert "marginals could not be drawn: the process ended with -9" in capsys.readouterr().err
    text = (tmp_path / "docs" / "figures.md").read_text(encoding="utf-8")
    assert all((tmp_path / "docs" / link).exists() for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text))
    assert text.count("### Figure 1: made up") == len(PAPERS) - 1
    assert not (old / "skew-old.svg").exists()
    assert (old / "marginals-old.svg").exists()  # nothing better was drawn

    before = (tmp_path / "docs" / "figures.md").read_bytes()
    assert command.main(["--quick", "--only", "skew"]) == 0
    assert (tmp_path / "docs" / "figures.md").read_bytes() == before
    assert "quick run" in (tmp_path / "results" / "figures" / "figures.md").read_text(encoding="utf-8")


def test_one_paper_prints_its_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[Any] = []
    run(lambda quick: [asked.append(quick) or made_up()], "About.", ["--quick", "--folder", str(tmp_path)])
    told = capsys.readouterr().out
    assert asked == [True]
    assert "3  0.25  theirs" in told
    assert "[no] Theirs is safe. Paper: 1/3 Ours: 0.53" in told
    assert (tmp_path / "skew-made.svg").exists()


def test_a_release_of_made_up_people_is_not_called_adult(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Before, lines that began with "Adult" were printed of the census generator where Adult was not at hand."""
    assert learning.called("hospital, random buckets") == "hospital, random buckets"
    monkeypatch.setattr(learning, "ADULT", tmp_path / "adult.csv.gz")
    assert learning.called("Adult, Mondrian, k = 10") == "census generator in place of Adult, Mondrian, k = 10"
    assert learning.called("Adult by marital status, random buckets, l = 2") is None
