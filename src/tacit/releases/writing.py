"""Writing a release: audit, stage, move."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tacit import __version__
from tacit.audits import Audit, audit
from tacit.errors import SourceError
from tacit.releases.formats import check_format, write_frame
from tacit.releases.manifest import FILE, frame_columns, manifest
from tacit.releases.staging import Move, commit, discard, recover, stage
from tacit.shapes import Inside, Published

INSIDE = "inside.parquet"


@dataclass(frozen=True)
class Written:
    """Where a release was written, and the verdict it was written under."""

    folder: Path
    private: Path | None
    files: tuple[str, ...]
    audit: Audit


def write_release(
    release: Published,
    folder: Path,
    *,
    format: str,  # noqa: A002 - the contract's word
    private: Path | None,
    overwrite: bool,
    documents: Mapping[str, bytes],
    private_documents: Mapping[str, bytes],
    before: Callable[[], None] | None,
) -> Written:
    """Write the public folder and the private one; see `Release.write`."""
    kind = check_format(format)
    verdict = audit(release)
    verdict.require()
    if release.reproducible:
        warnings.warn(
            "This release was made with a seed: whoever has the seed can undo its random choices. For tests only.",
            stacklevel=3,
        )
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - a symbolic link stays what it is
    hidden = folder.with_name(folder.name + ".private") if private is None else Path(os.path.abspath(private))  # noqa: PTH100
    if hidden == folder or folder in hidden.parents or hidden in folder.parents:
        raise SourceError(f"The private folder {hidden.name!r} must not be the public one, nor inside it.")
    targets = [hidden, folder] if release.inside is not None or private_documents else [folder]
    staged: list[Path] = []
    try:
        for target in targets:
            recover(target)
            _free(target, overwrite)
        for target in targets:
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.append(stage(target, mode=0o700 if target == hidden else 0o777))
        public = staged[-1]
        files = {name: public / f"{_file_name(name, i)}.{kind}" for i, name in enumerate(release.frames())}
        for name, frame in release.frames().items():
            write_frame(frame, files[name], kind, frame_columns(release.shape, name))
        about = manifest(release, verdict, kind, files, __version__)
        (public / FILE).write_text(json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        for name, content in documents.items():
            (public / name).write_bytes(content)
        if len(staged) > 1:
            _write_private(staged[0], release.inside, private_documents)
        commit([Move(source, target) for source, target in zip(staged, targets, strict=True)], before=before)
    except OSError as error:
        discard(staged)
        raise SourceError(
            f"Could not write {folder}: {error.strerror or error}.", hint="Nothing was written."
        ) from error
    except BaseException:
        discard(staged)
        raise
    names = tuple(sorted(path.name for path in folder.iterdir()))
    return Written(folder, hidden if len(targets) > 1 else None, names, verdict)


def _file_name(frame: str, index: int) -> str:
    """Use the frame's name where every file system takes it."""
    return frame if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}", frame) else f"frame-{index}"


def _free(target: Path, overwrite: bool) -> None:
    """Refuse to replace what is there, unless it is an earlier release and that is what was asked."""
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise SourceError(f"There is a file at {target}.", hint="Name another folder.")
    if not any(target.iterdir()):
        return
    if not overwrite:
        raise SourceError(f"{target} is not empty.", hint="Name another folder, or ask to overwrite it.")
    if not any((target / name).exists() for name in (FILE, INSIDE)):
        raise SourceError(f"{target} does not hold a release; it is not overwritten.", hint="Name another folder.")


def _write_private(folder: Path, inside: Inside | None, documents: Mapping[str, bytes]) -> None:
    if inside is not None:
        _private_file(folder / INSIDE, None)
        inside_frame(inside).write_parquet(folder / INSIDE)
    for name, content in documents.items():
        _private_file(folder / name, content)


def _private_file(path: Path, content: bytes | None) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content or b"")


def inside_frame(inside: Inside) -> pl.DataFrame:
    """Lay the inside out as columns, aligned with the input; the input itself is not in it."""
    columns: dict[str, pl.Series] = {"kept": pl.Series(inside.kept)}
    if isinstance(inside.group, Mapping):
        columns |= {f"group:{name}": pl.Series(numbers) for name, numbers in inside.group.items()}
    elif inside.group is not None:
        columns["group"] = pl.Series(inside.group)
    columns |= {f"withheld:{hidden.step}:{hidden.judged}": pl.Series(hidden.rows) for hidden in inside.withheld}
    columns |= {f"cell:{name}": pl.Series(inside.cells[:, j]) for j, name in enumerate(inside.columns)}
    return pl.DataFrame(columns)
