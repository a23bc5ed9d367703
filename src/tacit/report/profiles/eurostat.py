"""Eurostat: public use files and scientific use files."""

from __future__ import annotations

from collections.abc import Callable

from tacit.report.evidence.requirement import Requirement
from tacit.report.profiles.base import Measured, Profile

_PUBLIC = "Regulation (EC) No 223/2009 on European statistics, 2009, article 19 (public use files)"
_SCIENTIFIC = "Regulation (EU) No 557/2013, 2013, article 7 (scientific use files)"
_PRACTICE = "sample uniques are the check that Eurostat's practice names; no number was found in the source"


def _asks(source: str, strict: bool) -> Callable[[Measured], tuple[Requirement, ...]]:
    def asks(measured: Measured) -> tuple[Requirement, ...]:
        single = measured.single
        unique = Requirement(
            "sample uniques",
            "none" if strict else "",
            f"{single:,} rows are alone with their published cells" if single else "none",
            single == 0 if strict else None,
            f"{source}; {_PRACTICE}",
        )
        return (unique, _special(measured, source), _sampled(measured, source))

    return asks


def _special(measured: Measured, source: str) -> Requirement:
    found = []
    for name, alone in measured.alone.items():
        of = f" of {name}" if name else ""
        score = float(alone.scores.max(initial=0.0))
        worst = alone.by_column[0][0] if alone.by_column and score else None
        found.append(
            f"{alone.scored:,} rows{of} are alone by at most {alone.largest} quasi-identifiers, with a SUDA score of "
            f"up to {score:g}" + (f", most often by {worst}" if worst else "")
        )
    return Requirement("special uniques (SUDA)", "", "; ".join(found) or "not assessed", None, f"{source}; {_PRACTICE}")


def _sampled(measured: Measured, source: str) -> Requirement:
    found = measured.population
    figure = "not assessed: no population or sampling weights were given"
    if found is not None:
        figure = f"largest individual risk {found.largest:.4f}; {found.expected:,.1f} right matches expected"
    return Requirement("risk in the population", "", figure, None, source)


PUF = Profile(
    "eurostat-puf",
    "Eurostat, public use file",
    "A public use file is one from which nobody can be identified by means that are likely to be used; no figure "
    "proves that. That no row is alone is necessary for it, not enough.",
    _asks(_PUBLIC, strict=True),
)

SUF = Profile(
    "eurostat-suf",
    "Eurostat, scientific use file",
    "A scientific use file is for researchers under contract; its risk is reduced, not removed. The criteria of each "
    "survey are agreed by its working group and are not numbers that could be compared here.",
    _asks(_SCIENTIFIC, strict=False),
)
