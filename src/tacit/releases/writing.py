"""Writing a release: audit, stage, move."""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import polars as pl

from tacit import __version__
from tacit.audits import Audit, audit
from tacit.errors import ParameterError, RoleError, SourceError
from tacit.measures.small_counts import SmallCounts
from tacit.releases.certificates import CERTIFICATE, certified_digests
from tacit.releases.composition import Composition
from tacit.releases.croissant import CROISSANT_FILE, croissant
from tacit.releases.database import Destination, Transaction
from tacit.releases.datapackage import PACKAGE_FILE, datapackage
from tacit.releases.dcat import DCAT_FILE, dcat
from tacit.releases.formats import ENDINGS, Format, check_format, write_frame
from tacit.releases.manifest import (
    FILE,
    PRIVATE_FILE,
    WrittenFile,
    as_json,
    files_of,
    manifest,
    private_manifest,
)
from tacit.releases.places import check_apart, new_places
from tacit.releases.staging import Staging, recover
from tacit.shapes import Counterfeits, Inside, Published

INSIDE = "inside.parquet"
COUNTERFEITS = "counterfeits.parquet"
METADATA = (PACKAGE_FILE, CROISSANT_FILE, DCAT_FILE)
"""Descriptions of the public files for programs, in three forms."""
_NAMED = 10
"""How many files that stand in the way a message names: enough to see what they are. Chosen by hand."""
R = TypeVar("R", bound=Published)
Documents = Mapping[str, bytes] | Callable[[Audit], Mapping[str, bytes]]


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
    documents: Documents,
    private_documents: Documents,
    before: Callable[[], None] | None,
    database: Destination | None = None,
    accept_composition: bool = False,
    hide: SmallCounts | None = None,
) -> Written:
    """Write the public folder and the private one; see `Release.write`."""
    kind = check_format(format)
    folder, hidden = new_places(folder, private)
    register = release.register
    if register is not None:
        check_apart({"the ledger": register.path, "the public folder": folder, "the private folder": hidden})
    for name, frame in release.frames().items():
        if not frame.width:
            raise RoleError(
                f"There is no column to publish in {name!r}.", hint="Give a column a role that is published."
            )
    files = file_names(release.frames(), kind)
    if register is not None:
        together: Composition = register.judge(release)
        if accept_composition:
            release = without_broken_claims(release, together)
        else:
            together.require()
    verdict = audit(release)
    verdict.require()
    public = _checked(documents, verdict, {*files.values(), FILE, *METADATA, CERTIFICATE})
    papers = {} if register is None else register.papers(release)
    secret = _checked(private_documents, verdict, {INSIDE, COUNTERFEITS, PRIVATE_FILE, CERTIFICATE, *papers})
    secret = {**secret, **papers}
    if release.reproducible:
        warnings.warn(
            "This release was made with a seed: whoever has the seed can undo its random choices. For tests only.",
            stacklevel=3,
        )
    stored: Transaction | None = None
    with Staging() as staging:
        try:
            recover(folder, hidden)
            # An older private part must not stay beside a release that has none.
            apart = release.inside is not None or bool(secret) or os.path.lexists(hidden)
            targets = [hidden, folder] if apart else [folder]

            def free() -> None:
                for target in targets:
                    _free(target, overwrite)

            free()
            staged = {target: staging.folder(target, mode=0o700 if target == hidden else 0o777) for target in targets}
            about = _write_public(staged[folder], release, verdict, kind, files, public, hide)
            if apart:
                _write_private(staged[hidden], about, release, secret)
            # Another writer may have been faster. The ledger is written last, when all else is done; then the tables of
            # a database can be seen, and the folders are moved.
            kept = str(hidden) if apart else None
            note = partial(_register, release, folder, about, kept, papers)
            last: list[Callable[[], None]] = [free, *([] if before is None else [before]), note]
            if database is None:
                staging.commit(*last)
            else:
                with database.filled(release, about, overwrite=overwrite) as transaction:
                    stored = transaction
                    staging.commit(*last, transaction.commit)
        except OSError as error:
            raise SourceError(
                f"Could not write {folder}: {error.strerror or error}.",
                hint="The next one to open it finishes the move."
                if staging.bound
                else "The tables of the database are written, the folders are not: publish again."
                if stored is not None and stored.committed
                else "Nothing was written.",
            ) from error
    names = tuple(sorted({*files.values(), FILE, *METADATA, *public}))
    return Written(folder, hidden if apart else None, names, verdict)


def without_broken_claims(release: R, together: Composition) -> R:
    """Return a release without the claims that fail beside others."""
    return replace(release, claims=tuple(claim for claim in release.claims if together.keeps(claim.guarantee)))


def _register(release: Published, folder: Path, about: bytes, private: str | None, papers: Mapping[str, bytes]) -> None:
    if release.register is not None:
        seal = hashlib.sha256(about).hexdigest()
        release.register.commit(release, folder=str(folder), digest=seal, private=private, papers=papers)


def require_free(folder: Path, private: Path | None, *, overwrite: bool) -> None:
    """Raise `SourceError` if a release could not be written here; ask before the work that would then be lost."""
    for target in new_places(folder, private):
        _free(target, overwrite)


