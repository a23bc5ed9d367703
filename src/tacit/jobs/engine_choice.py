"""Engine choice: where a recipe runs, in memory or in parts, before anything is imported that only parts need."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from tacit.engines.memory import memory
from tacit.engines.parts import TEXT, Parts, files_of
from tacit.errors import ParameterError, TacitError
from tacit.recipes import Recipe

_ROW_BYTES = 200
"""Bytes that a row takes in memory while it is protected, besides its cells: measured for Mondrian."""
_CELL_BYTES = 16
"""Bytes that a cell takes in memory on average: its value and its code."""
_TEXT_FACTOR = 4
"""How many times its size a csv takes in memory. Measured on tables of people; a guess for others."""


@dataclass(frozen=True)
class EngineChoice:
    """Where a job runs, and why, as a sentence for the data owner."""

    name: str
    sentence: str


def choose(recipe: Recipe, asked: str | None = None) -> EngineChoice:
    """Choose the engine of a recipe: the one it names or, for "auto", memory if the table fits in half of it."""
    name = asked or recipe.sections.engine.name
    known = ("auto", "local", "streaming", "spark")
    if name not in known:
        raise ParameterError(f"There is no engine {name!r}.", hint=f"Engines: {', '.join(known)}.")
    if name != "auto":
        return EngineChoice(name, f"The {name} engine is used, as asked.")
    size = _size(recipe)
    half = memory() // 2
    if size is None or size <= half:
        return EngineChoice("local", "The local engine is used: the table fits in half of the memory.")
    return EngineChoice(
        "streaming",
        f"The streaming engine is used: the table would take about {size / 1e9:.1f} GB, more than half of the "
        f"{memory() / 1e9:.1f} GB of memory.",
    )


def _size(recipe: Recipe) -> int | None:
    """Estimate how many bytes a table takes in memory; None where only reading it would tell."""
    source = recipe.sections.table.source
    if source is None or recipe.sections.batches is not None or (recipe.source is not None and recipe.source.is_dir()):
        return None
    try:
        files = files_of(recipe.pattern)
        if all(path.suffix.lower() in TEXT for path in files):
            return _TEXT_FACTOR * sum(path.stat().st_size for path in files)
        if any(path.suffix.lower() not in {".parquet", ".pq", ".arrow", ".feather", ".ipc"} for path in files):
            return None
        parts = Parts.of(files)
        return parts.rows * (_ROW_BYTES + _CELL_BYTES * len(parts.schema))
    except (TacitError, OSError, pa.ArrowException):
        return None  # whoever reads it says what is wrong with it
