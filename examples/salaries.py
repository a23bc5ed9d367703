"""Sensitive numbers: three near salaries are three values, and tell the salary."""

import numpy as np
import polars as pl

import tacit as tc

rng = np.random.default_rng(7)
staff = pl.DataFrame(
    {
        "age": rng.integers(20, 65, 500),
        "department": rng.choice(["sales", "research", "works"], 500, p=[0.3, 0.2, 0.5]),
        "salary": (rng.lognormal(10.6, 0.35, 500) / 10).astype(int) * 10,
    }
)
table = tc.Table(staff, quasi_identifiers=["age", "department"], sensitive="salary")

diverse = tc.Anatomy(l=3).protect(table)
wide = tc.KEPermutation(k=3, e=2_000).protect(table)
for name, release in {"3-diverse": diverse, "(3, 2000)-anonymous": wide}.items():
    groups = release.frames()["sensitive"].group_by("group").agg(pl.col("salary").max() - pl.col("salary").min())
    print(f"{name:20} {groups.height} groups, the narrowest range of salaries is {groups['salary'].min():,}")
assert tc.audit(wide, table).holds

# Sums over departments can be bounded from what is published: nobody's salary is known, the pay roll nearly is.
print("the pay roll is", f"{int(staff['salary'].sum()):,}")
