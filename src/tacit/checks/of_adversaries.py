"""What every adversary must satisfy."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np

from tacit.adversaries import Adversary, Belief, Exactness
from tacit.checks import tables
from tacit.errors import RoleError
from tacit.guarantees import KAnonymity
from tacit.methods import SmallGroups
from tacit.releases import Release

_ROUNDING = 1e-9
"""How far a posterior may exceed 1 by rounding: sums of a few thousand shares of 64-bit floats err by less."""


def check_states_its_knowledge(adversary: Adversary) -> None:
    """It says what she knows."""
    assert adversary.knowledge, f"{adversary} does not say what she knows"


def check_reads_only_what_is_public(adversary: Adversary) -> None:
    """She infers the same from the files as from the release in memory."""
    release = SmallGroups(guarantee=KAnonymity(k=2)).protect(tables.ordinary(), seed=1)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        release.write(Path(folder) / "out", private=Path(folder) / "elsewhere")
        read = Release.read(Path(folder) / "out")
    assert read.inside is None
    assert adversary.warn(release) == adversary.warn(read), f"{adversary} looked inside"


def check_posteriors_are_probabilities(adversary: Adversary) -> None:
    """No posterior is below 0 or above 1."""
    release = SmallGroups(guarantee=KAnonymity(k=2)).protect(tables.ordinary(), seed=1)
    for notice in adversary.warn(release):
        assert notice.posterior is None or 0.0 <= notice.posterior <= 1.0
    belief = _belief(adversary, release)
    if belief is not None:
        posteriors = belief.posteriors
        computed = posteriors[~np.isnan(posteriors)]
        assert ((computed >= 0.0) & (computed <= 1.0 + _ROUNDING)).all(), f"{adversary}: a posterior is no probability"
        assert belief.max_posterior == computed.max(initial=0.0)


def check_returns_a_belief(adversary: Adversary) -> None:
    """She returns a `Belief` whose lists are of one length, and which says whether its posteriors are exact."""
    belief = _belief(adversary, SmallGroups(guarantee=KAnonymity(k=2)).protect(tables.ordinary(), seed=1))
    if belief is None:
        return
    assert isinstance(belief, Belief), f"{adversary} returns {type(belief).__name__}, which is no Belief"
    lengths = {len(belief.people), len(belief.values), len(belief.posteriors), len(belief.where)}
    assert len(lengths) == 1, f"{adversary}: people, values, posteriors and where have the lengths {lengths}"
    assert belief.people.dtype == np.int64
    assert (belief.people >= 0).all()
    assert belief.posteriors.dtype == np.float64
    assert belief.exactness in get_args(Exactness), f"{adversary} does not say whether posteriors are exact"
    if np.isnan(belief.posteriors).any():
        assert belief.exactness == "partial", f"{adversary}: some posteriors were not computed, and it is not said"
    assert belief.where.null_count() == 0, f"{adversary}: an entry does not say what it is about"
    assert belief.frame().width > 0


def _belief(adversary: Adversary, release: Release) -> Belief | None:
    """Attack; None where the release has nothing for her to read."""
    try:
        return adversary.attack(release)
    except RoleError:
        return None


CHECKS: list[Callable[[Any], None]] = [
    check_states_its_knowledge,
    check_reads_only_what_is_public,
    check_posteriors_are_probabilities,
    check_returns_a_belief,
]
