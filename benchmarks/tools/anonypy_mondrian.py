"""anonypy: k-anonymous groups of a table, by its Mondrian."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def setup(task: dict[str, Any]) -> dict[str, Any]:
    """Read the table, text as categories: that is what the tool wants."""
    import pandas as pd

    frame = pd.read_parquet(task["table"])
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = frame[name].astype("category")
    return {**task, "frame": frame}


def run(state: dict[str, Any]) -> dict[str, Any]:
    """Group; the first call, which warms up, also writes what came out."""
    from anonypy import Preserver

    rows = Preserver(state["frame"], state["quasi_identifiers"], state["sensitive"]).anonymize_k_anonymity(state["k"])
    published = Path(state["published"])
    if not published.exists():
        published.write_text(json.dumps(rows, default=int), encoding="utf-8")
    return {"rows": sum(int(row["count"]) for row in rows)}
