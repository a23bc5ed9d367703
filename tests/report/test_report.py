"""Reports: the public one tells nothing that must not leave; both are whole, escaped and drawn."""

import json
import re

import pytest

import tacit as tc
from tacit.datasets import hospital
from tacit.report.documents import private_documents, public_documents


@pytest.fixture(scope="module")
def documents():
    table = hospital(1_500)
    release = tc.Pipeline([tc.ShiftSuppression(l=3), tc.Anatomy(l=3)]).protect(table)
    verdict, cost = tc.audit(release), tc.utility(release, table)
    public = public_documents(release, verdict)
    private = private_documents(release, verdict, place="patients.csv", table=table, cost=cost, recipe="[table]\n")
    return public, private


def test_the_public_report_holds_nothing_of_the_inside(documents):
    public, private = documents
    for name, content in public.items():
        text = content.decode()
        for secret in ("41%", "NCP", "patients.csv", "615", "before and after", "is in 4"):
            assert secret not in text, f"{secret!r} is in the public {name}"
    assert "'influenza' is in 41%" in private["report.md"].decode()
    assert "NCP" in private["report.html"].decode()


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
        assert told["verdict"] == "Every claimed guarantee holds."
        for section in told["sections"]:
            assert f"## {section['title']}" in written
            assert all(paragraph in written for paragraph in section["paragraphs"])


def test_what_comes_from_data_is_escaped():
    table = tc.Table(
        {"<b>age": [1, 1, 2, 2], "ill": ["<script>x</script>", "b|c", "<script>x</script>", "d"]},
        quasi_identifiers="<b>age",
        sensitive="ill",
    )
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table)
    verdict, cost = tc.audit(release), tc.utility(release, table)
    pages = [
        public_documents(release, verdict)["report.html"],
        private_documents(release, verdict, place="<i>", table=table, cost=cost)["report.html"],
    ]
    for page in pages:
        assert b"<script>x" not in page
        assert b"<b>age" not in page
