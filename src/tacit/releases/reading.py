"""Reading a release back, as it was published."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict, get_args

import numpy as np
import polars as pl
import pyarrow as pa

from tacit import guarantees, strict_json
from tacit.arrays import Ints
from tacit.borders import first_line, is_panic, quiet
from tacit.errors import RoleError, SourceError, TacitError
from tacit.hierarchies import Hierarchy, make
from tacit.regular_files import regular_bytes
from tacit.releases.formats import read_frame
from tacit.releases.manifest import FILE, PRIVATE_FILE, VERSION, digest
from tacit.releases.manifest_schema import (
    PrivateManifest,
    ReleaseManifest,
    beside,
    check_columns,
    check_counts,
    check_inside,
    check_schema,
)
from tacit.releases.places import places, private_places
from tacit.releases.staging import settled
from tacit.releases.writing import COUNTERFEITS, INSIDE
from tacit.shapes import Claim, Counterfeits, Inside, Persons, PublishedColumn, Remark, Shape, Withheld, shape_classes
from tacit.sources.columnar import parquet_table
from tacit.table import Kind, Role

_MALFORMED = (
    OSError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError, TacitError,
    pl.exceptions.PolarsError, pa.ArrowException,
)  # fmt: skip
"""What reading a malformed file may lead to."""

Columns = tuple[PublishedColumn, ...]


class ReleaseParts(TypedDict):
    """What a folder tells of a release, by the names of `Published`."""

    shape: Shape
    claims: tuple[Claim, ...]
    method: Mapping[str, Any] | None
    inside: Inside | None
    size: int | None
    warnings: tuple[str, ...]
    reproducible: bool
    persons: Persons | None


def read_release(
    folder: Path, private: Path | None, hierarchies: Mapping[str, Any], knowledge: Any = None
) -> ReleaseParts:
    """Return the parts of a release; see `Release.read`."""
    given = {name: make(spec) for name, spec in hierarchies.items()}
    folder, hidden = places(folder, private)
    with _explained(folder / FILE), settled(folder):
        content, about = _manifest(folder)
        shape = _shape(folder, about, given)
        check_columns(shape)
        check_counts(about, shape)
        warnings = tuple(w["sentence"] for w in about["audit"]["warnings"] if w["adversary"] == "method")
        method, size, reproducible = about["method"], about["counts"]["rows"], about["reproducible"]
        secret, inside = None, None
        for place in [hidden] if private is not None else private_places(folder, hidden):
            with _explained(place / PRIVATE_FILE):
                secret = _private(place, hashlib.sha256(content).hexdigest(), named=private is not None)
                inside = None if secret is None else _inside(place, secret)
                if inside is not None:
                    size = len(inside.kept) if size is None else size  # not public where few rows were withheld
                    check_inside(inside, shape, size)
            if secret is not None:
                break
        persons = about.get("persons")
        if persons not in {None, *get_args(Persons)}:
            raise ValueError(f"it says of the people behind the rows {persons!r}")
        kept = [] if secret is None else secret.get("guarantees", [])
        kept += [{}] * (len(about["guarantees"]) - len(kept))
        claims = tuple(_claim(*each, knowledge) for each in zip(about["guarantees"], kept, strict=True))
    shown = [column.name for column in shape.columns]
    for name in given:
        if name not in shown:
            raise RoleError.missing_column(name, shown, place="the release")
    return ReleaseParts(
        shape=shape,
        claims=claims,
        method=method,
        inside=inside,
        size=size,
        warnings=warnings,
        reproducible=reproducible,
        persons=persons,
    )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn whatever a malformed file leads to into one sentence that names the file."""
    try:
        with quiet():
            yield
    except SourceError:
        raise
    except BaseException as error:
        if not isinstance(error, _MALFORMED) and not is_panic(error):
            raise
        said = first_line(error)
        reason = f"there is no {said}" if isinstance(error, KeyError) else said
        raise SourceError(
            f"{path} cannot be read: {reason}.", hint="Take the release from where it was published."
        ) from error


def _manifest(folder: Path) -> tuple[bytes, dict[str, Any]]:
    """Return `release.json` as it is and as it is meant, once every file it names is as it was published."""
    try:
        content = regular_bytes(folder / FILE)
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{folder} does not hold a release: there is no {FILE}.") from None
    about = strict_json.loads(content)
    if not isinstance(about, dict):
        raise TypeError("it holds no object")
    if about["format"] != VERSION:
        raise SourceError(f"{folder / FILE} has a format that this version does not know.", hint="Update tacit.")
    check_schema(about, ReleaseManifest)
    files = [file for entry in about["files"].values() for file in entry.get("parts") or [entry]]
    promised = {file["path"]: file["sha256"] for file in files} | about["documents"]
    for name, expected in promised.items():
        path = beside(folder, name)
        if not path.is_file():
            raise SourceError(f"{folder} is incomplete: there is no {name}.")
        if digest(path) != expected:
            raise SourceError(f"{path} is not as it was published: its digest differs from the one in {FILE}.")
    return content, about


