"""Profiles of thresholds: what a guideline, a rule or a standard asks of a release, one requirement after another.

Each requirement is met, not met or not assessed, with the figure and its source. A profile never says that a table is
"anonymous": no figure can. Where a source names no number, none is compared.
"""

from tacit.report.profiles.base import Measured, Profile
from tacit.report.profiles.registry import NAMES, judged, profiles

__all__ = ["NAMES", "Measured", "Profile", "judged", "profiles"]
