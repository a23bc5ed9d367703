"""Usefulness: what analysts can still use a release for, in words; for the data owner only."""

from __future__ import annotations

from tacit.measures.analysts import ModelScore, Usefulness
from tacit.measures.analysts.associations import Estimate
from tacit.measures.analysts.learned_models import HELD_OUT, SAMPLE
from tacit.report.view import Grid, ReportSection

_KEPT, _LEFT = 0.9, 0.6
"""Shares of what models can tell of the table, above chance, from which a report says yes, and yes with care. Chosen by
hand: a tenth is within what two samples of people differ, and below six tenths most of what was there is gone."""

_NOTHING = 0.6
"""An area under the curve from which a table is said to tell anything: one half is chance."""

_ASKED = (
    f"Of at most {SAMPLE:,} people drawn at random, {HELD_OUT:.0%} were held out. Models learnt from the others, once "
    "from the table and once from a second release of these people, made in the same way and never published. They "
    "were then asked about those held out. A smaller release is blurred more, so the published one is rather better."
)
_TOLD = (
    "pMSE says how well a logistic regression tells rows made up from the release from rows of the table: 0 not at "
    "all, 0.25 with certainty. Beside it stands what two samples of one table would give."
)
_BESIDE = (
    "Computed from the table and from the release, with blurred cells at the mean of what they may be; 95% intervals, "
    f"as if either had at most {SAMPLE:,} rows. The overlap is the mean share of either interval that lies in the "
    "other: 1 the same, 0 apart. Coefficients are those of a linear regression on all quasi-identifiers, of which "
    "numbers are standardized."
)


def answer(scores: list[ModelScore]) -> str:
    """Say of one target whether models can still predict it, by the model that ranks best."""
    best = max(scores, key=lambda score: score.table.auc or 0.0)
    before, after = best.table.auc, best.release.auc
    figures = (
        f"from the release {best.release.accuracy:.1%} of {best.asked:,} people are predicted right, from the table "
        f"{best.table.accuracy:.1%}, by always saying the most frequent answer {best.guess:.1%}"
    )
    about = f"predicting {best.question}"
    if before is None or after is None:
        return f"{about}: cannot be told, because only one answer occurs among those asked; {figures}."
    ranks = f"AUC {after:.3f} instead of {before:.3f}, {best.model}"
    if before < _NOTHING:
        return f"{about}: no, and the table itself hardly tells it; {figures} ({ranks})."
    kept = (after - 0.5) / (before - 0.5)
    word = "yes" if kept >= _KEPT else "with care" if kept >= _LEFT else "no"
    return f"{about}: {word}; {figures} ({ranks})."


def answers(found: Usefulness) -> list[str]:
    """Say it of every target."""
    targets = dict.fromkeys(score.target for score in found.models)
    return [answer([score for score in found.models if score.target == name]) for name in targets]


def usefulness_sections(found: Usefulness | None) -> list[ReportSection]:
    """Lay out what was measured; nothing where nobody asked."""
    if found is None:
        return []
    rows = tuple(
        (
            score.question,
            score.model,
            f"{score.table.accuracy:.1%} ({score.table.interval[0]:.1%} to {score.table.interval[1]:.1%})",
            f"{score.release.accuracy:.1%} ({score.release.interval[0]:.1%} to {score.release.interval[1]:.1%})",
            _auc(score.table.auc),
            _auc(score.release.auc),
            f"{score.guess:.1%}",
        )
        for score in found.models
    )
    head = ("predicted", "model", "right, from the table", "right, from the release", "AUC, table", "AUC, release",
            "most frequent answer")  # fmt: skip
    said = [f"{sentence[:1].upper()}{sentence[1:]}" for sentence in answers(found)]
    sections = [
        ReportSection(
            "Can I still use it for ...?",
            (*said, *found.missing, *((_ASKED,) if rows else ())),
            Grid(head, rows) if rows else None,
            part="mitigation",
        )
    ]
    if found.propensity:
        told = tuple(
            (name or "the release", f"{p.pmse:.5f}", f"{p.expected:.5f}", f"{p.ratio:,.1f}", f"{p.rows:,}")
            for name, p in found.propensity
        )
        grid = Grid(("table", "pMSE", "two samples", "ratio", "rows compared"), told)
        sections.append(ReportSection("Can it be told from the table?", (_TOLD,), grid, part="mitigation"))
    if found.associations:
        beside = tuple(
            (a.kind, a.name, _estimate(a.table), _estimate(a.release), f"{a.overlap:.2f}") for a in found.associations
        )
        grid = Grid(("kind", "of", "from the table", "from the release", "overlap"), beside)
        sections.append(
            ReportSection("Correlations and coefficients before and after", (_BESIDE,), grid, part="mitigation")
        )
    return sections


def _auc(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _estimate(given: Estimate) -> str:
    return f"{given.value:.3f} ({given.low:.3f} to {given.high:.3f})"
