"""Kernels of m-invariant marginals: tuples to buckets, buckets to groups, groups to the least NCP."""
