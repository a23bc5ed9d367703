"""kernels of Mondrian (being built)."""
