"""Built-in tables as files: made-up people, for whoever tries something and has no table of her own."""

from __future__ import annotations

import json
from pathlib import Path

from tacit import datasets
from tacit.errors import SourceError, nearest
from tacit.table import Table

BUILT_IN = {
    "hospital": "18,204 patients: diagnosis, symptoms, age, postcode; influenza is too frequent",
    "census": "30,000 people of a census: income, education, occupation",
    "students": "20,000 students with many flags, any of which somebody may know",
    "clinic": "visits to a clinic: a patient has several rows",
    "pharmacy": "prescriptions: a person has several rows",
    "absences": "absences of pupils: a pupil has several rows",
}
"""What each built-in table is."""

_ROWS = {"hospital": 18_204, "census": 30_000, "students": 20_000}


def write_built_in(name: str, folder: Path) -> Path:
    """Make a built-in table and write it as Parquet; one that is there already is taken as it is."""
    if name not in BUILT_IN:
        raise SourceError(f"There is no built-in table {name!r}.", hint=nearest(name, BUILT_IN, what="Tables"))
    path = folder / f"{name}.parquet"
    if path.exists():
        return path
    rows = _ROWS.get(name)
    made: Table = getattr(datasets, name)(rows) if rows is not None else getattr(datasets, name)()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made.frame.write_parquet(path)
        if name == "hospital":  # the book that an outsider would use, for methods that protect from it
            (folder / "diseases.json").write_text(json.dumps(datasets.knowledge()), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None
    return path
