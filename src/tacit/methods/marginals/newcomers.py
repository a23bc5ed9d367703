"""Newcomers: which of them fill the buckets of people who were published before, so that the others can still be cut.

Whoever was published keeps her signature for ever, so the bucket of a signature must hold as many rows of each of its
values. What it lacks is taken from people who are new, and else from counterfeits. The new people who remain need new
buckets, which exist only if no value is in more than 1/m of them.
"""

from __future__ import annotations

import numpy as np

from tacit.arrays import Ints


def remaining(new: Ints, wanted: Ints, m: int) -> Ints | None:
    """Say how many new people of each value must stay, so that as many as possible fill and the rest is m-eligible.

    Parameters
    ----------
    new, wanted
        How many new people have each value, and how many of them the old buckets could take.
    m
        No value may be in more than 1/m of those who stay.

    Returns
    -------
    remaining
        Per value how many stay; None where the new people cannot stay m-eligible however many fill.

    Examples
    --------
    >>> remaining(np.array([5, 3, 0]), np.array([3, 3, 1]), 2)
    array([2, 2, 0])
    >>> remaining(np.array([5, 1]), np.array([1, 1]), 2) is None
    True
    """
    fewest = new - np.minimum(new, wanted)
    most = int(fewest.max(initial=0))
    # If m * most exceeds what can stay at all, then so it does for every larger number: the sum of min(new, most) grows
    # by ever less. So the values that must stay most often decide.
    ceiling = np.minimum(new, np.maximum(fewest, most))
    if m * most > int(ceiling.sum()):
        return None
    missing = max(0, m * most - int(fewest.sum()))
    # Values with the most room give way first: it costs the fewest different values a filler.
    room = ceiling - fewest
    order = np.argsort(-room, kind="stable")
    given = np.clip(missing - np.concatenate([[0], np.cumsum(room[order])[:-1]]), 0, room[order])
    stay = fewest.copy()
    stay[order] += given
    return stay