def file_names(frames: Iterable[str], kind: Format) -> dict[str, str]:
    """Name a file after its frame where every file system takes the name and no other frame has it."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for index, frame in enumerate(frames):
        plain = re.fullmatch(r"(?!frame-\d+$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}", frame) is not None
        stem = frame if plain and frame.lower() not in taken else f"frame-{index}"
        taken.add(stem.lower())
        names[frame] = f"{stem}.{ENDINGS[kind]}"
    return names


def _checked(documents: Documents, verdict: Audit, taken: set[str]) -> Mapping[str, bytes]:
    """Return the documents, those that are about the verdict made now; their names must be free."""
    made = documents(verdict) if callable(documents) else documents
    for name in made:
        if name in taken or name in {"", ".", ".."} or "/" in name or os.sep in name:
            raise ParameterError(f"A document cannot be named {name!r}.", hint="Give a file name that is not taken.")
    return made


def _free(target: Path, overwrite: bool) -> None:
    """Refuse to replace what is there, unless it is an earlier release, nothing else, and that is what was asked."""
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise SourceError(f"There is a file at {target}.", hint="Name another folder.")
    there = sorted(path.name for path in target.iterdir())
    if not there:
        return
    if not overwrite:
        raise SourceError(
            f"{target} is not empty.",
            hint="Name another folder, or say --overwrite (in Python: overwrite=True) to replace the release in it.",
        )
    known = [files_of(target / name) for name in (FILE, PRIVATE_FILE)]
    if all(names is None for names in known):
        raise SourceError(f"{target} does not hold a release; it is not overwritten.", hint="Name another folder.")
    ours = {name for names in known for name in names or ()}
    ours |= {CERTIFICATE} if certified_digests(target / CERTIFICATE) is not None else set()
    others = [name for name in there if name not in ours or (target / name).is_dir()]
    if others:
        names = ", ".join(repr(name) for name in others[:_NAMED]) + (", ..." if len(others) > _NAMED else "")
        raise SourceError(
            f"{target} holds {'something' if len(others) == 1 else f'{len(others)} things'} besides an earlier "
            f"release, and would lose it: {names}.",
            hint="Move what you want to keep elsewhere, or name another folder.",
        )


def _write_public(
    folder: Path,
    release: Published,
    verdict: Audit,
    kind: Format,
    names: Mapping[str, str],
    documents: Mapping[str, bytes],
    hide: SmallCounts | None,
) -> bytes:
    """Write the frames, the documents, metadata and `release.json`, which is returned."""
    files = {frame: WrittenFile(folder / name) for frame, name in names.items()}
    for name, frame in release.frames().items():
        write_frame(frame, files[name].path, kind, release.shape.frame_columns(name))
    beside = {
        **documents,
        PACKAGE_FILE: datapackage(release, kind, files),
        CROISSANT_FILE: croissant(release, verdict, kind, files, hide),
        DCAT_FILE: dcat(release, verdict, kind, files, hide),
    }
    for name, content in beside.items():
        (folder / name).write_bytes(content)
    about = as_json(manifest(release, verdict, kind, files, beside, __version__, hide))
    (folder / FILE).write_bytes(about)
    return about


def _write_private(folder: Path, public: bytes, release: Published, documents: Mapping[str, bytes]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    contents, tables = dict(documents), {}
    if release.inside is not None:
        tables[INSIDE] = inside_frame(release.inside)
        if release.inside.counterfeits is not None:
            tables[COUNTERFEITS] = _counterfeit_frame(release.inside.counterfeits)
    for name, frame in tables.items():
        sink = pa.BufferOutputStream()
        pq.write_table(frame.to_arrow(), sink)
        contents[name] = sink.getvalue().to_pybytes()
    for name, content in contents.items():
        _private_file(folder / name, content)
    files = {name: folder / name for name in contents}
    _private_file(folder / PRIVATE_FILE, as_json(private_manifest(release, public, files, __version__)))


def _private_file(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def _counterfeit_frame(counterfeits: Counterfeits) -> pl.DataFrame:
    """Lay out the rows of nobody: their values, and their group in every marginal."""
    groups = {f"group:{name}": pl.Series(numbers) for name, numbers in counterfeits.group.items()}
    return pl.DataFrame({"value": counterfeits.values, **groups})


def inside_frame(inside: Inside) -> pl.DataFrame:
    """Lay the inside out as columns, aligned with the input; the input itself is not in it."""
    columns: dict[str, pl.Series] = {"kept": pl.Series(inside.kept)}
    if isinstance(inside.group, Mapping):
        columns |= {f"group:{name}": pl.Series(numbers) for name, numbers in inside.group.items()}
    elif inside.group is not None:
        columns["group"] = pl.Series(inside.group)
    if inside.bucket is not None:
        columns["bucket"] = pl.Series(inside.bucket)
    if inside.place is not None:
        columns["place"] = pl.Series(inside.place)
    columns |= {f"withheld:{hidden.step}:{hidden.judged}": pl.Series(hidden.rows) for hidden in inside.withheld}
    columns |= {f"cell:{name}": pl.Series(inside.cells[:, j]) for j, name in enumerate(inside.columns)}
    return pl.DataFrame(columns)
