"""WP216: the three headings of the European supervisors' opinion."""

from __future__ import annotations

from tacit.report.profiles.base import Profile, headings_of

SOURCE = "Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP216), 2014, sections 2.2 and 3"

WP216 = Profile(
    "wp216",
    "Opinion 05/2014 (WP216): singling out, linkability, inference",
    "The opinion asks whether the three are still possible and names no number, so nothing is called met. Whether what "
    "was found is acceptable is for people to judge, with the means that are likely to be used.",
    lambda measured: headings_of(measured, SOURCE),
    baseline=True,
)
