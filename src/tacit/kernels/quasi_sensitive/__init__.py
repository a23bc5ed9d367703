"""Beliefs over labels, compiled: sets of labels as bits, the verdict on groups, and the search for items to remove."""
