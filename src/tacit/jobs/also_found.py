"""Also found: what readers could learn from whom no claim protects, computed with the table at hand.

It is for the data owner only and never public, because how sure such a reader gets depends on the table itself.
"""

from __future__ import annotations

from tacit.adversaries import IntersectionAdversary, Notice
from tacit.errors import TacitError
from tacit.guarantees import MInvariance, RRobustness
from tacit.guarantees.distribution.news import News, news_of
from tacit.guarantees.people import counted
from tacit.report.comparable_columns import left_out
from tacit.shapes import Published
from tacit.table import Table

_MOST_WORK = 20_000_000
"""Rows times sets of quasi-identifiers. Above it nothing is computed, because a warning that nobody asked for should
not take longer than the method itself. Chosen by trial: this much takes a few seconds."""

_R = 2
"""People are counted whose value is guessed right more often than not ..."""

_GAIN = 2
"""... and of whom she learns it: her odds grew by more than this factor. ART promises against both, with r and gain."""

_NAME = RRobustness(r=_R).name

_CERTAIN = 0.9995
"""A probability that is printed as 1.000, and called certainty."""

_NEXT_TO_NOTHING = 0.01
"""Below this a probability is not printed in figures."""


def also_found(release: Published, table: Table) -> tuple[Notice, ...]:
    """Ask a reader who knows the distribution of the sensitive values, and one who reads all marginals together.

    Parameters
    ----------
    release
        What is to be published, with its inside.
    table
        What it was made from.
    """
    try:
        return _found(release, table)
    except (Exception, MemoryError) as error:  # nobody asked for these checks, so none of them may stop a publication
        reason = error.message if isinstance(error, TacitError) else f"{type(error).__name__}: {error}".splitlines()[0]
        return (Notice("left out", f"what other readers could learn was not computed: {reason}".rstrip(".")),)


def distribution_share(release: Published, table: Table) -> float | None:
    """Return of how many published people a reader learns who knows how the sensitive values are distributed, a share.

    Of several sensitive columns the one counts that she learns most of; None where that was not computed.
    """
    secret = any(name in table.sensitive for name in release.shape.sensitive)
    if not release.shape.grouped and secret:
        return 1.0  # rows are published as they were
    try:
        if not secret or release.shape.several or table.people is not None or _too_long(release, table):
            return None
        columns = [name for name in release.shape.sensitive if name in table.sensitive]
        found = [news_of(release, table, name, limit=1 / _R, gain=_GAIN) for name in columns]
        return max((news.people / max(1, release.shape.rows) for news in found if news is not None), default=None)
    except (Exception, MemoryError):  # a figure of a comparison, which others do without
        return None


def _too_long(release: Published, table: Table) -> bool:
    names = [name for name in release.shape.quasi_identifiers if name in table.quasi_identifiers]
    too_fine = release.shape.flat and bool(left_out(release.shape, table))
    return too_fine or len(table) * (2 ** len(names) - 1) > _MOST_WORK


def _found(release: Published, table: Table) -> tuple[Notice, ...]:
    claimed = {type(claim.guarantee) for claim in release.claims}
    if table.people is not None:
        return (Notice(_NAME, f"{_NOT_COMPUTED}, because people have several rows"),)
    if release.shape.several:
        return () if MInvariance in claimed else tuple(IntersectionAdversary.of(release).warn(release))
    names = [name for name in release.shape.quasi_identifiers if name in table.quasi_identifiers]
    secret = any(name in table.sensitive for name in release.shape.sensitive)
    # Where rows are published as they were, a reader needs no statistics to know their values.
    if RRobustness in claimed or not release.shape.grouped or not names or not secret:
        return ()
    if _too_long(release, table):
        return (Notice(_NAME, f"{_NOT_COMPUTED}, because it would take too long"),)
    notices = []
    for column in release.shape.sensitive:
        news = news_of(release, table, column, limit=1 / _R, gain=_GAIN) if column in table.sensitive else None
        if news is None:
            notices.append(Notice(_NAME, f"{_NOT_COMPUTED}: it cannot be told who is in which group"))
        elif news.people:
            published = int(release.inside.kept.sum()) if release.inside is not None else len(table)
            notices.append(Notice(_NAME, _sentence(column, news, published, release.unit), news.posterior))
    return tuple(notices)


_NOT_COMPUTED = "how well a reader could guess who knows how the sensitive values are distributed was not computed"


def _sentence(column: str, news: News, published: int, unit: str) -> str:
    """Say in one line of how many people she learns more than she knew, and what to change."""
    sure = "certainty" if news.posterior >= _CERTAIN else f"{news.posterior:.2f}"
    before = f"{news.before:.2f}" if news.before >= _NEXT_TO_NOTHING else f"less than {_NEXT_TO_NOTHING:g}"
    people = f"{'' if news.counted else 'about '}{news.people:,} of {counted(published, unit)}"
    return (
        f"a reader who knows how {column!r} is distributed learns more than she knew before of {people}: she would be "
        f"right more often than not, and her odds more than doubled (at most from {before} to {sure}, by "
        f"{news.attributes}); a larger k or l makes them fewer, and the method art with r = 2 and gain = 2 leaves none"
    )
