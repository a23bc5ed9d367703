"""Possible worlds: posteriors of one group, verdicts on many, and the growth of groups."""
