"""Beliefs over labels: bitsets, the two measures of a group, the verdict on groups, and the search for removals."""
