"""Somebody else published a table: what does it promise, and whom does a neighbour find in it?"""

import tacit as tc

published = {
    "age": ["20-29", "20-29", "20-29", "30-39", "30-39", "30-39"],
    "zip": ["130**", "130**", "130**", "148**", "148**", "148**"],
    "disease": ["flu", "cold", "gout", "cancer", "cancer", "cancer"],
}
release = tc.Release.foreign(published, quasi_identifiers=["age", "zip"], sensitive=["disease"])

verdict = tc.audit(release, claims=[tc.KAnonymity(k=3), tc.LDiversity(l=2, kind="frequency")])
for finding in verdict.findings:
    print(finding.guarantee, finding.holds, finding.sentence, sep="; ")
assert [finding.holds for finding in verdict.findings] == [True, False]

# The neighbour has a list of names with age and postcode.
neighbour = tc.LinkageAdversary(victims={"name": ["Ann", "Bob"], "age": [34, 25], "zip": ["14850", "13053"]})
belief = neighbour.attack(release)
print(belief.frame())
assert belief.posteriors[0] == 1.0, "everybody in Ann's group has cancer"
