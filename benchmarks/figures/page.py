"""Page: the figures of all papers as Markdown, with a table of claims under each and a summary at the top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.figures.figure import Claim, Figure
from benchmarks.figures.papers import Paper
from benchmarks.figures.section import Section

PICTURES = "pictures/figures"
VERDICTS = (True, False, None)


def page(
    papers: Sequence[Paper], sections: Mapping[str, Section], *, adult: bool, quick: bool = False, minutes: float = 0
) -> str:
    """Return the page.

    Parameters
    ----------
    papers
        In the order of the page.
    sections
        What was drawn, by the name of the paper; those that are missing are left out.
    adult
        Is the Adult table at hand? If not, the census generator stood in for it.
    quick
        Were fewer rows, points and repetitions taken?
    minutes
        How long it took.
    """
    chosen = [paper for paper in papers if paper.name in sections]
    spent = sum(sections[paper.name].cpu for paper in chosen) / 60
    took = f"{minutes:.1f} minutes, {spent:.1f} of CPU time"
    parts = [_top(adult, quick, took), _summary(chosen, sections, adult), _fallen(chosen, sections)]
    parts += [_section(paper, sections[paper.name], adult) for paper in chosen]
    return "\n\n".join(parts) + "\n"


def _top(adult: bool, quick: bool, took: str) -> str:
    data = (
        "Where a paper used the Adult census, so do we: the UCI table was at hand in this run. Where its data is not\n"
        "public, our generators stand in; the table below says which."
        if adult
        else "**The Adult census was not at hand in this run: our census generator stands in for it**, and numbers "
        "that depend on the data differ from the papers' for that reason alone."
    )
    haste = "\n\n**A quick run: fewer rows, points and repetitions than the page of the docs has.**" if quick else ""
    return f"""# The papers' figures

Published systems and one published attack are behind this tool. Here are their figures, drawn anew by our code, and
what their authors concluded beside what we find: a claim *holds* if our numbers say the same, it *does not* if they
say otherwise, and it is *not comparable* where there is nothing to hold a number against. Claims are in our words;
where a paper says "slightly" or "much", the table says what we count as such; these limits are ours, most of them set
with the numbers in view. The texts that we have are without the pictures: "curves only" stands where only a
picture has the numbers.

{data}{haste}

Every number on this page was computed in one run of `make figures` ({took}); `python -m
benchmarks.figures --quick` gives a rough version in less than two, in `benchmarks/results/figures`."""


def _summary(papers: Sequence[Paper], sections: Mapping[str, Section], adult: bool) -> str:
    heads = ("threat", "paper", "our data", "figures", "claims", "hold", "do not", "not comparable", "CPU s")
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    totals = [0, 0, 0, 0, 0]
    for paper in papers:
        found = sections[paper.name]
        link = f"[{paper.title}](#{_anchor(paper)})"
        start = f"| {paper.threat} | {link} | {paper.data_used(adult)}"
        if found.failure:
            rows.append(f"{start} | could not be drawn | | | | | |")
            continue
        counts = [len(found.figures), len(found.claims), *(found.count(verdict) for verdict in VERDICTS)]
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        rows.append(f"{start} | {' | '.join(map(str, counts))} | {found.cpu:.0f} |")
    rows.append(f"| | all | | {' | '.join(map(str, totals))} | {sum(sections[p.name].cpu for p in papers):.0f} |")
    return "## In short\n\n" + "\n".join(rows)


def _fallen(papers: Sequence[Paper], sections: Mapping[str, Section]) -> str:
    """What does not hold, and why, without a search through the page."""
    lines = ["### What does not hold on our data"]
    for paper in papers:
        found = sections[paper.name]
        fallen = [(figure, claim) for figure in found.figures for claim in figure.claims if claim.holds is False]
        if found.failure or not fallen:
            continue
        alike: dict[str, list[tuple[Figure, Claim]]] = {}
        for figure, claim in fallen:
            alike.setdefault(claim.said, []).append((figure, claim))
        lines.append(f"**{paper.title}**\n\n" + "\n".join(_told(each) for each in alike.values()))
    return "\n\n".join(lines) if len(lines) > 1 else f"{lines[0]}\n\nNothing."


def _told(alike: Sequence[tuple[Figure, Claim]]) -> str:
    """One claim that does not hold, in one or several figures."""
    beside = "\n".join(f"    - {f.title}. Paper: {_bare(c.published)}. Ours: {_bare(c.ours)}." for f, c in alike)
    return f"- {alike[0][1].said} {alike[0][1].why}".rstrip() + f"\n{beside}"


def _bare(text: str) -> str:
    return text.rstrip(".")


def _section(paper: Paper, found: Section, adult: bool) -> str:
    threat = f"The threat, and what we do about it: [{paper.threat}](threats/{paper.of_threat}.md)."
    head = f"## {paper.title}\n\n{paper.citation} Our data: {paper.data_used(adult)}. {threat}"
    if found.failure:
        return f"{head}\n\n**These figures could not be drawn in this run:** {found.failure}"
    return "\n\n".join([head, *(_figure(figure) for figure in found.figures)])


def _figure(figure: Figure) -> str:
    text = f"### {figure.title}\n\n![{figure.title}]({PICTURES}/{figure.name}.svg)\n\n{figure.caption}"
    if not figure.claims:
        return text
    rows = ["| claim | paper | ours | holds |", "|---|---|---|---|", *(_row(claim) for claim in figure.claims)]
    return f"{text}\n\n" + "\n".join(rows)


def _row(claim: Claim) -> str:
    cells = (claim.said, claim.published, claim.ours, claim.verdict)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _anchor(paper: Paper) -> str:
    """As Markdown makes them of headings."""
    return "".join(c for c in paper.title.lower().replace(" ", "-") if c.isalnum() or c == "-")
