"""Learning in a report: what a reader believes who learns from the files, and how often she is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tacit.adversaries import Learned, Success
from tacit.report.charts import BLUE, GREY, bars
from tacit.report.sentences import probability, share
from tacit.report.view import Grid, Picture, ReportSection

TITLE = "What learning from the files tells"

_TENTHS = 10
"""Bins of posteriors, as many as calibration has."""

_PICTURED = 4
"""Sensitive columns that are drawn, so that the report stays short; its figures are about all of them."""

_EXPLAINED = (
    "The files show, over all groups together, which values go with which quasi-identifiers. This reader learns that "
    "from them, and then weighs all ways to match the people and values of each group. What she would guess knowing "
    "only the population is the same model asked of people as if they were in no group; no table of true rows hides it."
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
            caption = f"People by how sure she is of their {column}, by learning and from the population alone"
            pictures.append(Picture(caption, _spread(belief)))
    return [
        ReportSection(TITLE, (_EXPLAINED, *_remarks(learned)), Grid(("figure", "value"), tuple(rows)), tuple(pictures))
    ]


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
            (f"{column}: people she is more than 0.9 sure of", share(success.sure, people)),
            (f"{column}: right about these", f"{success.sure_share:.1%}" if success.sure else "-"),
        ]
        if belief.told:
            rows += _figures(column, belief, bound)
        if len(pictures) < _PICTURED:
            caption = f"How sure she is of {column}, and how often she is right, by tenths of her posterior"
            pictures.append(Picture(caption, _calibration(success)))
    note = "How often a reader is right who learns from the files, compared with the table. It is not published."
    told: tuple[str, ...] = ()
    if any(belief.told for belief, _ in found.values()):
        told = ("She is given everybody's quasi-identifiers, and can tell in which group each person is.",)
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
    above = () if bound is None else ((f"{column}: people above {bound:.2g}", share(belief.above(bound), people)),)
    gain = float(np.median(belief.gain)) if people else 1.0
    return [
        (f"{column}: mean posterior of her best guess", probability(belief.expected)),
        (f"{column}: the same without learning", probability(belief.expected_unlearned)),
        (f"{column}: the same knowing only the population", probability(belief.expected_before)),
        (f"{column}: largest posterior", probability(float(belief.max_posterior))),
        *above,
        (f"{column}: people above 0.5", share(belief.above(0.5), people)),
        (f"{column}: people above 0.9", share(belief.above(0.9), people)),
        (f"{column}: median factor in odds that being in the group adds", f"{gain:.2f}"),
    ]


def _remarks(learned: Mapping[str, Learned]) -> list[str]:
    """Say what is approximate, and what is a sample."""
    remarks = []
    for column, belief in learned.items():
        if len(belief.row) < belief.people_published:
            remarks.append(
                f"{column}: she read groups with {len(belief.row):,} of the {belief.people_published:,} people."
            )
        if belief.exactness == "approximate":
            remarks.append(
                f"{column}: figures are approximate, because some groups have too many matchings to count, or because "
                "several tables were read one after another."
            )
    return remarks


def _spread(belief: Learned) -> Any:
    rows = []
    for of, sure in (("learning", belief.posteriors), ("population alone", belief.before.chance)):
        tenth = np.minimum(_TENTHS - 1, np.floor(sure * _TENTHS).astype(np.int64))
        counts = np.bincount(tenth, minlength=_TENTHS)
        rows += [{"at": f"{at / 10:.1f}", "people": int(n), "of": of} for at, n in enumerate(counts)]
    titles = ("posterior of the likeliest value, from", "people")
    return bars(rows, "at", "people", series="of", titles=titles, colours=(BLUE, GREY))


def _calibration(success: Success) -> Any:
    rows = []
    for begin, _, sure, right in success.calibration():
        rows.append({"at": f"{begin:.1f}", "share": sure, "of": "how sure she is"})
        rows.append({"at": f"{begin:.1f}", "share": right, "of": "how often she is right"})
    titles = ("posterior of the likeliest value, from", "share")
    return bars(rows, "at", "share", series="of", titles=titles, colours=(GREY, BLUE))