def _shape(folder: Path, about: dict[str, Any], hierarchies: Mapping[str, Hierarchy]) -> Shape:
    parts = about["columns"]
    described = parts if isinstance(parts, dict) else {"": parts}
    columns = {name: tuple(_column(entry, hierarchies) for entry in entries) for name, entries in described.items()}

    made = shape_classes().get(about["shape"])
    if made is None:
        raise ValueError(f"there is no shape {about['shape']!r}")
    return made.restore(columns, _Frames(folder, about["files"]))


@dataclass(frozen=True)
class _Frames:
    """The frames of a release in its folder."""

    folder: Path
    files: Mapping[str, Mapping[str, Any]]

    @property
    def names(self) -> frozenset[str]:
        """The names of all frames."""
        return frozenset(self.files)

    def __call__(self, name: str, columns: Columns) -> pl.DataFrame:
        """Read one frame, which must have the columns that were published."""
        entry, published = self.files[name], {column.name: column for column in columns}
        frames = []
        for file in entry.get("parts") or [entry]:
            path = beside(self.folder, file["path"])
            with _explained(path):
                frames.append(read_frame(path, entry["format"], published, entry["columns"], file["rows"]))
                if frames[-1].columns != [column for column, _ in entry["columns"]]:
                    raise ValueError("it has other columns than it should have")
        return frames[0] if len(frames) == 1 else pl.concat(frames)


def _column(entry: dict[str, Any], hierarchies: Mapping[str, Hierarchy]) -> PublishedColumn:
    spec = hierarchies.get(entry["name"], entry.get("hierarchy"))
    return PublishedColumn(
        entry["name"],
        Role(entry["role"]),
        Kind(entry["kind"]),
        None if spec is None else make(spec),
        entry["blurred"],
        entry["suppressed"],
        entry.get("item_of"),
        entry.get("changed", False),
        entry.get("foreign", False),
        label=entry.get("label"),
    )


def _claim(entry: dict[str, Any], private: dict[str, Any], knowledge: Any) -> Claim:
    described = {key: value for key, value in entry.items() if key not in {"of", "step"}}
    return Claim(guarantees.recall(described, private, knowledge=knowledge), entry["step"], entry["of"])


def _private(folder: Path, release: str, *, named: bool) -> dict[str, Any] | None:
    """Read `private.json`, if there is one and it is of this release; one that was asked for by name must be."""
    try:
        about = strict_json.loads(regular_bytes(folder / PRIVATE_FILE))
    except OSError as error:  # it is not there, or not for whoever reads the public part
        if named:
            raise SourceError(f"{folder} does not hold the private part: {error.strerror or error}.") from None
        return None
    if not isinstance(about, dict):
        raise TypeError("it holds no object")
    check_schema(about, PrivateManifest)
    if about["release"] != release:
        if named:
            raise SourceError(f"{folder} holds the private part of another release.")
        return None
    return dict(about)


def _inside(folder: Path, about: dict[str, Any]) -> Inside | None:
    """Read what is aligned with the input, if the release had it."""
    frame = _private_frame(folder, about, INSIDE)
    if frame is None:
        return None
    inside = _aligned(frame, tuple(Remark.read(plain) for plain in about["remarks"]))
    nobody = _private_frame(folder, about, COUNTERFEITS)
    return inside if nobody is None else replace(inside, counterfeits=Counterfeits(nobody["value"], _groups(nobody)))


def _private_frame(folder: Path, about: dict[str, Any], name: str) -> pl.DataFrame | None:
    """Read one frame of the private part as it was written; None where there is none."""
    if name not in about["files"]:
        return None
    content = regular_bytes(folder / name, largest=1 << 40)
    if hashlib.sha256(content).hexdigest() != about["files"][name]:
        raise SourceError(f"{folder / name} is not as it was written: its digest differs.")
    frame = pl.from_arrow(parquet_table(content))
    if not isinstance(frame, pl.DataFrame):
        raise TypeError("it holds no table")
    return frame


def _groups(frame: pl.DataFrame) -> dict[str, Ints]:
    named = [name for name in frame.columns if name.startswith("group:")]
    return {name.removeprefix("group:"): frame[name].to_numpy() for name in named}


def _aligned(frame: pl.DataFrame, remarks: tuple[Remark, ...]) -> Inside:
    groups = _groups(frame)
    cells = [name for name in frame.columns if name.startswith("cell:")]
    withheld = []
    for name in frame.columns:
        if name.startswith("withheld:"):
            _, step, judged = name.split(":")
            withheld.append(Withheld(int(step), frame[name].to_numpy(), "group" if judged == "group" else "apart"))
    return Inside(
        kept=frame["kept"].to_numpy(),
        group=groups or (frame["group"].to_numpy() if "group" in frame.columns else None),
        cells=np.stack([frame[name].to_numpy() for name in cells], axis=1)
        if cells
        else np.zeros((frame.height, 0), bool),
        columns=tuple(name.removeprefix("cell:") for name in cells),
        withheld=tuple(withheld),
        remarks=remarks,
        bucket=frame["bucket"].to_numpy() if "bucket" in frame.columns else None,
        place=frame["place"].to_numpy() if "place" in frame.columns else None,
    )
