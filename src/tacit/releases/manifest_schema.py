"""What `release.json` and `private.json` must look like, whoever wrote them.

A release may come from anywhere. Its manifest is checked by this schema before anything in it is used, and then against
the files: their digests, and the figures that can be counted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from tacit.knowledge.skew.declared import declared_algorithm
from tacit.shapes import Inside, Shape

Count = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    """A part of a manifest; later versions may add keys."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True, defer_build=True)


class FilePart(_Part):
    """One of several files of a frame."""

    path: str
    rows: Count
    sha256: str


class FileEntry(_Part):
    """One published file, or the first of several, which are then listed in `parts`."""

    path: str
    format: str
    rows: Count
    columns: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    sha256: str
    parts: Annotated[list[FilePart], Field(min_length=1)] = []


class Counts(_Part):
    """Figures that may be public."""

    rows: Count | None
    published: Count
    withheld: Count | None
    suppressed_cells: dict[str, Count]


class Warned(_Part):
    """What a method or an adversary said."""

    adversary: str
    sentence: str


class Audited(_Part):
    """The verdict that the release was written under."""

    warnings: list[Warned]


class Column(_Part):
    """A published column."""

    name: str
    role: str
    kind: str
    blurred: bool
    suppressed: bool
    item_of: str | None = None
    changed: bool = False
    foreign: bool = False
    hierarchy: dict[Literal["interval", "origin", "factor", "prefix", "calendar", "flat"], Any] | None = None
    """By rules alone, as it is published: a release may not name a file of whoever reads it."""


class Promise(_Part):
    """A claim."""

    name: str
    of: Literal["table", "published rows"]
    step: Count


class Described(_Part):
    """A method, or a step of one."""

    name: str
    steps: Annotated[list[Described], Field(min_length=1)] = []

    @model_validator(mode="after")
    def _limit_of_a_suppression(self) -> Described:
        about = {"name": self.name, **(self.model_extra or {})}
        limit = about.get("l")
        if declared_algorithm(about) is not None and (
            isinstance(limit, bool) or not isinstance(limit, int) or limit < 1
        ):
            raise ValueError("a suppression needs an l, a whole number from 1 up")
        return self


class ReleaseManifest(_Part):
    """`release.json`."""

    method: Described | None
    guarantees: list[Promise]
    audit: Audited
    shape: str
    columns: list[Column] | dict[str, list[Column]]
    counts: Counts
    files: dict[str, FileEntry]
    documents: dict[str, str]
    reproducible: bool


class PrivateManifest(_Part):
    """`private.json`."""

    release: str
    files: dict[str, str]
    remarks: list[Any]
    guarantees: list[dict[str, Any]] = []


def check_schema(about: Mapping[str, Any], schema: type[BaseModel]) -> None:
    """Refuse a manifest in which something is missing or of another type; the message names the place."""
    try:
        schema.model_validate(dict(about))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{place}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None


def check_columns(shape: Shape) -> None:
    """Refuse a manifest that describes a column as published which no frame of its part has."""
    for part in shape.parts.values():
        held = {name for frame in part.frames().values() for name in frame.columns}
        for name in (*part.quasi_identifiers, *part.sensitive):
            if name not in held:
                raise ValueError(f"column {name!r} is said to be published, and is in no file")


def check_counts(about: Mapping[str, Any], shape: Shape) -> None:
    """Refuse a manifest whose figures are not those of the frames."""
    counts, files = about["counts"], about["files"]
    for name, frame in shape.frames().items():
        if files[name]["rows"] != frame.height:
            raise ValueError(
                f"{files[name]['path']} has {frame.height:,} rows, and {files[name]['rows']:,} are announced"
            )
    if counts["published"] != shape.rows:
        raise ValueError(f"{shape.rows:,} rows are published, and {counts['published']:,} are announced")
    size = counts["rows"]
    if (size is None) != (counts["withheld"] is None) or (size is not None and size - shape.rows != counts["withheld"]):
        raise ValueError("the rows of the table are not those that are published and those that are withheld")
    frames = shape.frames().values()
    for name, cells in counts["suppressed_cells"].items():
        if cells != sum(frame[name].null_count() for frame in frames if name in frame.columns):
            raise ValueError(f"column {name!r} has other suppressed cells than are announced")


def check_inside(inside: Inside, shape: Shape, size: int | None) -> None:
    """Refuse a private part that is not aligned with the table that the release is of."""
    groups = list(inside.group.values()) if isinstance(inside.group, Mapping) else [inside.group]
    lengths = {
        len(part) for part in (inside.kept, inside.cells, inside.bucket, inside.place, *groups) if part is not None
    }
    lengths |= {len(hidden.rows) for hidden in inside.withheld}
    flags = [inside.kept, *(hidden.rows for hidden in inside.withheld), *([inside.cells] if inside.cells.size else [])]
    if lengths != {size} or any(part.dtype != bool for part in flags):
        raise ValueError("it is not about as many rows as the table had")
    numbered = [part for part in (*groups, inside.bucket, inside.place) if part is not None]
    if any(part.dtype.kind not in "iu" for part in numbered):
        raise ValueError("its groups are not numbers")
    most = len(inside.kept) + (shape.counterfeits or 0)  # rows, and so groups of them, there cannot be more
    if any(len(part) and (int(part.min()) < -1 or int(part.max()) > most) for part in numbered):
        raise ValueError("its groups have numbers that no group can have")


def beside(folder: Path, name: str) -> Path:
    """Return the place of a file that a manifest names; it must be in the same folder."""
    path = folder / name
    if path.name != name or name in {"", ".", ".."}:
        raise ValueError(f"it names a file that is not beside it: {name!r}")
    return path
