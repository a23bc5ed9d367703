"""Who else must be withheld: those who could not be helped, read as one more group, must be near to the prior too."""

from __future__ import annotations

import numpy as np

from tacit.arrays import Flags
from tacit.guarantees import QSGuarantee
from tacit.knowledge.quasi_sensitive import Linking, Prior

_GROWTH = 4


def cover(guarantee: QSGuarantee, linking: Linking, prior: Prior, withheld: Flags) -> Flags:
    """Withhold further groups until the withheld, by their original items, satisfy the guarantee; perhaps all of them.

    Those that lean the other way are taken first: whoever links to what the withheld link to least, against the prior.
    """
    ids, sizes = linking.groups.ids, np.maximum(1, linking.groups.sizes())
    withheld = withheld.copy()
    taken = 0
    while withheld.any() and not withheld.all():
        together = linking.only(withheld[ids])
        if bool(guarantee.judge(together, prior)[0][0]):
            break
        leaning = linking.label_means(together.probabilities(0) - prior.values)
        score = np.bincount(ids, weights=leaning, minlength=linking.groups.count) / sizes
        score[withheld] = np.inf
        order = np.argsort(score, kind="stable")[: 1 + taken // _GROWTH]
        order = order[~withheld[order]]
        withheld[order] = True
        taken += len(order)
    return withheld
