"""Who else must be withheld: the withheld rows, read as one more group, must satisfy the guarantee too."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Flags
from tacit.guarantees import QSGuarantee
from tacit.knowledge.quasi_sensitive import Linking, Prior

_GROWTH = 4
"""Each turn withholds one group and a quarter of those taken before. A larger number withholds fewer groups that need
not be withheld, and takes more turns, each of which judges all rows; their number grows with the logarithm of the
groups. Chosen by trial."""


def withhold_with(guarantee: QSGuarantee, linking: Linking, prior: Prior, withheld: Flags) -> Flags:
    """Withhold further groups until the withheld, by their original items, satisfy the guarantee; perhaps all of them.

    Groups that differ from the prior in the opposite direction are taken first: those whose rows link to labels that
    the withheld rows link to less than the prior says.
    """
    ids, sizes = linking.groups.ids, np.maximum(1, linking.groups.sizes())
    withheld = withheld.copy()
    taken = 0
    while withheld.any() and not withheld.all():
        together = linking.only(withheld[ids])
        if bool(guarantee.judge(together, prior)[0][0]):
            break
        surplus = linking.label_means(together.probabilities(0) - prior.values)
        score = np.bincount(ids, weights=surplus, minlength=linking.groups.count) / sizes
        score[withheld] = np.inf
        order = np.argsort(score, kind="stable")[: 1 + taken // _GROWTH]
        order = order[~withheld[order]]
        withheld[order] = True
        taken += len(order)
    return withheld
