"""Quasi-sensitive items: blur the quasi-identifiers, then remove items until nobody's label can be read from them."""

from tacit.methods.quasi_sensitive.quasi_sensitive import QuasiSensitive

__all__ = ["QuasiSensitive"]
