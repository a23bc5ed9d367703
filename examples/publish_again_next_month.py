"""A ledger: the second release may not undo the first."""

from pathlib import Path

import tacit as tc
from tacit.datasets import hospital

out = Path("example-out")
out.mkdir(exist_ok=True)
(out / "clinic.ledger").unlink(missing_ok=True)
ledger = tc.Ledger(out / "clinic.ledger")
patients = hospital(1_000)

# January: a table by age and sex. February: the same people by postcode.
for month, columns in {"january": ["age", "sex"], "february": ["postcode"]}.items():
    method = tc.InvariantMarginals(m=2, marginals={month: columns})
    release = method.protect(patients, ledger=ledger)
    release.write(out / month, overwrite=True)
    print(month, tc.audit(release).findings[0].sentence)

# Both are cut from the same buckets: whoever finds a person in both is left with as many diagnoses as before.
for entry in ledger.entries():
    print(entry)
