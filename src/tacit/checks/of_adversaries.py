"""What every adversary must satisfy."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tacit.adversaries import Adversary
from tacit.checks import tables
from tacit.guarantees import KAnonymity
from tacit.methods import SmallGroups
from tacit.releases import Release


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


CHECKS: list[Callable[[Any], None]] = [
    check_states_its_knowledge,
    check_reads_only_what_is_public,
    check_posteriors_are_probabilities,
]
