"""What the lines of a ledger must hold, whoever wrote the file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

Count = Annotated[int, Field(ge=0)]


class _Line(BaseModel):
    """The content of a line; steps may keep more."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True, arbitrary_types_allowed=True, defer_build=True)

    person: str | None = None


class TableLine(_Line):
    """The table that a series is about."""

    digest: str
    rows: Count
    quasi_identifiers: list[str]
    sensitive: list[str]


class DrawLine(_Line):
    """What a step must not draw twice."""

    key: str
    table: str


class BrokenLine(_Line):
    """A claim that fails beside other releases, and was given up."""

    claim: str


class TogetherLine(_Line):
    """What was found of a release beside the earlier ones."""

    broken: list[BrokenLine] = Field(default_factory=list)
    pinned: Count = 0
    posterior: float | None = None


class ReleaseLine(_Line):
    """One release."""

    method: dict[str, Any]
    frames: dict[str, list[str]]
    rows: Count
    withheld: Count
    folder: str
    release: str
    kept: np.ndarray | None = None
    counterfeits: Count | None = None
    grouping: str | None = None
    claims: list[dict[str, Any]] = Field(default_factory=list)
    table: str = ""
    private: str | None = None
    papers: dict[str, str] = Field(default_factory=dict)
    draws: dict[str, str] = Field(default_factory=dict)
    together: TogetherLine = Field(default_factory=TogetherLine)


class PeopleLine(_Line):
    """People by their hashes, with the numbers of their signatures, and the signatures that are new."""

    person: str
    sensitive: str | None
    keys: np.ndarray
    signature: np.ndarray
    texts: list[str]
    offsets: np.ndarray
    values: np.ndarray


_KINDS: dict[str, type[_Line]] = {
    "table": TableLine, "draw": DrawLine, "release": ReleaseLine, "people": PeopleLine,
}  # fmt: skip


def check_line(kind: str, at: str, content: Mapping[str, Any]) -> None:
    """Refuse a line that lacks something, or holds another kind of value; the error names the place."""
    schema = _KINDS.get(kind)
    datetime.fromisoformat(at)
    if schema is None:
        return
    try:
        schema.model_validate(dict(content))
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{kind} {place}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    if kind == "people":
        _check_people(content)
    if kind == "draw" and "bucket" in content:
        _check_buckets(content["bucket"])
    steps = content["method"].get("steps", [content["method"]]) if kind == "release" else []
    if not isinstance(steps, list) or not all(
        isinstance(step, dict) and isinstance(step.get("name", ""), str) for step in steps
    ):
        raise ValueError("release method: its steps have no names")
    if kind == "release" and "counterfeits" not in content:  # of a table that stays as it is
        kept = content.get("kept")
        if kept is None or kept.dtype != np.uint8:
            raise ValueError("release kept: it should be bits")


def _check_buckets(bucket: Any) -> None:
    """Refuse buckets that rows cannot be in: they are counted in an array of as many entries as the last one says."""
    if not isinstance(bucket, np.ndarray) or bucket.dtype.kind != "i" or bucket.ndim != 1:
        raise ValueError("draw bucket: there should be one whole number for each row")
    if len(bucket) and (int(bucket.min()) < -1 or int(bucket.max()) >= len(bucket)):
        raise ValueError("draw bucket: there are numbers that no bucket of so many rows can have")


def _check_people(content: Mapping[str, Any]) -> None:
    """Refuse arrays of people that do not belong together."""
    keys, signature, offsets, values = (content[name] for name in ("keys", "signature", "offsets", "values"))
    if keys.dtype != np.uint64 or keys.ndim != 2 or keys.shape[1] != 2:
        raise ValueError("people keys: they should be two words for each person")
    if signature.dtype.kind != "i" or signature.shape != (len(keys),):
        raise ValueError("people signature: there should be one whole number for each person")
    if offsets.dtype.kind != "i" or offsets.ndim != 1 or values.dtype.kind != "i" or values.ndim != 1:
        raise ValueError("people values: they should be whole numbers")
    if not len(offsets) or offsets[0] != 0 or (np.diff(offsets) < 0).any() or offsets[-1] != len(values):
        raise ValueError("people offsets: they should cut the values into parts")
