"""What `tacit inspect` prints."""

from __future__ import annotations

import shlex
from pathlib import Path

from tacit.errors import SourceError
from tacit.jobs.inspect import Inspection
from tacit.jobs.inspect.trials import RULE
from tacit.report.risk import risk_lines
from tacit.report.sentences import share
from tacit.report.terminal import columns, near


def inspection_lines(inspection: Inspection, recipe: Path | None) -> list[str]:
    """Write an inspection."""
    table, n = inspection.table, len(inspection.table)
    lines = [
        f"{inspection.source}: {n:,} rows, {len(inspection.guesses)} columns",
        *(f" {remark}" for remark in inspection.remarks),
        *(f" {mark.sentence}; if it does, say --nulls {shlex.quote(mark.mark)}" for mark in inspection.marks),
        "",
        "columns (guessed; --qi, --sensitive, --identifiers, --items correct it)",
    ]
    lines += columns(
        [
            (
                g.name,
                g.role.value,
                g.kind.value,
                f"{g.distinct:,} values" + (f", {g.nulls:,} nulls" if g.nulls else ""),
                f"because {g.reason}" if g.reason != "you said so" else g.reason,
            )
            for g in inspection.guesses
        ]
    )
    whose = "" if table.people is None else f" ({table.units:,} people have {n:,} rows)"
    lines += ["", f"{table.unit} that are alone with their values of some choice of quasi-identifiers{whose}"]
    lines += columns(
        [
            (
                f"{a.attributes} known",
                share(a.people, table.units),
                f"{a.choices:,} {'choice' if a.choices == 1 else 'choices'}",
            )
            for a in inspection.alone
        ]
    )
    if len(inspection.alone) < len(table.quasi_identifiers):
        lines.append(" (more known quasi-identifiers than that are not counted: there are too many choices)")
    lines += ["", "sensitive values"]
    for s in inspection.spreading:
        possible = f"up to l = {s.largest_l}" if s.largest_l > 1 else "for no l above 1"
        lines.append(
            f" {s.column}: most frequent {s.value!r}, {share(s.count, n)}; groups can be l-diverse {possible} while no "
            "row is withheld"
        )
    if not inspection.spreading:
        lines.append(" none named; say --sensitive COLUMN")
    lines += risk_lines(inspection.risk)
    words = {True: "applies", False: "does not apply", None: "depends"}
    lines += ["", "threats: somebody knows ..."]
    lines += columns([(t.name, words[t.applies], f"{t.knows}: {t.why}") for t in inspection.threats])
    if recipe is not None:
        lines += _tried(inspection)
        lines += ["", f"written  {near(recipe.resolve())}     next  tacit publish {near(recipe.resolve())}"]
    return lines


def _tried(inspection: Inspection) -> list[str]:
    """Say which recipe was written, what it costs, and what else was tried."""
    trials = inspection.trials
    lines = ["", f"recipes tried on {trials.rows:,} rows; kept: {RULE}"]
    for trial in trials.each:
        mark = "kept " if trial is trials.chosen else "     "
        lines += [f" {mark} {trial.candidate.promise}", f"        {trial.figures}"]
    sentences = (*inspection.caveats, inspection.shortfall)
    return [*lines, *(f" {sentence}" for sentence in sentences if sentence is not None)]


def shares(text: str) -> dict[str, float | str] | None:
    """Read `name=number,name=number`; what is no number stays text, and `DisclosureRisk` names it."""
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    return {name.strip(): _number(number.strip()) for name, _, number in parts} or None


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def write_recipe(path: Path, text: str, overwrite: bool) -> None:
    """Write a recipe to a file; one that exists is replaced only if that was said."""
    try:
        with path.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SourceError(f"{path} exists.", hint="Name another file, or say --overwrite.") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None
