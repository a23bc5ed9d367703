"""Learning in a report: what a reader believes who learns from the files, and how often she is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tacit.adversaries import Learned, Success
from tacit.knowledge.learning.equivalence import Equivalence
from tacit.knowledge.learning.facts import Facts
from tacit.knowledge.learning.uncut import Uncut
from tacit.report.charts import BLUE, GREY, bars
from tacit.report.sentences import probability, share
from tacit.report.view import Grid, Picture, ReportSection
from tacit.shapes import Shape

TITLE = "What learning from the files tells"

_TENTHS = 10
"""Bins of posteriors, as many as calibration has."""

_PICTURED = 4
"""Sensitive columns that are drawn, so that the report stays short; its figures are about all of them."""

_FACTS = 4
"""Numbers of facts that are told apart in the report; more are counted together."""

_EXPLAINED = (
    "The files show, over all groups together, which values go with which quasi-identifiers. This reader learns that "
    "from them, and then weighs all ways to match the people and values of each group. What she would guess knowing "
    "only the population is the same model asked of people as if they were in no group; no table of true rows hides it."
    " How sure she is rests on groups that she held out: she believes her model as far as it foretells their values."
)

_ROUGHLY = (
    "How often she would be right who knew the population and the groups is approximate: in groups with too many ways "
    "to match for all to be counted, her likeliest value is taken after at most fifty turns of scaling."
)

_TRIED_OUT = (
    "Somebody who tries the method out on made-up values sees how people with each value stand in their groups: lower "
    "than the others in a column with an order, or higher. What she gets by that is estimated from the table, "
    "where the same was counted; other ways in which a method places people were not looked at."
)


def learned_section(learned: Mapping[str, Learned], bound: float | None) -> list[ReportSection]:
    """Say what any reader can compute."""
    if not learned:
        return []
    rows: list[tuple[str, ...]] = []
    pictures: list[Picture] = []
    for column, belief in learned.items():
        rows += _figures(column, belief, bound)
        if len(pictures) < _PICTURED:
            caption = f"Rows by how sure she is of their {column}, by learning and from the population alone"
            pictures.append(Picture(caption, _spread(belief)))
    return [
        ReportSection(TITLE, (_EXPLAINED, *_remarks(learned)), Grid(("figure", "value"), tuple(rows)), tuple(pictures))
    ]


def _informed(column: str, success: Success) -> list[tuple[str, ...]]:
    """Say how often somebody is right who knows more of the population than the release teaches."""
    if success.informed_share is None:
        return []
    rows: list[tuple[str, ...]] = [
        (f"{column}: right, if she knew the population and the groups", f"{success.informed_share:.1%}")
    ]
    if success.placed is not None:
        rows.append((f"{column}: right, if she also tried the method out", f"{success.placed.share:.1%}"))
    return rows


def success_section(found: Mapping[str, tuple[Learned, Success]], bound: float | None) -> list[ReportSection]:
    """Say how often she is right, which only the data owner can tell."""
    if not found:
        return []
    rows: list[tuple[str, ...]] = []
    pictures: list[Picture] = []
    for column, (belief, success) in found.items():
        people = len(belief.row)
        rows += [
            (f"{column}: right, in the round she chooses ({belief.reading.chosen})", f"{success.share:.1%}"),
            (f"{column}: right, in the last round she tries ({belief.reading.rounds})", f"{success.last_share:.1%}"),
            (f"{column}: right, knowing only the population", f"{success.prior_share:.1%}"),
            *_informed(column, success),
            (f"{column}: rows she is more than 0.9 sure of", share(success.sure, people)),
            (f"{column}: right about these", f"{success.sure_share:.1%}" if success.sure else "-"),
        ]
        if belief.told:
            rows += _figures(column, belief, bound)
        if len(pictures) < _PICTURED:
            caption = f"How sure she is of {column}, and how often she is right, by tenths of her posterior"
            pictures.append(Picture(caption, _calibration(success)))
    note = "How often a reader is right who learns from the files, compared with the table. It is not published."
    told: tuple[str, ...] = ()
    if any(success.informed_share is not None and not belief.reading.exact for belief, success in found.values()):
        told = (_ROUGHLY,)
    if any(success.placed is not None for _, success in found.values()):
        told = (*told, _TRIED_OUT)
    if any(belief.told for belief, _ in found.values()):
        told = ("She is given everybody's quasi-identifiers, and can tell in which group each person is.", *told)
    learned = {column: belief for column, (belief, _) in found.items()}
    return [
        ReportSection(
            "How often a reader who learns is right",
            (note, *told, *_remarks(learned)),
            Grid(("figure", "value"), tuple(rows)),
            tuple(pictures),
        )
    ]


def _figures(column: str, belief: Learned, bound: float | None) -> list[tuple[str, ...]]:
    """List what follows from beliefs alone."""
    people = len(belief.row)
    above = () if bound is None else ((f"{column}: rows above {bound:.2g}", share(belief.above(bound), people)),)
    gain = float(np.median(belief.gain)) if people else 1.0
    return [
        (f"{column}: mean posterior of her best guess", probability(belief.expected)),
        (f"{column}: the same without learning", probability(belief.expected_unlearned)),
        (f"{column}: the same knowing only the population", probability(belief.expected_before)),
        (f"{column}: largest posterior", probability(float(belief.max_posterior))),
        *above,
        (f"{column}: rows above 0.5", share(belief.above(0.5), people)),
        (f"{column}: rows above 0.9", share(belief.above(0.9), people)),
        (f"{column}: median factor in odds that being in the group adds", f"{gain:.2f}"),
    ]


def _remarks(learned: Mapping[str, Learned]) -> list[str]:
    """Say what is approximate, and what is a sample."""
    remarks = []
    for column, belief in learned.items():
        if len(belief.row) < belief.people_published:
            remarks.append(
                f"{column}: she read groups with {len(belief.row):,} of the {belief.people_published:,} rows."
            )
        if belief.each_row:
            remarks.append(f"{column}: people have several rows, and each row was read by itself.")
        if not belief.reading.trust.inside:
            remarks.append(
                f"{column}: what she matched inside groups did not help her to foretell the values of groups that she "
                "had held out. So inside groups she keeps to the shares of the values."
            )
        elif not belief.reading.trust.settled:
            remarks.append(
                f"{column}: the groups that she held out are too few to tell whether what she matches inside groups is "
                "right. She believes it, so that nobody counts on what a reader fails to see; she may be wrong."
            )
        if belief.several_tables:
            remarks.append(
                f"{column}: several tables were read one after another, and figures are approximate. Somebody who goes "
                "through the tables again and again is right more often."
            )
        elif belief.exactness == "approximate":
            remarks.append(f"{column}: figures are approximate, because some groups have too many matchings to count.")
    return remarks


def _spread(belief: Learned) -> Any:
    rows = []
    for of, sure in (("learning", belief.posteriors), ("population alone", belief.before.chance)):
        tenth = np.minimum(_TENTHS - 1, np.floor(sure * _TENTHS).astype(np.int64))
        counts = np.bincount(tenth, minlength=_TENTHS)
        rows += [{"at": f"{at / 10:.1f}", "rows": int(n), "of": of} for at, n in enumerate(counts)]
    titles = ("posterior of the likeliest value, from", "rows")
    return bars(rows, "at", "rows", series="of", titles=titles, colours=(BLUE, GREY))


def _calibration(success: Success) -> Any:
    rows = []
    for begin, _, sure, right in success.calibration():
        rows.append({"at": f"{begin:.1f}", "share": sure, "of": "how sure she is"})
        rows.append({"at": f"{begin:.1f}", "share": right, "of": "how often she is right"})
    titles = ("posterior of the likeliest value, from", "share")
    return bars(rows, "at", "share", series="of", titles=titles, colours=(GREY, BLUE))


def facts_section(shape: Shape) -> list[ReportSection]:
    """Say how few further facts would tell a reader more, group by group, from what is published."""
    rows: list[tuple[str, ...]] = []
    for name, part in shape.parts.items():
        for column, histogram in part.shown_statistics.histograms.items():
            if not part.grouped or not len(histogram.counts):
                continue
            facts = Facts.of(histogram)
            of = f"{column}, {name}" if name else column
            for words, needed in facts.rows():
                people = np.bincount(np.minimum(needed, _FACTS), weights=facts.people, minlength=_FACTS + 1)
                rows.append((f"{of}: {words}", *(f"{int(n):,}" for n in people)))
    if not rows:
        return []
    head = ("rows in groups that need so many facts", *map(str, range(_FACTS)), f"{_FACTS} or more")
    note = (
        "A fact is the value of somebody else in the group, or a value that the person is known not to have. Counted "
        "for a reader who takes all matchings of a group for equally likely."
    )
    return [ReportSection("How few further facts would tell more", (note,), Grid(head, tuple(rows)))]


def uncut_section(found: Sequence[Uncut], k: int) -> list[ReportSection]:
    """Say what a reader concludes from groups that were not cut further."""
    if not found:
        return []
    known = any(each.right is not None for each in found)
    rows = []
    for each in found:
        row = [each.column, f"{each.groups:,}", f"{each.cells:,}", f"{each.ends:,}"]
        if known:
            row.append(f"{each.right:,} of {each.groups:,}")
        rows.append(tuple(row))
    head = ("column", f"groups of {2 * k} or more", "cells that share values", "intervals that show two values")
    note = (
        f"Somebody who knows that groups are cut as finely as k = {k} allows concludes of a group of g rows that at "
        f"least g - {2 * k - 2} of them share a value; and if intervals are tight, that both ends are somebody's "
        "value. Groups whose cells are the same are one group to her, and are counted as one."
    )
    title = "What it tells that groups were not cut further"
    return [ReportSection(title, (note,), Grid((*head, *(("true",) if known else ())), tuple(rows)))]


def equivalence_section(found: Mapping[str, Equivalence]) -> list[ReportSection]:
    """Say whose value, once known, makes others certain."""
    if not found:
        return []
    rows = []
    for column, each in found.items():
        rows += [
            (f"{column}: rows whose value, once known, makes another one certain", f"{each.telling:,}"),
            (f"{column}: the most others that become certain by one value", f"{each.most:,}"),
        ]
        if each.followed < len(each.decided):
            rows.append((f"{column}: rows that were followed", share(each.followed, len(each.decided))))
    note = "One row's value becomes known: in its groups it is used up, and what is left may be of one value only."
    title = "What one known value decides"
    return [ReportSection(title, (note,), Grid(("figure", "value"), tuple(rows)))]
