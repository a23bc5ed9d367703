"""Mondrian: groups of rows that satisfy a guarantee at a small loss of information (NCP).

Integer codes go in, a group number per row comes out. `space.space_of` says what blurring each quasi-identifier costs,
`rules.rules_of` what every group must satisfy, and `partition.partition` makes the groups.

Rows with equal quasi-identifiers are one cell (`cells`). Without hierarchies the cells are cut top-down
(`top_down`, `cuts`); with hierarchies they are pooled bottom-up (`pooling`, `leftovers`); where the guarantee is about
distributions, groups are cut further so that every side keeps the distribution (`balanced_cuts`). At last neighbouring
groups exchange members (`exchange`).

Nothing is imported here: what is compiled is kept under a digest of all that a kernel's package imports, so an edit of
one module would compile every other one again.
"""
