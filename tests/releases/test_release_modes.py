"""Who may read what is written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.releases.releases_made import FORMATS, protected


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o027, 0o077])
@pytest.mark.parametrize("kind", FORMATS)
def test_private_is_the_owners_and_public_as_the_mask_says(tmp_path: Path, mask: int, kind: str) -> None:
    before = os.umask(mask)
    try:
        written = protected().write(
            tmp_path / "out",
            format=kind,
            documents={"report.html": b"<p>"},
            private_documents={"report.html": b"<p>", "more": b""},
        )
        again = protected().write(tmp_path / "other", format=kind, private=tmp_path / "a" / "vault")
    finally:
        os.umask(before)
    assert written.private is not None
    assert again.private is not None
    for private in (written.private, again.private):
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert modes(private) == {0o600}
    assert len(list(written.private.iterdir())) == 4
    assert stat.S_IMODE(written.folder.stat().st_mode) == 0o777 & ~mask
    assert modes(written.folder) == {0o666 & ~mask}


def test_nothing_private_is_ever_open_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The staged folder is closed before anything is in it."""
    seen = []
    real = os.open

    def watched(path: object, flags: int, mode: int = 0o777, **kwargs: object) -> int:
        if flags & os.O_CREAT and "private" in str(path):
            seen.append((stat.S_IMODE(Path(str(path)).parent.stat().st_mode), mode))
        return real(path, flags, mode, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", watched)
    protected().write(tmp_path / "out", private_documents={"report.html": b"<p>"})
    assert seen == [(0o700, 0o600)] * 3
