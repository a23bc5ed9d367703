"""A csv becomes a folder that can be published."""

from pathlib import Path

import tacit as tc
from tacit.datasets import hospital

out = Path("example-out")
out.mkdir(exist_ok=True)
hospital(2_000).frame.select("name", "age", "postcode", "sex", "diagnosis").write_csv(out / "patients.csv")

table = tc.Table.read(
    out / "patients.csv",
    identifiers=["name"],  # never leave
    quasi_identifiers=["age", "postcode", "sex"],  # what a neighbour knows
    sensitive=["diagnosis"],  # what nobody should learn
    hierarchies={"postcode": tc.Prefix(length=5), "age": tc.Intervals(width=5)},
)
method = tc.Mondrian(guarantees=[tc.KAnonymity(k=5), tc.LDiversity(l=2, kind="frequency")])
release = method.protect(table)

print(tc.audit(release, table))  # every claim, judged again from what will be published
print(tc.utility(release, table))  # what it cost
written = release.write(out / "patients", format="csv", overwrite=True)
print("public:", written.folder, " private:", written.private)
