"""Views: sections of a report, drawn on a page as they are."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.jobs.rehearse import Rehearsal, Verdict
from tacit.report.drawn import DrawnSection
from tacit.studio.elements import box, grid, picture, words


def report_sections(sections: Sequence[DrawnSection], *, opened: Sequence[str] = ()) -> None:
    """Draw sections of a report, folded but for those named."""
    for section in sections:
        with box("details", "part") as made:
            if section.title in opened:
                made.props["open"] = True
            words(section.title, "summary")
            report_section(section)


def report_section(section: DrawnSection) -> None:
    """Draw what stands under a heading of a report."""
    for paragraph in section.paragraphs:
        words(paragraph)
    if section.grid is not None:
        grid(section.grid.head, section.grid.rows, caption=section.title)
    for caption, drawing in section.pictures:
        picture(drawing, caption)


def verdicts(found: Sequence[Verdict]) -> None:
    """List what was found of every claim."""
    with box("ul", "verdicts"):
        for each in found:
            with box("li"):
                words(each.verdict, "span", "holds" if each.holds else "fails")
                words(f" {each.title}: {each.reason}", "span")


def figures(rehearsal: Rehearsal) -> list[tuple[str, str]]:
    """Return the usual figures of a result, as reports say them; a figure that there is not is a dash."""
    r = rehearsal
    return [
        ("alone before", _count(r.alone_before)),
        ("alone after", _count(r.alone_after)),
        ("sure at most", _share(r.link_posterior)),
        ("learns right", _share(r.learned_share)),
        ("lost (NCP)", "-" if r.ncp is None else f"{r.ncp:.4f}"),
        ("query error", "-" if r.query_error is None else f"{r.query_error:.3f}"),
        ("withheld", _share(r.suppression_rate)),
    ]


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _share(number: float | None) -> str:
    return "-" if number is None else f"{number:.1%}"
