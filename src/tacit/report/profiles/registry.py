"""The profiles by their names."""

from __future__ import annotations

from tacit.errors import ParameterError, nearest
from tacit.report.evidence.requirement import ProfileResult
from tacit.report.profiles.base import Measured, Profile
from tacit.report.profiles.clinical import EMA, HEALTH_CANADA
from tacit.report.profiles.cms import CMS
from tacit.report.profiles.eurostat import PUF, SUF
from tacit.report.profiles.hipaa_expert import HIPAA_EXPERT
from tacit.report.profiles.iso_27559 import ISO_27559
from tacit.report.profiles.safe_harbor import SAFE_HARBOR
from tacit.report.profiles.wp216 import WP216

_ALL = (EMA, HEALTH_CANADA, ISO_27559, HIPAA_EXPERT, SAFE_HARBOR, CMS, PUF, SUF, WP216)
NAMES = tuple(profile.name for profile in _ALL)


def profiles() -> dict[str, Profile]:
    """Return all profiles by name."""
    return {profile.name: profile for profile in _ALL}


def profile(name: str) -> Profile:
    """Return the profile of this name.

    Examples
    --------
    >>> profile("cms").smallest
    11
    >>> profile("csm")
    Traceback (most recent call last):
    tacit.errors.ParameterError: There is no profile 'csm'. Did you mean 'cms'? ...
    """
    if name not in NAMES:
        raise ParameterError(f"There is no profile {name!r}.", hint=nearest(name, NAMES, what="Profiles"))
    return profiles()[name]


def judged(name: str, measured: Measured) -> ProfileResult:
    """Judge a release by the profile of this name."""
    return profile(name).judge(measured)
