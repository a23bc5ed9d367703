"""Reports: what a data owner reads and a reviewer checks.

Numbers and sentences are made once and shown in a terminal, a page or a file.
"""

from tacit.report.sentences import headline, outcome, parameters, probability, share, verdicts

__all__ = ["headline", "outcome", "parameters", "probability", "share", "verdicts"]
