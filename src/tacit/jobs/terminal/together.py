"""What `tacit audit` prints of several releases."""

from __future__ import annotations

from tacit.guarantees.people import counted
from tacit.jobs.audit_together import AuditedTogether


def together_lines(result: AuditedTogether) -> list[str]:
    """Write what several releases tell together."""
    lines = [f"{len(result.places)} releases read together: {'; '.join(result.places)}"]
    lines.append(
        f" people were matched {result.matched}: {result.people:,} looked for, {result.shared:,} in several releases"
    )
    lines += [f"  assumed: {sentence}" for sentence in result.assumed]
    for each in result.columns:
        alone = ", ".join(f"{many:,}" for many in each.alone)
        lines.append(
            f" {each.column}: {each.pinned:,} people have one possible value ({alone} by each release alone); largest "
            f"posterior {each.posterior:.4f}; a reader of all expects to guess {each.expected:.0%} right"
        )
        if each.learned is not None:
            lines.append(f"  a reader who learns and carries her beliefs on expects to guess {each.learned:.0%} right")
        if each.worlds.people:
            lines.append(
                f"  all worlds of {counted(each.worlds.people, 'people')} were counted: {each.worlds.pinned:,} have "
                f"the same value in every one; largest posterior {each.worlds.posterior:.4f}, exact"
            )
        if each.equivalence.people > 1:
            lines.append(
                f"  if the value of one person is known, up to {each.equivalence.people:,} people are certain; "
                f"{each.equivalence.tied:,} are tied to somebody in this way"
            )
        if each.contradictions:
            lines.append(
                f"  {counted(each.contradictions, 'people')} would have no value at all: theirs changed, or they were "
                "matched wrongly"
            )
    lines += [f" NOT KEPT  {broken.words()}" for broken in result.broken]
    lines += [f" not checked  {sentence}" for sentence in result.unchecked]
    return lines
