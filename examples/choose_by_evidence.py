"""Two methods on one table: what a reader may believe, and what it costs."""

import tacit as tc
from tacit.datasets import census

table = census(2_000)
methods = {
    "groups of 5": tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]),
    "groups of 5, 3-diverse": tc.Mondrian(guarantees=[tc.KAnonymity(k=5), tc.LDiversity(l=3, kind="frequency")]),
    "buckets, 3-diverse": tc.Anatomy(l=3),
}
largest = {}
for name, method in methods.items():
    release = method.protect(table)
    assert tc.audit(release, table).holds
    largest[name] = tc.LinkageAdversary().attack(release).max_posterior
    cost = tc.utility(release, table)
    print(f"{name:24} largest posterior {largest[name]:.2f}, information lost (NCP) {cost.ncp:.3f}")
assert largest["groups of 5, 3-diverse"] <= 1 / 3 + 1e-9
assert largest["buckets, 3-diverse"] <= 1 / 3 + 1e-9
