"""Kernels: compiled loops over integer codes.

Arrays in, arrays out. A kernel knows no column by name, checks nothing, draws nothing: what is random comes in as an
array or a seed. Each has a slow, obvious twin under `tests/oracles`.
"""
