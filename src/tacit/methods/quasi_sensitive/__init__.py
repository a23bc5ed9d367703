"""Quasi-sensitive items: blur who people are, then take items until nobody's label can be told."""

from tacit.methods.quasi_sensitive.quasi_sensitive import QuasiSensitive

__all__ = ["QuasiSensitive"]
