"""Certificates are opened and read back: what they hold, in which order, and that nothing private is in them."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.datasets import hospital
from tacit.jobs.certify import small_enough
from tacit.jobs.publish import Publication, publish
from tacit.recipes import Recipe
from tacit.report.certificate import FileDigest, certificate_contents, render
from tacit.report.charts import bars
from tacit.report.view import Grid, Picture, ReportSection, ReportView

pytest.importorskip("typst", reason="certificates need the extra tacit[certificate]")
pypdf = pytest.importorskip("pypdf")

RECIPE = """
[table]
source = "patients.csv"
[roles]
identifiers = ["name"]
quasi_identifiers = ["age", "postcode", "sex"]
sensitive = ["diagnosis"]
[hierarchies]
postcode = { prefix = 5 }
[[steps]]
method = "mondrian"
guarantees = [{ name = "k-anonymity", k = 5 }]
[output]
folder = "out"
format = "csv"
"""
PARTS = ["Context", "Data", "Adversarial tests", "Mitigation", "Governance"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certified")
    frame = hospital(400).frame.select("name", "age", "postcode", "sex", "diagnosis")
    frame.write_csv(folder / "patients.csv")
    (folder / "clinic.toml").write_text(RECIPE + "# zebracomment\n")
    return folder


@pytest.fixture(scope="module")
def published(place: Path) -> Publication:
    return publish(Recipe.read(place / "clinic.toml")).parts[0]


def text_of(path: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def squeezed(text: str) -> str:
    """Leave out what a line break changes."""
    return re.sub(r"[\s\u200b-]+", "", text)


def everything_in(path: Path) -> bytes:
    """All streams of a PDF, unpacked, and the rest as it is."""
    content = path.read_bytes()
    parts = [content]
    for found in re.finditer(rb"stream\r?\n(.*?)endstream", content, re.DOTALL):
        try:
            parts.append(zlib.decompress(found[1].rstrip(b"\r\n")))
        except zlib.error:
            continue
    return b"\n".join(parts)


def test_both_have_all_parts_in_order_and_are_small(published: Publication, place: Path) -> None:
    assert published.certified is not None
    assert published.certified.missing is None
    for path in (place / "out" / "certificate.pdf", place / "out.private" / "certificate.pdf"):
        assert path.stat().st_size < 1_000_000
        reader = pypdf.PdfReader(path)
        assert len(reader.pages) >= 4
        text = text_of(path)
        body = text[text.index("Contents") :]
        places = [re.search(rf"^{at} {part}", body, re.MULTILINE) for at, part in enumerate(PARTS, start=1)]
        assert all(places)
        starts = [found.start() for found in places if found]
        assert starts == sorted(starts)
        for words in ("Sign-off", "Prepared by", "Signature", "Files and their digests", "Versions", tc.__version__):
            assert words in text
        assert f"page {len(reader.pages)} of {len(reader.pages)}" in text


def test_digests_of_all_files_are_printed_and_attached(published: Publication, place: Path) -> None:
    for folder, inner in ((place / "out", {}), (place / "out.private", {"the private folder": place / "out.private"})):
        path = folder / "certificate.pdf"
        attached = json.loads(pypdf.PdfReader(path).attachments["digests.json"][0])
        text = squeezed(text_of(path))
        for name, where in {"the public folder": place / "out", **inner}.items():
            for file in where.iterdir():
                if file == path or (file.name == "certificate.pdf" and folder == place / "out"):
                    continue
                digest = hashlib.sha256(file.read_bytes()).hexdigest()
                assert attached["folders"][name][file.name] == digest
                assert digest in text
    assert published.certified is not None


def test_they_are_tagged_and_pictures_have_alternative_texts(published: Publication, place: Path) -> None:
    for path in (place / "out" / "certificate.pdf", place / "out.private" / "certificate.pdf"):
        root = pypdf.PdfReader(path).trailer["/Root"]
        assert root["/Lang"] == "en"
        assert root["/MarkInfo"]["/Marked"]
        assert b"pdfuaid:part" in everything_in(path)
        kinds: dict[str, list[Any]] = {}
        _walk(root["/StructTreeRoot"], kinds)
        assert kinds["/H1"]
        assert kinds["/H2"]
        assert kinds["/TH"]
        assert kinds["/Figure"]
        assert all(str(figure.get("/Alt", "")).strip() for figure in kinds["/Figure"])
    assert published.written is not None


def _walk(node: Any, kinds: dict[str, list[Any]]) -> None:
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for each in node:
            _walk(each, kinds)
    elif isinstance(node, dict):
        if "/S" in node:
            kinds.setdefault(str(node["/S"]), []).append(node)
        if "/K" in node:
            _walk(node["/K"], kinds)


def test_the_public_one_holds_nothing_private(published: Publication, place: Path) -> None:
    """Whatever the internal report says and the public one does not, is nowhere in the public certificate."""
    path = place / "out" / "certificate.pdf"
    text, raw = squeezed(text_of(path)), everything_in(path)
    public = squeezed((place / "out" / "report.json").read_text())
    internal = json.loads((place / "out.private" / "report.json").read_text())
    own = []
    for section in internal["sections"]:
        own += [section["title"], *section["paragraphs"], *section["pictures"]]
    own = [words for words in own if squeezed(words) not in public and len(words) > 12]
    assert len(own) > 5
    for words in own:
        assert squeezed(words) not in text
    names = hospital(400).frame["name"].to_list()
    private = [*names[:50], "zebracomment", "patients.csv", "clinic.toml", str(place), "prefix = 5"]
    for word in private:
        assert squeezed(word) not in text
        assert word.encode() not in raw
    assert b"zebracomment" in everything_in(place / "out.private" / "certificate.pdf") or "zebracomment" in text_of(
        place / "out.private" / "certificate.pdf"
    )
    assert published.audit is not None


def test_every_sentence_of_the_public_report_is_in_it(published: Publication, place: Path) -> None:
    text = squeezed(text_of(place / "out" / "certificate.pdf"))
    report = json.loads((place / "out" / "report.json").read_text())
    for section in report["sections"]:
        assert squeezed(section["title"]) in text
        cells = [cell for row in (section["grid"] or {"rows": []})["rows"] for cell in row]
        for words in [*section["paragraphs"], *cells]:
            pieces = [squeezed(piece) for piece in words.split()]
            assert all(piece in text for piece in pieces), words
    assert squeezed(report["verdict"]) in text
    assert published.release is not None


def test_the_same_release_gives_the_same_certificate() -> None:
    view = ReportView("A title", "A verdict", (ReportSection("One", ("Two.",)),))
    assert rendered(view) == rendered(view)


def rendered(view: ReportView, **options: Any) -> bytes:
    files = {"the public folder": [FileDigest("release.json", 5, "ab" * 32)]}
    given = {"promises": ["k-anonymity (k=5): holds"], "internal": False, **options}
    return render(certificate_contents(view, files, {"tacit": "0"}, **given))


MARKUP = st.sampled_from(
    ['#panic("x")', "#let a = 1", "*bold*", "_under_", "$x^2$", "@ref", "<label>", "// gone", "/* gone */", "```",
     "`raw`", "= heading", "- item", "\\ ", "~", "[x]", "{", "}", '"', "'", "https://a.example", "---", "\u202eabc",
     "\x1b[31m", "\x00", "\n= heading", "شخص", "漢字", "\ud800", "a" * 3000, "🙂", "\ufeff", "e\u0301"]
)  # fmt: skip
TEXT = st.lists(st.one_of(MARKUP, st.text(max_size=20)), max_size=4).map("".join)


@settings(max_examples=10, deadline=None)
@given(TEXT, TEXT, TEXT, TEXT)
@example("#panic()", "*a*", "$b$", "// c\n#d")
@example("漢字", "شخص", "\u202e", "\ud800")
@example("", "", "", "\xad*bold*")  # a soft hyphen is not seen, and copied into words beside it
def test_values_are_text_and_never_markup(title: str, verdict: str, cell: str, code: str) -> None:
    chart = bars([{"x": cell, "y": 3, "of": title}], "x", "y", series="of")
    section = ReportSection(
        f"{title} section", (verdict, "endmarker"), Grid((cell, "b"), ((cell, title),)), (Picture(cell, chart),), code
    )
    made = rendered(ReportView(f"{title} title", verdict, (section,)))
    text = squeezed("\n".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(made)).pages))
    assert "endmarker" in text
    assert "section" in text
    for words in (title, verdict, cell, code):
        for sign in (
            "#panic",
            "*bold*",
            "_under_",
            "$x^2$",
            "@ref",
            "<label>",
            "//gone",
            "/*gone*/",
            "`raw`",
            "#import",
        ):
            if sign in squeezed(words) and len(words) < 200:
                assert sign in text


def test_a_long_report_stays_below_a_megabyte() -> None:
    long = Grid(("a", "b"), tuple((f"value {at}", "x" * 500) for at in range(1_000)))
    sections = tuple(
        ReportSection(f"Section {at}", ("word " * 3_000,), long, code="key = 1\n" * 8_000) for at in range(3)
    )
    view = ReportView("Long", "v", sections)
    files = {"the public folder": [FileDigest("release.json", 5, "ab" * 32)]}
    made = small_enough(
        lambda limits: certificate_contents(view, files, {}, promises=[], internal=False, limits=limits)
    )
    assert len(made) < 1_000_000
    assert "shortened" in pypdf.PdfReader(BytesIO(made)).pages[0].extract_text()


def test_without_the_typesetter_a_release_is_published_and_a_sentence_says_so(
    place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    done = publish(Recipe.read(place / "clinic.toml"), folder=tmp_path / "out").parts[0]
    assert done.certified is not None
    assert done.certified.public is None
    assert done.certified.missing == "A certificate needs the package 'typst'. pip install 'tacit[certificate]'"
    assert not (tmp_path / "out" / "certificate.pdf").exists()
    tc.Release.read(tmp_path / "out")


def test_a_certificate_is_made_after_the_release_and_cannot_stop_it(
    place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = []

    def broken(contents: Any) -> bytes:
        seen.append(tc.Release.read(tmp_path / "out").shape.rows)
        raise MemoryError("no room")

    monkeypatch.setattr("tacit.jobs.certify.render", broken)
    done = publish(Recipe.read(place / "clinic.toml"), folder=tmp_path / "out").parts[0]
    assert seen == [400]
    assert done.written is not None
    assert done.certified is not None
    assert done.certified.missing == "MemoryError: no room."
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.private"]


def test_a_release_with_certificates_is_overwritten_and_a_strangers_is_not(place: Path, tmp_path: Path) -> None:
    recipe = Recipe.read(place / "clinic.toml")
    publish(recipe, folder=tmp_path / "out")
    first = (tmp_path / "out" / "certificate.pdf").read_bytes()
    publish(recipe, folder=tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "certificate.pdf").read_bytes() != first
    assert (tmp_path / "out.private" / "certificate.pdf").stat().st_mode & 0o777 == 0o600
    (tmp_path / "out" / "certificate.pdf").write_bytes(b"%PDF-1.7 of somebody else")
    with pytest.raises(tc.SourceError, match=r"certificate\.pdf"):
        publish(recipe, folder=tmp_path / "out", overwrite=True)


def test_a_recipe_can_leave_it_out(place: Path, tmp_path: Path) -> None:
    (place / "plain.toml").write_text(RECIPE + "[report]\ncertificate = false\n")
    done = publish(Recipe.read(place / "plain.toml"), folder=tmp_path / "out").parts[0]
    assert done.certified is None
    assert not (tmp_path / "out" / "certificate.pdf").exists()
