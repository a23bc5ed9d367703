"""Reports: the public one tells nothing that must not leave; both are whole, escaped and drawn."""

import json
import re
from collections import Counter, defaultdict

import numpy as np
import pytest

import tacit as tc
from tacit.datasets import hospital, knowledge
from tacit.jobs.also_found import also_found
from tacit.measures import column_losses, distribution_distances, ncp, reconstructed
from tacit.report.documents import private_documents, public_documents
from tacit.report.exposure import Exposure
from tacit.report.figures import ReleaseFigures
from tacit.report.internal import internal_view
from tacit.report.public import public_view


def reported(release, table, **more):
    verdict, cost = tc.audit(release), tc.utility(release, table)
    return public_documents(release, verdict), private_documents(
        release, verdict, place="patients.csv", table=table, cost=cost, **more
    )


def of_every_shape():
    table = hospital(900)
    harmless = tc.Table(
        table.frame.select(*table.quasi_identifiers, *table.items),
        quasi_identifiers=table.quasi_identifiers,
        items=table.items,
    )
    promise = tc.QSDiversity(c=1, l=2, knowledge=knowledge())
    marginals = {"day": ["admission", "age"], "place": ["postcode"]}
    return {
        "generalized": (tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table), table),
        "bucketized": (tc.Anatomy(l=2).protect(table), table),
        "microdata": (tc.ValueSuppression(delta=0.2).protect(table), table),
        "marginals": (tc.InvariantMarginals(m=2, marginals=marginals).protect(table), table),
        "items": (tc.QuasiSensitive(guarantee=promise, time_bound=0.2).protect(harmless), harmless),
    }


@pytest.fixture(scope="module")
def documents():
    table = hospital(1_500)
    release = tc.Pipeline([tc.ShiftSuppression(l=3), tc.Anatomy(l=3)]).protect(table)
    return reported(release, table, recipe="[table]\n", also_found=also_found(release, table))


def test_the_public_report_holds_nothing_of_the_inside(documents):
    public, private = documents
    for name, content in public.items():
        text = content.decode()
        secrets = ("41%", "NCP", "patients.csv", "before and", "is in 4", "is distributed by", "Query error")
        for secret in secrets:
            assert secret not in text, f"{secret!r} is in the public {name}"
        assert not re.search(r"(?<![\d.,])615(?![\d%])", text), f"the number of a value's rows is in the public {name}"
    assert "'influenza' is in 41%" in private["report.md"].decode()
    assert "NCP" in private["report.html"].decode()


def test_the_internal_report_says_what_others_learn(documents):
    told = documents[1]["report.md"].decode()
    assert "Also found: a reader who knows how 'diagnosis' is distributed learns more" in told
    for title in ("Risk before and after", "What it cost", "Query error", "Distributions before and after", "Recipe"):
        assert f"## {title}" in told


def test_a_page_is_self_contained(documents):
    for document in documents:
        page = document["report.html"].decode()
        assert page.count("<svg") >= 2
        assert "<script" not in page
        assert not re.findall(r'(?:src|href)="http', page)
        assert "prefers-color-scheme: dark" in page
        assert "@media print" in page


def test_json_and_markdown_say_the_same(documents):
    for document in documents:
        told = json.loads(document["report.json"])
        written = document["report.md"].decode()
        assert told["verdict"].startswith("Every claimed guarantee holds.")
        assert told["verdict"] in written
        for section in told["sections"]:
            assert f"## {section['title']}" in written
            assert all(paragraph in written for paragraph in section["paragraphs"])


def test_every_shape_has_a_report_with_pictures_that_are_drawn():
    for name, (release, table) in of_every_shape().items():
        verdict, cost = tc.audit(release), tc.utility(release, table)
        view = internal_view(release, verdict, place="a table", table=table, cost=cost)
        pictures = [picture for section in view.sections for picture in section.pictures]
        assert len(pictures) >= 3, name
        page = private_documents(release, verdict, place="a table", table=table, cost=cost)["report.html"].decode()
        assert page.count("<svg") == len(pictures), name
        assert page.count("rows they may be") >= 2, name


def test_what_comes_from_data_is_escaped():
    table = tc.Table(
        {"<b>age": [1, 1, 2, 2], "ill": ["<script>x</script>", "b|c", "<script>x</script>", "d"]},
        quasi_identifiers="<b>age",
        sensitive="ill",
    )
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table)
    verdict, cost = tc.audit(release), tc.utility(release, table)
    pages = [
        public_documents(release, verdict)["report.html"].decode(),
        private_documents(release, verdict, place="<i>", table=table, cost=cost)["report.html"].decode(),
        *(value._repr_html_() for value in (table, release, verdict, cost)),
    ]
    for page in pages:
        assert "<script>x" not in page
        assert "<b>age" not in page


