"""Disclosure risk of a record: what somebody may know of a person, shared by guarantee, method and adversary.

`DisclosureRisk` says what may be known and what matters; `Attributes` binds it to the codes of a table, `Records` finds
the distinct rows of a release under one reading of a blank, `Population` searches them.

The numbers are computed in `tacit.kernels.risk`. What leads to them stays here: `Population` groups equal rows with
`tacit.table`, which kernels must not import, and `search` and `exact` work on a population.
"""

from tacit.knowledge.risk.attributes import Attributes
from tacit.knowledge.risk.model import DESCRIBED_RISK, DisclosureRisk
from tacit.knowledge.risk.records import Records
from tacit.knowledge.risk.score import Score, score_records

__all__ = ["DESCRIBED_RISK", "Attributes", "DisclosureRisk", "Records", "Score", "score_records"]
