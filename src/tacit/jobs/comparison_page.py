"""The page of a comparison: the decision, the frontier, and every figure of every choice."""

from __future__ import annotations

from tacit.jobs.choice import ATTACKS, Choice
from tacit.jobs.compare import frontier_points
from tacit.jobs.decision import Decision
from tacit.report.charts import frontier
from tacit.report.sentences import probability
from tacit.report.view import Grid, Picture, ReportSection, ReportView

MEANINGS = {
    "claims": "whether every claimed guarantee holds",
    "posterior": "the largest probability with which a reader is right about what a claim protects",
    "linkage": "the same about a sensitive value, for somebody who knows all quasi-identifiers of a person",
    "learning": "how often a reader guesses a sensitive value right who learns from the files themselves",
    "distribution": "share of people about whom a reader learns who knows how the sensitive value is distributed",
    "NCP": "normalized certainty penalty: information lost, from 0 (nothing) to 1 (everything)",
    "query error": "median relative error of COUNT queries",
    "model error": "share of held-out people whom the best model predicts wrongly that learns from such a release",
    "withheld": "rows that are not published; NCP counts each as lost",
    "CPU s": "seconds of computing, over all threads",
}
"""What the columns of a comparison mean."""

_CLAIMS = {True: "hold", False: "FAIL", None: "not checked"}


def figures(choice: Choice) -> dict[str, str]:
    """Write the figures of a choice, by column."""
    if choice.refused is not None:
        return dict.fromkeys(MEANINGS, "-")
    return {
        "claims": _CLAIMS[choice.holds],
        "posterior": probability(choice.max_posterior),
        "linkage": probability(choice.link_posterior),
        "learning": _percent(choice.learned_share),
        "distribution": _percent(choice.distribution_share),
        "NCP": probability(choice.ncp),
        "query error": _percent(choice.query_error),
        "model error": _percent(choice.model_error),
        "withheld": _percent(choice.suppression_rate),
        "CPU s": "-" if choice.seconds is None else f"{choice.seconds:.2f}",
    }


def shown_columns(decision: Decision) -> list[str]:
    """Name the columns of a comparison; those of models only where somebody asked for them."""
    return [name for name in MEANINGS if name != "model error" or decision.against.target is not None]


def comparison_view(decision: Decision, place: str) -> ReportView:
    """Lay a comparison out as a report.

    Parameters
    ----------
    decision
        The comparison.
    place
        What to call the table.
    """
    names = shown_columns(decision)
    verdicts = tuple((choice.label, choice.verdict) for choice in decision.choices)
    rows = tuple((choice.label, *(figures(choice)[name] for name in names)) for choice in decision.choices)
    points = frontier_points(decision.choices, decision.against.name, decision.by)
    picture = Picture(
        "Privacy against utility: the best choices are at the lower left, those that another one beats are grey",
        frontier(points, decision.against.label, ATTACKS[decision.by][1]),
    )
    before = [c.model_error_before for c in decision.choices if c.model_error_before is not None]
    yardstick = (
        (f"The best model that learns from the table itself predicts {before[0]:.1%} wrongly.",) if before else ()
    )
    counted = (
        f"Choices were compared by their promises, by {ATTACKS[decision.by][1]}, and by {decision.against.label}. A "
        "choice is advised against only where another one promises as much, lets a reader learn no more, costs no "
        "more, and is better in one of these.",
    )
    return ReportView(
        f"{place}: which way to protect it",
        decision.sentence,
        (
            ReportSection("Verdicts", counted, Grid(("choice", "verdict"), verdicts), (picture,)),
            ReportSection("Figures", yardstick, Grid(("choice", *names), rows)),
            ReportSection(
                "What the figures mean",
                ("They compare with the table itself: this page is for the data owner.",),
                Grid(("figure", "meaning"), tuple((name, MEANINGS[name]) for name in names)),
            ),
        ),
    )


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
