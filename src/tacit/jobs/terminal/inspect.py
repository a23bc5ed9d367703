"""What `tacit inspect` prints."""

from __future__ import annotations

from pathlib import Path

from tacit.jobs.inspect import Inspection
from tacit.report.risk import risk_lines
from tacit.report.sentences import share
from tacit.report.terminal import columns, near


def inspection_lines(found: Inspection, recipe: Path | None) -> list[str]:
    """Write what `inspect` found."""
    table, n = found.table, len(found.table)
    lines = [
        f"{found.source}: {n:,} rows, {len(found.guesses)} columns",
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
            for g in found.guesses
        ]
    )
    lines += ["", "people who are alone with some choice of"]
    lines += columns(
        [(f"{a.attributes} attributes", share(a.people, n), f"{a.choices:,} choices") for a in found.alone]
    )
    if len(found.alone) < len(table.quasi_identifiers):
        lines.append(" (more attributes than that are not counted: too many choices)")
    lines += ["", "sensitive values"]
    for s in found.spreading:
        allowed = ", ".join(f"{l}" for l in range(2, 11) if l <= s.largest_l) or "none"
        lines.append(
            f" {s.column}: most frequent {s.value!r}, {share(s.count, n)}; l-eligible for l = {allowed} (of 2..10)"
        )
    if not found.spreading:
        lines.append(" none named; say --sensitive COLUMN")
    lines += risk_lines(found.risk)
    words = {True: "applies", False: "does not apply", None: "depends"}
    lines += ["", "threats: somebody knows ..."]
    lines += columns([(t.name, words[t.applies], f"{t.knows}: {t.why}") for t in found.threats])
    if recipe is not None:
        lines += ["", f"written  {near(recipe.resolve())}     next  tacit publish {near(recipe.resolve())}"]
    return lines
