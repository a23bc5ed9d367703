"""What is said of broken promises: every release is named, and a long series takes one sentence."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import CompositionFailed
from tacit.releases.broken_claim import SIGNATURES, THE_NEW, BrokenClaim, in_words
from tacit.releases.composition import Composition


def test_a_series_takes_one_sentence_that_tells_the_worst_of_it() -> None:
    months = [BrokenClaim(at, "m-invariance(m=2)", 100 + at, 3 - at % 3, 0.3 + at / 100) for at in range(1, 25)]
    new = BrokenClaim(THE_NEW, "l-diversity(l=2)", 7, 1, 1.0)
    left = "who are left with as few as 1 value (largest posterior"
    assert in_words([new, *months]) == [
        f"l-diversity(l=2) of this release fails for 7 people, {left} 1.0000)",
        f"m-invariance(m=2) of releases 1 to 24 fails for up to 124 people, {left} 0.5400)",
    ]
    assert "fails for 1 person, who is left with" in BrokenClaim(2, "k-anonymity(k=4)", 1, 1, 1.0).words()
    beside = tuple(f"release {month}" for month in range(1, 25))
    short = r"read beside release 1, release 2, 21 more, and release 24, l-diversity[^;]*; m-inv[^;]*0.5400\)\. Publish"
    with pytest.raises(CompositionFailed, match=short):
        Composition(beside, broken=(new, *months)).require()


@given(
    st.lists(
        st.builds(
            BrokenClaim,
            st.integers(SIGNATURES, 12),
            st.sampled_from(["k-anonymity(k=2)", "l-diversity(l=2)"]),
            st.none() | st.integers(1, 50),
            st.none() | st.integers(0, 5),
            st.none() | st.floats(0, 1),
        ),
        max_size=12,
        unique_by=lambda each: (each.release, each.claim),
    )
)
def test_every_release_is_named_with_its_claim(broken: list[BrokenClaim]) -> None:
    named = set()
    for words in in_words(broken):
        claim = words.split("(")[0]
        whose = re.search(r"of (this release|the earlier releases|releases? [\d, toand]+)", words)
        assert whose is not None
        if whose[1][-1:].isdigit() or "releases " in whose[1] or "release " in whose[1]:
            spans = re.findall(r"(\d+)(?: to (\d+))?", whose[1])
            named |= {(n, claim) for a, b in spans for n in range(int(a), int(b or a) + 1)}
        if whose[1] == "this release":
            named.add((THE_NEW, claim))
        if whose[1] == "the earlier releases":
            named.add((SIGNATURES, claim))
    assert named == {(each.release, each.claim.split("(")[0]) for each in broken}
