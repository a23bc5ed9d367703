"""What the command line prints: aligned columns of plain text, no colour needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.report.risk import risk_lines
from tacit.report.sentences import outcome, probability, share, verdicts

if TYPE_CHECKING:
    from tacit.audits import Audit


def columns(rows: Sequence[Sequence[str]], *, indent: str = " ") -> list[str]:
    """Align all columns but the last.

    Examples
    --------
    >>> columns([("a", "long", "x"), ("bbb", "c", "y")])
    [' a    long  x', ' bbb  c     y']
    """
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return [
        indent + "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False)) + row[-1]
        for row in rows
    ]


def verdict_lines(audit: Audit) -> list[str]:
    """Write the findings and warnings of an audit."""
    return columns(verdicts(audit)) or [" nothing is claimed"]


def publication_lines(result: Any) -> list[str]:
    """Write what `publish` did, batch by batch, and a summary of several."""
    lines = []
    for part in result.parts:
        if part.release is None or part.written is None:
            lines.append(f"{part.place}: not published. {part.refused}")
            continue
        lines += [str(remark) for remark in part.release.inside.remarks] if part.release.inside is not None else []
        lines.append(outcome(part.release, part.place))
        lines += columns(
            [*verdicts(part.written.audit), *(("not asked", n.adversary, "", n.sentence) for n in part.others)]
        ) or [" nothing is claimed"]
        lines.append(f" cost  NCP {part.utility.ncp:.4f}, average group {part.utility.average_group_size:,.1f} rows")
        lines.append(written_line(part.written))
    if result.batched:
        told = result.as_dict()["summary"]
        lines.append(
            f"{told['batches']} batches: {told['treated']} needed rows withheld, {told['refused']} not published; "
            f"{share(told['withheld'], told['rows'])} of {told['rows']:,} rows withheld."
        )
        lines += [f" not asked  {text}" for text in result.warnings]
    return lines


def ledger_lines(found: Any) -> list[str]:
    """Write what a ledger knows."""
    lines = []
    for series in found.series:
        place = f"{found.path.name}, {series.name}" if series.name else found.path.name
        lines.append(f"{place}: {series.rows:,} rows, published {len(series.entries)} times")
        rows = []
        for entry in series.entries:
            tables = "; ".join(f"{name} ({', '.join(columns)})" for name, columns in entry.frames.items())
            where = near(Path(entry.folder)) + ("/" if entry.in_place else "/ (no longer there, or never arrived)")
            rows.append((f"{entry.at:%Y-%m-%d}", str(entry.method.get("name", "")), where, tables))
        lines += columns(rows)
        lines.append(f" {series.advice}")
    return lines or [f"{found.path.name}: nothing was published yet"]


def written_line(written: Any) -> str:
    """Say where the files are."""
    private = "" if written.private is None else f"     private  {near(written.private)}/ (0700)"
    return f"written  {near(written.folder)}/ ({', '.join(written.files)}){private}"


def saved_line(path: Path) -> str:
    """Say where one file is."""
    return f"written  {near(path.resolve())}"


def near(path: Path) -> str:
    """Write a path as short as it can be from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def audit_lines(result: Any) -> list[str]:
    """Write what `audit` found."""
    shape = result.release.shape
    lines = [f"{result.place}: {shape.name}, {shape.rows:,} rows in {shape.statistics.count:,} groups."]
    lines += verdict_lines(result.audit)
    if result.linkage is not None:
        told = result.as_dict()["victims"]
        lines.append(
            f" victims: {told['found']:,} of {told['asked']:,} may be in it, {told['singled_out']:,} fit one row only; "
            f"largest posterior {probability(told['max_posterior'])}"
        )
        lines += [f"  {name}: known for sure of {count:,}" for name, count in told["certain"].items()]
    return lines


def inspection_lines(found: Any, recipe: Path | None) -> list[str]:
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


def comparison_lines(choices: Sequence[Any]) -> list[str]:
    """Write a comparison as a table; dominated choices are marked."""
    rows = [("choice", "claims", "posterior", "linkage", "NCP", "query error", "withheld", "CPU s", "")]
    words = {True: "hold", False: "FAIL", None: "-"}
    for c in choices:
        if c.refused is not None:
            rows.append((c.label, "-", "-", "-", "-", "-", "-", "-", c.refused))
            continue
        rows.append(
            (
                c.label,
                words[c.holds],
                probability(c.max_posterior),
                probability(c.link_posterior),
                f"{c.ncp:.4f}",
                "-" if c.query_error is None else f"{c.query_error:.1%}",
                f"{c.suppression_rate:.1%}",
                f"{c.seconds:.2f}",
                "dominated" if c.dominated else "",
            )
        )
    return [line.rstrip() for line in columns(rows)]


def demo_lines(result: Any) -> list[str]:
    """Tell the story of the demonstration."""
    lines = [f"A hospital with {result.rows:,} patients; an attacker with a list of {result.victims:,} of them."]
    for act in result.acts:
        lines += [
            "",
            f"{act.title}: {act.story}",
            f"  before  {act.before}",
            f"  after   {act.after}",
            f"  cost    {act.cost}",
        ]
    lines += ["", *(written_line(written) for written in result.written)]
    return lines
