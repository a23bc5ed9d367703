"""What a table may come from: a file, parts of one table, a folder of tables, a database by the name of a variable."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.studio.opened import Studio
from tests.studio.visitor import Visitor

from tacit.errors import SourceError
from tacit.studio.folders import Folders
from tacit.studio.opening import new_draft, source_of


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "visits"
    folder.mkdir(parents=True)
    for month in range(3):
        rows = "".join(f"{20 + (at + month) % 30},{'flu' if at % 4 else 'gout'}\n" for at in range(40))
        (folder / f"month{month}.csv").write_text(f"age,illness\n{rows}")
    return folder


def test_parts_of_one_table_and_a_folder_of_tables(visits: Path) -> None:
    folders = Folders((visits.parent,))
    parts = new_draft(str(visits / "*.csv"), folders)
    assert (parts.path, parts.section("table")) == (visits.parent / "visits.toml", {"source": "visits/*.csv"})
    assert source_of(parts, folders) == (str(visits / "*.csv"), None)
    apart = new_draft(str(visits), folders)
    assert apart.section("table") == {"source": "visits"}
    assert source_of(apart, folders) == (str(visits / "month0.csv"), None)
    inside = new_draft(str(visits / "month?.csv"), Folders((visits,)))
    assert (inside.path, inside.section("table")) == (visits / "visits.toml", {"source": "month?.csv"})


def test_a_pattern_leads_nowhere_else(visits: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret.csv").write_text("age\n1\n")
    folders = Folders((visits.parent,))
    for pattern in (str(elsewhere / "*.csv"), str(visits / ".." / ".." / "elsewhere" / "*.csv")):
        with pytest.raises(SourceError, match="outside the folders"):
            new_draft(pattern, folders)
    (visits / "linked.csv").symlink_to(elsewhere / "secret.csv")
    with pytest.raises(SourceError, match="outside the folders"):
        source_of(new_draft(str(visits / "*.csv"), folders), folders)


def test_parts_and_a_database_are_opened_by_clicks(
    browser: Any, visits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "patients.db"
    with sqlite3.connect(secret) as database:
        database.execute("create table patients (age integer, illness text)")
        database.executemany("insert into patients values (?, ?)", [(20 + at % 30, "flu") for at in range(50)])
    database.close()
    monkeypatch.setenv("CLINIC_DATABASE", f"sqlite:///{secret}")
    with Studio(visits.parent) as studio:
        visitor = Visitor(browser.new_context(), studio)
        page = visitor.page
        page.get_by_role("button", name="visits/").click()
        page.get_by_role("button", name="3 files .csv as the parts of one table").click()
        page.get_by_text("120 rows and 2 columns were read").wait_for()
        visitor.wait_for_recipe('source = "visits/*.csv"')
        page.locator("summary", has_text="Open another table").click()
        page.get_by_label("Environment variable").fill("CLINIC_DATABASE")
        page.get_by_label("Query").fill("select * from nowhere")
        page.get_by_role("button", name="Open the answer").click()
        page.get_by_role("alert").filter(has_text="nowhere").first.wait_for()
        assert "sqlite:" not in page.content()
        page.get_by_label("Query").fill("select * from patients")
        page.get_by_role("button", name="Open the answer").click()
        page.get_by_text("50 rows and 2 columns were read").wait_for()
        visitor.wait_for_recipe('url_env = "CLINIC_DATABASE"')
        assert "sqlite:" not in page.content()
        visitor.blame()
        visitor.context.close()