def test_exposure_is_what_counting_by_hand_gives():
    table = hospital(700)
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=3)]).protect(table)
    names = list(table.quasi_identifiers)
    for frame, found in (
        (table.frame, Exposure.before(table, release.shape)),
        (release.frames()["table"], Exposure.after(release.shape)),
    ):
        cells = defaultdict(list)
        for row in frame.iter_rows(named=True):
            cells[tuple(str(row[name]) for name in names)].append(row["diagnosis"])
        sizes = sorted(len(cell) for cell in cells.values())
        assert sorted(found.candidates.tolist()) == sizes
        alone = sum(size for size in sizes if size == 1)
        assert found.figures()["exactly one row fits them"].startswith(f"{alone:,} ")
        assert found.by_size()["1"] == alone
        assert sum(found.by_size().values()) == frame.height == sum(found.by_posterior("diagnosis").values())
        sure = sum(len(cell) for cell in cells.values() if len(set(cell)) == 1)
        assert found.by_posterior("diagnosis")["certain"] == sure
        mean = sum(Counter(cell).most_common(1)[0][1] for cell in cells.values()) / frame.height
        assert found.figures()["diagnosis: mean posterior"] == f"{mean:.4f}"


def test_others_ask_those_whom_no_claim_is_about():
    table = hospital(900)
    told = also_found(tc.Anatomy(l=2).protect(table), table)
    assert [notice.adversary for notice in told] == ["r-robustness"]
    assert told[0].posterior > 0.5
    assert "learns more than she knew before of" in told[0].sentence
    assert "of 900 rows" in told[0].sentence
    assert "gain = 2" in told[0].sentence
    assert also_found(tc.ART(r=2, protected=["heart disease"]).protect(table), table) == ()
    marginals = {"day": ["admission", "age"], "place": ["postcode"]}
    assert also_found(tc.InvariantMarginals(m=2, marginals=marginals).protect(table), table) == ()


def test_notebooks_show_no_cell_of_a_table():
    table = hospital(300)
    shown = table._repr_html_()
    assert "300 rows" in shown
    assert all(name in shown for name in table.frame.columns)
    assert not any(f">{name}<" in shown for name in table.frame["name"])
    release = tc.Anatomy(l=2).protect(table)
    assert "claims l-diversity" in release._repr_html_()
    assert "quasi_identifiers: 300 rows" in release._repr_html_()
    assert "holds" in tc.audit(release)._repr_html_()
    assert "NCP of age" in tc.utility(release, table)._repr_html_()
    nothing = tc.Release.foreign({"a": ["1", "1"]}, quasi_identifiers="a", sensitive=())
    assert "nothing is claimed" in tc.audit(nothing)._repr_html_()


def test_the_public_view_of_somebody_elses_table_has_no_promise():
    release = tc.Release.foreign({"a": ["1", "2"], "b": ["x", "y"]}, quasi_identifiers="a", sensitive="b")
    view = public_view(release, tc.audit(release), "a file")
    assert view.verdict.startswith(
        "Nothing is claimed. Yet somebody who knows the quasi-identifiers learns 'b' for sure"
    )
    assert "b is certain" in json.dumps(view.as_dict())


def test_columns_of_very_many_values_are_left_out_and_named():
    rng = np.random.default_rng(0)
    frame = {
        "number": [f"n{i}" for i in range(3_000)],
        "height": rng.normal(170, 10, 3_000),
        "sex": rng.choice(["f", "m"], 3_000),
        "ill": rng.choice(list("abcd"), 3_000),
    }
    table = tc.Table(frame, quasi_identifiers=["number", "height", "sex"], sensitive="ill")
    release = tc.Anatomy(l=2).protect(table)
    _, private = reported(release, table)
    told = private["report.md"].decode()
    assert "number has too many values to be compared one by one." in told
    assert "| sex | 0.0000 |" in told
    assert "| number | " not in told.split("## Distributions before and after")[1].split("## ")[0]
    assert "| ill | " in told.split("## Query error")[1].split("## ")[0], "heights can be asked for all the same"


def test_both_reports_look_people_up_once(monkeypatch: pytest.MonkeyPatch):
    table = hospital(300)
    release = tc.Anatomy(l=2).protect(table)
    verdict, cost, figures = tc.audit(release), tc.utility(release, table), ReleaseFigures(release.shape)
    looked_up = []
    after = Exposure.after
    monkeypatch.setattr(Exposure, "after", lambda shape: looked_up.append(shape) or after(shape))
    shared = public_documents(release, verdict, figures)
    private_documents(release, verdict, place="a table", table=table, cost=cost, figures=figures)
    assert len(looked_up) == 1
    assert public_documents(release, verdict) == shared


def test_what_a_reader_reconstructs_is_computed_once_with_the_distances():
    table = hospital(400)
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table)
    counts, again = distribution_distances(release, table).counts, reconstructed(release, table)
    assert set(counts) == set(again)
    for name, (there, seen) in counts.items():
        assert np.array_equal(there, again[name][0])
        assert np.array_equal(seen, again[name][1])
    cost = tc.utility(release, table)
    assert cost.ncp == ncp(release.shape, table)
    assert cost.ncp_by_column == column_losses(release.shape, table)
