"""Packing: JSON values and arrays as one piece of bytes, for lines of a ledger and files of a private part."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from tacit import strict_json
from tacit.borders import first_line


def packed(content: Mapping[str, Any]) -> bytes:
    """Write JSON values and arrays: a line of JSON, then the arrays."""
    arrays = {key: value for key, value in content.items() if isinstance(value, np.ndarray)}
    plain = {key: value for key, value in content.items() if key not in arrays}
    sink = io.BytesIO()
    sink.write(json.dumps({"values": plain, "arrays": list(arrays)}, ensure_ascii=False).encode() + b"\n")
    for array in arrays.values():
        np.save(sink, array, allow_pickle=False)
    return zlib.compress(sink.getvalue(), 1)


def unpacked(raw: bytes) -> dict[str, Any]:
    """Read what `packed` wrote.

    Raises
    ------
    ValueError
        If it is anything else.

    Examples
    --------
    >>> unpacked(packed({"m": 2, "bucket": np.array([0, 1])}))
    {'m': 2, 'bucket': array([0, 1])}
    """
    try:
        source = io.BytesIO(zlib.decompress(raw))
        about = strict_json.loads(source.readline())
        content = dict(about["values"])
        for key in about["arrays"]:
            content[key] = np.load(source, allow_pickle=False)
    except (Exception, MemoryError) as error:  # readers of arrays fail in many ways at what is none
        raise ValueError(first_line(error)) from None
    return content
