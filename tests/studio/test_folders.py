"""Files are opened below the allowed folders only, wherever a path or a link leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import SourceError
from tacit.studio.folders import Folders


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("x\n1\n")
    (tmp_path / "data" / ".hidden.csv").write_text("x\n1\n")
    (tmp_path / "secret.csv").write_text("x\n1\n")
    (tmp_path / "data" / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "data" / "inner").symlink_to(tmp_path)
    return Folders((tmp_path / "data",))


def test_what_is_inside_is_allowed(folders: Folders, tmp_path: Path) -> None:
    assert folders.allowed(tmp_path / "data" / "a.csv") == tmp_path / "data" / "a.csv"
    assert folders.allowed(f"{tmp_path}/data/../data/a.csv") == tmp_path / "data" / "a.csv"


@pytest.mark.parametrize("path", ["data/../secret.csv", "data/link.csv", "data/inner/secret.csv", "secret.csv", "."])
def test_what_leads_out_is_refused(folders: Folders, tmp_path: Path, path: str) -> None:
    with pytest.raises(SourceError, match="outside the folders"):
        folders.allowed(f"{tmp_path}/{path}")


@pytest.mark.parametrize("path", ["", "  ", "a\0b", "~nobody-of-this-name/x", "/etc/passwd", "~/../../etc/passwd"])
def test_what_is_no_path_or_lies_elsewhere_is_refused(folders: Folders, path: str) -> None:
    with pytest.raises(SourceError):
        folders.allowed(path)


def test_links_that_lead_out_and_hidden_files_are_not_listed(folders: Folders, tmp_path: Path) -> None:
    assert [entry.name for entry in folders.listed(tmp_path / "data")] == ["a.csv"]


@given(st.lists(st.sampled_from(["..", ".", "inner", "link.csv", "data", "a.csv", "//", "~"]), max_size=6))
def test_no_path_that_is_allowed_lies_outside(parts: list[str]) -> None:
    root = Path(__file__).parent
    try:
        found = Folders((root,)).allowed("/".join([str(root), *parts]))
    except SourceError:
        return
    assert found.is_relative_to(root)
