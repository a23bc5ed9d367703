"""pycanon: what t, or what l, a table has."""

from __future__ import annotations

from typing import Any


def setup(task: dict[str, Any]) -> dict[str, Any]:
    """Read the tables by name, and the order of their rows."""
    import pandas as pd

    tables = {}
    for name, path in task["tables"].items():
        frame = pd.read_parquet(path)
        tables[name] = frame
        # The same rows in another order: whoever filters or sorts a frame has one, and its labels are not its places.
        tables[f"{name}, shuffled"] = frame.sample(frac=1, random_state=1)
    return {**task, "tables": tables}


def run(state: dict[str, Any]) -> dict[str, Any]:
    """Measure what is asked for."""
    from pycanon import anonymity

    measures = {
        "t": anonymity.t_closeness,
        "l": anonymity.l_diversity,
        "entropy": anonymity.entropy_l_diversity,
        "c": lambda *given: anonymity.recursive_c_l_diversity(*given)[0],
    }
    found = {}
    for measure, table in state["ask"]:
        value = measures[measure](state["tables"][table], state["quasi_identifiers"], state["sensitive"])
        found[f"{measure} of {table}"] = float(value)
    return found
