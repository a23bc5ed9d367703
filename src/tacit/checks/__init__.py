"""Checks: what every class of a family must satisfy.

Public, so that somebody who writes a method, a guarantee, an adversary or an engine can hold it to the same standard:
`for case in tacit.checks.cases(MyMethod(...)): case.run()`. The project's own tests run every check on every class; a
skip is declared on the class, with its reason.
"""

from tacit.checks.cases import CheckCase, cases, checks_of, everything

__all__ = ["CheckCase", "cases", "checks_of", "everything"]
