"""ART: r-robust tables (paper 003), by exact posteriors or by the paper's bound."""

from tacit.methods.distribution.art.art import ART

__all__ = ["ART"]
