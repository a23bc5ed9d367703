"""Knowledge: what adversaries know besides the release, as values that can be computed with.

A module belongs here if it answers the question "what does she know, and what follows from it?" and if at least two of
the rooms above (guarantees, adversaries, methods) need the same answer. It never decides whether a release is good
enough (`guarantees` do) and never makes one (`methods` do). There is one folder per threat:

- `skew`: the suppression algorithms as plans on counts, and the tables that could have led to the published counts.
  A plan is here because guarantee and adversary replay it; drawing the rows is the method's business.
- `risk`: which attributes may be known and with what probability, and the disclosure risk that follows.
- `distribution`: the probability of each sensitive value given the quasi-identifiers, and the possible worlds of a
  group.
- `learning`: models of the value given all quasi-identifiers that a release teaches, and what they make of a group.
- `quasi_sensitive`: which items go with which hidden label, and the labels that a set of items can have.

`linkage` and `marginals` have no folder: somebody who looks people up, in one table or in several, knows quasi-
identifiers, and these are in the table.
"""
